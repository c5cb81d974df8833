/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * When a bio began and ended, as the block programs have it, which ran before for the same event:
 * the latency of a file or of a stack is that of the task.
 */
#ifndef IOTOP_BPF_COMMON_BLOCK_TIMES_H
#define IOTOP_BPF_COMMON_BLOCK_TIMES_H

#include "bpf/abi.h"
#include "bpf/common/array.h"
#include "bpf/common/block_anchor.h"
#include "bpf/common/block_held.h"
#include "bpf/common/kernel.h"

ARRAY(block_ended, 1, struct abi_ended);

/*
 * When a bio began that is queued now and was held back (NULL: it was not), for bio_latency():
 * CLOCK_MONOTONIC ns, or ABI_INFLIGHT_UNTIMED and above: when its request does; 0: not known.
 */
_always_ __u64 bio_started(__u64 bio, const struct abi_held *h)
{
	__u64 start = charged_start(bio - anchor());

	/* What a limit held back has a time of its own, which may be further back. */
	if (!start || (h && start >= ABI_INFLIGHT_UNTIMED))
		start = bpf_ktime_get_ns();
	return held_since(h, start);
}

/* When a request or bio ended, by its address, whose end is looked at now. */
_always_ __u64 ended_at(__u64 at)
{
	__u32 cpu = bpf_get_smp_processor_id();
	const struct abi_ended *e = bpf_map_lookup_elem(&block_ended, &cpu);

	return e && e->at == at - anchor() ? e->ns : bpf_ktime_get_ns();
}

/* started: of bio_started(), not 0; begun: when its request began, of CLOCK_MONOTONIC. */
_always_ __u64 bio_latency(__u64 started, __u64 begun, __u64 now)
{
	if (started >= ABI_INFLIGHT_UNTIMED)
		started = begun;
	return now > started ? now - started : 0;
}

#endif
