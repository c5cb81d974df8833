/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tasks and what is booked to them. */
#ifndef IOTOP_BPF_BOOK_H
#define IOTOP_BPF_BOOK_H

#include "bpf/abi.h"
#include "bpf/count.h"
#include "bpf/disk.h"
#include "bpf/kernel.h"
#include "bpf/maps.h"

_always_ struct task_slot *task_slot(bool create)
{
	return task_slot_of(current_task(), create);
}

/* The number of the current task, made at its first I/O. ABI_UNATTRIBUTED when there is none left. */
__noinline __u32 owner_new(void)
{
	struct task_slot *slot = task_slot(true);
	struct task_struct *task = (struct task_struct *)bpf_get_current_task();
	__u64 ids = bpf_get_current_pid_tgid();
	struct abi_owner *owner;
	__u32 place;

	if (!slot)
		return ABI_UNATTRIBUTED;
	if (bpf_map_pop_elem(&owners_free, &place))
		return ABI_UNATTRIBUTED;
	owner = bpf_map_lookup_elem(&owners, &place);
	if (!owner)
		return ABI_UNATTRIBUTED;
	add(owners_taken, 1);
	owner->ended = 0;
	owner->cgroup = bpf_get_current_cgroup_id();
	owner->tgid = ids >> 32;
	owner->tid = (__u32)ids;
	owner->uid = (__u32)bpf_get_current_uid_gid();
	owner->flags = BPF_CORE_READ(task, flags) & KERNEL_PF_KTHREAD ? ABI_TASK_KTHREAD : 0;
	bpf_get_current_comm(owner->comm, sizeof(owner->comm));
	owner->start = BPF_CORE_READ(task, start_boottime);
	slot->flags = 0;
	if (owner->flags & ABI_TASK_KTHREAD) {
		slot->flags = SLOT_KTHREAD;
		if (owner->comm[0] == 'j' && owner->comm[1] == 'b' && owner->comm[2] == 'd' && owner->comm[3] == '2')
			slot->flags |= SLOT_JOURNAL;
	}
	slot->owner = ABI_OWNER(place, owner->gen & ((1u << (32 - ABI_OWNER_BITS)) - 1));
	return slot->owner;
}

/* The place of a counter; one of those for the unattributed when there is no place left. */
__noinline __u32 counter_find(__u32 cause, __u32 submitter, __u32 dev, __u32 disk, __u32 what)
{
	struct abi_counter_key key = {
		.cause = cause, .submitter = submitter, .dev = dev, .disk = disk, .op = what & 0xff, .how = what >> 8,
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

/* The number of a cause as long as it stands for the same task. */
_always_ __u32 owner_check(__u32 owner)
{
	__u32 place = ABI_OWNER_PLACE(owner);
	struct abi_owner *is;

	if (place < ABI_OWNER_FIRST)
		return owner;
	is = bpf_map_lookup_elem(&owners, &place);
	return is && (is->gen & ((1u << (32 - ABI_OWNER_BITS)) - 1)) == ABI_OWNER_GEN(owner) ? owner : ABI_UNATTRIBUTED;
}

#define WHAT(op, how) ((op) | (how) << 8)

/* Above a counter and its disk: the task has not used this disk before, or not lately. */
#define BOOKED_ANEW (1u << 31)

/*
 * Books I/O to its cause; returns its counter and disk as abi_flight holds them, or BOOKED_ANEW with it. The bio's address may be a number: only
 * helpers read from it.
 */
_always_ __u32 book(struct task_slot *slot, const struct bio *bio, __u32 dev, __u32 cause, __u32 what, __u32 bytes, __u32 ios)
{
	__u32 owner = slot && slot->owner ? slot->owner : ABI_UNATTRIBUTED, way = (dev + what) & 3, place, packed, disk;
	struct abi_counter *counter = NULL;

	if (slot && slot->cache[way].dev == dev && slot->cache[way].what == what && slot->cache[way].cause == cause) {
		packed = slot->cache[way].counter;
		place = COUNTER_PLACE(packed);
		counter = bpf_map_lookup_elem(&counters, &place);
	}
	/* A counter whose cause is long gone may have gone to another one. */
	if (!counter || counter->key.cause != cause) {
		const struct gendisk *gendisk = bio_gendisk(bio);
		__u32 whole = gendisk_dev(gendisk);

		disk = disk_find((__u64)gendisk);
		cause = owner_check(cause);
		place = counter_find(cause, owner, whole, disk, what);
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
