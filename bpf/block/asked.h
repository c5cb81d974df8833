/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Requests in flight by the task that asked for them: what it may be waiting for when it sleeps
 * (bpf/offcpu/waits.bpf.c). Only what a task submits itself, for itself, and not ahead of need:
 * whoever needs a page that is read ahead or written back waits for the page, and the kernel says
 * so (in_iowait).
 */
#ifndef IOTOP_BPF_BLOCK_ASKED_H
#define IOTOP_BPF_BLOCK_ASKED_H

#include "bpf/abi.h"
#include "bpf/block/count.h"
#include "bpf/common/asked.h"
#include "bpf/common/kernel.h"
#include "bpf/block/maps.h"

/* ABI_INFLIGHT_ASKED where somebody needs this I/O, by the flags of its bio. */
_always_ __u32 asked_flag(__u32 flags, __u32 op)
{
	bool ahead = op == ABI_READ    ? flags & KERNEL_REQ_RAHEAD
		     : op == ABI_WRITE ? !(flags & KERNEL_REQ_SYNC)
				       : false;

	return ahead ? 0 : ABI_INFLIGHT_ASKED;
}

_always_ struct abi_asked *asked_at(__u32 index)
{
	return bpf_map_lookup_elem(&asked, &index);
}

/* A request of the task with this ref begins. */
_always_ void asked_begin(__u32 ref)
{
	struct abi_asked *a = asked_at(ABI_REF_INDEX(ref));

	if (!a)
		return;
	add(a->started, 1);
	a = a->also ? asked_at(a->also) : NULL;
	if (!a)
		return;
	/* Who sleeps already waits from now on. */
	if (!asked_in_flight(a))
		a->since = bpf_ktime_get_ns();
	add(a->started, 1);
}

_always_ void asked_finish(struct abi_asked *a, __u64 now)
{
	asked_pass(a, now);
	add(a->finished, 1);
}

/* A request that was charged to this counter ends; now 0: the time is not known. */
__noinline int asked_end(__u32 counter, __u64 now)
{
	struct abi_counter *c = bpf_map_lookup_elem(&counters, &counter);
	struct abi_asked *a = c ? asked_at(ABI_REF_INDEX(c->key.submitter)) : NULL;

	if (!a)
		return 0;
	if (!now)
		now = bpf_ktime_get_ns();
	asked_finish(a, now);
	a = a->also ? asked_at(a->also) : NULL;
	if (a)
		asked_finish(a, now);
	return 0;
}

#endif
