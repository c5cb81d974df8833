/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From a frame to its caller on x86-64, where a call stores the return address: user_tables.h. */
#ifndef IOTOP_BPF_COMMON_USER_CALLER_X86_H
#define IOTOP_BPF_COMMON_USER_CALLER_X86_H

#include "bpf/common/stack.h"
#include "bpf/common/user_code.h"
#include "bpf/common/user_switch.h"
#include "bpf/common/user_unwind.h"

#define UNWIND_LINKED 0

/* Offsets in the struct ucontext of this machine's system calls. */
#define UCONTEXT_BP 120
#define UCONTEXT_SP 160	/* and the instruction pointer behind it */

/* The caller of a function that has nothing on the stack. Without: why there is none. */
_always_ enum abi_stack_end unwind_leaf(struct unwind *u, enum abi_stack_end without)
{
	if (!unwind_read(u, u->sp, 8))
		return without == ABI_END_FIRST ? without : ABI_END_MEMORY;
	if (!user_return(u->word[0]))
		return without;
	path_note(&u->path, u->sp, u->word[0]);
	u->ip = u->word[0];
	u->sp += 8;
	u->exact = 0;
	return ABI_END_UNKNOWN;
}

/* The caller's rbp, by the row; its return address is in the second word. */
_always_ enum abi_stack_end unwind_saved_bp(struct unwind *u, __u64 cfa, __u32 saved)
{
	__u64 ip = u->word[1], at;

	if (saved == ABI_UNWIND_BP_SAME)
		return ABI_END_UNKNOWN;
	if (saved == ABI_UNWIND_BP_LOST || saved == ABI_UNWIND_PUT_IN) {
		u->lost_bp = 1;
		return ABI_END_UNKNOWN;
	}
	if (saved == ABI_UNWIND_BP_BY_BP && u->lost_bp)
		return ABI_END_ODD;
	at = (saved == ABI_UNWIND_BP_BY_CFA ? cfa : unwind_bp(u)) + 8 * (__s64)u->row.bp;
	if (!unwind_read(u, at, 8))
		return ABI_END_MEMORY;
	u->bp = u->word[0];
	u->bp_at = at;
	u->word[1] = ip;
	u->lost_bp = 0;
	return ABI_END_UNKNOWN;
}

/* To the caller, by the CFA and the row. */
_always_ enum abi_stack_end unwind_by_row(struct unwind *u, __u64 cfa)
{
	enum abi_stack_end end;

	if (!unwind_above(u, cfa))
		return ABI_END_BROKEN;
	/* What most functions push first lies below the return address. */
	if (!unwind_read(u, cfa - 16, 16))
		return ABI_END_MEMORY;
	path_note(&u->path, cfa - 8, u->word[1]);
	if (ABI_UNWIND_SAVED_BP(u->row.how) == ABI_UNWIND_BP_BY_CFA && u->row.bp == -2) {
		u->bp = u->word[0];
		u->bp_at = cfa - 16;
		u->lost_bp = 0;
	} else {
		end = unwind_saved_bp(u, cfa, ABI_UNWIND_SAVED_BP(u->row.how));
		if (end)
			return end;
	}
	u->sp = cfa;
	u->ip = u->word[1];
	u->exact = ABI_UNWIND_SAVED_BP(u->row.how) == ABI_UNWIND_PUT_IN;
	return u->ip < 4096 ? ABI_END_BROKEN : ABI_END_UNKNOWN;
}

#endif
