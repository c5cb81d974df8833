/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calls that block since before the programs were attached: nobody told when they began. They are
 * running, their time is counted from the attachment on, and as none of those that ended.
 */
#ifndef IOTOP_BPF_LAYERS_BEFORE_H
#define IOTOP_BPF_LAYERS_BEFORE_H

#include "bpf/layers/called.h"
#include "bpf/layers/opening.h"

enum bpf_func_id___before {
	BPF_FUNC_task_pt_regs___before = 175,	/* 5.15 */
};

/* The number of the call that a task is in; -1 in a fault, or of a program of 32 bits. */
#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)
#if defined(__TARGET_ARCH_x86)
struct pt_regs___number {
	unsigned long orig_ax, cs;
};
/* The code segment is of 16 bits. */
#define CALL_NUMBER(regs) \
	((BPF_CORE_READ(regs, cs) & 0xffff) == 0x23 ? -1ull : BPF_CORE_READ(regs, orig_ax))
#elif defined(__TARGET_ARCH_arm64)
struct pt_regs___number {
	__s32 syscallno;
	__u64 pstate;
};
#define CALL_NUMBER(regs) \
	(BPF_CORE_READ(regs, pstate) & 0x10 ? -1ull : (__u64)BPF_CORE_READ(regs, syscallno))
#else
struct pt_regs___number {
	int none;
};
#define CALL_NUMBER(regs) ((void)(regs), -1ull)
#endif
#pragma clang attribute pop

/* The inode of a descriptor of any task, as an address; 0: none. */
_always_ __u64 inode_of_task(const struct task_struct *of, __u32 fd)
{
	const struct task_struct___files *task = (const void *)of;
	const struct fdtable *fdt = BPF_CORE_READ(task, files, fdt);
	__u64 file = 0;

	if (!fdt || fd >= BPF_CORE_READ(fdt, max_fds))
		return 0;
	bpf_probe_read_kernel(&file, sizeof(file),
			      (const void *)((__u64)BPF_CORE_READ(fdt, fd) + fd * 8ull));
	return file ? (__u64)BPF_CORE_READ((const struct file *)file, f_inode) : 0;
}

/* The entry of a call of a task that sleeps. */
_always_ __u32 entry_before(struct task_struct *task, __u32 op, __u32 file)
{
	const struct pt_regs___call *call = (const void *)bpf_task_pt_regs(task);
	__u64 fd = 0, inode;

	if (file == ABI_CALL_RETURNS_FD)
		return opening_entry(task);
	if (file != ABI_CALL_FD)
		return 0;
	bpf_core_read(&fd, sizeof(unsigned long), &CALL_ARGUMENT1(call));
	inode = inode_of_task(task, fd);
	return inode ? inode_find(inode, LAYER_WHAT(ABI_LAYER_SYSCALL, op, 0)) : 0;
}

/* A task that sleeps; that it is one of those selected is not known of another than current. */
_always_ int note_call_before(struct task_struct *task)
{
	const struct pt_regs___number *regs;
	struct layer_task *t;
	__u64 number;
	__u32 entry;

	if (!bpf_core_enum_value_exists(enum bpf_func_id___before, BPF_FUNC_task_pt_regs___before))
		return 0;
	if (!task_state(task) || task->flags & KERNEL_PF_KTHREAD || is_selective())
		return 0;
	regs = (const void *)bpf_task_pt_regs(task);
	number = CALL_NUMBER(regs);
	if (number >= ABI_CALLS || !calls[number].wanted)
		return 0;
	entry = entry_before(task, calls[number].op, calls[number].file);
	t = entry ? layer_task_of(task, true) : NULL;
	if (!t || t->frame[FRAME_CALL].start)
		return 0;
	t->frame[FRAME_CALL].ino = 0;
	t->frame[FRAME_CALL].entry = entry;
	t->frame[FRAME_CALL].op = calls[number].op;
	t->frame[FRAME_CALL].before = 1;
	call_marked(t, call_mark(regs));
	t->frame[FRAME_CALL].start = bpf_ktime_get_ns();
	/* A waker makes it runnable: its return has found the note, or it is found awake here. */
	if (!task_state(task))
		t->frame[FRAME_CALL].start = 0;
	return 0;
}

#endif
