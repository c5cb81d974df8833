/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who caused what another task submits: pages are dirtied by one and written back by another. Kept by the file's mapping; joined
 * through the page of a bio. What cannot be known is booked to a named residual, never guessed.
 */
#ifndef IOTOP_BPF_CAUSE_H
#define IOTOP_BPF_CAUSE_H

#include "bpf/abi.h"
#include "bpf/book.h"
#include "bpf/count.h"
#include "bpf/kernel.h"
#include "bpf/maps.h"

/* ---- files with dirty pages; a note is known by a number, 0 for none */

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
	return inode->who[0].pages + inode->who[1].pages + inode->who[2].pages + inode->who[3].pages;
}

/* Takes the place of the file that was dirtied the longest ago. */
__noinline __u32 inode_make(__u64 mapping)
{
	__u32 place = inode_set_of(mapping), victim = 0, oldest = 0;
	struct abi_inode_set *set = bpf_map_lookup_elem(&inodes, &place);
	struct abi_inode *inode;

	if (!set)
		return 0;
	for (__u32 i = 0; i < ABI_WAYS; i++) {
		__u16 age = (__u16)epoch - set->way[i].stamp;

		if (!set->way[i].mapping) {
			victim = i;
			break;
		}
		if (age >= oldest) {
			oldest = age;
			victim = i;
		}
	}
	inode = &set->way[victim % ABI_WAYS];
	if (inode->mapping && inode_dirty(inode))
		lose(ABI_LOST_INODES);
	inode->ino = 0;
	inode->gen = inode->sdev = 0;
	inode->mapping = mapping;
	return place * ABI_WAYS + victim % ABI_WAYS + 1;
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
	for (int i = 0; i < 4; i++)
		inode->who[i].pages = 0;
	return false;
}

/*
 * Dirty pages that were thrown away (a file that was cut) are told to nobody: when there are more than the file has pages,
 * without those that are being dirtied now, all shares shrink.
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
	for (int i = 0; i < 4; i++)
		inode->who[i].pages = inode->who[i].pages * pages / dirty;
	return 0;
}

__noinline int inode_dirtied(__u32 note, __u32 owner, __u32 pages, bool backing)
{
	struct abi_inode *inode = inode_at(note);

	if (!inode)
		return 0;
	inode->last = owner;
	inode->stamp = epoch;
	inode->flags = backing ? ABI_INODE_BACKING : 0;
	for (int i = 0; i < 4; i++) {
		if (inode->who[i].pages && inode->who[i].owner == owner) {
			add(inode->who[i].pages, pages);
			return 0;
		}
	}
	for (int i = 0; i < 4; i++) {
		if (!inode->who[i].pages) {
			inode->who[i].owner = owner;
			inode->who[i].pages = pages;
			return 0;
		}
	}
	inode->who[3].owner = ABI_UNATTRIBUTED;
	add(inode->who[3].pages, pages);
	return 0;
}

/* Place of the loop device that this file backs, 0: none. */
_always_ __u32 backing_of(__u64 ino, __u32 sdev)
{
	struct abi_backing key = { .ino = ino, .sdev = sdev };
	__u32 *disk = bpf_map_lookup_elem(&backings, &key);

	return disk ? *disk : 0;
}

/* Who last caused I/O at a disk: what a thread of that disk's driver does next is taken to be for them. */
_always_ __u32 disk_last(__u32 disk, bool write)
{
	struct abi_disk *at = bpf_map_lookup_elem(&disks, &disk);

	return at ? at->last[write] : 0;
}

/* A driver reads for who writes, too: parity. */
_always_ __u32 disk_recent(__u32 disk)
{
	struct abi_disk *at = bpf_map_lookup_elem(&disks, &disk);

	return at ? at->last[at->recent & 1] : 0;
}

/* Runs in the task that dirties the page. */
_always_ int on_dirty(const struct address_space *mapping, __u32 pages)
{
	struct task_slot *slot = task_slot(true);
	const struct inode *host = mapping ? mapping->host : NULL;
	__u32 owner = slot ? slot->owner : 0, note, sdev, loop = 0;
	__u64 at, ino, nrpages;

	if (!host)
		return 0;
	if (!owner)
		owner = owner_new();
	ino = host->i_ino;
	nrpages = mapping->nrpages;
	sdev = BPF_CORE_READ(host, i_sb, s_dev);
	at = kernel_address(address(mapping));
	note = inode_find(at);
	if (!note)
		note = inode_make(at);
	if (slot && slot->flags & SLOT_KTHREAD)
		loop = backing_of(ino, sdev);
	if (loop) {
		owner = disk_last(loop, true);
		if (!owner)
			owner = ABI_UNATTRIBUTED;
	}
	if (inode_is(note, ino, host->i_generation, sdev))
		inode_shrink(note, nrpages > pages ? nrpages - pages : 0);
	inode_dirtied(note, owner, pages, loop);
	return 0;
}

/* ---- bios */

/* The address of the mapping of a bio's first page; 0 when it is no page of a file. */
_always_ __u64 bio_mapping(const struct bio *bio)
{
	const struct bio_vec *vec = bio->bi_io_vec;
	const struct page *page = vec ? vec->bv_page : NULL;
	__u64 head, mapping = 0;

	if (!page)
		return 0;
	head = page_head(kernel_address(address(page)));
	bpf_core_read(&mapping, sizeof(mapping), &((const struct page *)head)->mapping);
	/* The low bits mark anonymous and movable pages. */
	return mapping & 3 ? 0 : mapping;
}

/* A function of its own around book(), for what is not done at each I/O. */
__noinline __u32 book_to(__u64 bio, __u32 cause, __u32 what, __u32 bytes, __u32 ios)
{
	return book(task_slot(false), (const struct bio *)bio, bio_dev_far((const struct bio *)bio), cause, what, bytes, ios);
}

/* Takes written pages off a share. */
__noinline int inode_written(__u32 note, __u32 which, __u32 pages)
{
	struct abi_inode *inode = inode_at(note);

	if (!inode || which > 3)
		return 0;
	if (pages > inode->who[which].pages)
		pages = inode->who[which].pages;
	add(inode->who[which].pages, -pages);
	return 0;
}

/* The part of a write that goes to one of those who dirtied the file. */
__noinline __u32 book_share(__u64 bio, __u32 note, __u32 which, __u32 op, __u32 bytes)
{
	struct abi_inode *inode = inode_at(note);
	__u64 dirty, share;

	if (!inode || which > 3 || !inode->who[which].pages)
		return 0;
	dirty = inode_dirty(inode);
	if (!dirty)
		return 0;
	share = (__u64)bytes * inode->who[which].pages / dirty;
	book_to(bio, inode->who[which].owner, WHAT(op, inode->flags & ABI_INODE_BACKING ? ABI_DEVICE : ABI_INODE), share, 0);
	return share;
}

/* Whose share is the largest; above it, in bits 8 and up, how many there are. */
__noinline __u32 inode_largest(__u32 note)
{
	struct abi_inode *inode = inode_at(note);
	__u32 largest = 0, n = 0, most = 0;

	if (!inode)
		return 0;
	for (__u32 i = 0; i < 4; i++) {
		__u32 pages = inode->who[i].pages;

		n += !!pages;
		if (pages > most) {
			most = pages;
			largest = i;
		}
	}
	return largest | n << 8;
}

/* A write of a file's pages, to those who dirtied them; the largest share has the I/O itself. */
__noinline __u32 book_dirty(__u64 bio, __u32 note, __u32 op, __u32 bytes, __u32 me)
{
	__u32 largest = inode_largest(note), n = largest >> 8, rest = bytes, how, owner, dev;
	struct abi_inode *inode = inode_at(note);
	__u32 pages = (bytes + (1u << page_shift) - 1) >> page_shift;
	bool own;

	if (!inode)
		return 0;
	largest &= 3;
	owner = n ? inode->who[largest].owner : inode->last ? inode->last : me;
	how = inode->flags & ABI_INODE_BACKING ? ABI_DEVICE : n == 1 ? ABI_EXACT : ABI_INODE;
	/* A stacked device writes the pages once more: they come off at the file system's own device. */
	dev = bio_dev_far((const struct bio *)bio);
	own = inode->sdev == dev || !(inode->sdev >> 20) || !bio_knows_partition();
	for (__u32 i = 0; i < 4; i++) {
		__u32 share = 0;

		if (n < 2)
			break;
		if (i == largest)
			continue;
		share = book_share(bio, note, i, op, bytes);
		rest -= share;
		if (own && share)
			inode_written(note, i, (share + (1u << page_shift) / 2) >> page_shift);
	}
	if (own)
		inode_written(note, largest, n < 2 ? pages : (rest + (1u << page_shift) / 2) >> page_shift);
	return book_to(bio, owner, WHAT(op, how), rest, 1);
}

/* A page of a file, or of a block device. */
__noinline __u32 book_file(__u64 bio, __u64 mapping, __u32 op, __u32 bytes, __u32 me)
{
	const struct inode *host = BPF_CORE_READ((const struct address_space *)mapping, host);
	__u32 sdev = BPF_CORE_READ(host, i_sb, s_dev), note, loop, flags = BPF_CORE_READ((const struct bio *)bio, bi_opf);
	struct task_slot *slot = task_slot(false);
	__u64 ino = BPF_CORE_READ(host, i_ino);

	if (op == ABI_READ) {
		/* Here only for threads of the kernel. */
		loop = backing_of(ino, sdev);
		if (loop)
			me = disk_last(loop, false);
		return book_to(bio, me ? me : ABI_UNATTRIBUTED, WHAT(op, loop ? ABI_DEVICE : ABI_EXACT), bytes, 1);
	}
	if (flags & KERNEL_REQ_META ||
	    ((BPF_CORE_READ(host, i_mode) & KERNEL_S_IFMT) == KERNEL_S_IFBLK && bdev_inode_mounted(host)))
		return book_to(bio, slot && slot->flags & SLOT_JOURNAL ? ABI_JOURNAL : ABI_METADATA, WHAT(op, ABI_EXACT), bytes, 1);
	note = inode_find(mapping);
	if (note && inode_is(note, ino, BPF_CORE_READ(host, i_generation), sdev))
		return book_dirty(bio, note, op, bytes, me);
	/* Dirtied before we came. */
	if (slot && slot->flags & SLOT_KTHREAD)
		me = ABI_UNATTRIBUTED;
	return book_to(bio, me, WHAT(op, ABI_INODE), bytes, 1);
}

/* A bio without pages of a file, submitted by a thread of the kernel. */
__noinline __u32 book_kthread(__u64 bio, __u32 op, __u32 bytes, __u32 me)
{
	__u32 place = disk_find((__u64)bio_gendisk((const struct bio *)bio)), cause = 0;
	struct abi_disk *disk = bpf_map_lookup_elem(&disks, &place);
	struct task_slot *slot = task_slot(false);

	if (slot && slot->flags & SLOT_JOURNAL)
		return book_to(bio, ABI_JOURNAL, WHAT(op, ABI_EXACT), bytes, 1);
	if (disk && disk->upper)
		cause = op == ABI_READ ? disk_recent(disk->upper) : disk_last(disk->upper, true);
	if (cause)
		return book_to(bio, cause, WHAT(op, ABI_DEVICE), bytes, 1);
	if (BPF_CORE_READ((const struct bio *)bio, bi_opf) & KERNEL_REQ_META && op != ABI_READ)
		me = ABI_METADATA;
	return book_to(bio, me, WHAT(op, ABI_EXACT), bytes, 1);
}

/* Books a bio to its cause; returns its counter and disk as abi_flight holds them. */
_always_ __u32 book_bio(const struct bio *bio, __u32 op, __u32 bytes)
{
	struct task_slot *slot = task_slot(true);
	__u32 me = slot ? slot->owner : 0, flags = bio->bi_opf;
	bool kthread;
	__u64 mapping;

	if (!me)
		me = owner_new();
	kthread = slot && slot->flags & SLOT_KTHREAD;
	if (bytes && (op == ABI_WRITE || kthread)) {
		__u64 far = kernel_address(address(bio));

		if (op == ABI_WRITE && flags & KERNEL_REQ_SWAP)
			return book_to(far, ABI_SWAP, WHAT(op, ABI_EXACT), bytes, 1);
		mapping = op == ABI_DISCARD ? 0 : bio_mapping(bio);
		if (mapping)
			return book_file(far, mapping, op, bytes, me);
		if (kthread)
			return book_kthread(far, op, bytes, me);
	}
	return book(slot, bio, bio_dev(bio), me, WHAT(op, ABI_EXACT), bytes, 1);
}

#endif
