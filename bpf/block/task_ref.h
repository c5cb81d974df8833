/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Task refs: small numbers that stand for tasks (ABI_REF() in abi.h). 0 is none. */
#ifndef IOTOP_BPF_BLOCK_TASK_REF_H
#define IOTOP_BPF_BLOCK_TASK_REF_H

#include "bpf/abi.h"
#include "bpf/block/asked.h"
#include "bpf/block/count.h"
#include "bpf/common/kernel.h"
#include "bpf/common/pid.h"
#include "bpf/block/maps.h"

_always_ struct task_slot *task_slot(bool create)
{
	return task_slot_of(current_task(), create);
}

_always_ __u32 ref_generation(const struct abi_task_ref *ref)
{
	return ref->gen & ((1u << (32 - ABI_REF_BITS)) - 1);
}

/* Fills the entry of a task. Its start is written last: readers ignore an entry without a start. */
__noinline int ref_describe(__u32 place, __u64 address)
{
	const struct task_struct *task = (const struct task_struct *)address;
	struct abi_task_ref *ref = bpf_map_lookup_elem(&task_refs, &place);
	__u64 ids = ids_probe_read(task);
	struct abi_asked *a = asked_at(place);
	__u32 flags;

	if (!ref)
		return 0;
	flags = BPF_CORE_READ(task, flags);
	ref->cgroup = BPF_CORE_READ(task, cgroups, dfl_cgrp, kn, id);
	ref->tgid = ids >> 32;
	ref->tid = (__u32)ids;
	ref->uid = BPF_CORE_READ(task, real_cred, uid.val);
	ref->flags = flags & KERNEL_PF_KTHREAD ? ABI_TASK_KTHREAD : 0;
	bpf_probe_read_kernel_str(ref->comm, sizeof(ref->comm), &task->comm);
	add(ref_tids[(__u32)BPF_CORE_READ(task, pid) % ABI_REF_TIDS], 1);
	if (a)
		a->others = 0;
	/* The exit of a task that is exiting already may have been seen before. */
	ref->ended = flags & KERNEL_PF_EXITING ? bpf_ktime_get_ns() : 0;
	ref->start = BPF_CORE_READ(task, start_boottime);
	return 0;
}

/* The ref of a task (address of its task_struct), 0: it has none. */
__noinline __u32 ref_find(__u64 address)
{
	const struct task_struct *task = (const struct task_struct *)address;
	struct task_key key = { .start = BPF_CORE_READ(task, start_boottime),
				.tid = BPF_CORE_READ(task, pid) };
	__u32 *have = bpf_map_lookup_elem(&task_ref_index, &key);

	return have ? *have : 0;
}

/*
 * At its end a task leaves the index. It still knows its ref from its task_slot, for I/O after
 * this.
 */
__noinline int ref_unindex(__u64 start, __u32 tid)
{
	struct task_key key = { .start = start, .tid = tid };

	if (!bpf_map_delete_elem(&task_ref_index, &key))
		add(ref_tids[tid % ABI_REF_TIDS], -1);
	return 0;
}

/* The ref of a task, made where it has none. ABI_UNATTRIBUTED: no entry is free. */
__noinline __u32 ref_of(__u64 address)
{
	const struct task_struct *task = (const struct task_struct *)address;
	struct task_key key = { .start = BPF_CORE_READ(task, start_boottime),
				.tid = BPF_CORE_READ(task, pid) };
	__u32 *have = bpf_map_lookup_elem(&task_ref_index, &key), place, number;
	struct abi_task_ref *ref;

	if (have)
		return *have;
	if (pid_namespace && !pid_inside(address))
		return ABI_OUTSIDE;
	if (!place_take(&task_refs_free, &task_ref_places, &place))
		return ABI_UNATTRIBUTED;
	ref = bpf_map_lookup_elem(&task_refs, &place);
	if (!ref)
		return ABI_UNATTRIBUTED;
	number = ABI_REF(place, ref_generation(ref));
	if (bpf_map_update_elem(&task_ref_index, &key, &number, BPF_NOEXIST)) {
		place_return(&task_refs_free, &task_ref_places, &place);
		have = bpf_map_lookup_elem(&task_ref_index, &key);
		return have ? *have : ABI_UNATTRIBUTED;
	}
	ref_describe(place, address);
	return number;
}

/* The number in the name of a thread of io_uring, "iou-sqp-123" or "iou-wrk-123"; 0: none. */
__noinline __u32 ring_of(__u64 task)
{
	char name[ABI_COMM] = {};
	__u32 tid = 0;

	bpf_core_read(name, sizeof(name), &((const struct task_struct *)task)->comm);
	if (name[0] != 'i' || name[1] != 'o' || name[2] != 'u' || name[3] != '-')
		return 0;
	for (int i = sizeof("iou-sqp-") - 1; i < ABI_COMM - 1; i++) {
		if (name[i] < '0' || name[i] > '9')
			return tid;
		tid = tid * 10 + name[i] - '0';
	}
	return tid;
}

#define THREADS_SEARCHED 256
#define THREADS_STEP 16

_always_ const struct task_struct *thread_of(__u64 at)
{
	return (const void *)(at - bpf_core_field_offset(struct task_struct, thread_node));
}

/*
 * The place in the list of threads, from one on, that has this tid; else the end, or the place to
 * go on from (THREADS_STEP, see VERIFIED_STEP).
 */
__noinline __u64 thread_search(__u64 at, __u64 head, __u32 tid)
{
	for (int i = 0; i < THREADS_STEP && at && at != head; i++) {
		if ((__u32)BPF_CORE_READ(thread_of(at), pid) == tid)
			break;
		at = (__u64)BPF_CORE_READ((const struct list_head *)at, next);
	}
	return at;
}

/* The thread of a process with this tid; 0: it is not among the first. */
_always_ __u64 thread_find(__u64 leader, __u32 tid)
{
	__u64 head = (__u64)BPF_CORE_READ((const struct task_struct *)leader, signal) +
		     bpf_core_field_offset(struct signal_struct, thread_head),
	      at = (__u64)BPF_CORE_READ((const struct list_head *)head, next);

	for (int i = 0; i < THREADS_SEARCHED / THREADS_STEP && at && at != head; i++) {
		at = thread_search(at, head, tid);
		if (at != head && (__u32)BPF_CORE_READ(thread_of(at), pid) == tid)
			return (__u64)thread_of(at);
	}
	return 0;
}

/*
 * The current task gets its ref. What a thread of io_uring submits is asked for by the task that
 * made the ring.
 */
__noinline int asked_set_up(__u32 ref)
{
	const struct task_struct *task = (const struct task_struct *)bpf_get_current_task();
	struct abi_asked *a = asked_at(ABI_REF_INDEX(ref));
	__u32 maker;

	if (!a)
		return 0;
	a->also = 0;
	maker = BPF_CORE_READ(task, flags) & KERNEL_PF_IO_WORKER ? ring_of((__u64)task) : 0;
	if (!maker)
		return 0;
	task = (const struct task_struct *)thread_find((__u64)BPF_CORE_READ(task, group_leader),
						       maker);
	if (!task)
		return 0;
	refs_by_others = true;
	maker = ABI_REF_INDEX(ref_of((__u64)task));
	if (maker < ABI_REF_FIRST)
		return 0;
	a->also = maker;
	a = asked_at(maker);
	if (a)
		a->others = 1;
	return 0;
}

/* The ref of the current task, which its task_slot keeps from its first I/O on. */
__noinline __u32 ref_current(void)
{
	struct task_slot *slot = task_slot(true);
	const struct task_struct *task = (const struct task_struct *)bpf_get_current_task();
	__u32 number, place, flags;
	struct abi_task_ref *ref;
	char comm[4];

	if (!slot)
		return ABI_UNATTRIBUTED;
	number = ref_of((__u64)task);
	place = ABI_REF_INDEX(number);
	ref = bpf_map_lookup_elem(&task_refs, &place);
	if (number == ABI_UNATTRIBUTED || !ref)
		return ABI_UNATTRIBUTED;
	slot->flags = ref->flags & ABI_TASK_ENDED ? SLOT_ENDED : 0;
	flags = BPF_CORE_READ(task, flags);
	if (flags & KERNEL_PF_KTHREAD) {
		slot->flags |= SLOT_KTHREAD;
		bpf_core_read(comm, sizeof(comm), &task->comm);
		if (comm[0] == 'j' && comm[1] == 'b' && comm[2] == 'd' && comm[3] == '2')
			slot->flags |= SLOT_JOURNAL;
		if (flags & KERNEL_PF_WQ_WORKER)
			slot->flags |= SLOT_WORKER;
	}
	asked_set_up(number);
	slot->ref = number;
	return number;
}

/*
 * The ref while it still stands for the same task (the generation is equal), else ABI_UNATTRIBUTED.
 */
_always_ __u32 ref_check(__u32 ref)
{
	__u32 place = ABI_REF_INDEX(ref);
	struct abi_task_ref *is;

	if (place < ABI_REF_FIRST)
		return ref;
	is = bpf_map_lookup_elem(&task_refs, &place);
	return is && ref_generation(is) == ABI_REF_GEN(ref) ? ref : ABI_UNATTRIBUTED;
}

_always_ void ref_ended(struct abi_task_ref *ref)
{
	ref->flags |= ABI_TASK_ENDED;
	add(tasks_ended, 1);
	ref->ended = bpf_ktime_get_ns();
}

/*
 * Takes the last name and user of a task (its address) and its end. Some I/O may still follow: its
 * files are closed after this.
 */
__noinline int ref_end(__u32 place, __u64 address)
{
	const struct task_struct *task = (const struct task_struct *)address;
	struct abi_task_ref *ref = bpf_map_lookup_elem(&task_refs, &place);

	if (place < ABI_REF_FIRST || !ref)
		return 0;
	bpf_probe_read_kernel_str(ref->comm, sizeof(ref->comm), &task->comm);
	ref->uid = BPF_CORE_READ(task, real_cred, uid.val);
	ref_ended(ref);
	return 0;
}

/* A task (its address) that ends leaves the index. */
__noinline int ref_leave(__u32 number, __u64 task)
{
	const struct task_struct *t = (const struct task_struct *)task;

	if (!number)
		return 0;
	ref_unindex(BPF_CORE_READ(t, start_boottime), BPF_CORE_READ(t, pid));
	return ref_end(ABI_REF_INDEX(number), task);
}

#endif
