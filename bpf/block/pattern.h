/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * In which order I/O is queued: whether it begins where the last one ended, of the same task at the
 * same disk with the same operation, and of all tasks at that disk. Counted while somebody asks:
 * the array hangs in a map of maps, and is not there otherwise.
 */
#ifndef IOTOP_BPF_BLOCK_PATTERN_H
#define IOTOP_BPF_BLOCK_PATTERN_H

#include "bpf/abi.h"
#include "bpf/block/count.h"
#include "bpf/common/kernel.h"

struct pattern_array {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, ABI_PATTERN_FLAGS);
	__uint(max_entries, 1);
	/* By size: clang leaves types of an inner map out. */
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(struct abi_pattern));
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
	__uint(max_entries, 1);
	__type(key, __u32);
	__array(values, struct pattern_array);
} pattern_arrays SEC(".maps");

/* Written by user space. */
volatile bool want_pattern;
volatile __u32 pattern_disks;	/* where those of disks begin, behind those of counters */

_always_ void pattern_count(void *array, __u32 index, __u64 sector, __u32 sectors, bool flagged)
{
	struct abi_pattern *p = bpf_map_lookup_elem(array, &index);

	if (!p)
		return;
	/* Two CPUs at once make one of them random: these are shares. */
	if (sector - p->next <= ABI_PATTERN_WINDOW)
		add(p->sequential, 1);
	p->next = sector + sectors;
	add(p->ios, 1);
	if (flagged)
		add(p->flagged, 1);
}

struct pattern_places {
	__u64 count[ABI_PLACES_EACH];
};
_Static_assert(sizeof(struct pattern_places) == sizeof(struct abi_pattern), "an entry");

/* Where on the disk it begins. */
_always_ void pattern_place(void *array, __u32 disk, __u32 op, __u64 sector)
{
	const struct abi_disk *d = bpf_map_lookup_elem(&disks, &disk);
	__u32 shift = d ? d->shift : 0, index;
	struct pattern_places *p;
	__u64 place;

	if (!shift || shift > 63)
		return;
	place = sector >> shift;
	if (place >= ABI_PLACES)
		return;
	index = pattern_disks + ABI_PATTERN_DISKS + ABI_PLACES_OF_DISK(disk, op) +
		place / ABI_PLACES_EACH;
	p = bpf_map_lookup_elem(array, &index);
	place &= ABI_PLACES_EACH - 1;
	barrier_var(place);
	if (p && place < ABI_PLACES_EACH)
		add(p->count[place], 1);
}

/*
 * A bio with these flags that begins there was charged to a counter. op_bytes: the operation above
 * the bytes.
 */
__noinline int pattern_note(__u64 sector, __u32 counter, __u32 flags, __u64 op_bytes)
{
	__u32 zero = 0, op = op_bytes >> 32, sectors = (__u32)op_bytes >> 9;
	bool flagged = flags & (op == ABI_READ ? KERNEL_REQ_RAHEAD
					       : KERNEL_REQ_SYNC | KERNEL_REQ_FUA |
							 KERNEL_REQ_PREFLUSH);
	void *array = bpf_map_lookup_elem(&pattern_arrays, &zero);

	if (!array)
		return 0;
	pattern_count(array, ABI_COUNTER_PLACE(counter), sector, sectors, flagged);
	pattern_count(array, pattern_disks + ABI_PATTERN_OF_DISK(ABI_COUNTER_DISK(counter), op),
		      sector, sectors, flagged);
	pattern_place(array, ABI_COUNTER_DISK(counter), op, sector);
	return 0;
}

#endif
