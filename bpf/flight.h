/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bios between their start and their end. */
#ifndef IOTOP_BPF_FLIGHT_H
#define IOTOP_BPF_FLIGHT_H

#include "bpf/abi.h"
#include "bpf/count.h"
#include "bpf/disk.h"
#include "bpf/kernel.h"
#include "bpf/maps.h"

_always_ struct abi_flight_set *flight_set(__u64 bio)
{
	/* The multiplier spreads addresses over the high bits (2^64 divided by the golden ratio). */
	__u32 place = ((bio >> 4) * 0x9e3779b97f4a7c15ULL >> 32) & (flight_sets - 1);

	return bpf_map_lookup_elem(&flights, &place);
}

_always_ struct abi_flight *flight_find(__u64 bio)
{
	struct abi_flight_set *set = flight_set(bio);

	if (!set)
		return NULL;
	for (int i = 0; i < ABI_WAYS; i++)
		if (set->way[i].bio == bio)
			return &set->way[i];
	return NULL;
}

/* Removes a note: its bio is not in flight any more. */
_always_ void flight_drop(struct abi_flight *flight, __u64 now)
{
	__u32 place = COUNTER_DISK(flight->counter);
	struct abi_disk *disk = bpf_map_lookup_elem(&disks, &place);

	flight->bio = 0;
	if (disk) {
		disk_event(disk, now);
		add(disk->finished, 1);
	}
}

/* Two processors may take the same free way at the same time; each begins to look at another one to make that rare. */
_always_ void flight_add(__u64 bio, __u32 counter, __u32 bytes, __u64 now)
{
	struct abi_flight_set *set = flight_set(bio);
	__u32 first = bpf_get_smp_processor_id(), way = first % ABI_WAYS;
	__u32 place = COUNTER_DISK(counter);
	struct abi_flight *flight;
	struct abi_disk *disk;

	if (!set)
		return;
	for (__u32 i = 0; i < ABI_WAYS; i++) {
		__u32 next = (first + i) % ABI_WAYS;

		if (set->way[next].bio == bio || (!set->way[next].bio && set->way[way].bio))
			way = next;
		else if (set->way[way].bio && set->way[next].start_ns < set->way[way].start_ns)
			way = next;
		if (set->way[way].bio == bio)
			break;
	}
	flight = &set->way[way % ABI_WAYS];
	if (flight->bio) {
		/* The same bio again ended unseen; another one loses its latency. */
		if (flight->bio != bio)
			lose(ABI_LOST_LATENCY);
		flight_drop(flight, now);
	}
	flight->start_ns = now;
	flight->issue_ns = 0;
	flight->counter = counter;
	flight->left = bytes;
	flight->bio = bio;
	disk = bpf_map_lookup_elem(&disks, &place);
	if (disk) {
		disk_event(disk, now);
		add(disk->started, 1);
	}
}

_always_ void flight_end(struct abi_flight *flight, __u64 now)
{
	__u32 place = COUNTER_PLACE(flight->counter);
	struct abi_counter *counter = bpf_map_lookup_elem(&counters, &place);
	__u64 start = flight->start_ns, ns = now > start ? now - start : 0;

	flight_drop(flight, now);
	if (!counter)
		return;
	add(counter->done, 1);
	add(counter->lat_ns, ns);
	note_max(counter->max, ns);
}

/* The note of a bio, or of the one it was split from. */
_always_ struct abi_flight *flight_of(__u64 bio)
{
	struct abi_flight *flight = flight_find(bio);
	__u64 parent = 0;

	if (flight)
		return flight;
	/* Written to a map and read again, a pointer is a number. */
	if (!anchor_address)
		anchor_address = (__u64)&anchor;
	bpf_core_read(&parent, sizeof(parent), &((const struct bio *)(bio + anchor_address))->bi_private);
	return parent ? flight_find(parent - anchor_address) : NULL;
}

_always_ void flight_part(struct abi_flight *flight, __u32 bytes, __u64 now)
{
	if (bytes < flight->left) {
		add(flight->left, -bytes);
		return;
	}
	flight_end(flight, now);
}

/* A function of its own, not static: the verifier looks at it once, not at each round of the loop that calls it. */
__noinline int bio_part(__u64 bio, __u32 bytes, __u64 now)
{
	struct abi_flight *flight = flight_of(bio);

	if (flight)
		flight_part(flight, bytes, now);
	return 0;
}

#endif
