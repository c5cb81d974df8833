/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whose a bio is that blk-throttle held back: it does so before block_bio_queue, and a kernel
 * worker queues the bio later. The last task of the cgroup that queued its own bio within the limit
 * is remembered as owner for these.
 */
#ifndef IOTOP_BPF_BLOCK_THROTTLED_H
#define IOTOP_BPF_BLOCK_THROTTLED_H

#include "bpf/block/count.h"
#include "bpf/block/maps.h"
#include "bpf/block/task_ref.h"
#include "bpf/common/kernel.h"

_always_ bool bio_throttled(__u16 flags)
{
	return throttled_flag && flags & throttled_flag;
}

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

	if (!slot || !(slot->flags & SLOT_WORKER) ||
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

#endif
