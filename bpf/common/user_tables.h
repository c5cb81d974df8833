/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * User stacks, unwound by the tables that user space makes (bpf/abi_unwind.h). A frame is never
 * guessed: where the table, or the code, does not say what called a function, the stack ends there,
 * and says why.
 */
#ifndef IOTOP_BPF_COMMON_USER_TABLES_H
#define IOTOP_BPF_COMMON_USER_TABLES_H

#include "bpf/abi_unwind.h"
#include "bpf/common/array.h"
#include "bpf/common/branchless.h"
#include "bpf/common/kernel.h"
#include "bpf/common/stack.h"
#include "bpf/common/user_caller.h"
#include "bpf/common/user_code.h"
#include "bpf/common/user_space.h"
#include "bpf/common/user_unwind.h"

MAPPED_ARRAY(unwind_pages, 1, struct abi_unwind_page);
MAPPED_ARRAY(unwind_mappings, ABI_UNWIND_MAPPINGS, struct abi_unwind_mapping);
MAPPED_ARRAY(unwind_spaces, ABI_UNWIND_SETS, struct abi_unwind_set);

/* Rows that were found before, by address. */
struct unwind_known {
	__u64 ip, number;	/* of the space */
	struct abi_unwind_row row;
};

#define UNWIND_KNOWN 1024

struct unwind_cache {
	struct unwind_known of[UNWIND_KNOWN];
};

CPU_ARRAY(unwind_cache, 1, struct unwind_cache);

const volatile bool want_unwind_tables;

/*
 * Searches among n go on by halves. found: the last that begins at or below what is looked for; the
 * first is taken to. All are less than 1 << 63 apart.
 */
#define HALVE(found, step, n, begins_at, wanted) \
	((found) += (step) * (__u32)(not_above((found) + (step) + 1, n) & \
				     not_above(begins_at, wanted)))

/* The mapping that ip is in. False: it is in none. */
__noinline int unwind_mapping(void)
{
	__u32 zero = 0, found = 0, at;
	struct unwind *u = bpf_map_lookup_elem(&unwinds, &zero);
	const struct abi_unwind_mapping *m;
	__u64 ip;

	if (!u)
		return false;
	ip = u->ip - !u->exact;
	for (__u32 step = ABI_UNWIND_MAPPINGS_EACH / 2; step; step /= 2) {
		at = u->mapping + found + step;
		m = bpf_map_lookup_elem(&unwind_mappings, &at);
		/* Halved, for one lies at the very end of all addresses: vsyscall. */
		if (m)
			HALVE(found, step, u->n, m->start / 2, ip / 2);
	}
	at = u->mapping + found;
	m = bpf_map_lookup_elem(&unwind_mappings, &at);
	if (!m || ip - m->start >= m->size)
		return false;
	u->page = m->page;
	u->npages = m->npages;
	u->pc = ip - m->start + m->pc;
	return true;
}

/* The row for pc in the table of the mapping. */
__noinline int unwind_row(void)
{
	__u32 zero = 0, found = 0, at;
	struct unwind *u = bpf_map_lookup_elem(&unwinds, &zero);
	const struct abi_unwind_page *page;
	__u32 pc;

	if (!u)
		return 0;
	u->row.how = ABI_UNWIND_NONE;
	pc = (__u32)u->pc;
	if (u->pc >> 32)
		return 0;
	for (__u32 step = ABI_UNWIND_PAGES_MAX / 2; step; step /= 2) {
		at = u->page + found + step;
		page = bpf_map_lookup_elem(&unwind_pages, &at);
		if (page)
			HALVE(found, step, u->npages, page->row[0].pc, pc);
	}
	at = u->page + found;
	page = bpf_map_lookup_elem(&unwind_pages, &at);
	if (!page)
		return 0;
	found = 0;
	for (__u32 step = ABI_UNWIND_ROWS / 2; step; step /= 2) {
		at = (found + step) & (ABI_UNWIND_ROWS - 1);
		HALVE(found, step, ABI_UNWIND_ROWS, page->row[at].pc, pc);
	}
	found &= ABI_UNWIND_ROWS - 1;
	if (page->row[found].pc <= pc)
		u->row = page->row[found];
	return 0;
}

/* One row for an address of a space: found before, or now. False: the address is in no mapping. */
_always_ bool unwind_find(struct unwind *u)
{
	__u32 zero = 0, how;
	struct unwind_cache *cache = bpf_map_lookup_elem(&unwind_cache, &zero);
	struct unwind_known *known;

	if (!cache)
		return false;
	known = &cache->of[(__u32)(u->ip ^ u->ip >> 12 ^ u->exact << 4) & (UNWIND_KNOWN - 1)];
	if (known->ip == u->ip && known->number == (u->number << 1 | u->exact)) {
		u->row = known->row;
		return true;
	}
	if (!unwind_mapping())
		return false;
	u->row.how = u->page ? ABI_UNWIND_AWAY : ABI_UNWIND_CODE;
	if (u->page == ABI_UNWIND_PAGE_NONE)
		u->row.how = ABI_UNWIND_NONE;
	if (u->npages)
		unwind_row();
	how = ABI_UNWIND_CFA(u->row.how);
	if (!u->exact && how != ABI_UNWIND_FIRST && how != ABI_UNWIND_SIGNAL &&
	    !user_return(u->ip)) {
		/*
		 * Another file was mapped there since: its table is not this code's. Code of a
		 * child that its parent has run, not yet itself, is not to be read.
		 */
		if (!u->npages || user_readable(u->ip))
			u->row.how = ABI_UNWIND_ODD;
		return true;
	}
	known->number = u->number << 1 | u->exact;
	known->ip = u->ip;
	known->row = u->row;
	return true;
}

/* What a signal interrupted: the kernel has left its registers on the stack. */
_always_ enum abi_stack_end unwind_signal(struct unwind *u)
{
	__u64 at = u->sp + UCONTEXT_BP, bp;

	if (u->lost_sp)
		return ABI_END_ODD;
	if (!unwind_read(u, at, UNWIND_LINKED ? 16 : 8))
		return ABI_END_MEMORY;
	bp = u->word[0];
	u->bp_at = at;
	if (UNWIND_LINKED) {
		u->lr = u->word[1];
		u->lr_at = at + 8;
	}
	if (!unwind_read(u, u->sp + UCONTEXT_SP, 16))
		return ABI_END_MEMORY;
	path_note(&u->path, u->sp + UCONTEXT_SP, u->word[0]);
	path_note(&u->path, u->sp + UCONTEXT_SP + 8, u->word[1]);
	u->sp = u->word[0];
	u->ip = u->word[1];
	u->bp = bp;
	u->lost_bp = 0;
	u->exact = 1;
	return ABI_END_UNKNOWN;
}

/*
 * The caller where the return address is known for certain; else by frame pointer: where there is
 * none, or another function's, a caller would be missing. Code that a runtime makes has one
 * (believed); of other code it has to be seen.
 */
_always_ enum abi_stack_end unwind_by_frame(struct unwind *u, bool believed,
					    enum abi_stack_end without)
{
	int leaf = u->exact ? user_leaf(u->ip) : 0;
	__u64 at, ip;

	if (leaf)
		return unwind_leaf(u, leaf == USER_LEAF_CLONE ? ABI_END_FIRST : without);
	if (user_signal_return(u->ip))
		return unwind_signal(u);
	at = unwind_bp(u);
	if (u->lost_bp || at & 7 || !unwind_above(u, at + 16))
		return without;
	if (!unwind_read(u, at, 16))
		return ABI_END_MEMORY;
	ip = USER_ADDRESS(u->word[1]);
	if (!(believed ? user_return(ip) : user_framed(ip, u->ip)))
		return without;
	path_note(&u->path, at + 8, u->word[1]);
	u->ip = ip;
	u->bp = u->word[0];
	u->bp_at = at;
	u->sp = at + 16;
	u->lost_sp = UNWIND_LINKED;
	u->exact = 0;
	return ABI_END_UNKNOWN;
}

/* From a frame to its caller. 0: done; else why there is none (enum abi_stack_end). */
__noinline int unwind_frame(void)
{
	__u32 zero = 0, how;
	struct unwind *u = bpf_map_lookup_elem(&unwinds, &zero);
	__u64 by, at;

	if (!u)
		return ABI_END_BROKEN;
	if (!unwind_find(u))
		return ABI_END_UNMAPPED;
	how = ABI_UNWIND_CFA(u->row.how);
	by = 8 * (__s64)u->row.cfa;
	if (how == ABI_UNWIND_SP_FAR)
		by = 16 * (__u64)(__u16)u->row.cfa;
	if (u->lost_sp && (how == ABI_UNWIND_SP || how == ABI_UNWIND_SP_FAR))
		return unwind_by_frame(u, false, ABI_END_ODD);
	if (how == ABI_UNWIND_SP || how == ABI_UNWIND_SP_FAR)
		return unwind_by_row(u, u->sp + by);
	if (how == ABI_UNWIND_NONE || how == ABI_UNWIND_AWAY || how == ABI_UNWIND_CODE)
		return unwind_by_frame(u, how == ABI_UNWIND_CODE,
				       how == ABI_UNWIND_AWAY ? ABI_END_NO_TABLE
							      : ABI_END_NO_FRAME);
	if (how == ABI_UNWIND_FIRST)
		return ABI_END_FIRST;
	if (how == ABI_UNWIND_SIGNAL)
		return unwind_signal(u);
	if (how == ABI_UNWIND_SWITCH)
		return unwind_switch();
	if (how == ABI_UNWIND_PLT)
		return unwind_by_row(u, u->sp + 8 + ((u->ip & 15) >= (__u64)u->row.cfa ? 8 : 0));
	if (u->lost_bp)
		return ABI_END_ODD;
	if (how != ABI_UNWIND_BP && how != ABI_UNWIND_BP_AT)
		return ABI_END_ODD;
	at = unwind_bp(u) + by;
	if (how == ABI_UNWIND_BP)
		return unwind_by_row(u, at);
	if (!unwind_read(u, at, 8))
		return ABI_END_MEMORY;
	path_note(&u->path, at, u->word[0]);
	return unwind_by_row(u, u->word[0]);
}

/* The mappings of an address space. False: they are not known. */
_always_ bool unwind_space(struct unwind *u, const struct abi_stack *s)
{
	__u32 at = ABI_UNWIND_SET(s->mm, s->start) & (ABI_UNWIND_SETS - 1);
	struct abi_unwind_set *set = bpf_map_lookup_elem(&unwind_spaces, &at);
	struct abi_unwind_space *own = NULL;
	volatile struct abi_unwind_space *now;

	for (__u32 i = 0; set && i < ABI_UNWIND_WAYS; i++)
		if (set->way[i].mm == s->mm && set->way[i].start == s->start &&
		    set->way[i].tgid == s->tgid)
			own = &set->way[i];
	if (!own)
		return false;
	now = own;
	u->number = now->number;
	u->mapping = now->mapping;
	u->n = now->n;
	now->used = bpf_ktime_get_ns();
	/* It may have been given to another one, or got other mappings. */
	return now->mm == s->mm && now->number == u->number && u->number && u->n;
}

/* Unwinds into the first scratch what was begun. */
_always_ void unwind_by_tables(struct unwind *u, struct abi_stack *s)
{
	__u32 end = ABI_END_UNKNOWN;

	path_begin(&u->path, u->number, u->ip, u->sp, u->bp);
	u->path.lr = u->lr;
	s->ip[0] = u->ip;
	s->n = 1;
	for (__u32 i = 1; i < ABI_STACK_DEPTH; i++) {
		end = unwind_frame();
		if (end)
			break;
		s->ip[i] = u->ip;
		s->n = i + 1;
	}
	/* What is not whole may be the next time: a page is there then, or a table. */
	if (end && end != ABI_END_FIRST)
		path_leave(&u->path);
	/* Code that came since, or no code at all. */
	if (end == ABI_END_UNMAPPED) {
		space_tell(s, true);
		if (s->n > 1 && !user_return(u->ip))
			s->n--;
	}
	s->flags = ABI_STACK_USER | ABI_STACK_TABLES | end << 4;
	if (!end)
		s->flags |= ABI_STACK_CUT;
}

#endif
