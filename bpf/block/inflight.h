/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bios between their start and their end. A note of a bio is known by a number, 0 for none. */
#ifndef IOTOP_BPF_BLOCK_INFLIGHT_H
#define IOTOP_BPF_BLOCK_INFLIGHT_H

#include "bpf/abi.h"
#include "bpf/block/count.h"
#include "bpf/block/disk.h"
#include "bpf/common/kernel.h"
#include "bpf/block/maps.h"

_always_ __u32 flight_place(__u64 bio)
{
	return ABI_FLIGHT_SET(bio) & (flight_sets - 1);
}

_always_ struct abi_flight *flight_at(__u32 note)
{
	__u32 place = (note - 1) / ABI_WAYS, way = (note - 1) % ABI_WAYS;
	struct abi_flight_set *set;

	if (!note)
		return NULL;
	set = bpf_map_lookup_elem(&flights, &place);
	if (!set)
		return NULL;
	/* The compiler would add to the pointer before it is tested. */
	barrier_var(way);
	return &set->way[way % ABI_WAYS];
}

_always_ __u32 flight_search(__u64 bio)
{
	__u32 place = flight_place(bio);
	struct abi_flight_set *set = bpf_map_lookup_elem(&flights, &place);

	if (!set)
		return 0;
	for (int i = 0; i < ABI_WAYS; i++)
		if (set->way[i].bio == bio)
			return place * ABI_WAYS + i + 1;
	return 0;
}

/* The note of a bio; or, if asked for, of the one it was split from, whose address it carries. */
__noinline __u32 flight_find(__u64 bio, bool or_parent)
{
	__u32 note = flight_search(bio);
	__u64 parent = 0;

	if (note || !or_parent)
		return note;
	bpf_core_read(&parent, sizeof(parent),
		      &((const struct bio *)kernel_address(bio))->bi_private);
	return parent ? flight_search(parent - anchor_address) : 0;
}

_always_ struct abi_disk *flight_disk(const struct abi_flight *flight)
{
	__u32 place = COUNTER_DISK(flight->counter);

	return bpf_map_lookup_elem(&disks, &place);
}

/* Removes a note: its bio, at that disk (NULL: none), is not in flight any more. */
_always_ void flight_drop(struct abi_flight *flight, struct abi_disk *disk, __u64 now)
{
	flight->bio = 0;
	if (disk) {
		if (now)
			disk_event(disk, now);
		add(disk->finished, 1);
	}
}

_always_ __u32 flight_oldest(const struct abi_flight_set *set)
{
	__u32 oldest = 0;

	for (__u32 i = 1; i < ABI_WAYS; i++)
		if (set->way[i].start_ns < set->way[oldest % ABI_WAYS].start_ns)
			oldest = i;
	return oldest;
}

/* Where a new note goes: the bio's own old one, a free one, the oldest. */
_always_ __u32 flight_victim(const struct abi_flight_set *set, __u64 bio, __u32 cpu)
{
	for (__u32 i = 0; i < ABI_WAYS; i++)
		if (set->way[i].bio == bio)
			return i;
	/*
	 * Two processors may take the same free way at the same time: each prefers another one, and
	 * that is rare.
	 */
	if (!set->way[cpu % ABI_WAYS].bio)
		return cpu % ABI_WAYS;
	for (__u32 i = 0; i < ABI_WAYS; i++)
		if (!set->way[i].bio)
			return i;
	return flight_oldest(set);
}

/*
 * The time of a bio's start. Reading the clock is what an event costs most of all where it is slow:
 * where requests carry their start it is read only when nothing is in flight, for the disk is busy
 * from then on; and when there may be no request left, for the wait for one is not in the request's
 * time.
 */
_always_ __u64 flight_clock(struct abi_disk *disk)
{
	__u64 in_flight;

	if (!disk || (disk->flags & (ABI_DISK_BIO | ABI_DISK_TIMED)) != ABI_DISK_TIMED)
		return bpf_ktime_get_ns();
	in_flight = disk->started - disk->finished;
	return in_flight && in_flight < disk->room ? 0 : bpf_ktime_get_ns();
}

/* Who caused what at the disk last, for disks below it. */
_always_ void disk_caused(struct abi_disk *disk, __u32 cause, bool write)
{
	if (disk->last[write] != cause)
		disk->last[write] = cause;
	if (disk->recent != write)
		disk->recent = write;
}

/*
 * Adds the note of a bio that was booked to a counter; reader: who caused it, if it is a read and
 * that is known.
 */
__noinline int flight_add(__u64 bio, __u32 counter, __u32 bytes, __u32 cpu, __u32 reader)
{
	__u32 place = flight_place(bio), of = COUNTER_DISK(counter), way;
	struct abi_flight_set *set = bpf_map_lookup_elem(&flights, &place);
	struct abi_disk *disk = bpf_map_lookup_elem(&disks, &of);
	struct abi_counter *to;
	struct abi_flight *flight;
	__u64 now;

	if (!set)
		return 0;
	now = flight_clock(disk);
	way = flight_victim(set, bio, cpu);
	flight = &set->way[way % ABI_WAYS];
	if (flight->bio) {
		/* The same bio again ended unseen; another one loses its latency. */
		lose(flight->bio == bio ? ABI_LOST_ENDS : ABI_LOST_LATENCY);
		flight_drop(flight, flight_disk(flight), now);
	}
	flight->start_ns = now ? now : epoch;
	flight->issue_ns = 0;
	flight->counter = counter;
	flight->left = bytes;
	flight->bio = bio;
	if (!disk)
		return 0;
	if (now)
		disk_event(disk, now);
	add(disk->started, 1);
	if (reader) {
		disk_caused(disk, reader, false);
		return 0;
	}
	place = COUNTER_PLACE(counter);
	to = bpf_map_lookup_elem(&counters, &place);
	if (to && to->key.cause)
		disk_caused(disk, to->key.cause, to->key.op != ABI_READ);
	return 0;
}

/* When a bio began, or its request did (begun); 0: not known. */
_always_ __u64 flight_start(const struct abi_flight *flight, __u64 begun)
{
	return flight->start_ns >= ABI_FLIGHT_TIME ? flight->start_ns : begun;
}

/*
 * So many bytes of a bio are done; all of it with the last ones. begun: when its request was, 0:
 * unknown.
 */
_always_ void flight_part(struct abi_flight *flight, struct abi_disk *disk, __u32 bytes, bool all,
			  __u64 begun, __u64 now)
{
	struct abi_counter *counter;
	__u64 start, ns;
	__u32 place;

	if (!flight->bio)
		return;
	if (!all && bytes < flight->left) {
		volatile __u32 *left = &flight->left;

		add(*left, -bytes);
		/* Another part may have ended meanwhile, on another processor. */
		if (*left || !flight->bio)
			return;
	}
	place = COUNTER_PLACE(flight->counter);
	start = flight_start(flight, begun);
	ns = now > start ? now - start : 0;
	counter = bpf_map_lookup_elem(&counters, &place);
	flight_drop(flight, disk, now);
	if (counter && start) {
		add(counter->done, 1);
		add(counter->lat_ns, ns);
		note_max(counter->max, ns);
	}
}

#endif
