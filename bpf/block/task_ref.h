/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The numbers that stand for tasks. */
#ifndef IOTOP_BPF_BLOCK_TASK_REF_H
#define IOTOP_BPF_BLOCK_TASK_REF_H

#include "bpf/abi.h"
#include "bpf/block/count.h"
#include "bpf/common/kernel.h"
#include "bpf/block/maps.h"

_always_ struct task_slot *task_slot(bool create)
{
	return task_slot_of(current_task(), create);
}

_always_ __u32 owner_generation(const struct abi_owner *owner)
{
	return owner->gen & ((1u << (32 - ABI_OWNER_BITS)) - 1);
}

/* What is told of a task. Its start is written last: without it nobody looks at the rest. */
__noinline int owner_describe(__u32 place, __u64 address)
{
	const struct task_struct *task = (const struct task_struct *)address;
	struct abi_owner *owner = bpf_map_lookup_elem(&owners, &place);
	__u32 flags;

	if (!owner)
		return 0;
	flags = BPF_CORE_READ(task, flags);
	owner->cgroup = BPF_CORE_READ(task, cgroups, dfl_cgrp, kn, id);
	owner->tgid = BPF_CORE_READ(task, tgid);
	owner->tid = BPF_CORE_READ(task, pid);
	owner->uid = BPF_CORE_READ(task, real_cred, uid.val);
	owner->flags = flags & KERNEL_PF_KTHREAD ? ABI_TASK_KTHREAD : 0;
	bpf_probe_read_kernel_str(owner->comm, sizeof(owner->comm), &task->comm);
	/* One that is about to end will not be told of again. */
	owner->ended = flags & KERNEL_PF_EXITING ? bpf_ktime_get_ns() : 0;
	owner->start = BPF_CORE_READ(task, start_boottime);
	return 0;
}

/* The number of a task; 0: it has none. */
__noinline __u32 owner_find(__u64 address)
{
	const struct task_struct *task = (const struct task_struct *)address;
	struct task_key key = { .start = BPF_CORE_READ(task, start_boottime),
				.tid = BPF_CORE_READ(task, pid) };
	__u32 *have = bpf_map_lookup_elem(&owner_index, &key);

	return have ? *have : 0;
}

/*
 * A task that ends knows its number itself, for what it still does, and nobody asks for it any
 * more.
 */
__noinline int owner_unindex(__u64 address)
{
	const struct task_struct *task = (const struct task_struct *)address;
	struct task_key key = { .start = BPF_CORE_READ(task, start_boottime),
				.tid = BPF_CORE_READ(task, pid) };

	bpf_map_delete_elem(&owner_index, &key);
	return 0;
}

/* The number of a task. ABI_UNATTRIBUTED when there is none left. */
__noinline __u32 owner_of(__u64 address)
{
	const struct task_struct *task = (const struct task_struct *)address;
	struct task_key key = { .start = BPF_CORE_READ(task, start_boottime),
				.tid = BPF_CORE_READ(task, pid) };
	__u32 *have = bpf_map_lookup_elem(&owner_index, &key), place, number;
	struct abi_owner *owner;

	if (have)
		return *have;
	if (bpf_map_pop_elem(&owners_free, &place))
		return ABI_UNATTRIBUTED;
	owner = bpf_map_lookup_elem(&owners, &place);
	if (!owner)
		return ABI_UNATTRIBUTED;
	number = ABI_OWNER(place, owner_generation(owner));
	if (bpf_map_update_elem(&owner_index, &key, &number, BPF_NOEXIST)) {
		bpf_map_push_elem(&owners_free, &place, 0);
		have = bpf_map_lookup_elem(&owner_index, &key);
		return have ? *have : ABI_UNATTRIBUTED;
	}
	add(owners_taken, 1);
	owner_describe(place, address);
	return number;
}

/* The number of the current task, made at its first I/O. */
__noinline __u32 owner_new(void)
{
	struct task_slot *slot = task_slot(true);
	__u64 task = (__u64)bpf_get_current_task();
	__u32 number, place;
	struct abi_owner *owner;

	if (!slot)
		return ABI_UNATTRIBUTED;
	number = owner_of(task);
	place = ABI_OWNER_PLACE(number);
	owner = bpf_map_lookup_elem(&owners, &place);
	if (place < ABI_OWNER_FIRST || !owner)
		return ABI_UNATTRIBUTED;
	slot->flags = owner->flags & ABI_TASK_ENDED ? SLOT_ENDED : 0;
	if (owner->flags & ABI_TASK_KTHREAD) {
		slot->flags |= SLOT_KTHREAD;
		if (owner->comm[0] == 'j' && owner->comm[1] == 'b' && owner->comm[2] == 'd' &&
		    owner->comm[3] == '2')
			slot->flags |= SLOT_JOURNAL;
		if (BPF_CORE_READ((const struct task_struct *)task, flags) & KERNEL_PF_WQ_WORKER)
			slot->flags |= SLOT_WORKER;
	}
	slot->owner = number;
	return number;
}

/* The number of a cause as long as it stands for the same task. */
_always_ __u32 owner_check(__u32 owner)
{
	__u32 place = ABI_OWNER_PLACE(owner);
	struct abi_owner *is;

	if (place < ABI_OWNER_FIRST)
		return owner;
	is = bpf_map_lookup_elem(&owners, &place);
	return is && owner_generation(is) == ABI_OWNER_GEN(owner) ? owner : ABI_UNATTRIBUTED;
}

#endif
