/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Requests in flight by the task that asked for them: what it may be waiting for when it sleeps
 * (bpf/offcpu/waits.bpf.c). Only what a task submits itself, for itself, and not in the background:
 * whoever needs a page that is written back waits for the page, and the kernel says so (in_iowait).
 */
#ifndef IOTOP_BPF_BLOCK_ASKED_H
#define IOTOP_BPF_BLOCK_ASKED_H

#include "bpf/abi.h"
#include "bpf/block/count.h"
#include "bpf/common/asked.h"
#include "bpf/common/kernel.h"
#include "bpf/block/maps.h"

/*
 * ABI_INFLIGHT_* of a bio by its flags. All reads of the page cache read ahead: ABI_INFLIGHT_AHEAD
 * does not tell whether somebody needs them.
 */
_always_ __u32 asked_flag(__u32 flags, __u32 op)
{
	if (!want_asked || (op == ABI_WRITE && !(flags & KERNEL_REQ_SYNC)))
		return 0;
	if (op == ABI_READ && flags & KERNEL_REQ_RAHEAD)
		return ABI_INFLIGHT_ASKED | ABI_INFLIGHT_AHEAD;
	return ABI_INFLIGHT_ASKED;
}

_always_ struct abi_asked *asked_at(__u32 index)
{
	return bpf_map_lookup_elem(&asked, &index);
}

_always_ void asked_start(struct abi_asked *a, __u32 flags)
{
	if (flags & ABI_INFLIGHT_AHEAD)
		add(a->ahead, 1);
	add(a->started, 1);
}

/* A request of the task with this ref begins; flags: ABI_INFLIGHT_* and other bits. */
_always_ void asked_begin(__u32 ref, __u32 flags)
{
	struct abi_asked *a = asked_at(ABI_REF_INDEX(ref));

	if (!a)
		return;
	asked_start(a, flags);
	a = a->also ? asked_at(a->also) : NULL;
	if (!a)
		return;
	/* Who sleeps already waits from now on. */
	if (asked_in_flight(a) <= 0)
		a->since = bpf_ktime_get_ns();
	asked_start(a, flags);
}

_always_ void asked_finish(struct abi_asked *a, __u32 flags, __u64 now)
{
	asked_pass(a, now);
	add(a->finished, 1);
	if (flags & ABI_INFLIGHT_AHEAD)
		add(a->ahead, -1);
}

/* A request of the task with this ref ends; now 0: the time is not known. */
__noinline int asked_end(__u32 ref, __u32 flags, __u64 now)
{
	struct abi_asked *a = asked_at(ABI_REF_INDEX(ref));

	if (!a)
		return 0;
	if (!now)
		now = bpf_ktime_get_ns();
	asked_finish(a, flags, now);
	a = a->also ? asked_at(a->also) : NULL;
	if (a)
		asked_finish(a, flags, now);
	return 0;
}

/* A request of the task with this ref ended at some time before, and no program saw it. */
_always_ void asked_doubt(__u32 ref)
{
	struct abi_asked *a = asked_at(ABI_REF_INDEX(ref));

	if (!a)
		return;
	a->doubtful = ABI_DOUBT_SINCE;
	a = a->also ? asked_at(a->also) : NULL;
	if (a)
		a->doubtful = ABI_DOUBT_SINCE;
}

#endif
