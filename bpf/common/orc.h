/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Unwinding of kernel stacks by ORC, the kernel's unwind table: how a function keeps its return
 * address. bpf_get_stack() searches that table for each frame; here the rules are cached by
 * address, so that a frame costs one read. Uncommon frames (modules, interrupts, trampolines,
 * registers other than rsp and rbp) are left to bpf_get_stack(). So is each stack that is not
 * stored yet, and its result is compared with ours: when one differs, unwinding of our own ends.
 */
#ifndef IOTOP_BPF_COMMON_ORC_H
#define IOTOP_BPF_COMMON_ORC_H

#include "bpf/abi.h"
#include "bpf/common/address.h"
#include "bpf/common/array.h"
#include "bpf/common/kernel.h"
#include "bpf/common/stack.h"

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct orc_entry {
	__s16 sp_offset, bp_offset;
	unsigned int sp_reg : 4;
	unsigned int bp_reg : 4;
	unsigned int type : 3;
};

struct orc_entry___end {
	unsigned int end : 1;	/* before 6.4 */
};

struct pt_regs {
	unsigned long cs;
};

/* At the stack pointer of a task that is switched out. */
struct inactive_task_frame {
	unsigned long bp, ret_addr;
};

#pragma clang attribute pop

enum {
	ORC_UNDEFINED = 0,
	ORC_PREV_SP = 1,
	ORC_BP = 4,
	ORC_SP = 5,
	ORC_BP_INDIRECT = 8, /* registers */
};

enum frame_how {
	FRAME_ODD,	/* not a common one: for bpf_get_stack() */
	FRAME_END,	/* the outermost */
	FRAME_SP,	/* CFA is rsp + offset */
	FRAME_BP,	/* CFA is rbp + offset */
	FRAME_BP_AT,	/* CFA is stored at rbp + offset: a function that aligned its stack */
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

/* Other machines have ORC, too, with other registers. */
_always_ bool unwind_possible(void)
{
	return bpf_core_field_exists(((struct orc_entry *)0)->bp_reg) && !unwind_differs;
}

_always_ void unwind_compare(__u64 own, __u64 kernel)
{
	if (own && kernel && own != kernel)
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

/* Index of the last entry of the sorted table that begins at or below an address. */
_always_ __u64 orc_index(__u64 address)
{
	__u64 table = AT(__start_orc_unwind_ip), n = (AT(__stop_orc_unwind_ip) - table) / 4,
	      found = 0;

	for (__u64 step = 1 << 20; step; step /= 2) {
		__u64 at = found + step, place = table + at * 4;
		__s64 above, beyond;
		__s32 offset = 0;

		bpf_probe_read_kernel(&offset, sizeof(offset), (const void *)place);
		above = (__s64)(address - (place + offset)) >> 63;
		beyond = (__s64)(n - 1 - at) >> 63;
		/* Without branches: each would double the paths for the verifier. */
		found += step & ~above & ~beyond;
	}
	return found;
}

/* The rule of a return address, looked up in the table; FRAME_ODD where it is not a common one. */
__noinline __u64 orc_rule(__u64 ip)
{
	const struct orc_entry *orc;
	__u64 rule, call, regs;
	__u32 sp_reg, bp_reg, type;

	if (!unwind_possible() || !frame_of_kernel(ip) || !AT(__start_orc_unwind) ||
	    !AT(__start_orc_unwind_ip) || ip == AT(return_to_handler) ||
	    ip == AT(arch_rethook_trampoline) || ip == AT(__kretprobe_trampoline) ||
	    ip == AT(kretprobe_trampoline))
		return FRAME_ODD;
	/* The call is before the return address; another function may begin there. */
	orc = (const void *)(AT(__start_orc_unwind) +
			     orc_index(ip - 1) * bpf_core_type_size(struct orc_entry));
	sp_reg = BPF_CORE_READ_BITFIELD_PROBED(orc, sp_reg);
	bp_reg = BPF_CORE_READ_BITFIELD_PROBED(orc, bp_reg);
	type = BPF_CORE_READ_BITFIELD_PROBED(orc, type);
	call = bpf_core_field_exists(((struct orc_entry___end *)0)->end) ? 0 : 2;
	regs = call + 1;
	if (sp_reg == ORC_UNDEFINED)
		return FRAME_END;
	if (type == regs && sp_reg == ORC_SP)
		rule = FRAME_REGS;
	else if (type == call && sp_reg == ORC_SP)
		rule = FRAME_SP;
	else if (type == call && sp_reg == ORC_BP)
		rule = FRAME_BP;
	else if (type == call && sp_reg == ORC_BP_INDIRECT)
		rule = FRAME_BP_AT;
	else
		return FRAME_ODD;
	if (bp_reg == ORC_PREV_SP)
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

_always_ __u64 frame_rule(struct frame_rules *rules, __u64 ip)
{
	__u32 at = (__u32)(ip ^ ip >> 10) & (FRAME_RULES - 1);
	struct frame_rule *a = &rules->of[at], *b = &rules->of[at ^ 1];

	if (a->ip == ip)
		return a->rule;
	if (b->ip == ip)
		return b->rule;
	*b = *a;
	a->rule = orc_rule(ip);
	a->ip = ip;
	return a->rule;
}

#define FRAMES 48	/* deeper stacks are left to bpf_get_stack() */
#define FRAMES_STACK 32768	/* bytes: no kernel stack is larger */

_always_ __u64 frame_word(__u64 address)
{
	__u64 word = 0;

	bpf_probe_read_kernel(&word, sizeof(word), (const void *)address);
	return word;
}

/*
 * Unwinds from a return address on. sp: the stack pointer after the return; bp_at: where rbp is
 * saved; base: the lowest address of the stack. Adds frames to the first scratch after the n that
 * are there (0: of a sleeping task, without frames of the scheduler). Returns the number of frames;
 * 0: bpf_get_stack() is needed.
 */
__noinline __u32 orc_unwind(__u64 ip, __u64 sp, __u64 bp_at, __u64 base, __u32 n)
{
	__u32 zero = 0;
	struct frame_rules *rules = bpf_map_lookup_elem(&frame_rules, &zero);
	struct abi_stack *s = bpf_map_lookup_elem(&stack_scratch, &zero);
	bool all = n;

	if (!unwind_possible() || !rules || !s)
		return 0;
	for (__u32 i = 0; i < FRAMES; i++) {
		__u64 rule = frame_rule(rules, ip), bp = 0, next;

		s->ip[n & 63] = ip;
		n += all || !(rule & FRAME_SKIPPED);
		switch (rule & FRAME_HOW) {
		case FRAME_END:
			return n;
		case FRAME_REGS:
			next = sp + FRAME_OFFSET(rule, 16) +
			       bpf_core_field_offset(struct pt_regs, cs);
			return frame_word(next) & 3 ? n : 0;
		case FRAME_BP:
		case FRAME_BP_AT:
		case FRAME_SP:
			break;
		default:
			return 0;
		}
		if ((rule & FRAME_HOW) != FRAME_SP || rule & FRAME_BP_BY_BP)
			bp = frame_word(bp_at);
		next = ((rule & FRAME_HOW) == FRAME_SP ? sp : bp) + FRAME_OFFSET(rule, 16);
		if ((rule & FRAME_HOW) == FRAME_BP_AT)
			next = frame_word(next);
		if (next <= sp || next - base > FRAMES_STACK)
			return 0;
		ip = frame_word(next - 8);
		if (rule & FRAME_SAVED_BP)
			bp_at = next + FRAME_OFFSET(rule, 32);
		else if (rule & FRAME_BP_BY_BP)
			bp_at = bp + FRAME_OFFSET(rule, 32);
		sp = next;
	}
	return 0;
}

/* A pointer as a number, where the verifier forbids the conversion. */
_always_ __u64 frame_number(void *pointer)
{
	void *volatile kept = pointer;

	return frame_word((__u64)&kept);
}

#define FRAMES_INNER 4

/* How the kernel calls a program at its tracepoint; it depends on the build. */
volatile __u64 frames_inner[FRAMES_INNER];	/* the innermost frames: of the helper and the
						 * program */
volatile __u64 frames_caller;	/* where the program returns to, 0: not known */
volatile __u32 frames_ninner;
volatile __u32 frames_below;	/* bytes from the latter's place on the stack to the context */
volatile bool frames_known;	/* by the last search; or it is not to be found */
volatile __u32 frames_searches;

#define FRAMES_BELOW 64		/* words below the context that are searched */
/*
 * With kernel.bpf_stats_enabled the kernel calls programs from another place, so the search may be
 * repeated; but not for ever.
 */
#define FRAMES_SEARCHES 16

/*
 * Finds where our program (code of the JIT) returns to its caller, in the stack of bpf_get_stack()
 * in the first scratch.
 */
__noinline int caller_search(__u64 ctx)
{
	__u32 zero = 0, n = 0;
	struct abi_stack *s = bpf_map_lookup_elem(&stack_scratch, &zero);
	__u64 caller = 0;

	if (!s || s->n <= FRAMES_INNER || frames_known || frames_searches >= FRAMES_SEARCHES)
		return 0;
	frames_known = true;
	frames_searches++;
	for (__u32 i = 0; i < FRAMES_INNER && !caller; i++) {
		frames_inner[i] = s->ip[i];
		n = i + 1;
		if (!frame_of_kernel(s->ip[i]) && frame_of_kernel(s->ip[i + 1]))
			caller = s->ip[i + 1];
	}
	for (__u32 i = 1; caller && i < FRAMES_BELOW; i++) {
		if (frame_word(ctx - 8 * i) != caller)
			continue;
		frames_below = 8 * i;
		frames_ninner = n;
		frames_caller = caller;
		break;
	}
	return 0;
}

/* Completes the first scratch after unwinding of n frames. */
_always_ bool unwind_done(__u32 n)
{
	__u32 zero = 0;
	struct abi_stack *s = bpf_map_lookup_elem(&stack_scratch, &zero);

	if (!s)
		return false;
	s->start = s->mm = s->tgid = 0;
	s->n = n;
	s->flags = 0;
	return n;
}

/*
 * Unwinds the current task at a tracepoint with this context, into the first scratch. False:
 * bpf_get_stack() is needed.
 */
_always_ bool unwind_current(void *ctx)
{
	__u32 zero = 0;
	struct abi_stack *s = bpf_map_lookup_elem(&stack_scratch, &zero);
	__u64 base, place;

	if (!s || !unwind_possible() || !frames_caller)
		return false;
	base = (__u64)BPF_CORE_READ((struct task_struct *)bpf_get_current_task(), stack);
	place = frame_number(ctx) - frames_below;
	/* Interrupts have a stack of their own. */
	if (place - base > FRAMES_STACK)
		return false;
	if (frame_word(place) != frames_caller) {
		frames_known = false;
		return false;
	}
	for (__u32 i = 0; i < FRAMES_INNER; i++)
		s->ip[i] = frames_inner[i];
	return unwind_done(orc_unwind(frames_caller, place + 8, place - 8, base, frames_ninner));
}

/*
 * The id of the kernel stack at this point: unwound by ourselves where that gives a stack that is
 * stored. 0: none, or kernel stacks are off.
 */
_always_ __u64 stack_kernel(void *ctx)
{
	__u32 zero = 0;
	struct abi_stack *s = bpf_map_lookup_elem(&stack_scratch, &zero);
	__u64 own, id;

	if (!want_kernel_stacks || !s)
		return 0;
	own = unwind_current(ctx) ? stack_hash(0) : 0;
	if (stack_stored(own))
		return own;
	s->start = s->mm = s->tgid = 0;
	if (!stack_taken(s, bpf_get_stack(ctx, s->ip, sizeof(s->ip), 0), 0))
		return 0;
	caller_search(frame_number(ctx));
	id = stack_store(0);
	unwind_compare(own, id);
	return id;
}

/*
 * Unwinds a task that is switched out, into the first scratch. False: bpf_get_task_stack() is
 * needed.
 */
_always_ bool unwind_sleeping(const struct task_struct *task)
{
	const struct inactive_task_frame *frame;
	__u64 place;

	/* Checked first: other machines do not have the members read below. */
	if (!unwind_possible())
		return false;
	place = BPF_CORE_READ(task, thread.sp);
	frame = (const void *)place;
	return unwind_done(
		orc_unwind(BPF_CORE_READ(frame, ret_addr),
			    place + bpf_core_type_size(struct inactive_task_frame),
			    place + bpf_core_field_offset(struct inactive_task_frame, bp),
			    (__u64)BPF_CORE_READ(task, stack), 0));
}

#endif
