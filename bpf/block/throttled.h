/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bios that blk-throttle held back: it does so before block_bio_queue, and a kernel worker queues
 * the bio later. hold.bpf.c notes who submitted it and when; the bio is charged as if that task
 * queued it. Without such a note the time is not known, and the owner is the last task of the
 * cgroup that queued a bio of its own within the limit; before 5.18 there is no owner then: every
 * bio has the flag that those have which were held back since.
 */
#ifndef IOTOP_BPF_BLOCK_THROTTLED_H
#define IOTOP_BPF_BLOCK_THROTTLED_H

#include "bpf/block/count.h"
#include "bpf/block/inflight.h"
#include "bpf/block/maps.h"
#include "bpf/block/task_ref.h"
#include "bpf/common/kernel.h"

_always_ __u64 bio_cgroup(__u64 bio)
{
	if (!bpf_core_field_exists(((struct bio *)0)->bi_blkg))
		return 0;
	return (__u64)BPF_CORE_READ((const struct bio *)bio, bi_blkg, blkcg);
}

__noinline int throttled_note(__u64 bio, __u32 ref)
{
	__u64 cgroup = bio_cgroup(bio);
	__u32 *last = bpf_map_lookup_elem(&throttled, &cgroup);

	if (last && *last == ref)
		return 0;
	add(throttled_changes, 1);
	if (!last)
		bpf_map_update_elem(&throttled, &cgroup, &ref, BPF_ANY);
	else
		*last = ref;
	return 0;
}

/* The owner of a throttled bio that a worker queues; 0: it is the worker's own. */
__noinline __u32 throttled_find(__u64 bio)
{
	struct task_slot *slot = task_slot(false);
	const struct abi_task_ref *ref;
	__u32 *last, place;
	__u64 cgroup;

	if (!throttled_flag_tells || !slot || !(slot->flags & SLOT_WORKER) ||
	    !bio_throttled(BPF_CORE_READ((const struct bio *)bio, bi_flags)))
		return 0;
	cgroup = bio_cgroup(bio);
	last = bpf_map_lookup_elem(&throttled, &cgroup);
	if (!last)
		return ABI_UNATTRIBUTED;
	place = ABI_REF_INDEX(*last);
	ref = bpf_map_lookup_elem(&task_refs, &place);
	return ref && !ref->ended ? *last : ABI_UNATTRIBUTED;
}

/* Of the disk of a bio, where blk-throttle counts what it holds back; 0: it does not. */
_always_ __u64 throttle_counts(__u64 bio)
{
	__u64 td = 0;

	if (!bpf_core_field_exists(((struct throtl_data *)0)->nr_queued))
		return 0;
	td = (__u64)BPF_CORE_READ(bio_gendisk((const struct bio *)bio), queue, td);
	return td ? td + bpf_core_field_offset(struct throtl_data, nr_queued) : 0;
}

/* Tells user space that limits hold at the disk of this bio. */
__noinline int throttle_seen(__u64 bio)
{
	__u64 at = throttle_counts(bio);
	__u32 oldest = 0;

	any_held = true;
	for (__u32 i = 0; i < ABI_THROTTLES; i++) {
		if (throttle_at[i] == at) {
			throttle_epoch[i] = epoch;
			return 0;
		}
		if (throttle_epoch[i] < throttle_epoch[oldest % ABI_THROTTLES])
			oldest = i;
	}
	throttle_epoch[oldest % ABI_THROTTLES] = epoch;
	throttle_at[oldest % ABI_THROTTLES] = at;
	return 0;
}

/* The worker works as another task, or (0) as itself again: it will look up its ref anew. */
_always_ void slot_become(struct task_slot *slot, __u32 ref, __u32 flags)
{
	slot->ref = ref;
	slot->flags = flags;
	for (int i = 0; i < 4; i++)
		slot->cache[i].dev = 0;
}

/* The ref of who submitted a bio that was held back. */
_always_ __u32 held_ref(const struct abi_held *h)
{
	struct task_key key = { .start = h->start, .tid = h->tid };
	const __u32 *ref = bpf_map_lookup_elem(&task_ref_index, &key);
	const struct task_struct *task = (const struct task_struct *)h->task;

	if (ref)
		return *ref;
	/* Memory of a task that is gone belongs to another one. */
	if (BPF_CORE_READ(task, start_boottime) != h->start ||
	    (__u32)BPF_CORE_READ(task, pid) != h->tid)
		return ABI_UNATTRIBUTED;
	refs_by_others = true;
	return ref_of(h->task);
}

_always_ __u32 held_slot_flags(const struct abi_held *h)
{
	return (h->flags & KERNEL_PF_KTHREAD ? SLOT_KTHREAD : 0) |
	       (h->flags & KERNEL_PF_WQ_WORKER ? SLOT_WORKER : 0);
}

/* Whether the current task may queue a bio that was held back. */
_always_ bool may_be_held(const struct task_slot *slot, __u16 flags)
{
	return bio_throttled(flags) && slot && (!slot->ref || slot->flags & SLOT_WORKER);
}

/*
 * Before a bio is charged that a worker queues. True: it was held back; a user's task that
 * submitted it takes the worker's place until held_end().
 */
__noinline bool held_begin(__u64 bio)
{
	struct abi_held unseen = { .queued = 1 }, *h;
	struct task_slot *slot = task_slot(false);
	__u64 now;

	if (!slot)
		return false;
	if (!slot->ref)
		ref_current();
	if (!(slot->flags & SLOT_WORKER))
		return false;
	h = bpf_map_lookup_elem(&held, &bio);
	if (!h || h->queued) {
		if (!throttled_flag_tells)
			return false;
		throttle_seen(bio);
		bpf_map_update_elem(&held, &bio, &unseen, BPF_ANY);
		return true;
	}
	throttle_seen(bio);
	now = bpf_ktime_get_ns();
	h->ns = now > h->since ? now - h->since : 0;
	h->queued = 1;
	if (!(h->flags & KERNEL_PF_KTHREAD))
		slot_become(slot, held_ref(h), held_slot_flags(h));
	return true;
}

_always_ void throttled_add(struct abi_throttled *t, const struct abi_held *h)
{
	__u64 begin = h->since, end = begin + h->ns;

	if (!begin) {
		add(t->unseen, 1);
		return;
	}
	add(t->held, 1);
	add(t->held_ns, h->ns);
	if (begin > t->until) {
		add(t->ns, h->ns);
		t->since = begin;
		t->until = end;
		return;
	}
	if (end > t->until) {
		add(t->ns, end - t->until);
		t->until = end;
	}
	/* It began before the one that ended first. */
	if (begin < t->since && end >= t->since) {
		add(t->ns, t->since - begin);
		t->since = begin;
	}
}

/* What was held back is charged to a counter. */
_always_ void throttled_charge(__u32 counter, const struct abi_held *h)
{
	__u32 place = ABI_COUNTER_PLACE(counter);
	struct abi_throttled none = {}, *t;

	t = bpf_map_lookup_elem(&throttled_ios, &place);
	if (!t) {
		bpf_map_update_elem(&throttled_ios, &place, &none, BPF_NOEXIST);
		t = bpf_map_lookup_elem(&throttled_ios, &place);
	}
	if (t)
		throttled_add(t, h);
	else
		lose(ABI_LOST_THROTTLED);
}

/* After it was charged to a counter. */
__noinline int held_end(__u64 bio, __u32 counter)
{
	struct task_slot *slot = task_slot(false);
	struct abi_held *h = bpf_map_lookup_elem(&held, &bio);

	if (slot)
		slot_become(slot, 0, 0);
	refs_by_others = true;
	if (h)
		throttled_charge(counter, h);
	return 0;
}

#endif
