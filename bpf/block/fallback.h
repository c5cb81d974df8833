/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A completion can interrupt the program of another completion on the same CPU; since 6.1 the
 * kernel skips a program that is running already. A fallback program at the same tracepoint handles
 * the skipped event: the first program leaves a mark of each event that it handled. It has the
 * code once more and does not go on in the first one by a tail call: since 6.13 both would run on
 * the one private stack that a processor has for the first program, and the kernel panics.
 */
#ifndef IOTOP_BPF_BLOCK_FALLBACK_H
#define IOTOP_BPF_BLOCK_FALLBACK_H

#include "bpf/block/count.h"
#include "bpf/block/inflight.h"
#include "bpf/common/kernel.h"
#include "bpf/block/maps.h"

_always_ volatile __u16 *done_mark(enum mark which)
{
	__u32 cpu = bpf_get_smp_processor_id();
	struct cpu_state *state = bpf_map_lookup_elem(&cpu_states, &cpu);

	return state ? &state->done[which] : NULL;
}

_always_ void done_set(enum mark which, __u64 at)
{
	volatile __u16 *mark = program_may_be_skipped() ? done_mark(which) : NULL;

	if (mark)
		*mark = MARK(at);
}

/* When an end was seen, for those who look at it next: a latency has one end. */
_always_ void ended_note(__u64 at, __u64 now)
{
	__u32 cpu = bpf_get_smp_processor_id();
	struct abi_ended *e = bpf_map_lookup_elem(&ended, &cpu);

	if (e) {
		e->at = at;
		e->ns = now;
	}
}

/*
 * Whether the first program was skipped for the event at this address. When other events came
 * between the two programs, the mark is gone; then it was skipped if the bio still has an entry.
 */
_always_ bool was_skipped(enum mark which, __u64 at, __u64 bio, bool or_parent)
{
	volatile __u16 *mark = done_mark(which);

	if (mark && *mark == MARK(at)) {
		*mark = 0;
		return false;
	}
	if (!inflight_find(bio, or_parent))
		return false;
	add(completions_recovered, 1);
	return true;
}

#endif
