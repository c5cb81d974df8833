/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bios in flight: from when they are queued to their completion. Entries are in a set-associative
 * cache, by the address of the bio; an entry is known by its number, 0 for none. A full set drops
 * its oldest entry: that bio has no latency.
 */
#ifndef IOTOP_BPF_BLOCK_INFLIGHT_H
#define IOTOP_BPF_BLOCK_INFLIGHT_H

#include "bpf/abi.h"
#include "bpf/block/asked.h"
#include "bpf/block/count.h"
#include "bpf/block/disk.h"
#include "bpf/common/kernel.h"
#include "bpf/block/maps.h"
#include "bpf/block/parts.h"

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

/* Without a branch for each way: one path for the verifier. */
_always_ __u32 inflight_search(__u64 bio)
{
	__u32 place = inflight_place(bio);
	struct abi_inflight_set *set = bpf_map_lookup_elem(&inflight, &place);
	__u64 found = 0;

	if (!set)
		return 0;
	for (int i = ABI_WAYS - 1; i >= 0; i--) {
		__u64 differs = set->way[i].bio ^ bio, same;

		/* All bits set where they are the same, else none. */
		same = ((differs | -differs) >> 63) - 1;
		barrier_var(same);
		found = (found & ~same) | ((place * ABI_WAYS + i + 1) & same);
	}
	return found;
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
	__u32 place = ABI_COUNTER_DISK(entry->counter);

	return bpf_map_lookup_elem(&disks, &place);
}

/*
 * Frees an entry of this counter (NULL: it is not known): its bio is not in flight at that disk
 * (NULL: none) any more. now 0: the time is not known.
 */
_always_ void inflight_free(struct abi_inflight *entry, const struct abi_counter *counter,
			    struct abi_disk *disk, __u64 now)
{
	__u32 flags = entry->counter;

	entry->bio = 0;
	if (counter && flags & ABI_INFLIGHT_ASKED)
		asked_end(counter->key.submitter, flags, now);
	if (disk) {
		if (now)
			disk_event(disk, now);
		add(disk->finished, 1);
	}
}

/* The oldest of a full set. Those without a time are taken as older than all others. */
__noinline __u32 inflight_oldest(__u32 place)
{
	struct abi_inflight_set *set = bpf_map_lookup_elem(&inflight, &place);
	__u32 oldest = 0;

	if (!set)
		return 0;
	for (__u32 i = 1; i < ABI_WAYS; i++)
		if ((set->way[i].start_ns ^ ABI_INFLIGHT_UNTIMED) <
		    (set->way[oldest % ABI_WAYS].start_ns ^ ABI_INFLIGHT_UNTIMED))
			oldest = i;
	return oldest;
}

/* The way for a new entry: the old one of the same bio, a free one, the oldest. */
_always_ __u32 inflight_victim(const struct abi_inflight_set *set, __u32 place, __u64 bio,
			       __u32 cpu)
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
	return inflight_oldest(place);
}

/*
 * The start time of a bio, 0: taken from its request later. Reading the clock is the largest cost
 * of an event where it is slow. Where requests carry their start it is read only when the disk was
 * idle, for it is busy from now on, and when all its requests may be in use or a limit may hold the
 * bio back, for the wait for a request is not in the time of the request.
 */
_always_ __u64 inflight_clock(struct abi_disk *disk)
{
	const __u32 asked = ABI_DISK_BIO | ABI_DISK_TIMED | ABI_DISK_LIMITED | ABI_DISK_SCARCE;
	__u64 in_flight, now;

	if (!disk)
		return bpf_ktime_get_ns();
	in_flight = disk->started - disk->finished;
	if ((disk->flags & asked) == ABI_DISK_TIMED && in_flight && in_flight < disk->room)
		return 0;
	now = bpf_ktime_get_ns();
	if (disk->flags & ABI_DISK_LIMITED && in_flight >= disk->room)
		disk->full_ns = now;
	return now;
}

/*
 * An entry (its number) is given to a bio while it is another one's, which loses its latency; or it
 * is the same bio's, whose end was not seen. Seldom: not worth a place in the programs.
 */
__noinline int inflight_evict(__u32 nr, __u64 bio, __u64 now)
{
	struct abi_inflight *entry = inflight_at(nr);
	struct abi_counter *to;
	__u32 place;

	if (!entry)
		return 0;
	lose(entry->bio == bio ? ABI_LOST_ENDS : ABI_LOST_LATENCY);
	if (entry->bio == bio)
		add(queued_again[ABI_COUNTER_DISK(entry->counter)], 1);
	place = ABI_COUNTER_PLACE(entry->counter);
	to = bpf_map_lookup_elem(&counters, &place);
	if (to && entry->counter & ABI_INFLIGHT_ASKED)
		asked_doubt(to->key.submitter);
	inflight_free(entry, to, inflight_disk(entry), now);
	return 0;
}

/*
 * Adds an entry for a bio that was charged to a counter (with ABI_INFLIGHT_*). reader: its owner
 * and submitter, if it is a read and both are known to be the same; else 0. Returns its number if
 * its disk lies on others or others on it, else 0.
 */
__noinline __u32 inflight_add(__u64 bio, __u32 counter, __u32 bytes, __u32 cpu, __u32 reader)
{
	__u32 place = inflight_place(bio), of = ABI_COUNTER_DISK(counter), who = reader, way;
	struct abi_inflight_set *set = bpf_map_lookup_elem(&inflight, &place);
	struct abi_disk *disk = bpf_map_lookup_elem(&disks, &of);
	struct abi_counter *to;
	struct abi_inflight *entry;
	__u32 nr;
	__u64 now;

	if (!set)
		return 0;
	now = inflight_clock(disk);
	way = inflight_victim(set, place, bio, cpu) ^ unknown_zero;
	nr = place * ABI_WAYS + way % ABI_WAYS + 1;
	entry = &set->way[way % ABI_WAYS];
	if (entry->bio)
		inflight_evict(nr, bio, now);
	if (!reader) {
		place = ABI_COUNTER_PLACE(counter);
		to = bpf_map_lookup_elem(&counters, &place);
		who = to ? to->key.owner : 0;
		if (who < ABI_REF_FIRST || to->key.submitter != who)
			counter &= ~ABI_INFLIGHT_ASKED;
	}
	entry->start_ns = now ? now : ABI_INFLIGHT_START(epoch, disk ? disk->started : 0);
	entry->issue_ns = 0;
	entry->counter = counter;
	entry->left = bytes;
	entry->bio = bio;
	if (counter & ABI_INFLIGHT_ASKED)
		asked_begin(who, counter);
	if (!disk)
		return 0;
	if (now)
		disk_event(disk, now);
	add(disk->started, 1);
	return disk->above | disk->below ? nr : 0;
}

_always_ bool bio_throttled(__u16 flags)
{
	return throttled_flag && flags & throttled_flag;
}

/* What is known of a bio that a limit held back; NULL: none did. */
_always_ struct abi_held *held_find(__u64 bio)
{
	if (!any_limited && !bio_throttled(BPF_CORE_READ((const struct bio *)bio, bi_flags)))
		return NULL;
	return bpf_map_lookup_elem(&held, &bio);
}

/*
 * Of a bio that ends so long after it began: how long after it was submitted; 0: that is not known.
 */
__noinline __u64 held_done(__u64 bio, __u64 ns)
{
	struct abi_held *h = held_find(bio);
	__u32 zero = 0;
	struct abi_held_last *last = bpf_map_lookup_elem(&held_last, &zero);

	/* Of another one at the same address. */
	if (last && last->bio == bio)
		last->bio = 0;
	if (!h)
		return ns;
	/* What is left of a bio that was split may be held back again: that is within ns. */
	if (h->queued)
		ns = h->since ? ns + h->ns : 0;
	if (h->queued && last) {
		last->bio = bio;
		last->ns = h->since ? h->ns : ABI_HELD_UNSEEN;
		last->after = h->after;
	}
	bpf_map_delete_elem(&held, &bio);
	return ns;
}

/* When a bio started, or its request (begun); 0: not known. */
_always_ __u64 inflight_start(const struct abi_inflight *entry, __u64 begun)
{
	return entry->start_ns < ABI_INFLIGHT_UNTIMED ? entry->start_ns : begun;
}

/*
 * Counts bytes of a bio as done, and ends it with the last ones (all: at once). begun: when its
 * request started, 0: unknown.
 */
_always_ void inflight_part(struct abi_inflight *entry, struct abi_disk *disk, __u32 bytes,
			    bool all, __u64 begun, __u64 now)
{
	struct abi_counter *counter;
	__u64 start, ns, bio = entry->bio;
	bool several;
	__u32 place;

	if (!bio)
		return;
	if (!all && bytes < entry->left) {
		volatile __u32 *left = &entry->left;

		add(*left, -bytes);
		/* Another CPU may have ended the last part meanwhile. */
		if (*left || !entry->bio)
			return;
	}
	place = ABI_COUNTER_PLACE(entry->counter);
	start = inflight_start(entry, begun);
	ns = now > start ? now - start : 0;
	counter = bpf_map_lookup_elem(&counters, &place);
	several = entry->counter & ABI_SEVERAL;
	inflight_free(entry, counter, disk, now);
	if (!start)
		return;
	if (any_held) {
		ns = held_done(kernel_address(bio), ns);
		if (!ns)
			return;
	}
	if (several) {
		parts_done(kernel_address(bio), ns);
	} else if (counter) {
		add(counter->done, 1);
		add(counter->lat_ns, ns);
		count_longest(counter->max, ns);
	}
}

/*
 * Counts bytes of a bio that was not counted when it was queued, for a counter; what, begun as
 * below.
 */
_always_ void count_ended(__u32 place, __u32 what, __u32 bytes, __u64 begun, __u64 now)
{
	struct abi_counter *counter = bpf_map_lookup_elem(&counters, &place);

	if (!counter)
		return;
	add(counter->bytes, bytes);
	if (!(what & DONE_ALL))
		return;
	add(counter->ios, 1);
	add(counter->done, 1);
	if (begun && now > begun) {
		add(counter->lat_ns, now - begun);
		count_longest(counter->max, now - begun);
	}
}

/*
 * Bytes of a bio ended that has no entry. what: DONE() of its disk and operation, with DONE_ALL
 * when these are its last ones; begun: when its request started, 0: unknown. No program saw it when
 * it was queued: it is nobody's, so that all rows of a disk are what the disk did. Where entries
 * made room for others it may be one of these, which were charged. Copies that a driver makes of a
 * whole request (dm-multipath) are never queued. What ends at a path (PLACE_OF_PATH) was seen to
 * end at its disk.
 */
_always_ void start_unseen(__u32 flags, __u32 what, __u32 bytes, __u64 begun, __u64 now)
{
	__u32 op = what >> 16 & 0xff, place = (what & 0xffff) * ABI_OPS + op;

	if (!watched_ns || begun <= watched_ns || flags & cloned_flag || place >= ABI_COUNTER_FIRST)
		return;
	if (what & DONE_ALL)
		lose(ABI_LOST_STARTS);
	if (lost[ABI_LOST_LATENCY] || op >= ABI_OPS)
		return;
	count_ended(place, what, bytes, begun, now);
}

#endif
