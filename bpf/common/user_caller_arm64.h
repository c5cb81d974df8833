/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From a frame to its caller on arm64, where a call leaves the return address in x30. */
#ifndef IOTOP_BPF_COMMON_USER_CALLER_ARM64_H
#define IOTOP_BPF_COMMON_USER_CALLER_ARM64_H

#include "bpf/common/stack.h"
#include "bpf/common/user_code.h"
#include "bpf/common/user_unwind.h"

#define UNWIND_LINKED 1

/* Offsets in the frame of a signal (struct siginfo, struct ucontext). */
#define UCONTEXT_BP 544	/* and x30 behind it */
#define UCONTEXT_SP 560	/* and the instruction pointer behind it */

/* The caller of a function that has not stored where it returns to. Its calls take the register. */
_always_ enum abi_stack_end unwind_link(struct unwind *u, __u64 cfa)
{
	if (!u->exact || cfa - u->sp >= USER_FRAME_MAX)
		return ABI_END_BROKEN;
	if (u->lr_at)
		path_note(&u->path, u->lr_at, u->lr);
	else
		u->path.by_lr = 1;
	u->sp = cfa;
	u->ip = USER_ADDRESS(u->lr);
	u->exact = 0;
	return u->ip < 4096 ? ABI_END_BROKEN : ABI_END_UNKNOWN;
}

/* The caller of a function that has nothing on the stack. Without: why there is none. */
_always_ enum abi_stack_end unwind_leaf(struct unwind *u, enum abi_stack_end without)
{
	return user_return(USER_ADDRESS(u->lr)) ? unwind_link(u, u->sp) : without;
}

/* Code that goes back to another stack is not understood here. */
_always_ enum abi_stack_end unwind_switch(void)
{
	return ABI_END_ODD;
}

/* To the caller, by the CFA and the row: return address and BP are most often stored as a pair. */
_always_ enum abi_stack_end unwind_by_row(struct unwind *u, __u64 cfa)
{
	__u32 saved = ABI_UNWIND_SAVED_BP(u->row.how);
	bool pair = saved == ABI_UNWIND_BP_BY_CFA || saved == ABI_UNWIND_BP_BY_BASE;
	__u64 at = cfa, ip;

	if (saved == ABI_UNWIND_BP_SAME)
		return unwind_link(u, cfa);
	if (saved == ABI_UNWIND_BP_BY_BASE || saved == ABI_UNWIND_RETURN_BY_BASE)
		at = ABI_UNWIND_CFA(u->row.how) == ABI_UNWIND_BP ? u->bp : u->sp;
	if (!unwind_above(u, cfa))
		return ABI_END_BROKEN;
	at += 8 * (__s64)u->row.bp;
	if (pair ? !unwind_read(u, at, 16) : !unwind_read(u, at, 8))
		return ABI_END_MEMORY;
	ip = u->word[0];
	if (pair) {
		ip = u->word[1];
		u->bp = u->word[0];
		u->bp_at = at;
	}
	path_note(&u->path, pair ? at + 8 : at, ip);
	u->sp = cfa;
	u->ip = USER_ADDRESS(ip);
	u->exact = 0;
	u->lost_sp = 0;
	return u->ip < 4096 ? ABI_END_BROKEN : ABI_END_UNKNOWN;
}

#endif
