/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bios in flight: from when they are queued to their completion. Entries are in a set-associative
 * cache, by the address of the bio; an entry is known by its number, 0 for none. A full set drops
 * its oldest entry: that bio has no latency.
 */
#ifndef IOTOP_BPF_BLOCK_INFLIGHT_H
#define IOTOP_BPF_BLOCK_INFLIGHT_H

#include "bpf/abi.h"
#include "bpf/block/count.h"
#include "bpf/block/disk.h"
#include "bpf/common/kernel.h"
#include "bpf/block/maps.h"

_always_ __u32 inflight_place(__u64 bio)
{
	return ABI_INFLIGHT_SET(bio) & (inflight_sets - 1);
}

_always_ struct abi_inflight *inflight_at(__u32 nr)
{
	__u32 place = (nr - 1) / ABI_WAYS, way = (nr - 1) % ABI_WAYS;
	struct abi_inflight_set *set;

	if (!nr)
		return NULL;
	set = bpf_map_lookup_elem(&inflight, &place);
	if (!set)
		return NULL;
	/* Keeps the compiler from adding to the pointer before it is tested. */
	barrier_var(way);
	return &set->way[way % ABI_WAYS];
}

_always_ __u32 inflight_search(__u64 bio)
{
	__u32 place = inflight_place(bio);
	struct abi_inflight_set *set = bpf_map_lookup_elem(&inflight, &place);

	if (!set)
		return 0;
	for (int i = 0; i < ABI_WAYS; i++)
		if (set->way[i].bio == bio)
			return place * ABI_WAYS + i + 1;
	return 0;
}

/* The entry of a bio or, if asked for, of the bio it was split from (bi_private of the clone). */
__noinline __u32 inflight_find(__u64 bio, bool or_parent)
{
	__u32 nr = inflight_search(bio);
	__u64 parent = 0;

	if (nr || !or_parent)
		return nr;
	bpf_core_read(&parent, sizeof(parent),
		      &((const struct bio *)kernel_address(bio))->bi_private);
	return parent ? inflight_search(parent - anchor_address) : 0;
}

_always_ struct abi_disk *inflight_disk(const struct abi_inflight *entry)
{
	__u32 place = COUNTER_DISK(entry->counter);

	return bpf_map_lookup_elem(&disks, &place);
}

/*
 * Frees an entry: its bio is not in flight at that disk (NULL: none) any more. now 0: the time is
 * not known.
 */
_always_ void inflight_drop(struct abi_inflight *entry, struct abi_disk *disk, __u64 now)
{
	entry->bio = 0;
	if (disk) {
		if (now)
			disk_event(disk, now);
		add(disk->finished, 1);
	}
}

_always_ __u32 inflight_oldest(const struct abi_inflight_set *set)
{
	__u32 oldest = 0;

	for (__u32 i = 1; i < ABI_WAYS; i++)
		if (set->way[i].start_ns < set->way[oldest % ABI_WAYS].start_ns)
			oldest = i;
	return oldest;
}

/* The way for a new entry: the old one of the same bio, a free one, the oldest. */
_always_ __u32 inflight_victim(const struct abi_inflight_set *set, __u64 bio, __u32 cpu)
{
	for (__u32 i = 0; i < ABI_WAYS; i++)
		if (set->way[i].bio == bio)
			return i;
	/*
	 * Two CPUs may take the same free way at once: each begins at another one, which makes that
	 * rare.
	 */
	if (!set->way[cpu % ABI_WAYS].bio)
		return cpu % ABI_WAYS;
	for (__u32 i = 0; i < ABI_WAYS; i++)
		if (!set->way[i].bio)
			return i;
	return inflight_oldest(set);
}

/*
 * The start time of a bio, 0: taken from its request later. Reading the clock is the largest cost
 * of an event where it is slow. Where requests carry their start it is read only when the disk was
 * idle, for it is busy from now on, and when all its requests may be in use, for the tag wait is
 * not in the time of the request.
 */
_always_ __u64 inflight_clock(struct abi_disk *disk)
{
	__u64 in_flight;

	if (!disk || disk->below ||
	    (disk->flags & (ABI_DISK_BIO | ABI_DISK_TIMED)) != ABI_DISK_TIMED)
		return bpf_ktime_get_ns();
	in_flight = disk->started - disk->finished;
	return in_flight && in_flight < disk->room ? 0 : bpf_ktime_get_ns();
}

/*
 * Adds an entry for a bio that was charged to a counter. Returns its start (start_ns) if its disk
 * lies on others or others on it, else 0.
 */
__noinline __u64 inflight_add(__u64 bio, __u32 counter, __u32 bytes, __u32 cpu)
{
	__u32 place = inflight_place(bio), of = COUNTER_DISK(counter), way;
	struct abi_inflight_set *set = bpf_map_lookup_elem(&inflight, &place);
	struct abi_disk *disk = bpf_map_lookup_elem(&disks, &of);
	struct abi_inflight *entry;
	__u64 now;

	if (!set)
		return 0;
	now = inflight_clock(disk);
	way = inflight_victim(set, bio, cpu);
	entry = &set->way[way % ABI_WAYS];
	if (entry->bio) {
		/* The same bio again: its end was not seen. Another bio loses its latency. */
		lose(entry->bio == bio ? ABI_LOST_ENDS : ABI_LOST_LATENCY);
		inflight_drop(entry, inflight_disk(entry), now);
	}
	entry->start_ns = now ? now : epoch;
	entry->issue_ns = 0;
	entry->counter = counter;
	entry->left = bytes;
	entry->bio = bio;
	if (!disk)
		return 0;
	if (now)
		disk_event(disk, now);
	add(disk->started, 1);
	return disk->above | disk->below ? entry->start_ns : 0;
}

/* When a bio started, or its request (begun); 0: not known. */
_always_ __u64 inflight_start(const struct abi_inflight *entry, __u64 begun)
{
	return entry->start_ns >= ABI_INFLIGHT_TIME ? entry->start_ns : begun;
}

/*
 * Counts bytes of a bio as done, and ends it with the last ones (all: at once). begun: when its
 * request started, 0: unknown.
 */
_always_ void inflight_part(struct abi_inflight *entry, struct abi_disk *disk, __u32 bytes,
			    bool all, __u64 begun, __u64 now)
{
	struct abi_counter *counter;
	__u64 start, ns;
	__u32 place;

	if (!entry->bio)
		return;
	if (!all && bytes < entry->left) {
		volatile __u32 *left = &entry->left;

		add(*left, -bytes);
		/* Another CPU may have ended the last part meanwhile. */
		if (*left || !entry->bio)
			return;
	}
	place = COUNTER_PLACE(entry->counter);
	start = inflight_start(entry, begun);
	ns = now > start ? now - start : 0;
	counter = bpf_map_lookup_elem(&counters, &place);
	inflight_drop(entry, disk, now);
	if (counter && start) {
		add(counter->done, 1);
		add(counter->lat_ns, ns);
		count_longest(counter->max, ns);
	}
}

#endif
