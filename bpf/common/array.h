/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Maps by name, number of entries and type. Where user space sets the number before loading it is 1
 * here.
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

#define HASH_OF(KIND, NAME, ENTRIES, KEY, TYPE)     \
	struct {                                    \
		__uint(type, BPF_MAP_TYPE_##KIND);  \
		__uint(max_entries, ENTRIES);       \
		__type(key, KEY);                   \
		__type(value, TYPE);                \
	} NAME SEC(".maps")

#define HASH_MAP(NAME, ENTRIES, KEY, TYPE) HASH_OF(HASH, NAME, ENTRIES, KEY, TYPE)
/* Where there is no room, what was not used for longest goes. */
#define LRU_MAP(NAME, ENTRIES, KEY, TYPE) HASH_OF(LRU_HASH, NAME, ENTRIES, KEY, TYPE)

/*
 * For a variable of 64 bytes that all CPUs write often: on a cache line of its own, or what every
 * I/O only reads would come from another CPU's cache each time.
 */
#define OWN_LINE __attribute__((aligned(64)))

#endif
