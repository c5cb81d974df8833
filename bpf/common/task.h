/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * State of ours for each task: in task storage or, before 5.11, in a hash. User space creates one
 * of the two.
 */
#ifndef IOTOP_BPF_COMMON_TASK_H
#define IOTOP_BPF_COMMON_TASK_H

#include "bpf/common/kernel.h"

/* Start and tid: a reused tid has another start. */
struct task_key {
	__u64 start;
	__u64 tid;
};

/* Fixed before the programs are loaded. */
const volatile bool has_task_storage = true;

/*
 * The maps STORAGE and HASH (of type HASH_TYPE: an LRU where those that ended shall give way), and
 * GET(task, create) of TYPE. Under the hash, the task may be known by its address only.
 */
#define TASK_MAPS(TYPE, GET, STORAGE, HASH, HASH_TYPE)                               \
	struct {                                                                     \
		__uint(type, BPF_MAP_TYPE_TASK_STORAGE);                             \
		__uint(map_flags, BPF_F_NO_PREALLOC);                                \
		__type(key, int);                                                    \
		__type(value, TYPE);                                                 \
	} STORAGE SEC(".maps");                                                      \
	struct {                                                                     \
		__uint(type, HASH_TYPE);                                             \
		__uint(max_entries, 1);                                              \
		__type(key, struct task_key);                                        \
		__type(value, TYPE);                                                 \
	} HASH SEC(".maps");                                                         \
	/* Too large for the stack, some of them. */                                 \
	static volatile TYPE HASH##_zero;                                            \
	_always_ TYPE *GET(struct task_struct *task, bool create)                    \
	{                                                                            \
		struct task_key key = {};                                            \
		TYPE *value;                                                         \
	\
		if (has_task_storage)                                                \
			return bpf_task_storage_get(&STORAGE, task, 0, \
				create ? BPF_LOCAL_STORAGE_GET_F_CREATE : 0); \
		key.start = BPF_CORE_READ(task, start_boottime);                     \
		key.tid = BPF_CORE_READ(task, pid);                                  \
		value = bpf_map_lookup_elem(&HASH, &key);                            \
		if (value || !create)                                                \
			return value;                                                \
		bpf_map_update_elem(&HASH, &key, (void *)&HASH##_zero, BPF_NOEXIST); \
		return bpf_map_lookup_elem(&HASH, &key);                             \
	}

_always_ struct task_struct *current_task(void)
{
	return has_task_storage ? bpf_get_current_task_btf()
				: (struct task_struct *)bpf_get_current_task();
}

#endif
