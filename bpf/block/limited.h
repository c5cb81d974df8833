/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bios that iocost or iolatency held back: after block_bio_queue, until they may ask for a request.
 * When their request ends they become what blk-throttle held back (throttled.h): the time up to
 * then is the limit's, and they begin after it.
 */
#ifndef IOTOP_BPF_BLOCK_LIMITED_H
#define IOTOP_BPF_BLOCK_LIMITED_H

#include "bpf/block/inflight.h"
#include "bpf/block/throttled.h"

/* Who is not held back needs less to come from the queue to a request, if there is one. */
#define LIMITED_LEAST 10000 /* ns */

/*
 * When the first bio of a request that began then had been let pass; 0: not known. The kernel notes
 * it where iocost is at work. Else it waited for the limit alone if the disk was not full since.
 */
_always_ __u64 limited_until(const struct request *rq, const struct abi_disk *disk, __u64 start,
			     __u64 begun)
{
	__u64 asked = 0;

	if (bpf_core_field_exists(rq->alloc_time_ns))
		asked = BPF_CORE_READ(rq, alloc_time_ns);
	if (asked)
		return asked < begun || !begun ? asked : begun;
	return disk->full_ns < start ? begun : 0;
}

/* Before a request (its address) is counted that ends, with the entry (its number) of its bio. */
__noinline int limited_end(__u64 request, __u32 nr)
{
	const struct request *rq = (const struct request *)request;
	struct abi_inflight *entry = inflight_at(nr);
	struct abi_held fresh = { .queued = 1 }, *h;
	struct abi_disk *disk = entry ? inflight_disk(entry) : NULL;
	__u64 until, bio;

	if (!disk || entry->start_ns >= ABI_INFLIGHT_UNTIMED)
		return 0;
	until = limited_until(rq, disk, entry->start_ns, BPF_CORE_READ(rq, start_time_ns));
	if (until < entry->start_ns + LIMITED_LEAST)
		return 0;
	fresh.since = entry->start_ns;
	fresh.ns = fresh.after = until - entry->start_ns;
	throttled_charge(entry->counter, &fresh);
	bio = kernel_address(entry->bio);
	h = bpf_map_lookup_elem(&held, &bio);
	if (h && h->queued && h->since) {
		h->ns += fresh.ns;
		h->after += fresh.ns;
	} else if (!h || !h->queued) {
		bpf_map_update_elem(&held, &bio, &fresh, BPF_ANY);
	}
	entry->start_ns = until;
	any_held = any_limited = true;
	return 0;
}

#endif
