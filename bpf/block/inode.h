/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files with dirty pages, and who dirtied how many. A note of a file is known by a number, 0 for
 * none.
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

_always_ struct abi_inode *inode_at(__u32 note)
{
	__u32 place = (note - 1) / ABI_WAYS, way = (note - 1) % ABI_WAYS;
	struct abi_inode_set *set;

	if (!note)
		return NULL;
	set = bpf_map_lookup_elem(&inodes, &place);
	if (!set)
		return NULL;
	/* The compiler would add to the pointer before it is tested. */
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

/* The same where it takes no stack. */
__noinline __u32 inode_dirty_far(__u32 note)
{
	struct abi_inode *inode = inode_at(note);

	return inode ? inode_dirty(inode) : 0;
}

/* Whose share is the largest; above it, in bits 8 and up, how many there are. */
__noinline __u32 inode_largest(__u32 note)
{
	struct abi_inode *inode = inode_at(note);
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

/* A file with dirty pages has to make room: the largest share stands for all. */
__noinline int inode_put_aside(__u32 note)
{
	__u32 largest = inode_largest(note), n = largest >> 8, dirty = inode_dirty_far(note);
	struct abi_inode *inode = inode_at(note);
	__u64 which = largest & 0xff;

	barrier_var(which);
	if (!inode || which >= ABI_SHARES || !inode->ino)
		return 0;
	if (n > 1)
		lose(ABI_LOST_INODES);
	if (dirty > ABI_ASIDE_PAGES)
		dirty = ABI_ASIDE_PAGES;
	aside_put(aside_id(inode->mapping, inode->ino, inode->gen, inode->sdev),
		  inode->who[which].owner | (__u64)dirty << 32 | (n > 1 ? ASIDE_SHARED : 0));
	return 0;
}

/*
 * The way that is free, else the one that was dirtied the longest ago: of those without dirty
 * pages, of those that only one has dirtied, of all.
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
	__u32 place = inode_set_of(mapping), note;
	struct abi_inode_set *set = bpf_map_lookup_elem(&inodes, &place);
	struct abi_inode *inode;

	if (!set)
		return 0;
	note = place * ABI_WAYS + inode_victim(set, place) + 1;
	inode = inode_at(note);
	if (!inode)
		return 0;
	if (!inode->mapping)
		add(inodes_taken, 1);
	else if (inode_dirty_far(note))
		inode_put_aside(note);
	inode->ino = 0;
	inode->gen = inode->sdev = 0;
	inode->mapping = mapping;
	return note;
}

/* Memory of a mapping is used again for another file: then what is known is of the old one. */
__noinline int inode_is(__u32 note, __u64 ino, __u32 gen, __u32 sdev)
{
	struct abi_inode *inode = inode_at(note);

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

/* What was put aside of the file of a new note. */
__noinline int inode_recall(__u32 note)
{
	struct abi_inode *inode = inode_at(note);
	__u64 was;

	if (!inode)
		return 0;
	was = aside_take(aside_id(inode->mapping, inode->ino, inode->gen, inode->sdev));
	inode->who[0].owner = ASIDE_OWNER(was);
	inode->who[0].pages = ASIDE_PAGES(was);
	return 0;
}

/*
 * Dirty pages that were thrown away (a file that was cut) are told to nobody: when there are more
 * than the file has pages, without those that are being dirtied now, all shares shrink.
 */
__noinline int inode_shrink(__u32 note, __u64 pages)
{
	struct abi_inode *inode = inode_at(note);
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
 * The place of the owner's share, or ABI_SHARES; owner 0: of an unused one. Loops over shares are
 * not unrolled: the compiler would keep all of them on the stack, of which there is little.
 */
_always_ __u32 inode_share(const struct abi_inode *inode, __u32 owner)
{
#pragma clang loop unroll(disable)
	for (__u32 i = 0; i < ABI_SHARES; i++) {
		__u32 pages = inode->who[i].pages;

		if (owner ? pages && inode->who[i].owner == owner : !pages)
			return i;
	}
	return ABI_SHARES;
}

/*
 * A place for one more owner where there is none: that of the smallest share, when it is no more
 * than the last, which is nobody's and gets its pages. Otherwise the last: owners of much do not
 * make room for those of a page. The first time the smaller of the two becomes nobody's.
 */
__noinline __u32 inode_make_way(__u32 note)
{
	struct abi_inode *inode = inode_at(note);
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
	if (inode->who[ABI_SHARES - 1].owner != ABI_UNATTRIBUTED && pages < rest) {
		inode->who[least].owner = inode->who[ABI_SHARES - 1].owner;
		inode->who[least].pages = rest;
		inode->who[ABI_SHARES - 1].pages = pages;
	}
	if (inode->who[ABI_SHARES - 1].owner != ABI_UNATTRIBUTED || pages > rest) {
		inode->who[ABI_SHARES - 1].owner = ABI_UNATTRIBUTED;
		return ABI_SHARES - 1;
	}
	inode->who[least].pages = 0;
	add(inode->who[ABI_SHARES - 1].pages, pages);
	return least;
}

/* Returns the place of the owner's share. */
__noinline __u32 inode_dirtied(__u32 note, __u32 owner, __u32 pages, bool backing)
{
	struct abi_inode *inode = inode_at(note);
	__u64 share;

	if (!inode)
		return 0;
	inode->last = owner;
	inode->stamp = epoch;
	inode->flags = backing ? ABI_INODE_BACKING : 0;
	inode->folio = 0;
	share = inode_share(inode, owner);
	if (share == ABI_SHARES) {
		share = inode_share(inode, 0);
		if (share == ABI_SHARES)
			share = inode_make_way(note);
		barrier_var(share);
		if (share >= ABI_SHARES)
			return 0;
		if (!inode->who[share].pages)
			inode->who[share].owner = owner;
	}
	barrier_var(share);
	if (share >= ABI_SHARES)
		return 0;
	add(inode->who[share].pages, pages);
	return share;
}

/*
 * How many dirty pages are gone with a write of so many bytes that begins with this page. All of a
 * large folio becomes dirty when one byte of it does, and clean when what was changed in it is
 * written: with the first of several writes.
 */
__noinline __u32 inode_cleaned(__u32 note, __u64 page, __u32 bytes)
{
	__u64 head = page_head(page);
	__u32 pages = (bytes + (1u << page_shift) - 1) >> page_shift,
	      of = folio_pages_far((const struct folio *)head);
	struct abi_inode *inode = inode_at(note);

	if (!inode || pages > of)
		return pages;
	if (inode->folio == head)
		return 0;
	inode->folio = head;
	return of;
}

/* Takes written pages off a share. */
__noinline int inode_written(__u32 note, __u32 which, __u32 pages)
{
	struct abi_inode *inode = inode_at(note);

	if (!inode || which >= ABI_SHARES)
		return 0;
	if (pages > inode->who[which].pages)
		pages = inode->who[which].pages;
	add(inode->who[which].pages, -pages);
	return 0;
}

#endif
