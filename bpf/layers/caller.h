/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Callers: time at the layers by task and file. Counted only while user space has enabled it. */
#ifndef IOTOP_BPF_LAYERS_CALLER_H
#define IOTOP_BPF_LAYERS_CALLER_H

#include "bpf/common/array.h"
#include "bpf/layers/layer.h"
#include "bpf/common/file_name.h"
#include "bpf/common/inode_number.h"
#include "bpf/common/overlay.h"
#include "bpf/common/scratch.h"

HASH_MAP(callers, ABI_CALLERS, struct abi_caller_key, struct abi_caller);

LRU_MAP(caller_files, ABI_CALLER_FILES, struct abi_names_key, struct abi_names);

SCRATCH(fresh_names, struct abi_names)

/* Written by user space. */
volatile bool callers_enabled;
volatile bool want_calls;	/* single calls are sent (call.h) */
/* So many counters with a file may be made until it reads them; the rest is for tasks alone. */
volatile __u64 callers_room;
volatile __u64 callers_made;	/* so many were; user space clears it */
/* Since when (ns of CLOCK_MONOTONIC) calls and what disks read for files are both counted. */
volatile __u64 reads_compared;

volatile __u64 callers_full;	/* operations for which there was no room */
volatile __u64 callers_nameless;	/* for which there was room without their file only */

/* start: when it began (ns of CLOCK_MONOTONIC). */
_always_ void caller_add(struct abi_caller *c, __u64 start, __u64 ns, __u64 bytes)
{
	add(c->count, 1);
	add(c->total_ns, ns);
	if (bytes)
		add(c->bytes, bytes);
	if (bytes && start < reads_compared)
		add(c->before_bytes, bytes);
	longest_add(c->max, epoch, ns);
}

_rarely_ struct abi_caller *caller_get(struct abi_caller_key *key, const char comm[ABI_COMM])
{
	struct abi_caller *c = bpf_map_lookup_elem(&callers, key), fresh = {};

	if (c)
		return c;
	if (key->ino && callers_made >= callers_room)
		return NULL;
	__builtin_memcpy(fresh.comm, comm, sizeof(fresh.comm));
	if (!bpf_map_update_elem(&callers, key, &fresh, BPF_NOEXIST) && key->ino)
		add(callers_made, 1);
	return bpf_map_lookup_elem(&callers, key);
}

_rarely_ int caller_charge(struct abi_caller_key *key, const char comm[ABI_COMM],
			   __u64 start, __u64 ns, __u64 bytes)
{
	struct abi_caller *c = caller_get(key, comm);

	if (!c && key->ino) {
		/* The task matters more than the file. */
		key->ino = key->sdev = 0;
		c = caller_get(key, comm);
		if (c)
			add(callers_nameless, 1);
	}
	if (!c) {
		add(callers_full, 1);
		return 0;
	}
	caller_add(c, start, ns, bytes);
	return 0;
}

/* Fills in task and file, for an operation that ends later or in another task. */
_always_ void caller_is(struct abi_caller_key *key, char comm[ABI_COMM], __u64 task_address,
			const struct layer_frame *file)
{
	const struct task_struct *task = (const struct task_struct *)task_address;
	__u64 ids = ids_probe_read(task);

	key->start = ids ? BPF_CORE_READ(task, start_boottime) : 0;
	key->tgid = ids >> 32;
	key->tid = (__u32)ids;
	key->ino = file->ino;
	key->sdev = file->ino ? file->sdev : 0;
	if (ids)
		bpf_core_read(comm, ABI_COMM, &task->comm);
	else
		__builtin_memcpy(comm, OUTSIDE, ABI_COMM);
}

/* task: address of its task_struct. */
_rarely_ int caller_count(__u64 task, const struct layer_frame *f, __u32 entry, __u64 ns,
			  __u64 bytes)
{
	struct abi_caller_key key = {};
	char comm[ABI_COMM] = "";

	if (!entry || ns < min_ns)
		return 0;
	caller_is(&key, comm, task, f);
	key.entry = entry;
	return caller_charge(&key, comm, f->start, ns, bytes);
}

_always_ __u64 current_address(void)
{
	return (__u64)bpf_get_current_task();
}

/*
 * Stores the names of a file when it is seen for the first time: those that an inode has, which is
 * the file's own, or that of the overlay by which it was reached. What is below several overlays
 * mostly has the same names in all of them.
 */
__noinline int file_names(__u64 file, __u64 named)
{
	const struct inode *inode = (const struct inode *)file, *of = (const struct inode *)named;
	struct abi_names_key key = { .ino = inode_number(file), .seen = file != named,
				     .sdev = BPF_CORE_READ(inode, i_sb, s_dev) };
	struct abi_names *names = bpf_map_lookup_elem(&caller_files, &key);
	__u32 gen = BPF_CORE_READ(inode, i_generation);

	if (names && names->gen == gen)
		return 0;
	names = fresh_names_take();
	if (!names)
		return 0;
	names->gen = gen;
	names->epoch = file != named ? BPF_CORE_READ(of, i_sb, s_dev) : 0;
	names_read(names, of);
	bpf_map_update_elem(&caller_files, &key, names, BPF_ANY);
	fresh_names_give(names);
	return 0;
}

volatile bool overlays_seen;	/* a file was reached by an overlay */

/* The names of a file, which has the pages, and of the inode by which it was reached. */
_always_ void file_is_known(__u64 file, __u64 reached)
{
	if (file != reached) {
		overlays_seen = true;
		file_names(file, reached);
	}
	file_names(file, file);
}

/* Whether it is the file of a frame already. */
_always_ bool frame_has_file(const struct layer_frame *f, __u64 file)
{
	return f->ino == inode_number(file) &&
	       f->sdev == BPF_CORE_READ((const struct inode *)file, i_sb, s_dev);
}

/* Mostly it is the same one as before, and in no overlay. Returns whether it is in none. */
_rarely_ int frame_file_read(struct layer_frame *f, __u64 inode_address)
{
	__u64 file;

	if (frame_has_file(f, inode_address))
		return 1;
	file = overlay_real(inode_address);
	if (file != inode_address && frame_has_file(f, file))
		return 0;
	f->ino = inode_number(file);
	f->sdev = BPF_CORE_READ((const struct inode *)file, i_sb, s_dev);
	file_is_known(file, inode_address);
	return file == inode_address;
}

/*
 * Notes the file of a frame, by its inode; 0: none. Returns whether that inode has the frame's
 * numbers for as long as it lives.
 */
_always_ bool frame_file(struct layer_frame *f, __u64 inode_address)
{
	if ((callers_enabled || want_calls) && inode_address)
		return frame_file_read(f, inode_address);
	f->ino = 0;
	return false;
}

/* Ends a frame of a task (address of its task_struct). bytes: that a call read or wrote. */
_always_ void frame_end_of(struct layer_frame *f, __u64 now, __u64 task, __u64 bytes)
{
	__u64 start = f->start;

	if (start && now > start && f->before) {
		layer_count_before(f->entry, now - start);
	} else if (start && now > start) {
		layer_count(f->entry, now - start);
		if (callers_enabled)
			caller_count(task, f, f->entry, now - start, bytes);
	}
	f->start = f->before = 0;
}

_always_ void frame_end(struct layer_frame *f, __u64 now)
{
	frame_end_of(f, now, current_address(), 0);
}

#endif
