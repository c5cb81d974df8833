/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tasks that were chosen by process, thread, user or control group: of any, by their task refs. */
#ifndef IOTOP_BPF_COMMON_CHOSEN_H
#define IOTOP_BPF_COMMON_CHOSEN_H

#include "bpf/abi.h"
#include "bpf/common/array.h"
#include "bpf/common/kernel.h"

/* Fixed before the programs are loaded. */
const volatile bool want_pids;		/* only tasks of the processes in chosen_pids */
const volatile bool want_uids;		/* only tasks of the users in chosen_uids */
const volatile __u32 want_tid;	/* only this task; 0: all */
const volatile bool want_cgroup;	/* only tasks of the control groups in chosen_cgroups */

/* Sizes are set by user space: one entry where nothing is chosen. */
HASH_MAP(chosen_pids, 1, __u32, __u8);
HASH_MAP(chosen_uids, 1, __u32, __u8);
/* The one asked for and all below it by id. User space fills it. */
LRU_MAP(chosen_cgroups, 1, __u64, __u8);

/* Whether only some tasks are chosen. */
_always_ bool is_selective(void)
{
	return want_tid || want_pids || want_uids || want_cgroup;
}

_always_ bool uid_selected(__u32 uid)
{
	return !want_uids || bpf_map_lookup_elem(&chosen_uids, &uid);
}

/* Whether a task is chosen, which may have ended. */
_always_ bool ref_selected(const struct abi_task_ref *ref)
{
	__u64 cgroup = ref->cgroup;
	__u32 tgid = ref->tgid;

	if ((want_tid && ref->tid != want_tid) || !uid_selected(ref->uid))
		return false;
	if (want_cgroup && !bpf_map_lookup_elem(&chosen_cgroups, &cgroup))
		return false;
	return !want_pids || bpf_map_lookup_elem(&chosen_pids, &tgid);
}

#endif
