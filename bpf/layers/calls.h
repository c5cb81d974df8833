/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The programs at the begin and the end of each system call. */
#ifndef IOTOP_BPF_LAYERS_CALLS_H
#define IOTOP_BPF_LAYERS_CALLS_H

#include "bpf/layers/aio.h"
#include "bpf/layers/call.h"
#include "bpf/layers/called.h"
#include "bpf/layers/fsync.h"
#include "bpf/layers/opening.h"

/* Counts a call that waits for its file system (more 1) or no longer does (-1). */
_always_ void syncs(__u32 entry, int more)
{
	struct abi_layer_entry *p = bpf_map_lookup_elem(&layer_entries, &entry);

	if (p)
		sync_waits(p->key.dev, more);
}

/* The current task begins a call that is noted. file: enum abi_call_file, but of no descriptor. */
_rarely_ int call_begins(struct layer_task *t, const struct pt_regs___call *regs, __u32 op,
			 __u32 file)
{
	bool maps = file == ABI_CALL_MAPPED;
	__u32 entry = 0;

	if (file == ABI_CALL_REAPS) {
		t->events = CALL_ARGUMENT4(regs);
		return 0;
	}
	if (maps && !(CALL_ARGUMENT3(regs) & KERNEL_MS_SYNC))
		return 0;
	if (maps || file == ABI_CALL_NO_FILE)
		entry = layer_entry(0, LAYER_WHAT(ABI_LAYER_SYSCALL, op, 0), 0);
	t->frame[FRAME_CALL].ino = 0;
	t->frame[FRAME_CALL].entry = entry;
	return 1;
}

SEC("tp_btf/sys_enter")
int layer_call(__u64 *ctx)
{
	const struct pt_regs___call *regs = (const void *)ctx[0];
	const struct inode *inode = NULL;
	__u64 number = ctx[1];
	__u32 op, file, mode = 0;
	volatile __u32 *mark;
	struct layer_task *t;
	bool begins;

	if (number >= ABI_CALLS || !calls[number].wanted)
		return 0;
	op = calls[number].op;
	file = calls[number].file;
	if (file == ABI_CALL_FD) {
		inode = call_inode(CALL_ARGUMENT1(regs));
		mode = call_mode(inode);
	}
	mark = call_mark(regs);
	if (*mark)
		call_missed(mark);
	if ((file == ABI_CALL_FD && !mode) || CALL_FOREIGN(regs) || !task_selected())
		return 0;
	if (file == ABI_CALL_SUBMITS)
		return aio_submits(CALL_ARGUMENT3(regs), CALL_ARGUMENT2(regs));
	t = layer_task(true);
	if (!t)
		return 0;
	/* What was missed before does not count. */
	t->depth[0] = t->depth[1] = 0;
	begins = mode ? call_file(t, inode, mode, op) : call_begins(t, regs, op, file);
	if (begins || t->events)
		call_marked(t, mark);
	if (!begins)
		return 0;
	t->frame[FRAME_CALL].op = op;
	if (is_selective() && (op == ABI_LAYER_FSYNC || op == ABI_LAYER_SYNC))
		syncs(t->frame[FRAME_CALL].entry, 1);
	t->frame[FRAME_CALL].start = bpf_ktime_get_ns();
	return 0;
}

/* Whether what such a call returns is a number of bytes. */
_always_ bool moves_bytes(__u32 op)
{
	return op == ABI_LAYER_READ || op == ABI_LAYER_WRITE;
}

/*
 * A call ends, and with it what has no end of its own (a file system with a tracepoint at the begin
 * only) and what ended unseen: without preemption there are only as many kretprobes at a time as
 * processors, more tasks than these in a function are missed.
 */
__noinline int frames_left(__u64 now)
{
	struct layer_task *t = layer_task(false);

	if (!t)
		return 0;
	fs_end(1, now);
	fs_end(0, now);
	frame_end(&t->frame[FRAME_VFS], now);
	return 0;
}

SEC("tp_btf/sys_exit")
int layer_return(__u64 *ctx)
{
	volatile __u32 *mark = call_mark((const void *)ctx[0]);
	struct layer_task *t = *mark ? layer_task(false) : NULL;
	__s64 result = ctx[1];
	struct layer_frame *f;
	__u64 now, events;

	if (!t || !t->called)
		return 0;
	call_unmarked(t, mark);
	events = t->events;
	if (events) {
		t->events = 0;
		return result > 0 ? aio_reaps(events, result) : 0;
	}
	f = &t->frame[FRAME_CALL];
	if (!f->start)
		return 0;
	now = bpf_ktime_get_ns();
	if (f->op == ABI_LAYER_OPEN)
		opening_ends(t, f, result);
	if (is_selective() && (f->op == ABI_LAYER_FSYNC || f->op == ABI_LAYER_SYNC))
		syncs(f->entry, -1);
	if (call_may_be(f, now))
		call_send(result, now);
	call_end(f, now, moves_bytes(f->op) && result > 0 ? result : 0);
	if (t->frame[FRAME_VFS].start || t->frame[FRAME_FS].start || t->frame[FRAME_FS_INNER].start)
		frames_left(now);
	return 0;
}

#endif
