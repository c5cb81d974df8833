/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the programs of the layers share: the maps, the notes a task carries, and the counting. */
#ifndef IOTOP_BPF_LAYERS_LAYER_H
#define IOTOP_BPF_LAYERS_LAYER_H

#include "bpf/abi.h"
#include "bpf/common/array.h"
#include "bpf/common/file.h"
#include "bpf/common/hist.h"
#include "bpf/common/kernel.h"
#include "bpf/common/longest.h"
#include "bpf/common/op.h"
#include "bpf/common/task.h"
#include "bpf/layers/selected.h"

/* Something begun and not ended. start 0: nothing. */
struct layer_frame {
	__u64 start;	/* ns of CLOCK_MONOTONIC */
	__u64 ino;	/* of the file, 0: unknown, or nobody asks */
	__u32 place;	/* 0: not known yet */
	__u32 op;
	__u32 sdev, spare;	/* with ino */
};

enum {
	FRAME_CALL,
	FRAME_VFS,
	FRAME_FS,
	FRAME_FS_INNER,		/* that of a file system below another */
	FRAME_CACHE,		/* off the processor until a page is there */
	FRAME_COUNT,
};

#define CACHE_WAYS 4

struct layer_task {
	struct layer_frame frame[FRAME_COUNT];
	__u32 depth[2];	/* of functions of vfs, of fs */
	__u64 flush;	/* when its fsync() sent a flush to the disk; 0: it did not */
	__u64 fault;	/* the file of its last page fault, by the address of the inode */
	__u64 faults;	/* how many it had before */
	__u64 events;	/* where its io_getevents() puts what ended, 0: it is in none */
	/* Places by file system and operation, so that no hash is asked. */
	struct {
		__u64 of;	/* address of the file system, or the number of a disk */
		__u32 what, place;
	} cache[CACHE_WAYS];
};

/* Those that ended give way. */
TASK_MAPS(struct layer_task, layer_task_of, layer_tasks, layer_task_hash, BPF_MAP_TYPE_LRU_HASH)

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, ABI_LAYER_PLACES);
	__type(key, struct abi_layer_key);
	__type(value, __u32);
} layer_index SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_QUEUE);
	__uint(max_entries, ABI_LAYER_PLACES);
	__type(value, __u32);
} layer_free SEC(".maps");

MAPPED_ARRAY(layer_places, ABI_LAYER_PLACES, struct abi_layer_place);

/* By place and processor, or group of processors. */
MAPPED_ARRAY(layer_stats, 1, struct abi_layer);

/* Fixed before the programs are loaded. */
const volatile __u32 stripes = 1;	/* a power of two */
const volatile __u64 min_ns;		/* what took less is not counted */
const volatile __u32 layers_wanted = ~0u;	/* 1 << enum abi_layer_id */
const volatile struct abi_call calls[ABI_CALLS];

volatile __u32 epoch;		/* number of the interval, for longest times */
volatile __u64 places_taken;	/* they are handed out from the first on */
volatile __u64 places_full;	/* what was not counted for want of a place */

_always_ struct layer_task *layer_task(bool create)
{
	return layer_task_of(current_task(), create);
}

#define LAYER_WHAT(layer, op, is_block) ((layer) | (op) << 8 | (__u32)(is_block) << 16)

/*
 * The place for this device, layer and operation; 0 when there is none left. The name of the file
 * system is read from sb.
 */
__noinline __u32 layer_place(__u32 dev, __u32 what, __u64 sb_address)
{
	struct abi_layer_key key = {
		.dev = dev, .layer = what & 0xff, .op = what >> 8 & 0xff, .is_block = what >> 16 & 1
	};
	const struct super_block *sb = (const struct super_block *)sb_address;
	struct abi_layer_place *p;
	__u32 place, *have;

	have = bpf_map_lookup_elem(&layer_index, &key);
	if (have)
		return *have;
	if (bpf_map_pop_elem(&layer_free, &place)) {
		add(places_full, 1);
		return 0;
	}
	add(places_taken, 1);
	p = bpf_map_lookup_elem(&layer_places, &place);
	if (!p)
		return 0;
	if (bpf_map_update_elem(&layer_index, &key, &place, BPF_NOEXIST)) {
		bpf_map_push_elem(&layer_free, &place, 0);
		have = bpf_map_lookup_elem(&layer_index, &key);
		return have ? *have : 0;
	}
	if (sb)
		bpf_probe_read_kernel_str(p->fs, sizeof(p->fs), BPF_CORE_READ(sb, s_type, name));
	p->key = key;
	return place;
}

/* On its own, so that older verifiers do not lose track of how large the result may be. */
__noinline __u32 layer_bucket(__u64 ns)
{
	return abi_hist_bucket(ns);
}

/* Something ended that took so long. */
__noinline int layer_count(__u32 place, __u64 ns)
{
	__u32 index = place * stripes + (bpf_get_smp_processor_id() & (stripes - 1)), bucket;
	struct abi_layer *l;

	if (!place || ns < min_ns)
		return 0;
	l = bpf_map_lookup_elem(&layer_stats, &index);
	if (!l)
		return 0;
	add(l->count, 1);
	add(l->total_ns, ns);
	longest_note(l->max, epoch, ns);
	bucket = layer_bucket(ns);
	if (bucket < ABI_HIST_BUCKETS)
		add(l->hist.count[bucket], 1);
	return 0;
}

/* The file behind a number of the current task, by address; 0: none. */
_always_ __u64 file_of(__u64 fd)
{
	const struct task_struct___files *task;
	const struct files_struct *files;
	const struct fdtable *fdt;
	__u64 file = 0, array;

	if (has_task_storage) {
		task = (const void *)bpf_get_current_task_btf();
		files = task->files;
		fdt = files ? files->fdt : NULL;
		if (!fdt || (__u32)fd >= fdt->max_fds)
			return 0;
		array = (__u64)fdt->fd;
	} else {
		task = (const void *)bpf_get_current_task();
		fdt = BPF_CORE_READ(task, files, fdt);
		if (!fdt || (__u32)fd >= BPF_CORE_READ(fdt, max_fds))
			return 0;
		array = (__u64)BPF_CORE_READ(fdt, fd);
	}
	bpf_probe_read_kernel(&file, sizeof(file), (const void *)(array + (__u32)fd * 8ull));
	return file;
}

/* Its inode, by address; 0: none. */
_always_ __u64 inode_of(__u64 fd)
{
	__u64 file = file_of(fd);

	return file ? (__u64)BPF_CORE_READ((const struct file *)file, f_inode) : 0;
}

/*
 * The place for an operation on an inode (by its address); 0 when it is no file on storage. Only
 * regular files, directories and disks: a pipe in a file system is no I/O.
 */
__noinline __u32 inode_find(__u64 inode_address, __u32 what)
{
	const struct inode *inode = (const struct inode *)inode_address;
	__u32 mode = BPF_CORE_READ(inode, i_mode) & KERNEL_S_IFMT;
	const struct super_block *sb;

	if (mode == KERNEL_S_IFBLK)
		return layer_place(BPF_CORE_READ(inode, i_rdev), what | 1 << 16, 0);
	sb = BPF_CORE_READ(inode, i_sb);
	if ((mode != KERNEL_S_IFREG && mode != KERNEL_S_IFDIR) || !sb || !is_storage(sb))
		return 0;
	return layer_place(sb_dev(sb), what, (__u64)sb);
}

/* The same by way of the task's cache. */
_always_ __u32 inode_place(struct layer_task *t, __u64 inode_address, __u32 what)
{
	const struct inode *inode = (const struct inode *)inode_address;
	__u32 way = (what ^ what >> 8) & (CACHE_WAYS - 1), mode;
	__u64 of;

	if (!inode)
		return 0;
	mode = BPF_CORE_READ(inode, i_mode) & KERNEL_S_IFMT;
	if (mode != KERNEL_S_IFREG && mode != KERNEL_S_IFDIR && mode != KERNEL_S_IFBLK)
		return 0;
	of = mode == KERNEL_S_IFBLK ? BPF_CORE_READ(inode, i_rdev)
				    : (__u64)BPF_CORE_READ(inode, i_sb);
	if (t->cache[way].of == of && t->cache[way].what == what)
		return t->cache[way].place;
	t->cache[way].of = 0;
	t->cache[way].place = inode_find(inode_address, what);
	t->cache[way].what = what;
	t->cache[way].of = of;
	return t->cache[way].place;
}

#endif
