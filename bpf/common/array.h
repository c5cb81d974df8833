/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Array maps by name, number of entries and type. Where user space sets the number before loading
 * it is 1 here.
 */
#ifndef IOTOP_BPF_COMMON_ARRAY_H
#define IOTOP_BPF_COMMON_ARRAY_H

#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>

#define ARRAY(NAME, ENTRIES, TYPE)                \
	struct {                                  \
		__uint(type, BPF_MAP_TYPE_ARRAY); \
		__uint(max_entries, ENTRIES);     \
		__type(key, __u32);               \
		__type(value, TYPE);              \
	} NAME SEC(".maps")

/* Memory that is shared with user space. */
#define MAPPED_ARRAY(NAME, ENTRIES, TYPE)          \
	struct {                                   \
		__uint(type, BPF_MAP_TYPE_ARRAY);  \
		__uint(map_flags, BPF_F_MMAPABLE); \
		__uint(max_entries, ENTRIES);      \
		__type(key, __u32);                \
		__type(value, TYPE);               \
	} NAME SEC(".maps")

/* Per CPU: for values too large for the stack. */
#define CPU_ARRAY(NAME, ENTRIES, TYPE)             \
	struct {                                         \
		__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY); \
		__uint(max_entries, ENTRIES);            \
		__type(key, __u32);                      \
		__type(value, TYPE);                     \
	} NAME SEC(".maps")

#endif
