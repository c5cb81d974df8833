/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Selecting tasks: whose calls and requests are measured. A request belongs to its owner, as the
 * block programs have charged it; where these are not loaded, to its submitter.
 */
#ifndef IOTOP_BPF_LAYERS_SELECTED_H
#define IOTOP_BPF_LAYERS_SELECTED_H

#include "bpf/abi.h"
#include "bpf/common/block_anchor.h"
#include "bpf/common/array.h"
#include "bpf/common/chosen.h"
#include "bpf/common/op.h"
#include "bpf/common/pid.h"
#include "bpf/common/task.h"

const volatile bool has_attribution;	/* the maps of the block programs are there */

/* The cgroup of --cgroup. */
struct {
	__uint(type, BPF_MAP_TYPE_CGROUP_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u32);
} layer_cgroup SEC(".maps");

MAPPED_ARRAY(block_task_refs, 1, struct abi_task_ref);

/*
 * How many selected tasks are in an fsync(), by the device of the file system: then its journal
 * works for them.
 */
LRU_MAP(syncing, 256, __u32, __u32);

/* File systems put other credentials on a task for a while (overlay), its real ones stay. */
_always_ bool user_selected(void)
{
	const struct task_struct *task = (const struct task_struct *)bpf_get_current_task();

	return !want_uids || uid_selected(BPF_CORE_READ(task, real_cred, uid.val));
}

/* Whether the current task is selected. */
_always_ bool task_selected(void)
{
	__u64 ids = want_tid || want_pids ? current_ids() : 0;
	__u32 tgid = ids >> 32;

	if (!user_selected())
		return false;

	if (want_tid && (__u32)ids != want_tid)
		return false;
	if (want_cgroup && bpf_current_task_under_cgroup(&layer_cgroup, 0) != 1)
		return false;
	return !want_pids || bpf_map_lookup_elem(&chosen_pids, &tgid);
}

/* Counts selected tasks in an fsync() on dev: more is 1 or -1. */
__noinline int sync_waits(__u32 dev, int more)
{
	__u32 *n = bpf_map_lookup_elem(&syncing, &dev), fresh = 0;

	if (!n && more > 0) {
		bpf_map_update_elem(&syncing, &dev, &fresh, BPF_NOEXIST);
		n = bpf_map_lookup_elem(&syncing, &dev);
	}
	if (n)
		add(*n, more);
	return 0;
}

_always_ bool journal_selected(const struct bio *bio)
{
	__u32 dev = bio_partition(bio), *n = bpf_map_lookup_elem(&syncing, &dev);

	return n && *n;
}

/*
 * Whether a bio that is being queued (by its address) is of a selected task. The block programs ran
 * for it before.
 */
__noinline bool bio_selected(__u64 address)
{
	struct abi_counter *counter;
	struct abi_task_ref *ref;
	__u32 index;

	if (!has_attribution)
		return task_selected();
	counter = charged_bio(address);
	if (!counter)
		return false;
	index = ABI_REF_INDEX(counter->key.owner);
	if (index == ABI_JOURNAL)
		return journal_selected((const struct bio *)address);
	ref = index >= ABI_REF_FIRST ? bpf_map_lookup_elem(&block_task_refs, &index) : NULL;
	if (!ref)
		return false;
	/* The cgroup may be newer than the last scan of them. */
	return ref->tid == (__u32)current_ids() ? task_selected()
							       : ref_selected(ref);
}

#endif
