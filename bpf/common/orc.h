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

#include "bpf/common/array.h"
#include "bpf/common/branchless.h"
#include "bpf/common/cast.h"
#include "bpf/common/kernel.h"
#include "bpf/common/orc_rule.h"
#include "bpf/common/stack.h"

#define FRAMES 48	/* deeper stacks are left to bpf_get_stack() */
#define FRAMES_STACK 32768	/* bytes: no kernel stack is larger */

_always_ __u64 frame_word(__u64 address)
{
	__u64 word = 0;

	bpf_probe_read_kernel(&word, sizeof(word), (const void *)address);
	return word;
}

/* How far the unwinding of a kernel stack has got. */
struct frame {
	__u64 ip, sp;	/* sp: the stack pointer after the return */
	__u64 bp_at;	/* where rbp is saved */
	__u64 n;	/* frames in the first scratch */
};

/* In memory, so that the frames of all paths are one for the verifier. */
CPU_ARRAY(frames, 1, struct frame);

/* A word of the stack. cast: by a load, in what is inlined in a program only. */
_always_ __u64 frame_load(__u64 address, bool cast)
{
	return cast ? UNTRUSTED(pt_regs, address)->r15 : frame_word(address);
}

/*
 * From a frame with this rule to its caller. False: it cannot be. base: as orc_frames() has it.
 * Loads cost next to nothing: all are done, for each branch would double the verifier's paths.
 */
_always_ bool frame_leave(volatile struct frame *f, __u64 rule, __u64 base, bool cast)
{
	__u64 by_sp = is_zero((rule & FRAME_HOW) ^ FRAME_SP), by_bp = rule / FRAME_BP_BY_BP & 1,
	      stored = is_zero((rule & FRAME_HOW) ^ FRAME_BP_AT);
	__u64 sp = f->sp, bp_at = f->bp_at, bp = 0, next, saved;

	if (cast || !by_sp || by_bp)
		bp = frame_load(bp_at, cast);
	next = choose(by_sp, sp, bp) + FRAME_OFFSET(rule, 16);
	if (cast || stored)
		next = choose(stored, frame_load(next, cast), next);
	/* Above the frame before, and in the stack. */
	if (next - sp - 1 >= base + FRAMES_STACK - sp)
		return false;
	f->ip = frame_load(next - 8, cast);
	saved = FRAME_OFFSET(rule, 32);
	bp_at = choose(by_bp, bp + saved, bp_at);
	f->bp_at = choose(rule / FRAME_SAVED_BP & 1, next + saved, bp_at);
	f->sp = next;
	return true;
}

/* Where a stack ends, with this rule. Returns the number of frames; 0: not where it should. */
_always_ __u32 frame_last(volatile struct frame *f, __u64 rule, bool cast)
{
	__u64 cs;

	if ((rule & FRAME_HOW) == FRAME_END)
		return f->n;
	if ((rule & FRAME_HOW) != FRAME_REGS)
		return 0;
	cs = f->sp + FRAME_OFFSET(rule, 16) + bpf_core_field_offset(struct pt_regs, cs);
	return frame_load(cs, cast) & 3 ? f->n : 0;
}

#define FRAMES_GO_ON (~0U)

/*
 * Unwinds some frames more, from where the first frame says on. base: the lowest address of the
 * stack. all: with frames of the scheduler, which stacks of sleeping tasks have not. Returns the
 * number of all frames, FRAMES_GO_ON, or 0: bpf_get_stack() is needed.
 */
_always_ __u32 orc_frames(__u64 base, bool all, bool cast, __u32 some)
{
	__u32 zero = 0;
	struct frame_rules *rules = bpf_map_lookup_elem(&frame_rules, &zero);
	struct abi_stack *s = bpf_map_lookup_elem(&stack_scratch, &zero);
	volatile struct frame *f = bpf_map_lookup_elem(&frames, &zero);

	if (!unwind_possible() || !rules || !s || !f)
		return 0;
	for (__u32 i = 0; i < some; i++) {
		__u64 ip = f->ip, rule = frame_rule(rules, ip), n = f->n;

		s->ip[n & 63] = ip;
		f->n = n + (all ? 1 : ~rule / FRAME_SKIPPED & 1);
		if ((rule & FRAME_HOW) >= FRAME_LAST)
			return frame_last(f, rule, cast);
		if (!frame_leave(f, rule, base, cast))
			return 0;
	}
	return FRAMES_GO_ON;
}

#define FRAMES_SOME 4

__noinline __u32 orc_some(__u64 base, bool all)
{
	return orc_frames(base, all, false, FRAMES_SOME);
}

/*
 * All frames. Returns their number; 0: bpf_get_stack() is needed. cast: only in what is inlined in
 * a program.
 */
_always_ __u32 orc_unwind(__u64 base, bool all, bool cast)
{
	__u32 n = FRAMES_GO_ON;

	if (cast)
		n = orc_frames(base, all, cast, FRAMES);
	for (__u32 i = 0; !cast && i < FRAMES / FRAMES_SOME && n == FRAMES_GO_ON; i++)
		n = orc_some(base, all);
	return n == FRAMES_GO_ON ? 0 : n;
}

/* n: frames that are in the first scratch already. */
_always_ bool frame_begin(__u64 ip, __u64 sp, __u64 bp_at, __u32 n)
{
	__u32 zero = 0;
	volatile struct frame *f = bpf_map_lookup_elem(&frames, &zero);

	if (!f)
		return false;
	f->ip = ip;
	f->sp = sp;
	f->bp_at = bp_at;
	f->n = n;
	return true;
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
	base = (__u64)READ_CAST(task_struct, bpf_get_current_task(), stack);
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
	return frame_begin(frames_caller, place + 8, place - 8, frames_ninner) &&
	       unwind_done(has_cast ? orc_unwind(base, true, true)
				    : orc_unwind(base, true, false));
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
	return frame_begin(BPF_CORE_READ(frame, ret_addr),
			   place + bpf_core_type_size(struct inactive_task_frame),
			   place + bpf_core_field_offset(struct inactive_task_frame, bp), 0) &&
	       unwind_done(orc_unwind((__u64)BPF_CORE_READ(task, stack), false, false));
}

#endif
