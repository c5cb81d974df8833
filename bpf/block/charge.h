/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Charging I/O: finding the counter of owner, submitter, disk and operation. */
#ifndef IOTOP_BPF_BLOCK_CHARGE_H
#define IOTOP_BPF_BLOCK_CHARGE_H

#include "bpf/abi.h"
#include "bpf/block/count.h"
#include "bpf/block/disk.h"
#include "bpf/common/kernel.h"
#include "bpf/block/maps.h"
#include "bpf/block/task_ref.h"

/*
 * The index of a counter. When none is free: that of the unattributed I/O of this disk and
 * operation.
 */
__noinline __u32 counter_find(__u32 owner, __u32 submitter, __u32 dev, __u32 disk, __u32 what)
{
	struct abi_counter_key key = {
		.owner = owner,
		.submitter = submitter,
		.dev = dev,
		.disk = disk,
		.op = what & 0xff,
		.how = what >> 8,
	};
	__u32 none = disk * ABI_OPS + key.op, place, *have;
	struct abi_counter *counter;

	if (owner == ABI_UNATTRIBUTED && submitter == ABI_UNATTRIBUTED)
		return none;
	have = bpf_map_lookup_elem(&counter_index, &key);
	if (have)
		return *have;
	if (!place_take(&counters_free, &counter_places, &place))
		return none;
	counter = bpf_map_lookup_elem(&counters, &place);
	if (!counter)
		return none;
	if (bpf_map_update_elem(&counter_index, &key, &place, BPF_NOEXIST)) {
		place_return(&counters_free, &counter_places, &place);
		have = bpf_map_lookup_elem(&counter_index, &key);
		return have ? *have : none;
	}
	counter->key = key;
	return place;
}

#define WHAT(op, how) ((op) | (how) << 8)

/*
 * The owner (in the upper half) and operation and how to charge I/O with. What is charged to a
 * kernel thread is exact for no one: it may have done it for others.
 */
__noinline __u64 charge_settle(__u32 owner, __u32 what)
{
	__u32 place = ABI_REF_INDEX(owner);
	const struct abi_task_ref *is;

	if (ref_check(owner) != owner) {
		if (refs_reclaimed_early)
			lose(ABI_LOST_FORGOTTEN);
		return (__u64)ABI_UNATTRIBUTED << 32 | WHAT(what & 0xff, ABI_LOST);
	}
	if (what >> 8 != ABI_EXACT)
		return (__u64)owner << 32 | what;
	is = place < ABI_REF_FIRST ? NULL : bpf_map_lookup_elem(&task_refs, &place);
	if (is && is->flags & ABI_TASK_KTHREAD)
		what = WHAT(what, ABI_KERNEL);
	else if (owner == ABI_UNATTRIBUTED)
		what = WHAT(what, ABI_INODE);
	return (__u64)owner << 32 | what;
}

/* Bit above counter and disk: the task has not used this disk before, or not lately. */
#define CHARGED_ANEW (1u << 31)

/*
 * Charges I/O to its owner. Returns counter and disk as abi_inflight holds them, with CHARGED_ANEW
 * where the counter was looked up. The bio may be a number: it is read by probe_read only.
 */
_always_ __u32 charge(struct task_slot *slot, const struct bio *bio, __u32 dev, __u32 owner,
		    __u32 what, __u32 bytes, __u32 ios)
{
	__u32 ref = slot && slot->ref ? slot->ref : ABI_UNATTRIBUTED, way = (dev + what) & 3,
	      place, packed, disk;
	struct abi_counter *counter = NULL;

	if (slot && slot->cache[way].dev == dev && slot->cache[way].what == what &&
	    slot->cache[way].owner == owner) {
		packed = slot->cache[way].counter;
		place = ABI_COUNTER_PLACE(packed);
		counter = bpf_map_lookup_elem(&counters, &place);
	}
	/* The counter may have been given to another owner since it was remembered. */
	if (!counter || counter->key.owner != owner) {
		const struct gendisk *gendisk = bio_gendisk(bio);
		__u32 whole = gendisk_dev(gendisk);
		__u64 settled = charge_settle(owner, what);

		disk = disk_find((__u64)gendisk);
		owner = settled >> 32;
		place = counter_find(owner, ref_check(ref), whole, disk, (__u32)settled);
		packed = place | disk << ABI_COUNTER_BITS;
		if (place < ABI_COUNTER_FIRST) {
			/* Not remembered: entries may become free. */
			if (ref == ABI_UNATTRIBUTED)
				lose(ABI_LOST_TASK_REFS);
			else if (owner != ABI_UNATTRIBUTED)
				lose(ABI_LOST_COUNTERS);
		} else if (slot) {
			slot->cache[way].dev = dev;
			slot->cache[way].what = what;
			slot->cache[way].owner = owner;
			slot->cache[way].counter = packed;
		}
		counter = bpf_map_lookup_elem(&counters, &place);
		packed |= CHARGED_ANEW;
	}
	if (counter) {
		add(counter->ios, ios);
		add(counter->bytes, bytes);
	}
	return packed;
}

/* charge() as a global function, for paths that not every I/O takes. */
__noinline __u32 charge_to(__u64 bio, __u32 owner, __u32 what, __u32 bytes, __u32 ios)
{
	return charge(task_slot(false), (const struct bio *)bio,
		      bio_dev_probe_read((const struct bio *)bio), owner, what, bytes, ios);
}

#endif
