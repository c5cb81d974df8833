/* SPDX-License-Identifier: GPL-2.0-or-later */
/* User stacks: by tables where there are some, else by frame pointers. */
#ifndef IOTOP_BPF_COMMON_USER_STACK_H
#define IOTOP_BPF_COMMON_USER_STACK_H

#include "bpf/abi.h"
#include "bpf/common/cast.h"
#include "bpf/common/kernel.h"
#include "bpf/common/pid.h"
#include "bpf/common/stack.h"
#include "bpf/common/user_caller.h"
#include "bpf/common/user_code.h"
#include "bpf/common/user_space.h"
#include "bpf/common/user_tables.h"
#include "bpf/common/user_unwind.h"

/* The first: stacks of programs with tables that were not known already, roughly. */
volatile __u64 unwound_anew[8] OWN_LINE;

/*
 * Without frame pointers BP is any value, maybe another one at each I/O, and each would be a stack
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

/*
 * To the caller by the frame pointer, if the function is seen to have one. BP may be any value,
 * whose read costs a fault: that it leads out of the stack is looked at first.
 */
__noinline int unwind_framed(void)
{
	__u32 zero = 0;
	struct unwind *u = bpf_map_lookup_elem(&unwinds, &zero);

	if (!u || u->bp - u->sp > USER_FRAME_MAX || !unwind_read(u, u->bp, 16) ||
	    !user_framed(USER_ADDRESS(u->word[1]), u->ip))
		return false;
	u->ip = USER_ADDRESS(u->word[1]);
	u->sp = u->bp + 16;
	u->bp = u->word[0];
	return true;
}

/* Unwinds into the first scratch what was begun, without tables. */
_always_ void unwind_by_frames(struct unwind *u, struct abi_stack *s)
{
	__u64 n;

	s->ip[0] = u->ip;
	s->n = 1;
	/* A system call's function has no frame: its caller would be missing. */
	if (user_leaf(u->ip) && !unwind_leaf(u, ABI_END_NO_FRAME)) {
		s->ip[1] = u->ip;
		s->n = 2;
	}
	for (__u32 i = 1; i < ABI_STACK_DEPTH; i++) {
		n = s->n;
		/* Else the compiler compares another number than it uses. */
		barrier_var(n);
		if (n >= ABI_STACK_DEPTH || !unwind_framed())
			break;
		s->ip[n] = u->ip;
		s->n = n + 1;
	}
	if (s->n >= ABI_STACK_DEPTH)
		s->flags |= ABI_STACK_CUT;
}

/*
 * Unwinds the user stack of the current task into the first scratch, as it was begun; returns the
 * number of frames.
 */
__noinline __u32 user_unwind(void)
{
	__u32 zero = 0;
	struct abi_stack *s = bpf_map_lookup_elem(&stack_scratch, &zero);
	struct unwind *u = bpf_map_lookup_elem(&unwinds, &zero);

	if (!s || !u)
		return 0;
	if (u->number) {
		unwound_anew[0]++;
		unwind_by_tables(u, s);
		return s->n;
	}
	/* Its frames are others. */
	if (u->is_32) {
		s->ip[0] = u->ip;
		s->flags = ABI_STACK_USER | ABI_END_32_BITS << 4;
		s->n = 1;
		return 1;
	}
	s->flags = ABI_STACK_USER;
	/* New, or it had to make room for others. */
	if (want_unwind_tables) {
		s->flags |= ABI_END_EARLY << 4;
		space_tell(s, true);
	}
	unwind_by_frames(u, s);
	return s->n;
}

/*
 * Begins with the registers of the current task, whose space is in the first scratch; its number is
 * 0 where it is not known. False: bpf_get_stack() is needed.
 */
__noinline int user_begin(void)
{
	__u32 zero = 0;
	struct abi_stack *s = bpf_map_lookup_elem(&stack_scratch, &zero);
	struct unwind *u = bpf_map_lookup_elem(&unwinds, &zero);
	struct user_registers regs = {};

	if (!s || !u || !user_registers(&regs))
		return false;
	u->ip = regs.ip;
	u->sp = regs.sp;
	u->bp = regs.bp;
	u->lr = regs.lr;
	u->bp_at = u->lr_at = 0;
	u->exact = 1;
	u->lost_bp = u->lost_sp = 0;
	u->is_32 = regs.is_32;
	if (u->is_32 || !want_unwind_tables || !unwind_space(u, s))
		u->number = 0;
	return true;
}

/*
 * The id of the user stack of the current task. 0: none (a kernel thread, also one that works for a
 * program), or user stacks are off. start: of its process.
 */
_always_ __u64 stack_user(void *ctx, const struct task_struct *task, __u64 start)
{
	__u32 zero = 0, flags = READ_CAST(task_struct, task, flags);
	struct abi_stack *s = bpf_map_lookup_elem(&stack_scratch, &zero);
	__u64 mm = (__u64)READ_CAST(task_struct, task, mm), id;
	struct unwind *u = bpf_map_lookup_elem(&unwinds, &zero);
	bool begun;

	if (!want_user_stacks || !s || !u || !mm ||
	    flags & (KERNEL_PF_KTHREAD | KERNEL_PF_IO_WORKER))
		return 0;
	s->start = start;
	s->mm = mm;
	s->tgid = current_ids() >> 32;
	begun = user_begin();
	id = begun && u->number ? path_known(u->number, u->ip, u->sp, u->bp, u->lr) : 0;
	if (stack_stored(id))
		return id;
	if (!(begun && user_unwind()) &&
	    !stack_taken(s, bpf_get_stack(ctx, s->ip, sizeof(s->ip), BPF_F_USER_STACK),
			 ABI_STACK_USER))
		return 0;
	id = stack_hash(0);
	if (!stack_stored(id)) {
		space_tell(s, false);
		if (!(s->flags & ABI_STACK_TABLES))
			stack_trim();
		id = stack_store(0);
	}
	if (s->flags & ABI_STACK_TABLES)
		path_keep(&u->path, id);
	return id;
}

#endif
