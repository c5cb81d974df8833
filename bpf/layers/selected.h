/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whose calls and requests are looked at. A request is of whoever caused it, as the block programs
 * have charged it; where these are not at work, of who submits it.
 */
#ifndef IOTOP_BPF_LAYERS_SELECTED_H
#define IOTOP_BPF_LAYERS_SELECTED_H

#include "bpf/abi.h"
#include "bpf/common/block_anchor.h"
#include "bpf/common/array.h"
#include "bpf/common/op.h"
#include "bpf/common/task.h"

/* Fixed before the programs are loaded. */
const volatile bool want_pids;		/* only tasks of the processes in layer_pids */
const volatile __u32 want_tid;	/* only this task; 0: all */
const volatile bool want_cgroup;	/* only tasks below the one in layer_cgroup */
const volatile bool has_attribution;		/* the maps of the block programs are there */

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1024);
	__type(key, __u32);
	__type(value, __u8);
} layer_pids SEC(".maps");

/* The control group of --cgroup. */
struct {
	__uint(type, BPF_MAP_TYPE_CGROUP_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u32);
} layer_cgroup SEC(".maps");

/* It and those below by their ids, for tasks that are not running. User space puts them in. */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, ABI_LAYER_CGROUPS);
	__type(key, __u64);
	__type(value, __u8);
} layer_cgroups SEC(".maps");

MAPPED_ARRAY(block_task_refs, 1, struct abi_task_ref);

/*
 * Of those tasks, how many are in an fsync(), by what the file system lies on: then its journal
 * works for them.
 */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 256);
	__type(key, __u32);
	__type(value, __u32);
} syncing SEC(".maps");

/* Is there a choice of tasks at all? */
_always_ bool some_wanted(void)
{
	return want_tid || want_pids || want_cgroup;
}

/* The current task. */
_always_ bool task_wanted(void)
{
	__u64 ids = bpf_get_current_pid_tgid();
	__u32 tgid = ids >> 32;

	if (want_tid && (__u32)ids != want_tid)
		return false;
	if (want_cgroup && bpf_current_task_under_cgroup(&layer_cgroup, 0) != 1)
		return false;
	return !want_pids || bpf_map_lookup_elem(&layer_pids, &tgid);
}

/* Another one, that may have ended. */
_always_ bool ref_selected(const struct abi_task_ref *ref)
{
	__u64 cgroup = ref->cgroup;
	__u32 tgid = ref->tgid;

	if (want_tid && ref->tid != want_tid)
		return false;
	if (want_cgroup && !bpf_map_lookup_elem(&layer_cgroups, &cgroup))
		return false;
	return !want_pids || bpf_map_lookup_elem(&layer_pids, &tgid);
}

/* One more of them begins to wait for what lies on dev, or with -1 one less. */
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

_always_ bool journal_wanted(const struct bio *bio)
{
	__u32 dev = bio_partition(bio), *n = bpf_map_lookup_elem(&syncing, &dev);

	return n && *n;
}

/* A bio that is being queued, by its address; the block programs ran before for it. */
__noinline bool bio_wanted(__u64 address)
{
	struct abi_counter *counter;
	struct abi_task_ref *ref;
	__u32 place;

	if (!has_attribution)
		return task_wanted();
	counter = charged_bio(address);
	if (!counter)
		return false;
	place = ABI_REF_INDEX(counter->key.owner);
	if (place == ABI_JOURNAL)
		return journal_wanted((const struct bio *)address);
	ref = place >= ABI_REF_FIRST ? bpf_map_lookup_elem(&block_task_refs, &place) : NULL;
	if (!ref)
		return false;
	/* Its control group may be younger than the last look at them. */
	return ref->tid == (__u32)bpf_get_current_pid_tgid() ? task_wanted()
							       : ref_selected(ref);
}

#endif
