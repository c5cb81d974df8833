/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rules of ORC, the kernel's unwind table: how the function of a return address keeps its own
 * return address and rbp.
 */
#ifndef IOTOP_BPF_COMMON_ORC_RULE_H
#define IOTOP_BPF_COMMON_ORC_RULE_H

#include "bpf/abi.h"
#include "bpf/common/address.h"
#include "bpf/common/array.h"
#include "bpf/common/branchless.h"
#include "bpf/common/kernel.h"

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct orc_entry {
	__s16 sp_offset, bp_offset;
	unsigned int sp_reg : 4;
	unsigned int bp_reg : 4;
	unsigned int type : 3;
};

struct pt_regs {
	unsigned long r15, cs;	/* the first one is r15 */
};

/* At the stack pointer of a task that is switched out. */
struct inactive_task_frame {
	unsigned long bp, ret_addr;
};

#pragma clang attribute pop

/*
 * How the table numbers registers. Types of the kernel do not tell; the two ways known are told
 * apart by the number of rsp.
 */
enum {
	ORC_UNDEFINED = 0,
	ORC_BP = 4,
	ORC_SP = 5,
	ORC_PREV_SP = 1,
	ORC_BP_INDIRECT = 8,
	/* Counted in the table of 7.2, beside that of 6.12. */
	ORC_7_SP = 3,
	ORC_7_PREV_SP = 8,
	ORC_7_BP_INDIRECT = 10,
};

enum frame_how {
	FRAME_NONE,	/* no rule is known */
	FRAME_SP,	/* CFA is rsp + offset */
	FRAME_BP,	/* CFA is rbp + offset */
	FRAME_BP_AT,	/* CFA is stored at rbp + offset: a function that aligned its stack */
	FRAME_LAST,	/* these and the following have no caller */
	FRAME_ODD = FRAME_LAST, /* not a common one: for bpf_get_stack() */
	FRAME_END,	/* the outermost */
	FRAME_REGS,	/* saved registers of a program (pt_regs) */
};

#define FRAME_HOW 0xff
#define FRAME_SAVED_BP 0x100	/* the caller's rbp is stored at CFA + offset */
#define FRAME_SKIPPED 0x200	/* of the scheduler or a lock: not in stacks of sleeping tasks */
#define FRAME_BP_BY_BP 0x400	/* the caller's rbp is stored at rbp + offset */
#define FRAME_OFFSET(rule, shift) ((__s64)((rule) << (48 - (shift))) >> 48)

/* The unwind rule of a return address: flags in the low bits, offsets at bits 16 and 32. */
struct frame_rule {
	__u64 ip, rule;
};

#define FRAME_RULES 1024

struct frame_rules {
	struct frame_rule of[FRAME_RULES];
};

/* Set-associative with two ways, the newer first. */
CPU_ARRAY(frame_rules, 1, struct frame_rules);

volatile bool unwind_differs;	/* from bpf_get_stack(): then we do not unwind any more */
/* The first: stacks left to the kernel, roughly. Where all are, each I/O writes it. */
volatile __u64 unwind_left[8] OWN_LINE;

/* Other machines have ORC, too, with other registers. */
_always_ bool unwind_possible(void)
{
	return bpf_core_field_exists(((struct orc_entry *)0)->bp_reg) && !unwind_differs;
}

/* Our stack, 0: none, and that of the kernel, 0: none, by their hashes. */
_always_ void unwind_compare(__u64 own, __u64 kernel)
{
	if (!kernel)
		return;
	if (!own)
		unwind_left[0]++;
	else if (own != kernel)
		unwind_differs = true;
}

_always_ bool within(__u64 ip, __u64 from, __u64 to)
{
	return ip - from < to - from;
}

_always_ bool frame_of_kernel(__u64 ip)
{
	return within(ip, AT(_stext), AT(_etext));
}

/*
 * The last entry of the sorted table that begins at or below an address, a number: for the
 * verifier, functions of their own return no pointers.
 */
__noinline __u64 orc_find(__u64 address)
{
	__u64 table = AT(__start_orc_unwind_ip), n = (AT(__stop_orc_unwind_ip) - table) / 4,
	      found = 0;

	for (__u64 step = 1 << 20; step; step /= 2) {
		__u64 at = found + step, place = table + at * 4;
		__s32 offset = 0;

		bpf_probe_read_kernel(&offset, sizeof(offset), (const void *)place);
		found += step * (not_above(at + 1, n) & not_above(place + offset, address));
	}
	return AT(__start_orc_unwind) + found * bpf_core_type_size(struct orc_entry);
}

/* The rule of a return address, looked up in the table; FRAME_ODD where it is not a common one. */
__noinline __u64 orc_rule(__u64 ip)
{
	const struct orc_entry *orc, *entry;
	__u64 rule, call, regs;
	__u32 sp_reg, bp_reg, type, sp;
	bool old;

	if (!unwind_possible() || !frame_of_kernel(ip) || !AT(__start_orc_unwind) ||
	    !AT(__start_orc_unwind_ip) || !AT(blk_update_request) || ip == AT(return_to_handler) ||
	    ip == AT(arch_rethook_trampoline) || ip == AT(__kretprobe_trampoline) ||
	    ip == AT(kretprobe_trampoline))
		return FRAME_ODD;
	/* The call is before the return address; another function may begin there. */
	orc = (const void *)orc_find(ip - 1);
	sp_reg = BPF_CORE_READ_BITFIELD_PROBED(orc, sp_reg);
	bp_reg = BPF_CORE_READ_BITFIELD_PROBED(orc, bp_reg);
	type = BPF_CORE_READ_BITFIELD_PROBED(orc, type);
	/* Where a function begins, its caller is found by rsp, as after any call. */
	entry = (const void *)orc_find(AT(blk_update_request));
	sp = BPF_CORE_READ_BITFIELD_PROBED(entry, sp_reg);
	call = BPF_CORE_READ_BITFIELD_PROBED(entry, type);
	regs = call + 1;
	old = sp == ORC_SP;
	if (!old && sp != ORC_7_SP)
		return FRAME_ODD;
	if (sp_reg == ORC_UNDEFINED)
		return FRAME_END;
	if (type == regs && sp_reg == sp)
		rule = FRAME_REGS;
	else if (type == call && sp_reg == sp)
		rule = FRAME_SP;
	else if (type == call && sp_reg == ORC_BP)
		rule = FRAME_BP;
	else if (type == call && sp_reg == (old ? ORC_BP_INDIRECT : ORC_7_BP_INDIRECT))
		rule = FRAME_BP_AT;
	else
		return FRAME_ODD;
	if (bp_reg == (old ? ORC_PREV_SP : ORC_7_PREV_SP))
		rule |= FRAME_SAVED_BP;
	else if (bp_reg == ORC_BP)
		rule |= FRAME_BP_BY_BP;
	else if (bp_reg != ORC_UNDEFINED)
		return FRAME_ODD;
	if (within(ip, AT(__sched_text_start), AT(__sched_text_end)) ||
	    within(ip, AT(__lock_text_start), AT(__lock_text_end)))
		rule |= FRAME_SKIPPED;
	return rule | (__u64)(__u16)BPF_CORE_READ(orc, sp_offset) << 16 |
	       (__u64)(__u16)BPF_CORE_READ(orc, bp_offset) << 32;
}

_always_ __u32 frame_rule_place(__u64 ip)
{
	return (__u32)(ip ^ ip >> 10) & (FRAME_RULES - 1);
}

/* A rule that is not kept: it is looked up, and is from now on. */
__noinline __u64 frame_rule_keep(__u64 ip)
{
	__u32 at = frame_rule_place(ip), zero = 0;
	struct frame_rules *rules = bpf_map_lookup_elem(&frame_rules, &zero);

	if (!rules)
		return FRAME_ODD;
	rules->of[at ^ 1] = rules->of[at];
	rules->of[at].rule = orc_rule(ip);
	rules->of[at].ip = ip;
	return rules->of[at].rule;
}

_always_ __u64 frame_rule(const struct frame_rules *rules, __u64 ip)
{
	__u32 at = frame_rule_place(ip);
	const struct frame_rule *a = &rules->of[at], *b = &rules->of[at ^ 1];
	__u64 rule = a->rule * is_zero(a->ip ^ ip) | b->rule * is_zero(b->ip ^ ip);

	return rule ? rule : frame_rule_keep(ip);
}

#endif
