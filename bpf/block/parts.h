/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bios with pages of several tasks: each has its pages' bytes, the I/O, and its latency. A bio may
 * have thousands of pages: what is read next is kept in the map beside the parts.
 */
#ifndef IOTOP_BPF_BLOCK_PARTS_H
#define IOTOP_BPF_BLOCK_PARTS_H

#include "bpf/abi.h"
#include "bpf/block/charge.h"
#include "bpf/block/count.h"
#include "bpf/block/dirtiers.h"
#include "bpf/block/inode.h"
#include "bpf/block/task_ref.h"
#include "bpf/common/bio_file.h"

#define RUNS_MOST 32768	/* so many runs of pages of a bio are looked at */
#define RUNS_STEP 128

/* As the kernel has it since 2.6: read as a whole. */
struct bio_vec___all {
	struct page *bv_page;
	unsigned int bv_len, bv_offset;
};

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct bvec_iter___all {
	unsigned int bi_idx, bi_bvec_done;
};

struct bio___iter {
	struct bvec_iter___all bi_iter;
};

#pragma clang attribute pop

/*
 * Bios in flight × owners, of each CPU as many. One list for all CPUs would not do: a place goes to
 * the CPU where the bio ended, and where bios are queued those in flight would be forgotten
 * although there is room. User space sets the number of entries.
 */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(map_flags, BPF_F_NO_COMMON_LRU);
	__uint(max_entries, 1);
	__type(key, struct abi_part_key);
	__type(value, struct abi_part);
} parts SEC(".maps");

_always_ struct abi_part *part_find(__u64 bio, __u32 owner)
{
	struct abi_part_key key = { .bio = bio, .owner = owner };

	return bpf_map_lookup_elem(&parts, &key);
}

_always_ void part_delete(__u64 bio, __u32 owner)
{
	struct abi_part_key key = { .bio = bio, .owner = owner };

	bpf_map_delete_elem(&parts, &key);
}

/* Adds the last pages that were read to their owner's part. */
__noinline int part_add(__u64 bio)
{
	struct abi_part *all = part_find(bio, 0), *part;
	struct abi_part_key key = { .bio = bio };
	struct abi_part fresh = {};

	if (!all || !all->bytes)
		return 0;
	key.owner = all->of;
	part = bpf_map_lookup_elem(&parts, &key);
	if (part && part->time == all->time) {
		part->bytes += all->bytes;
	} else {
		fresh.bytes = all->bytes;
		fresh.next = all->next;
		fresh.time = all->time;
		if (!bpf_map_update_elem(&parts, &key, &fresh, BPF_ANY))
			all->next = key.owner;
	}
	all->bytes = 0;
	return 0;
}

/* The pages that so many bytes are in, of most so many. */
_always_ __u32 pages_most(__u32 most, __u32 bytes)
{
	__u32 pages = (bytes + (1u << page_shift) - 1) >> page_shift;

	return pages < most ? pages : most;
}

/*
 * Reads the next pages of a bio: of one folio, and of one owner. Returns how many bytes of the bio
 * are left. top: written at the device of the file system.
 */
__noinline __u32 part_read(__u64 bio, __u32 nr, bool top)
{
	struct abi_part *all = part_find(bio, 0);
	struct bio_vec___all vec = {};
	__u32 step, of, pages;
	__u64 page, head, run;

	if (!all || !all->rest)
		return 0;
	bpf_probe_read_kernel(&vec, sizeof(vec), (const void *)all->vec);
	vec.bv_offset += all->at;
	vec.bv_len -= all->at;
	page = file_page((__u64)vec.bv_page +
			 (vec.bv_offset >> page_shift) * bpf_core_type_size(struct page));
	head = page_head(page);
	page = (page - head) / bpf_core_type_size(struct page);
	pages = folio_pages_probe_read((const struct folio *)head);
	vec.bv_offset &= (1u << page_shift) - 1;
	run = dirtiers_run(nr, page_index(head) + page,
			   pages_most(pages - page, vec.bv_offset + vec.bv_len), head, top);
	of = RUN_OWNER(run);
	step = (RUN_PAGES(run) << page_shift) - vec.bv_offset;
	if (step >= vec.bv_len) {
		step = vec.bv_len;
		all->at = 0;
		all->vec += sizeof(vec);
	} else {
		all->at += step;
	}
	if (step > all->rest || !step)
		step = all->rest;
	if (top)
		inode_written(nr, head, pages, step);
	if (of != all->of)
		part_add(bio);
	all->of = of;
	all->bytes += step;
	all->rest -= step;
	return all->rest;
}

/* The same for some runs of pages (RUNS_STEP). */
__noinline __u32 part_read_some(__u64 bio, __u32 nr, bool top)
{
	__u32 rest = 1;

	for (int i = 0; i < RUNS_STEP && rest; i++)
		rest = part_read(bio, nr, top);
	return rest;
}

/*
 * Finds the parts of a bio. Returns the bytes that were not looked at. Not inlined, nor of more
 * functions: the stack of a program and of all that it calls is 512 bytes, and 8 calls deep.
 */
__noinline __u32 parts_find(__u64 bio, __u32 nr, __u32 bytes, bool top)
{
	const struct bio___iter *of = (const struct bio___iter *)bio;
	struct abi_part_key key = { .bio = bio };
	struct abi_part all = { .rest = bytes };
	__u32 rest = bytes;

	all.vec = (__u64)BPF_CORE_READ((const struct bio *)bio, bi_io_vec) +
		  BPF_CORE_READ(of, bi_iter.bi_idx) * sizeof(struct bio_vec___all);
	all.at = BPF_CORE_READ(of, bi_iter.bi_bvec_done);
	all.time = bpf_ktime_get_ns();
	if (bpf_map_update_elem(&parts, &key, &all, BPF_ANY))
		return bytes;
	for (int i = 0; i < RUNS_MOST / RUNS_STEP && rest; i++)
		rest = part_read_some(bio, nr, top);
	part_add(bio);
	return rest;
}

/* Charges a part. Returns the owner of the next one, and the bytes charged above it. */
_always_ __u64 part_charge(__u64 bio, __u32 owner, __u32 what)
{
	struct abi_part *part = part_find(bio, owner);

	if (!part)
		return 0;
	part->counter = charge_to(bio, owner, what, part->bytes, 1) & ~CHARGED_ANEW;
	return part->next | (__u64)part->bytes << 32;
}

#define PARTS_STEP 16

/*
 * Charges some parts (PARTS_STEP), from one on. Returns the owner of the next one, and the bytes
 * charged above it.
 */
__noinline __u64 parts_charge_from(__u64 bio, __u32 at, __u32 what)
{
	__u64 bytes = 0;

	for (int i = 0; i < PARTS_STEP && at; i++) {
		__u64 charged = part_charge(bio, at, what);

		at = (__u32)charged;
		bytes += charged >> 32;
	}
	return at | bytes << 32;
}

/*
 * Charges a write of a shared file to those who dirtied its pages. nr_bytes: number of the file's
 * entry, bytes. Returns what inflight_add() wants: the counter of one of them.
 */
__noinline __u32 parts_charge(__u64 bio, __u64 nr_bytes, __u32 what, bool top)
{
	__u32 rest = (__u32)nr_bytes, at, counter;
	struct abi_part *all, *one;
	bool several;

	parts_find(bio, nr_bytes >> 32, rest, top);
	all = part_find(bio, 0);
	at = all ? all->next : 0;
	for (int i = 0; i < ABI_PARTS / PARTS_STEP && at; i++) {
		__u64 charged = parts_charge_from(bio, at, what);

		at = (__u32)charged;
		rest -= charged >> 32;
	}
	all = part_find(bio, 0);
	one = all && all->next ? part_find(bio, all->next) : NULL;
	if (rest)
		lose(ABI_LOST_INODES);
	if (!one)
		return charge_to(bio, ABI_UNATTRIBUTED, what, rest, 1);
	if (rest)
		charge_to(bio, ABI_UNATTRIBUTED, what, rest, 0);
	counter = one->counter;
	several = one->next;
	if (several)
		return counter | ABI_SEVERAL;
	part_delete(bio, all->next);
	part_delete(bio, 0);
	return counter;
}

/* Ends the part of an owner. Returns the owner of the next one. */
__noinline __u32 part_done(__u64 bio, __u32 owner, __u64 ns)
{
	struct abi_part *part = part_find(bio, owner);
	struct abi_counter *counter;
	__u32 place, next;

	if (!part) {
		lose(ABI_LOST_LATENCY);
		return 0;
	}
	next = part->next;
	place = ABI_COUNTER_PLACE(part->counter);
	counter = bpf_map_lookup_elem(&counters, &place);
	if (counter) {
		add(counter->done, 1);
		add(counter->lat_ns, ns);
		count_longest(counter->max, ns);
	}
	part_delete(bio, owner);
	return next;
}

/* The same for some owners (VERIFIED_STEP), from one on. */
__noinline __u32 parts_done_from(__u64 bio, __u32 at, __u64 ns)
{
	for (int i = 0; i < VERIFIED_STEP && at; i++)
		at = part_done(bio, at, ns);
	return at;
}

/* A bio of several owners (at its address) has ended. */
__noinline int parts_done(__u64 bio, __u64 ns)
{
	struct abi_part *all = part_find(bio, 0);
	__u32 at = all ? all->next : 0;

	if (!all)
		lose(ABI_LOST_LATENCY);
	part_delete(bio, 0);
	for (int i = 0; i < ABI_PARTS / VERIFIED_STEP && at; i++)
		at = parts_done_from(bio, at, ns);
	return 0;
}

#endif
