/* SPDX-License-Identifier: GPL-2.0-or-later */
/* User stacks, unwound by frame pointers. */
#ifndef IOTOP_BPF_COMMON_USER_STACK_H
#define IOTOP_BPF_COMMON_USER_STACK_H

#include "bpf/abi.h"
#include "bpf/common/kernel.h"
#include "bpf/common/pid.h"
#include "bpf/common/stack.h"

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

/* Registers of the program at its entry to the kernel. */
struct pt_regs___user {
	unsigned long bp, ip, cs, sp;
};

#pragma clang attribute pop

enum bpf_func_id___user {
	BPF_FUNC_task_pt_regs___user = 175,	/* 5.15 */
};

#define USER_CS 0x33	/* of programs of 64 bits */

_always_ bool user_unwind_possible(void)
{
#ifdef __TARGET_ARCH_x86
	return bpf_core_enum_value_exists(enum bpf_func_id___user, BPF_FUNC_task_pt_regs___user);
#else
	return false;
#endif
}

/*
 * Whether a function could return to this user address: it is behind a call. A global function: in
 * a loop the verifier would verify it each time.
 */
__noinline int user_return(__u64 ip)
{
	__u8 code[16];

	/* Not readable: not code, or not resident. */
	if (ip < 4096 || bpf_probe_read_user(code, sizeof(code), (const void *)(ip - 8)))
		return false;
#ifdef __TARGET_ARCH_x86
	/*
	 * Behind a call, near or indirect; behind a nop, which runtimes place below their first
	 * function; the code that leaves a signal handler.
	 */
	return code[3] == 0xe8 || (code[6] == 0xff && (code[7] & 0x38) == 0x10) ||
	       (code[5] == 0xff && (code[6] & 0x38) == 0x10) ||
	       (code[4] == 0xff && (code[5] & 0x38) == 0x10) ||
	       (code[2] == 0xff && (code[3] & 0x38) == 0x10) ||
	       (code[1] == 0xff && (code[2] & 0x38) == 0x10) || code[7] == 0x90 ||
	       (code[8] == 0x48 && code[9] == 0xc7 && code[10] == 0xc0 && code[11] == 0x0f);
#else
	return true;
#endif
}

/*
 * Without frame pointers rbp is any value, maybe another one at each I/O, and each would be a stack
 * of its own. Cuts the stack in the first scratch at the first frame that a call cannot return to.
 */
__noinline int stack_trim(void)
{
	__u32 zero = 0, n;
	struct abi_stack *s = bpf_map_lookup_elem(&stack_scratch, &zero);

	if (!s)
		return 0;
	n = s->n;
	for (__u32 i = 1; i < ABI_STACK_DEPTH; i++) {
		if (i >= n)
			break;
		if (user_return(s->ip[i]))
			continue;
		s->n = i;
		s->flags &= ~ABI_STACK_CUT;
		break;
	}
	return 0;
}

#define USER_FRAME_MAX (64 << 20)	/* bytes: frames that lie further above, or below at all,
					 * are none */

/*
 * Unwinds the user stack of the current task into the first scratch; returns the number of frames.
 * Reads what bpf_get_stack() reads, but stops where a frame pointer leads out of the stack: rbp may
 * be any value, whose read costs a fault. 0: bpf_get_stack() is needed.
 */
__noinline __u32 user_unwind(void)
{
	__u32 zero = 0, n = 1;
	struct abi_stack *s = bpf_map_lookup_elem(&stack_scratch, &zero);
	__u64 frame[2], at, below;
	const struct pt_regs___user *regs;

	if (!s || !user_unwind_possible())
		return 0;
	regs = (const void *)bpf_task_pt_regs(bpf_get_current_task_btf());
	/* 32-bit programs have other frames. */
	if (regs->cs != USER_CS)
		return 0;
	s->ip[0] = regs->ip;
	at = regs->bp;
	below = regs->sp;
	/* Most likely no frame pointer. */
	if (at - below > USER_FRAME_MAX)
		return n;
	for (__u32 i = 1; i < ABI_STACK_DEPTH; i++) {
		if (bpf_probe_read_user(frame, sizeof(frame), (const void *)at))
			break;
		/* Another stack (of a signal or a coroutine), or no frame. */
		if (at - below > USER_FRAME_MAX && !user_return(frame[1]))
			break;
		s->ip[i] = frame[1];
		n = i + 1;
		below = at + sizeof(frame);
		at = frame[0];
	}
	return n;
}

_always_ void space_tell(__u64 start, __u64 mm, __u32 tgid)
{
	struct abi_space space = { .start = start, .mm = mm, .tgid = tgid };
	__u8 told = 1;

	if (bpf_map_lookup_elem(&spaces_told, &space))
		return;
	if (bpf_ringbuf_output(&spaces, &space, sizeof(space), 0))
		stack_lose(ABI_STACK_SPACES);
	else
		bpf_map_update_elem(&spaces_told, &space, &told, BPF_ANY);
}

/*
 * The id of the user stack of the current task. 0: none (a kernel thread, also one that works for a
 * program), or user stacks are off. start: of its process.
 */
_always_ __u64 stack_user(void *ctx, const struct task_struct *task, __u64 start)
{
	__u32 zero = 0, flags = BPF_CORE_READ(task, flags);
	struct abi_stack *s = bpf_map_lookup_elem(&stack_scratch, &zero);
	__u64 mm = (__u64)BPF_CORE_READ(task, mm), id;
	long n;

	if (!want_user_stacks || !s || !mm || flags & (KERNEL_PF_KTHREAD | KERNEL_PF_IO_WORKER))
		return 0;
	s->start = start;
	s->mm = mm;
	s->tgid = current_ids() >> 32;
	n = user_unwind();
	if (!stack_taken(s, n ? n * 8 : bpf_get_stack(ctx, s->ip, sizeof(s->ip), BPF_F_USER_STACK),
			 ABI_STACK_USER))
		return 0;
	id = stack_hash(0);
	if (stack_stored(id))
		return id;
	space_tell(start, mm, s->tgid);
	stack_trim();
	return stack_store(0);
}

#endif
