/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tasks and what is booked to them. */
#ifndef IOTOP_BPF_BLOCK_CHARGE_H
#define IOTOP_BPF_BLOCK_CHARGE_H

#include "bpf/abi.h"
#include "bpf/block/count.h"
#include "bpf/block/disk.h"
#include "bpf/common/kernel.h"
#include "bpf/block/maps.h"
#include "bpf/block/task_ref.h"

/* The place of a counter; one of those for the unattributed when there is no place left. */
__noinline __u32 counter_find(__u32 cause, __u32 submitter, __u32 dev, __u32 disk, __u32 what)
{
	struct abi_counter_key key = {
		.cause = cause,
		.submitter = submitter,
		.dev = dev,
		.disk = disk,
		.op = what & 0xff,
		.how = what >> 8,
	};
	__u32 none = disk * ABI_OPS + key.op, place, *have;
	struct abi_counter *counter;

	if (key.cause == ABI_UNATTRIBUTED)
		return none;
	have = bpf_map_lookup_elem(&counter_index, &key);
	if (have)
		return *have;
	if (bpf_map_pop_elem(&counters_free, &place))
		return none;
	counter = bpf_map_lookup_elem(&counters, &place);
	if (!counter)
		return none;
	if (bpf_map_update_elem(&counter_index, &key, &place, BPF_NOEXIST)) {
		bpf_map_push_elem(&counters_free, &place, 0);
		have = bpf_map_lookup_elem(&counter_index, &key);
		return have ? *have : none;
	}
	add(counters_taken, 1);
	counter->key = key;
	return place;
}

#define WHAT(op, how) ((op) | (how) << 8)

/* Above a counter and its disk: the task has not used this disk before, or not lately. */
#define BOOKED_ANEW (1u << 31)

/*
 * Books I/O to its cause; returns its counter and disk as abi_flight holds them, or BOOKED_ANEW
 * with it. The bio's address may be a number: only helpers read from it.
 */
_always_ __u32 book(struct task_slot *slot, const struct bio *bio, __u32 dev, __u32 cause,
		    __u32 what, __u32 bytes, __u32 ios)
{
	__u32 owner = slot && slot->owner ? slot->owner : ABI_UNATTRIBUTED, way = (dev + what) & 3,
	      place, packed, disk;
	struct abi_counter *counter = NULL;

	if (slot && slot->cache[way].dev == dev && slot->cache[way].what == what &&
	    slot->cache[way].cause == cause) {
		packed = slot->cache[way].counter;
		place = COUNTER_PLACE(packed);
		counter = bpf_map_lookup_elem(&counters, &place);
	}
	/* A counter whose cause is long gone may have gone to another one. */
	if (!counter || counter->key.cause != cause) {
		const struct gendisk *gendisk = bio_gendisk(bio);
		__u32 whole = gendisk_dev(gendisk);

		disk = disk_find((__u64)gendisk);
		if (owner_check(cause) != cause) {
			cause = ABI_UNATTRIBUTED;
			if (owners_hurried)
				lose(ABI_LOST_FORGOTTEN);
		}
		place = counter_find(cause, owner_check(owner), whole, disk, what);
		packed = place | disk << ABI_COUNTER_BITS;
		if (place < ABI_COUNTER_FIRST) {
			/* Not remembered: it gets better when places become free. */
			if (owner == ABI_UNATTRIBUTED)
				lose(ABI_LOST_OWNERS);
			else if (cause != ABI_UNATTRIBUTED)
				lose(ABI_LOST_COUNTERS);
		} else if (slot) {
			slot->cache[way].dev = dev;
			slot->cache[way].what = what;
			slot->cache[way].cause = cause;
			slot->cache[way].counter = packed;
		}
		counter = bpf_map_lookup_elem(&counters, &place);
		packed |= BOOKED_ANEW;
	}
	if (counter) {
		add(counter->ios, ios);
		add(counter->bytes, bytes);
	}
	return packed;
}

#endif
