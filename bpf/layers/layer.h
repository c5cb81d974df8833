/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the programs of the layers share: maps, the state of a task, and counting. Time is counted
 * by entries, one for each device, layer and operation; 0 is none.
 */
#ifndef IOTOP_BPF_LAYERS_LAYER_H
#define IOTOP_BPF_LAYERS_LAYER_H

#include "bpf/abi.h"
#include "bpf/common/array.h"
#include "bpf/common/file.h"
#include "bpf/common/hist.h"
#include "bpf/common/kernel.h"
#include "bpf/common/longest.h"
#include "bpf/common/op.h"
#include "bpf/common/places.h"
#include "bpf/common/task.h"
#include "bpf/layers/selected.h"

/* An operation that has begun and not ended. start 0: none. */
struct layer_frame {
	__u64 start;	/* ns of CLOCK_MONOTONIC */
	__u64 ino;	/* of the file; 0: unknown, or callers are not counted */
	__u32 entry;	/* 0: not known yet */
	__u32 op;
	__u32 sdev;	/* with ino */
	__u32 before;	/* it began before the programs were attached; start is then */
};

enum {
	FRAME_CALL,
	FRAME_VFS,
	FRAME_FS,
	FRAME_FS_INNER,		/* that of a file system below another */
	FRAME_CACHE,		/* off-CPU until a page is there */
	FRAME_COUNT,
};

#define CACHE_WAYS 4
#define CACHE_WAY(what) (((what) ^ (what) >> 8) & (CACHE_WAYS - 1))

/* Where a function began: the stack pointer (0: not known), and its address. */
struct layer_outer {
	__u64 sp, ip;
};

struct layer_task {
	struct layer_frame frame[FRAME_COUNT];
	__u32 depth[2];	/* of functions of vfs, of fs */
	struct layer_outer outer[2];	/* the outermost of these */
	__u64 flush;	/* when its fsync() sent a flush to the disk; 0: it did not */
	__u64 asleep;	/* since when it sleeps in its fsync(), and for no I/O; 0: it does not */
	__u64 commit_ns;	/* how long its fsync() waited for commits of the journal */
	__u64 commit_began;	/* when the last of these commits began */
	__u64 fault;	/* the file of its last page fault, by the address of the inode */
	__u64 faults;	/* how many it had before */
	__u64 events;	/* user address that io_getevents() fills; 0: it is not in one */
	__u64 opening;	/* start of the open() that was seen to go on; 0: none was */
	__u32 opening_entry;	/* where that waits; 0: for nothing on storage */
	__u32 called;	/* 1: it is in a call that is noted here (called.h) */
	/* The file of its last call: the frame has the numbers of it. ino 0: of another. */
	struct {
		__u64 inode, sb;	/* addresses */
		__u64 ino;
		__u32 gen, spare;
	} last;
	/* Entries by file system and operation: saves the lookup in layer_index. */
	struct {
		__u64 of;	/* address of the file system, or the number of a disk */
		__u32 what, entry;
	} cache[CACHE_WAYS];
};

/* An LRU hash, where there is no task storage: ended tasks give way. */
TASK_MAPS(struct layer_task, layer_task_of, layer_tasks, layer_task_hash, BPF_MAP_TYPE_LRU_HASH)

HASH_MAP(layer_index, 1, struct abi_layer_key, __u32);

FREE_PLACES(layer_free, 1);

MAPPED_ARRAY(layer_entries, 1, struct abi_layer_entry);

/* By entry and stripe (some of the CPUs). */
MAPPED_ARRAY(layer_stats, 1, struct abi_layer);

/* Fixed before the programs are loaded. */
const volatile __u32 stripes = 1;	/* a power of two */
const volatile __u64 min_ns;		/* what took less is not counted */
const volatile __u32 layers_enabled = ~0u;	/* 1 << enum abi_layer_id */
const volatile struct abi_call calls[ABI_CALLS];

volatile __u32 epoch;		/* number of the interval, for longest times */
volatile bool layers_counted;	/* not only who makes which calls; user space sets it when all
				 * programs are attached: they count for the same time */
volatile struct abi_places entry_places;
volatile __u64 ends_missed;	/* functions whose end was not seen, nor a call that it was in */
volatile __u64 entries_full;	/* operations not counted: no entry was free */

_always_ struct layer_task *layer_task(bool create)
{
	return layer_task_of(current_task(), create);
}

#define LAYER_WHAT(layer, op, is_block) ((layer) | (op) << 8 | (__u32)(is_block) << 16)

/*
 * The entry for this device, layer and operation; 0: none is free. sb: where the name of the file
 * system is read, or 0.
 */
__noinline __u32 layer_entry(__u32 dev, __u32 what, __u64 sb_address)
{
	struct abi_layer_key key = {
		.dev = dev, .layer = what & 0xff, .op = what >> 8 & 0xff, .is_block = what >> 16 & 1
	};
	const struct super_block *sb = (const struct super_block *)sb_address;
	struct abi_layer_entry *p;
	__u32 entry, *have;

	have = bpf_map_lookup_elem(&layer_index, &key);
	if (have)
		return *have;
	if (!place_take(&layer_free, &entry_places, &entry)) {
		add(entries_full, 1);
		return 0;
	}
	p = bpf_map_lookup_elem(&layer_entries, &entry);
	if (!p)
		return 0;
	if (bpf_map_update_elem(&layer_index, &key, &entry, BPF_NOEXIST)) {
		place_return(&layer_free, &entry_places, &entry);
		have = bpf_map_lookup_elem(&layer_index, &key);
		return have ? *have : 0;
	}
	if (sb)
		bpf_probe_read_kernel_str(p->fs, sizeof(p->fs), BPF_CORE_READ(sb, s_type, name));
	p->key = key;
	return entry;
}

/* A global function, so that older verifiers do not lose the bounds of the result. */
__noinline __u32 layer_bucket(__u64 ns)
{
	return abi_hist_bucket(ns);
}

/* Time of an operation that is counted as none, as it began before it was watched. */
_rarely_ int layer_count_before(__u32 entry, __u64 ns)
{
	__u32 index = entry * stripes + (bpf_get_smp_processor_id() & (stripes - 1));
	struct abi_layer *l = layers_counted ? bpf_map_lookup_elem(&layer_stats, &index) : NULL;

	if (l)
		add(l->before_ns, ns);
	return 0;
}

/* Counts an operation that took so long. */
__noinline int layer_count(__u32 entry, __u64 ns)
{
	__u32 index = entry * stripes + (bpf_get_smp_processor_id() & (stripes - 1)), bucket;
	struct abi_layer *l;

	if (!layers_counted || !entry || ns < min_ns)
		return 0;
	l = bpf_map_lookup_elem(&layer_stats, &index);
	if (!l)
		return 0;
	add(l->count, 1);
	add(l->total_ns, ns);
	longest_add(l->max, epoch, ns);
	bucket = layer_bucket(ns);
	if (bucket < ABI_HIST_BUCKETS)
		add(l->hist.count[bucket], 1);
	return 0;
}

/* Where the pointer to the file of a descriptor is, of a task that can be read; 0: nowhere. */
_always_ __u64 fd_entry(const struct task_struct *of, __u64 fd)
{
	const struct files_struct *files = ((const struct task_struct___files *)of)->files;
	const struct fdtable *fdt = files ? files->fdt : NULL;

	if (!fdt || (__u32)fd >= fdt->max_fds)
		return 0;
	return (__u64)fdt->fd + (__u32)fd * 8ull;
}

/* The same of the current task, which cannot. */
_always_ __u64 fd_entry_probe_read(__u64 fd)
{
	const struct task_struct___files *task = (const void *)bpf_get_current_task();
	const struct fdtable *fdt = BPF_CORE_READ(task, files, fdt);

	if (!fdt || (__u32)fd >= BPF_CORE_READ(fdt, max_fds))
		return 0;
	return (__u64)BPF_CORE_READ(fdt, fd) + (__u32)fd * 8ull;
}

/* The struct file of a descriptor of the current task, as an address; 0: none. */
_always_ __u64 file_of(__u64 fd)
{
	__u64 entry = has_task_storage ? fd_entry(bpf_get_current_task_btf(), fd)
				       : fd_entry_probe_read(fd),
	      file = 0;

	if (entry)
		bpf_probe_read_kernel(&file, sizeof(file), (const void *)entry);
	return file;
}

/* The inode of a descriptor, as an address; 0: none. */
_always_ __u64 inode_of(__u64 fd)
{
	__u64 file = file_of(fd);

	return file ? (__u64)BPF_CORE_READ((const struct file *)file, f_inode) : 0;
}

/*
 * The entry for an operation on an inode; 0: it is not on storage. Only regular files, directories
 * and block devices: a pipe in a file system is no I/O.
 */
__noinline __u32 inode_find(__u64 inode_address, __u32 what)
{
	const struct inode *inode = (const struct inode *)inode_address;
	__u32 mode = BPF_CORE_READ(inode, i_mode) & KERNEL_S_IFMT;
	const struct super_block *sb;

	if (mode == KERNEL_S_IFBLK)
		return layer_entry(BPF_CORE_READ(inode, i_rdev), what | 1 << 16, 0);
	sb = BPF_CORE_READ(inode, i_sb);
	if ((mode != KERNEL_S_IFREG && mode != KERNEL_S_IFDIR) || !sb || !is_storage(sb))
		return 0;
	return layer_entry(sb_dev(sb), what, (__u64)sb);
}

/* The same, by the cache of the task. */
_always_ __u32 inode_entry(struct layer_task *t, __u64 inode_address, __u32 what)
{
	const struct inode *inode = (const struct inode *)inode_address;
	__u32 way = CACHE_WAY(what), mode;
	__u64 of;

	if (!inode)
		return 0;
	mode = BPF_CORE_READ(inode, i_mode) & KERNEL_S_IFMT;
	if (mode != KERNEL_S_IFREG && mode != KERNEL_S_IFDIR && mode != KERNEL_S_IFBLK)
		return 0;
	of = mode == KERNEL_S_IFBLK ? BPF_CORE_READ(inode, i_rdev)
				    : (__u64)BPF_CORE_READ(inode, i_sb);
	/* What has no entry for want of room is counted each time. */
	if (t->cache[way].of == of && t->cache[way].what == what &&
	    (t->cache[way].entry || !entries_full))
		return t->cache[way].entry;
	t->cache[way].of = 0;
	t->cache[way].entry = inode_find(inode_address, what);
	t->cache[way].what = what;
	t->cache[way].of = of;
	return t->cache[way].entry;
}

#endif
