/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files that several tasks dirty: whose a page is. Pages that are noted nowhere are those of the
 * owner of the file's entry (inode.h), so that a file of one writer needs no notes. A page keeps
 * its note when it is written, for disks below will write it again: all notes of a file are void
 * when it was clean. Who dirties a large folio has all its pages, but where write calls tell which
 * (rewrite.h).
 */
#ifndef IOTOP_BPF_BLOCK_DIRTIERS_H
#define IOTOP_BPF_BLOCK_DIRTIERS_H

#include "bpf/abi.h"
#include "bpf/block/count.h"
#include "bpf/block/inode.h"
#include "bpf/block/maps.h"
#include "bpf/common/branchless.h"
#include "bpf/common/kernel.h"
#include "bpf/common/page_tree.h"

/*
 * A page may be dirtied again during its writeback. What is written then is of who dirtied it
 * before (ref), and what a later writeback has is of the other. A bio need not have all pages of a
 * large folio, and may still come to disks below: which of the two wrote what it has is seen by the
 * folio, which is dirty again during the first writeback and not at the beginning of another. The
 * kernel waits for the end of a writeback before it begins the next.
 */
ARRAY(dirtiers, 1, struct abi_dirtiers_set);

const volatile __u32 dirtiers_sets = 1;
volatile __u64 dirtiers_taken;	/* entries in use */

_always_ struct abi_dirtiers_set *dirtiers_set(__u32 nr, __u32 life, __u32 block)
{
	__u64 hash = (((__u64)nr << 32 | block) ^ (__u64)life << 20) * 0x9e3779b97f4a7c15ULL;
	__u32 place;

	hash = (hash ^ hash >> 32) * 0xd6e8feb86659fd93ULL;
	place = (hash >> 32) * dirtiers_sets >> 32;
	return bpf_map_lookup_elem(&dirtiers, &place);
}

/* The entry of a page of a file, NULL: none. The number of its way is not for the verifier. */
_always_ struct abi_dirtiers *dirtiers_find(struct abi_dirtiers_set *set, __u32 nr, __u32 life,
					    __u32 block)
{
	__u32 way;

#pragma clang loop unroll(disable)
	for (__u32 i = 0; i < ABI_DIRTIERS_WAYS; i++) {
		struct abi_dirtiers *at = &set->way[i];

		if (at->inode != nr || at->life != life || at->block != block)
			continue;
		way = i ^ unknown_zero;
		return &set->way[way % ABI_DIRTIERS_WAYS];
	}
	return NULL;
}

/* Whether a page was not written since it was dirtied. */
_always_ bool dirtiers_dirty(const struct abi_dirtiers *at)
{
	const __u64 *all = (const __u64 *)at->dirty;

	return all[0] | all[1];
}

#define AGE_FREE (1u << 18)
#define AGE_WRITTEN (1u << 17)

/* How old an entry is, with AGE_*: the oldest makes room. */
__noinline __u32 dirtiers_age(__u32 nr, __u32 life, __u32 block, __u32 way)
{
	struct abi_dirtiers_set *set = dirtiers_set(nr, life, block);
	const struct abi_dirtiers *at;
	const struct abi_inode *inode;
	__u32 age;

	if (!set)
		return 0;
	at = &set->way[way % ABI_DIRTIERS_WAYS];
	inode = inode_at(at->inode);
	if (!inode || inode->life != at->life)
		return AGE_FREE;
	age = (__u16)(epoch - at->stamp);
	return dirtiers_dirty(at) ? age : age | AGE_WRITTEN;
}

/*
 * The way for a new entry: a free one or one that is void, else the oldest, first of those that
 * were written. Two CPUs may take the same one at once: each begins at another one.
 */
_always_ __u32 dirtiers_victim(__u32 nr, __u32 life, __u32 block)
{
	__u32 cpu = bpf_get_smp_processor_id();
	__u64 oldest = 0;

#pragma clang loop unroll(disable)
	for (__u32 i = 0; i < ABI_DIRTIERS_WAYS; i++) {
		__u32 way = (i + cpu) % ABI_DIRTIERS_WAYS;
		__u64 is = (__u64)dirtiers_age(nr, life, block, way) << 32 |
			   (ABI_DIRTIERS_WAYS - i) << 16 | way;

		oldest = larger_of(oldest, is);
	}
	return (__u16)oldest;
}

/* Makes room: when pages were not written yet, they have no owner any more. */
_always_ void dirtiers_drop(struct abi_dirtiers *at)
{
	struct abi_inode *inode = inode_at(at->inode);

	if (!inode) {
		add(dirtiers_taken, 1);
	} else if (inode->life == at->life && dirtiers_dirty(at)) {
		inode->flags |= ABI_INODE_PARTLY;
		lose(ABI_LOST_INODES);
	}
	at->inode = 0;
}

/* How it was noted whose pages are. */
#define NOTED_ANEW 1	  /* with their folio, which was not dirty; else it was dirty already */
#define NOTED_WRITEBACK 2 /* while their folio is being written */

_always_ __u32 noted_how(__u64 folio, __u32 anew)
{
	return anew | (page_in_writeback(folio) ? NOTED_WRITEBACK : 0);
}

/*
 * Whose a page is from now on, which is in place slot of an entry; how: NOTED_*. Bios may be queued
 * meanwhile by other CPUs.
 */
_always_ void dirtiers_take(struct abi_dirtiers *at, __u32 slot, __u32 ref, __u32 how)
{
	at->dirty[slot] = true;
	if (!(how & NOTED_WRITEBACK)) {
		at->ref[slot] = ref;
		at->other[slot] = 0;
		return;
	}
	/* The writeback during which it was dirtied last is over. */
	if (how & NOTED_ANEW && at->other[slot])
		at->ref[slot] = at->other[slot];
	at->others = true;
	at->other[slot] = ref;
}

/* Notes who dirtied a page; how: NOTED_*. */
__noinline int dirtiers_note_page(__u32 nr, __u64 index, __u32 ref, __u32 how)
{
	struct abi_inode *inode = inode_at(nr);
	__u32 block = index / ABI_BLOCK_PAGES, slot = index % ABI_BLOCK_PAGES, way, life;
	struct abi_dirtiers_set *set;
	struct abi_dirtiers *at;

	if (!inode)
		return 0;
	life = inode->life;
	set = dirtiers_set(nr, life, block);
	if (!set)
		return 0;
	at = dirtiers_find(set, nr, life, block);
	if (!at) {
		if (ref == inode->owner && !(inode->flags & ABI_INODE_PARTLY))
			return 0;
		way = dirtiers_victim(nr, life, block);
		at = &set->way[way % ABI_DIRTIERS_WAYS];
		dirtiers_drop(at);
		at->life = life;
		at->block = block;
		__builtin_memset(at->dirty, 0, sizeof(at->dirty));
		__builtin_memset(at->ref, 0, sizeof(at->ref));
		__builtin_memset(at->other, 0, sizeof(at->other));
		at->others = false;
		at->inode = nr;
		inode->flags |= ABI_INODE_SHARED;
	}
	at->stamp = epoch;
	dirtiers_take(at, slot, ref, how);
	return 0;
}

#define NOTED_MOST 8192	/* so many pages at once */

/* The same of many pages (VERIFIED_STEP). Returns how many are left. */
__noinline __u32 dirtiers_note_some(__u32 nr, __u64 index, __u32 pages, __u32 ref, __u32 how)
{
	for (int i = 0; i < VERIFIED_STEP && pages; i++, pages--)
		dirtiers_note_page(nr, index + i, ref, how);
	return pages;
}

/*
 * Notes who dirtied pages of a file; how: NOTED_*. What more there are have no owner any more.
 */
__noinline int dirtiers_note(__u32 nr, __u64 index, __u32 pages, __u32 ref, __u32 how)
{
	struct abi_inode *inode;
	__u64 end = index + pages;
	__u32 rest = pages;

	for (int i = 0; i < NOTED_MOST / VERIFIED_STEP && rest; i++)
		rest = dirtiers_note_some(nr, end - rest, rest, ref, how);
	/* Looked up behind the loop: before it, the verifier would walk it twice. */
	inode = rest ? inode_at(nr) : NULL;
	if (inode) {
		inode->flags |= ABI_INODE_SHARED | ABI_INODE_PARTLY;
		lose(ABI_LOST_INODES);
	}
	return 0;
}

/* dirtiers_begin() of those pages from an index on that are in one entry. */
__noinline int dirtiers_begin_block(__u32 nr, __u64 index, __u32 pages)
{
	struct abi_inode *inode = inode_at(nr);
	__u64 block = index / ABI_BLOCK_PAGES, first = index % ABI_BLOCK_PAGES;
	struct abi_dirtiers_set *set = inode ? dirtiers_set(nr, inode->life, block) : NULL;
	struct abi_dirtiers *at = set ? dirtiers_find(set, nr, inode->life, block) : NULL;

	if (!at || !at->others)
		return 0;
	if (pages >= ABI_BLOCK_PAGES)
		at->others = false;
#pragma clang loop unroll(disable)
	for (__u64 i = 0; i < ABI_BLOCK_PAGES; i++) {
		__u64 of = not_above(first, i) * not_above(i + 1, first + pages),
		      other = at->other[i] * of;

		at->ref[i] = choose(is_zero(other), at->ref[i], other);
		at->other[i] *= of ^ 1;
	}
	return 0;
}

#define BEGIN_STEP 16

/* The same of some entries (BEGIN_STEP). Returns how many pages are left. */
__noinline __u32 dirtiers_begin_some(__u32 nr, __u64 index, __u32 pages)
{
	__u64 end = index + pages;

	for (int i = 0; i < BEGIN_STEP && pages; i++) {
		__u32 n = ABI_BLOCK_PAGES - (end - pages) % ABI_BLOCK_PAGES;

		dirtiers_begin_block(nr, end - pages, pages);
		pages -= n < pages ? n : pages;
	}
	return pages;
}

/*
 * A folio of so many pages becomes dirty: the writeback during which some of them were dirtied
 * before is over, and what is written from now on is of who did that. Before the folio is seen to
 * be dirty, or a bio that is queued meanwhile would be of who had the page before.
 */
__noinline int dirtiers_begin(__u32 nr, __u64 index, __u32 pages)
{
	__u64 end = index + pages;

	for (int i = 0; i < NOTED_MOST / ABI_BLOCK_PAGES / BEGIN_STEP && pages; i++)
		pages = dirtiers_begin_some(nr, end - pages, pages);
	return 0;
}

/* Whose a page of a folio (its address) is that a bio has; 0: not noted. */
_always_ __u32 dirtiers_page(const struct abi_dirtiers *at, __u32 slot, __u64 folio)
{
	return at->other[slot] && !page_dirty(folio) ? at->other[slot] : at->ref[slot];
}

/* Pages that have one owner, one behind the other. */
#define RUN(owner, pages) ((owner) | (__u64)(pages) << 32)
#define RUN_OWNER(run) ((__u32)(run))
#define RUN_PAGES(run) ((__u32)((run) >> 32))

/*
 * The run of pages of a shared file that begins at an index, of most so many, none of them 0. Pages
 * that are noted are runs of their own. folio: its address; written: the bio is queued at the
 * device of the file system.
 */
__noinline __u64 dirtiers_run(__u32 nr, __u64 index, __u32 most, __u64 folio, bool written)
{
	struct abi_inode *inode = inode_at(nr);
	__u32 block = index / ABI_BLOCK_PAGES, slot = index % ABI_BLOCK_PAGES, owner, ref;
	struct abi_dirtiers_set *set;
	struct abi_dirtiers *at;

	if (!inode)
		return RUN(ABI_UNATTRIBUTED, 1);
	owner = inode->flags & ABI_INODE_PARTLY ? ABI_UNATTRIBUTED : inode->owner;
	set = dirtiers_set(nr, inode->life, block);
	at = set ? dirtiers_find(set, nr, inode->life, block) : NULL;
	if (!at)
		return RUN(owner, most < ABI_BLOCK_PAGES - slot ? most : ABI_BLOCK_PAGES - slot);
	ref = dirtiers_page(at, slot, folio);
	if (written)
		at->dirty[slot] = false;
	return RUN(ref ? ref : owner, 1);
}

/* Whose one page is. */
__noinline __u32 dirtiers_of(__u32 nr, __u64 index, bool written)
{
	struct abi_inode *inode = inode_at(nr);

	return inode ? RUN_OWNER(dirtiers_run(nr, index, 1, folio_at(inode->mapping, index),
					      written))
		     : ABI_UNATTRIBUTED;
}

#endif
