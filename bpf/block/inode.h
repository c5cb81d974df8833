/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files with dirty pages, and who dirtied them: the owner of the entry and, page by page, all
 * others (dirtiers.h). Entries are in a set-associative cache, by the address of the mapping; an
 * entry is known by its number, 0 for none.
 */
#ifndef IOTOP_BPF_BLOCK_INODE_H
#define IOTOP_BPF_BLOCK_INODE_H

#include "bpf/abi.h"
#include "bpf/block/evicted.h"
#include "bpf/block/count.h"
#include "bpf/block/maps.h"

#define INODE_CLEAN 1	/* the file had no dirty pages before */
#define INODE_BACKING 2	/* as ABI_INODE_BACKING */

_always_ __u32 inode_set_of(__u64 mapping)
{
	return ((mapping >> 5) * 0x9e3779b97f4a7c15ULL >> 32) & (inode_sets - 1);
}

_always_ struct abi_inode *inode_at(__u32 nr)
{
	__u32 place = (nr - 1) / ABI_WAYS, way = (nr - 1) % ABI_WAYS;
	struct abi_inode_set *set;

	if (!nr)
		return NULL;
	set = bpf_map_lookup_elem(&inodes, &place);
	if (!set)
		return NULL;
	/* Keeps the compiler from adding to the pointer before it is tested. */
	barrier_var(way);
	return &set->way[way % ABI_WAYS];
}

__noinline __u32 inode_find(__u64 mapping)
{
	__u32 place = inode_set_of(mapping);
	struct abi_inode_set *set = bpf_map_lookup_elem(&inodes, &place);

	if (!set)
		return 0;
	for (int i = 0; i < ABI_WAYS; i++)
		if (set->way[i].mapping == mapping)
			return place * ABI_WAYS + i + 1;
	return 0;
}

/* Evicts an entry with dirty pages: the pages of a shared file become nobody's. */
_always_ void inode_evict(const struct abi_inode *inode)
{
	__u64 pages = inode->pages < ABI_EVICTED_PAGES ? inode->pages : ABI_EVICTED_PAGES;
	bool shared = inode->flags & ABI_INODE_SHARED;

	if (shared)
		lose(ABI_LOST_INODES);
	evicted_put(evicted_id(inode->mapping, inode->ino, inode->gen, inode->sdev),
		  (shared ? ABI_UNATTRIBUTED : inode->owner) | pages << 32);
}

/*
 * The way for a new entry: a free one, else the least recently dirtied, first of those without
 * dirty pages, then of those with one dirtier, then of all.
 */
_always_ __u32 inode_victim(const struct abi_inode_set *set)
{
	__u64 oldest = 0;

#pragma clang loop unroll(disable)
	for (__u32 i = 0; i < ABI_WAYS; i++) {
		const struct abi_inode *at = &set->way[i];
		/* Without branches: one path for the verifier. The last bits prefer the first. */
		__u64 age = (__u64)is_zero(at->mapping) << 42 | (__u64)is_zero(at->pages) << 41 |
			    (__u64)is_zero(at->flags & ABI_INODE_SHARED) << 40 |
			    (__u64)(__u16)(epoch - at->stamp) << 16 | (ABI_WAYS - i);

		oldest = larger_of(oldest, age);
	}
	return ABI_WAYS - (__u32)(oldest & 0xff);
}

__noinline __u32 inode_make(__u64 mapping)
{
	__u32 place = inode_set_of(mapping), nr;
	struct abi_inode_set *set = bpf_map_lookup_elem(&inodes, &place);
	struct abi_inode *inode;

	if (!set)
		return 0;
	nr = place * ABI_WAYS + inode_victim(set) + 1;
	inode = inode_at(nr);
	if (!inode)
		return 0;
	if (!inode->mapping)
		add(inodes_taken, 1);
	else if (inode->pages && inode->ino)
		inode_evict(inode);
	inode->ino = 0;
	inode->gen = inode->sdev = 0;
	inode->mapping = mapping;
	return nr;
}

/*
 * Whether an entry is of this file. The memory of a mapping may have been reused for another file:
 * then the entry is reset. Dirty pages of which nothing is known are nobody's.
 */
__noinline int inode_is(__u32 nr, __u64 ino, __u32 gen, __u32 sdev)
{
	struct abi_inode *inode = inode_at(nr);

	if (!inode)
		return false;
	if (inode->ino == ino && inode->gen == gen && inode->sdev == sdev)
		return true;
	inode->ino = ino;
	inode->gen = gen;
	inode->sdev = sdev;
	inode->flags = 0;
	inode->folio = 0;
	inode->pages = 0;
	inode->owner = ABI_UNATTRIBUTED;
	add(lives[0], 1);
	inode->life = lives[0];
	return false;
}

/* The entry of a file; 0: it has none. */
__noinline __u32 inode_of_host(__u64 mapping, __u64 host)
{
	const struct inode *inode = (const struct inode *)host;
	__u32 nr = inode_find(mapping);

	return nr && inode_is(nr, BPF_CORE_READ(inode, i_ino), BPF_CORE_READ(inode, i_generation),
			      BPF_CORE_READ(inode, i_sb, s_dev)) ? nr : 0;
}

/* Takes what evicted.h kept of the file of a new entry. */
__noinline int inode_recall(__u32 nr)
{
	struct abi_inode *inode = inode_at(nr);
	__u64 was;

	if (!inode)
		return 0;
	was = evicted_take(evicted_id(inode->mapping, inode->ino, inode->gen, inode->sdev));
	if (was) {
		inode->owner = EVICTED_REF(was);
		inode->pages = EVICTED_PAGES(was);
	}
	return 0;
}

/*
 * Adds dirty pages of a task. No tracepoint tells of dirty pages that were truncated: there are not
 * more than the file had pages before (rest), and none when it was clean. Returns whether it must
 * be noted that these are this task's.
 */
__noinline int inode_dirtied(__u32 nr, __u32 ref, __u32 pages, __u64 rest, __u32 what)
{
	struct abi_inode *inode = inode_at(nr);

	if (!inode)
		return false;
	if (what & INODE_CLEAN) {
		inode->owner = ref;
		inode->flags = 0;
		rest = 0;
		add(lives[0], 1);
		inode->life = lives[0];
	}
	if (inode->pages > rest)
		inode->pages = rest;
	inode->flags = (inode->flags & ~ABI_INODE_BACKING) |
		       (what & INODE_BACKING ? ABI_INODE_BACKING : 0);
	inode->stamp = epoch;
	inode->folio = 0;
	add(inode->pages, pages);
	return inode->owner != ref || inode->flags & ABI_INODE_SHARED;
}

/*
 * Takes pages off a file that become clean with a write of so many bytes from this folio (its head,
 * and its pages; 0: there is none) on. A large folio is dirty as a whole when one byte of it is,
 * and clean as a whole with the first write of it.
 */
__noinline int inode_written(__u32 nr, __u64 head, __u32 of, __u32 bytes)
{
	__u32 pages = (bytes + (1u << page_shift) - 1) >> page_shift;
	struct abi_inode *inode = inode_at(nr);

	if (!inode)
		return 0;
	if (pages <= of) {
		if (inode->folio == head)
			return 0;
		inode->folio = head;
		pages = of;
	}
	if (pages > inode->pages)
		pages = inode->pages;
	add(inode->pages, -pages);
	return 0;
}

#endif
