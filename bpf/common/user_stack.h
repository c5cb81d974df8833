/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The stack of a program, by frame pointers. */
#ifndef IOTOP_BPF_COMMON_USER_STACK_H
#define IOTOP_BPF_COMMON_USER_STACK_H

#include "bpf/abi.h"
#include "bpf/common/kernel.h"
#include "bpf/common/stack.h"

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

/* What a program's registers were when it entered the kernel. */
struct pt_regs___user {
	unsigned long bp, ip, cs, sp;
};

#pragma clang attribute pop

enum bpf_func_id___user {
	BPF_FUNC_task_pt_regs___user = 175,	/* 5.15 */
};

#define USER_CS 0x33	/* of programs of 64 bits */

_always_ bool user_walk_can(void)
{
#ifdef __TARGET_ARCH_x86
	return bpf_core_enum_value_exists(enum bpf_func_id___user, BPF_FUNC_task_pt_regs___user);
#else
	return false;
#endif
}

/*
 * Could a function return to this address of a program? On its own: in a loop, the verifier would
 * look at it each time.
 */
__noinline int user_return(__u64 ip)
{
	__u8 code[16];

	/* Not readable: no code, or none that was run lately. */
	if (ip < 4096 || bpf_probe_read_user(code, sizeof(code), (const void *)(ip - 8)))
		return false;
#ifdef __TARGET_ARCH_x86
	/*
	 * Behind a call, near or indirect; behind a nop, as runtimes have it below their first
	 * function; to leave a signal.
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
 * A program without frame pointers has anything where the walk looks for them, and that may be
 * other things at each I/O: each would be a path of its own. The stack that is in the first scratch
 * ends where it cannot go on.
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
 * The frames of the current task's program go to the first scratch, by a walk of our own; how many
 * there are. It reads what the kernel's reads, and is more careful where that leads out of the
 * stack: without frame pointers there is anything in rbp, which costs a fault, or is another path
 * at each I/O. 0: the kernel has to walk.
 */
__noinline __u32 user_walk(void)
{
	__u32 zero = 0, n = 1;
	struct abi_stack *s = bpf_map_lookup_elem(&stack_scratch, &zero);
	__u64 frame[2], at, below;
	const struct pt_regs___user *regs;

	if (!s || !user_walk_can())
		return 0;
	regs = (const void *)bpf_task_pt_regs(bpf_get_current_task_btf());
	/* Programs of 32 bits have other frames. */
	if (regs->cs != USER_CS)
		return 0;
	s->ip[0] = regs->ip;
	at = regs->bp;
	below = regs->sp;
	/* Anything, most likely. */
	if (at - below > USER_FRAME_MAX)
		return n;
	for (__u32 i = 1; i < ABI_STACK_DEPTH; i++) {
		if (bpf_probe_read_user(frame, sizeof(frame), (const void *)at))
			break;
		/* Another stack, of a signal or a coroutine; or none. */
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
 * The stack of the current task's program. 0: none (a thread of the kernel, also one that works for
 * a program), or not wanted. start: of its process.
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
	s->tgid = bpf_get_current_pid_tgid() >> 32;
	n = user_walk();
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
