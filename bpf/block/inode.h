/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files with dirty pages: who dirtied how many. Entries are in a set-associative cache, by the
 * address of the mapping; an entry is known by its number, 0 for none.
 */
#ifndef IOTOP_BPF_BLOCK_INODE_H
#define IOTOP_BPF_BLOCK_INODE_H

#include "bpf/abi.h"
#include "bpf/block/evicted.h"
#include "bpf/block/count.h"
#include "bpf/block/maps.h"

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

_always_ __u32 inode_dirty(const struct abi_inode *inode)
{
	__u32 n = 0;

#pragma unroll
	for (int i = 0; i < ABI_SHARES; i++)
		n += inode->who[i].pages;
	return n;
}

/* The same as a global function: it uses no stack of its caller. */
__noinline __u32 inode_dirty_noinline(__u32 nr)
{
	struct abi_inode *inode = inode_at(nr);

	return inode ? inode_dirty(inode) : 0;
}

/* Index of the largest share; in bits 8 and up the number of dirtiers. */
__noinline __u32 inode_largest(__u32 nr)
{
	struct abi_inode *inode = inode_at(nr);
	__u32 largest = 0, n = 0, most = 0;

	if (!inode)
		return 0;
#pragma clang loop unroll(disable)
	for (__u32 i = 0; i < ABI_SHARES; i++) {
		__u32 pages = inode->who[i].pages;

		n += !!pages;
		if (pages > most) {
			most = pages;
			largest = i;
		}
	}
	return largest | n << 8;
}

/* Evicts an entry with dirty pages: the largest share stands for all of them. */
__noinline int inode_evict(__u32 nr)
{
	__u32 largest = inode_largest(nr), n = largest >> 8, dirty = inode_dirty_noinline(nr);
	struct abi_inode *inode = inode_at(nr);
	__u64 which = largest & 0xff;

	barrier_var(which);
	if (!inode || which >= ABI_SHARES || !inode->ino)
		return 0;
	if (n > 1)
		lose(ABI_LOST_INODES);
	if (dirty > ABI_EVICTED_PAGES)
		dirty = ABI_EVICTED_PAGES;
	evicted_put(evicted_id(inode->mapping, inode->ino, inode->gen, inode->sdev),
		  inode->who[which].ref | (__u64)dirty << 32 | (n > 1 ? EVICTED_SHARED : 0));
	return 0;
}

/*
 * The way for a new entry: a free one, else the least recently dirtied, first of those without
 * dirty pages, then of those with one dirtier, then of all.
 */
_always_ __u32 inode_victim(const struct abi_inode_set *set, __u32 place)
{
	__u32 victim = 0, oldest = 0;

#pragma clang loop unroll(disable)
	for (__u32 i = 0; i < ABI_WAYS; i++) {
		__u32 age = (__u16)(epoch - set->way[i].stamp) + 1, n;

		if (!set->way[i].mapping)
			return i;
		n = inode_largest(place * ABI_WAYS + i + 1) >> 8;
		if (n < 2)
			age |= n ? 1u << 30 : 1u << 31;
		if (age > oldest) {
			oldest = age;
			victim = i;
		}
	}
	return victim;
}

__noinline __u32 inode_make(__u64 mapping)
{
	__u32 place = inode_set_of(mapping), nr;
	struct abi_inode_set *set = bpf_map_lookup_elem(&inodes, &place);
	struct abi_inode *inode;

	if (!set)
		return 0;
	nr = place * ABI_WAYS + inode_victim(set, place) + 1;
	inode = inode_at(nr);
	if (!inode)
		return 0;
	if (!inode->mapping)
		add(inodes_taken, 1);
	else if (inode_dirty_noinline(nr))
		inode_evict(nr);
	inode->ino = 0;
	inode->gen = inode->sdev = 0;
	inode->mapping = mapping;
	return nr;
}

/*
 * Whether an entry is of this file. The memory of a mapping may have been reused for another file:
 * then the entry is reset.
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
	inode->last = 0;
	inode->flags = 0;
	inode->folio = 0;
#pragma clang loop unroll(disable)
	for (int i = 0; i < ABI_SHARES; i++)
		inode->who[i].pages = 0;
	return false;
}

/* Takes what evicted.h kept of the file of a new entry. */
__noinline int inode_recall(__u32 nr)
{
	struct abi_inode *inode = inode_at(nr);
	__u64 was;

	if (!inode)
		return 0;
	was = evicted_take(evicted_id(inode->mapping, inode->ino, inode->gen, inode->sdev));
	inode->who[0].ref = EVICTED_REF(was);
	inode->who[0].pages = EVICTED_PAGES(was);
	return 0;
}

/*
 * No tracepoint tells of dirty pages that were truncated. When the shares have more pages than the
 * file has without those that are being dirtied now, all of them shrink.
 */
__noinline int inode_shrink(__u32 nr, __u64 pages)
{
	struct abi_inode *inode = inode_at(nr);
	__u32 dirty;

	if (!inode)
		return 0;
	dirty = inode_dirty(inode);
	if (!dirty || dirty <= pages)
		return 0;
#pragma clang loop unroll(disable)
	for (int i = 0; i < ABI_SHARES; i++)
		inode->who[i].pages = inode->who[i].pages * pages / dirty;
	return 0;
}

/*
 * Index of a dirtier's share, or ABI_SHARES; ref 0: of an unused share. Loops over shares are not
 * unrolled: unrolled, they would keep all shares on the stack of 512 bytes.
 */
_always_ __u32 inode_share(const struct abi_inode *inode, __u32 ref)
{
#pragma clang loop unroll(disable)
	for (__u32 i = 0; i < ABI_SHARES; i++) {
		__u32 pages = inode->who[i].pages;

		if (ref ? pages && inode->who[i].ref == ref : !pages)
			return i;
	}
	return ABI_SHARES;
}

/*
 * Frees a share for one more dirtier. The last share collects pages of nobody in particular
 * (ABI_UNATTRIBUTED). The smallest share is added to it and freed when it has no more pages than
 * the last one has; else the new dirtier shares the last one, so that a task with one page does not
 * displace tasks with many. The first time, the smaller of the two becomes nobody's.
 */
__noinline __u32 inode_make_way(__u32 nr)
{
	struct abi_inode *inode = inode_at(nr);
	__u32 pages = ~0U, rest;
	__u64 least = 0;

	if (!inode)
		return ABI_SHARES - 1;
#pragma clang loop unroll(disable)
	for (__u64 i = 0; i < ABI_SHARES - 1; i++) {
		if (inode->who[i].pages < pages) {
			pages = inode->who[i].pages;
			least = i;
		}
	}
	barrier_var(least);
	if (least >= ABI_SHARES)
		return ABI_SHARES - 1;
	rest = inode->who[ABI_SHARES - 1].pages;
	if (inode->who[ABI_SHARES - 1].ref != ABI_UNATTRIBUTED && pages < rest) {
		inode->who[least].ref = inode->who[ABI_SHARES - 1].ref;
		inode->who[least].pages = rest;
		inode->who[ABI_SHARES - 1].pages = pages;
	}
	if (inode->who[ABI_SHARES - 1].ref != ABI_UNATTRIBUTED || pages > rest) {
		inode->who[ABI_SHARES - 1].ref = ABI_UNATTRIBUTED;
		return ABI_SHARES - 1;
	}
	inode->who[least].pages = 0;
	add(inode->who[ABI_SHARES - 1].pages, pages);
	return least;
}

/* Adds dirty pages to the share of a task; returns the index of the share. */
__noinline __u32 inode_dirtied(__u32 nr, __u32 ref, __u32 pages, bool backing)
{
	struct abi_inode *inode = inode_at(nr);
	__u64 share;

	if (!inode)
		return 0;
	inode->last = ref;
	inode->stamp = epoch;
	inode->flags = backing ? ABI_INODE_BACKING : 0;
	inode->folio = 0;
	share = inode_share(inode, ref);
	if (share == ABI_SHARES) {
		share = inode_share(inode, 0);
		if (share == ABI_SHARES)
			share = inode_make_way(nr);
		barrier_var(share);
		if (share >= ABI_SHARES)
			return 0;
		if (!inode->who[share].pages)
			inode->who[share].ref = ref;
	}
	barrier_var(share);
	if (share >= ABI_SHARES)
		return 0;
	add(inode->who[share].pages, pages);
	return share;
}

/*
 * Number of pages that become clean with a write of so many bytes from this page on. A large folio
 * is dirty as a whole when one byte of it is, and clean as a whole with the first write of it.
 */
__noinline __u32 inode_cleaned(__u32 nr, __u64 page, __u32 bytes)
{
	__u64 head = page_head(page);
	__u32 pages = (bytes + (1u << page_shift) - 1) >> page_shift,
	      of = folio_pages_probe_read((const struct folio *)head);
	struct abi_inode *inode = inode_at(nr);

	if (!inode || pages > of)
		return pages;
	if (inode->folio == head)
		return 0;
	inode->folio = head;
	return of;
}

/* Takes written pages off a share. */
__noinline int inode_written(__u32 nr, __u32 which, __u32 pages)
{
	struct abi_inode *inode = inode_at(nr);

	if (!inode || which >= ABI_SHARES)
		return 0;
	if (pages > inode->who[which].pages)
		pages = inode->who[which].pages;
	add(inode->who[which].pages, -pages);
	return 0;
}

#endif
