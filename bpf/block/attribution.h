/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who caused what another task submits: pages are dirtied by one and written back by another. Kept
 * by the file's mapping; joined through the page of a bio. What cannot be known is booked to a
 * named residual, never guessed.
 */
#ifndef IOTOP_BPF_BLOCK_ATTRIBUTION_H
#define IOTOP_BPF_BLOCK_ATTRIBUTION_H

#include "bpf/abi.h"
#include "bpf/block/anon.h"
#include "bpf/block/lower.h"
#include "bpf/block/charge.h"
#include "bpf/block/count.h"
#include "bpf/block/inode.h"
#include "bpf/common/kernel.h"
#include "bpf/block/maps.h"
#include "bpf/block/task_ref.h"

/*
 * Who last caused I/O at a disk: what a thread of that disk's driver does next is taken to be for
 * them.
 */
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

/*
 * The next pages of the file that this task dirtied last, here: no number is looked up. Whatever
 * else is to be found out about the file, or its first page, is left to the long way.
 */
_always_ bool dirty_again(__u64 at, __u64 nrpages, __u32 pages)
{
	__u32 cpu = bpf_get_smp_processor_id();
	struct processor *here = bpf_map_lookup_elem(&processors, &cpu);
	const struct dirtied *last = here ? &here->dirtied : NULL;
	struct abi_inode *inode;
	__u64 way;

	if (!last || last->mapping != at || last->task != bpf_get_current_pid_tgid())
		return false;
	inode = inode_at(last->note);
	way = last->way;
	barrier_var(way);
	if (way >= ABI_SHARES)
		return false;
	if (!inode || inode->mapping != at || inode->who[way].owner != last->owner ||
	    !inode->who[way].pages)
		return false;
	if (nrpages <= pages || inode_dirty(inode) > nrpages - pages)
		return false;
	if (inode->last != last->owner)
		inode->last = last->owner;
	inode->stamp = epoch;
	if (inode->folio)
		inode->folio = 0;
	add(inode->who[way].pages, pages);
	return true;
}

_always_ void dirty_remember(__u64 at, __u32 note, __u32 owner, __u32 way)
{
	__u32 cpu = bpf_get_smp_processor_id();
	struct processor *here = bpf_map_lookup_elem(&processors, &cpu);
	struct dirtied *last = here ? &here->dirtied : NULL;

	if (!last)
		return;
	last->mapping = 0;
	last->task = bpf_get_current_pid_tgid();
	last->note = note;
	last->owner = owner;
	last->way = way;
	last->mapping = at;
}

_always_ int on_dirty_anew(const struct address_space *mapping, __u64 at, __u64 nrpages,
			   __u32 pages)
{
	struct task_slot *slot = task_slot(true);
	const struct inode *host = mapping->host;
	__u32 owner = slot ? slot->owner : 0, note, sdev, loop = 0, way;
	__u64 ino;

	if (!host)
		return 0;
	if (!owner)
		owner = owner_new();
	ino = host->i_ino;
	sdev = BPF_CORE_READ(host, i_sb, s_dev);
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
	if (!inode_is(note, ino, host->i_generation, sdev))
		inode_recall(note);
	inode_shrink(note, nrpages > pages ? nrpages - pages : 0);
	way = inode_dirtied(note, owner, pages, loop);
	/* A loop device's thread is not always for the same one. */
	if (!loop)
		dirty_remember(at, note, owner, way);
	return 0;
}

/* Runs in the task that dirties the page. */
_always_ int on_dirty(const struct address_space *mapping, __u32 pages)
{
	__u64 at = mapping ? kernel_address(address(mapping)) : 0,
	      nrpages = mapping ? mapping->nrpages : 0;

	return at && !dirty_again(at, nrpages, pages) ? on_dirty_anew(mapping, at, nrpages, pages)
						      : 0;
}

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

/* Whose memory a bio writes, or fills: the leader of a process; 0: nobody's, or not known whose. */
__noinline __u32 memory_owner(__u64 bio)
{
	__u64 vec = (__u64)BPF_CORE_READ((const struct bio *)bio, bi_io_vec), task;

	task = vec ? anon_task((__u64)BPF_CORE_READ((const struct bio_vec *)vec, bv_page)) : 0;
	if (!task)
		return 0;
	if (!owners_by_others)
		owners_by_others = true;
	return owner_of(task);
}

/*
 * A control group's limit holds a bio back before it is seen here, and a worker of the kernel
 * queues it later. Who queues his own, within the limit, is remembered for that.
 */
_always_ bool bio_limited(__u16 flags)
{
	return limited_flag && flags & limited_flag;
}

_always_ __u64 bio_cgroup(__u64 bio)
{
	if (!bpf_core_field_exists(((struct bio *)0)->bi_blkg))
		return 0;
	return (__u64)BPF_CORE_READ((const struct bio *)bio, bi_blkg, blkcg);
}

__noinline int limited_note(__u64 bio, __u32 owner)
{
	__u64 cgroup = bio_cgroup(bio);
	__u32 *last = bpf_map_lookup_elem(&limited, &cgroup);

	if (last && *last == owner)
		return 0;
	add(limited_changes, 1);
	if (!last)
		bpf_map_update_elem(&limited, &cgroup, &owner, BPF_ANY);
	else
		*last = owner;
	return 0;
}

/* Whom a worker queues for what was held back; 0: it is its own. */
__noinline __u32 limited_find(__u64 bio)
{
	struct task_slot *slot = task_slot(false);
	const struct abi_owner *owner;
	__u32 *last, place;
	__u64 cgroup;

	if (!slot || !(slot->flags & SLOT_WORKER) ||
	    !bio_limited(BPF_CORE_READ((const struct bio *)bio, bi_flags)))
		return 0;
	cgroup = bio_cgroup(bio);
	last = bpf_map_lookup_elem(&limited, &cgroup);
	if (!last)
		return ABI_UNATTRIBUTED;
	place = ABI_OWNER_PLACE(*last);
	owner = bpf_map_lookup_elem(&owners, &place);
	return owner && !owner->ended ? *last : ABI_UNATTRIBUTED;
}

/* A function of its own around book(), for what is not done at each I/O. */
__noinline __u32 book_to(__u64 bio, __u32 cause, __u32 what, __u32 bytes, __u32 ios)
{
	return book(task_slot(false), (const struct bio *)bio, bio_dev_far((const struct bio *)bio),
		    cause, what, bytes, ios);
}

/*
 * One of those who dirtied the file: his part of a write of so many bytes, when all have `dirty'
 * pages, and of its pages.
 */
__noinline __u32 book_share(__u64 bio, __u64 note_which, __u32 what, __u64 dirty_pages,
			    __u64 bytes_rest)
{
	__u32 which = note_which >> 32, dirty = dirty_pages >> 32, pages = (__u32)dirty_pages,
	      bytes = bytes_rest >> 32, of;
	struct abi_inode *inode = inode_at((__u32)note_which);
	__u64 share;

	if (!inode || which >= ABI_SHARES || !inode->who[which].pages || !dirty || !bytes)
		return 0;
	of = inode->who[which].pages;
	/* Others dirty and write at the same time. */
	share = (__u64)bytes * (of < dirty ? of : dirty) / dirty;
	if (share > (__u32)bytes_rest)
		share = (__u32)bytes_rest;
	book_to(bio, inode->who[which].owner, what, share, 0);
	inode_written((__u32)note_which, which, (pages * share + bytes / 2) / bytes);
	return share;
}

/* A write of a file's pages, to those who dirtied them; the largest share has the I/O itself. */
__noinline __u32 book_dirty(__u64 bio, __u32 note, __u32 op, __u32 bytes, __u32 me)
{
	__u32 largest = inode_largest(note), n = largest >> 8, rest = bytes, how, owner, dev,
	      pages = 0, dirty, left;
	struct abi_inode *inode = inode_at(note);

	largest &= 0xff;
	if (!inode || largest >= ABI_SHARES)
		return 0;
	owner = n ? inode->who[largest].owner : inode->last ? inode->last : me;
	how = inode->flags & ABI_INODE_BACKING ? ABI_DEVICE : n == 1 ? ABI_EXACT : ABI_INODE;
	dirty = inode_dirty_far(note);
	/*
	 * A stacked device writes the pages once more: they come off at the file system's own
	 * device.
	 */
	dev = bio_dev_far((const struct bio *)bio);
	if (inode->sdev == dev || !(inode->sdev >> 20) || !bio_knows_partition())
		pages = inode_cleaned(
			note, (__u64)BPF_CORE_READ((const struct bio *)bio, bi_io_vec, bv_page),
			bytes);
#pragma clang loop unroll(disable)
	for (__u64 i = 0; n > 1 && i < ABI_SHARES; i++) {
		if (i != largest)
			rest -= book_share(
				bio, i << 32 | note,
				WHAT(op, inode->flags & ABI_INODE_BACKING ? ABI_DEVICE : ABI_INODE),
				(__u64)dirty << 32 | pages, (__u64)bytes << 32 | rest);
	}
	/* What is left of the pages when all parts were rounded. */
	left = inode_dirty_far(note) + pages;
	if (left > dirty)
		inode_written(note, largest, left - dirty);
	return book_to(bio, owner, WHAT(op, how), rest, 1);
}

/* A write of a file without a note: it had to make room, or was dirtied before we came. */
__noinline __u32 book_aside(__u64 bio, __u64 mapping, __u32 op, __u32 bytes, __u32 me)
{
	const struct inode *host = BPF_CORE_READ((const struct address_space *)mapping, host);
	__u32 sdev = BPF_CORE_READ(host, i_sb, s_dev), pages = 0,
	      dev = bio_dev_far((const struct bio *)bio);
	struct task_slot *slot = task_slot(false);
	__u64 is;

	if (sdev == dev || !(sdev >> 20) || !bio_knows_partition())
		pages = (bytes + (1u << page_shift) - 1) >> page_shift;
	is = aside_written(aside_id(mapping, BPF_CORE_READ(host, i_ino),
				    BPF_CORE_READ(host, i_generation), sdev),
			   pages);
	if (is)
		return book_to(bio, ASIDE_OWNER(is),
			       WHAT(op, is & ASIDE_SHARED ? ABI_INODE : ABI_EXACT), bytes, 1);
	if (slot && slot->flags & SLOT_KTHREAD)
		me = ABI_UNATTRIBUTED;
	return book_to(bio, me, WHAT(op, ABI_INODE), bytes, 1);
}

/* A page of a file, or of a block device. */
__noinline __u32 book_file(__u64 bio, __u64 mapping, __u32 op, __u32 bytes, __u32 me)
{
	const struct inode *host = BPF_CORE_READ((const struct address_space *)mapping, host);
	__u32 sdev = BPF_CORE_READ(host, i_sb, s_dev), note, loop, cause,
	      flags = BPF_CORE_READ((const struct bio *)bio, bi_opf);
	struct task_slot *slot = task_slot(false);
	__u64 ino = BPF_CORE_READ(host, i_ino);

	if (op == ABI_READ) {
		/* Here only for threads of the kernel. */
		loop = backing_of(ino, sdev);
		cause = loop ? disk_last(loop, false) : limited_find(bio);
		if (!cause && !loop)
			return book_to(bio, me, WHAT(op, ABI_EXACT), bytes, 1);
		return book_to(bio, cause ? cause : ABI_UNATTRIBUTED,
			       WHAT(op, loop ? ABI_DEVICE : ABI_CGROUP), bytes, 1);
	}
	if (flags & KERNEL_REQ_META ||
	    ((BPF_CORE_READ(host, i_mode) & KERNEL_S_IFMT) == KERNEL_S_IFBLK &&
	     bdev_inode_mounted(host)))
		return book_to(bio, slot && slot->flags & SLOT_JOURNAL ? ABI_JOURNAL : ABI_METADATA,
			       WHAT(op, ABI_EXACT), bytes, 1);
	note = inode_find(mapping);
	if (note && inode_is(note, ino, BPF_CORE_READ(host, i_generation), sdev))
		return book_dirty(bio, note, op, bytes, me);
	return book_aside(bio, mapping, op, bytes, me);
}

/* A bio without pages of a file, submitted by a thread of the kernel. */
__noinline __u32 book_kthread(__u64 bio, __u32 op, __u32 bytes, __u32 me)
{
	__u32 place = disk_find((__u64)bio_gendisk((const struct bio *)bio)), cause;
	struct abi_disk *disk = bpf_map_lookup_elem(&disks, &place);
	struct task_slot *slot = task_slot(false);

	if (slot && slot->flags & SLOT_JOURNAL)
		return book_to(bio, ABI_JOURNAL, WHAT(op, ABI_EXACT), bytes, 1);
	cause = memory_owner(bio);
	if (cause)
		return book_to(bio, cause, WHAT(op, ABI_EXACT), bytes, 1);
	if (disk && disk->upper)
		cause = op == ABI_READ ? disk_recent(disk->upper) : disk_last(disk->upper, true);
	if (cause)
		return book_to(bio, cause, WHAT(op, ABI_DEVICE), bytes, 1);
	if (BPF_CORE_READ((const struct bio *)bio, bi_opf) & KERNEL_REQ_META && op != ABI_READ)
		return book_to(bio, ABI_METADATA, WHAT(op, ABI_EXACT), bytes, 1);
	cause = limited_find(bio);
	return cause ? book_to(bio, cause, WHAT(op, ABI_CGROUP), bytes, 1)
		     : book_to(bio, me, WHAT(op, ABI_EXACT), bytes, 1);
}

/* A page that is written to make room in memory. */
__noinline __u32 book_swap(__u64 bio, __u32 op, __u32 bytes)
{
	__u32 cause = memory_owner(bio);

	return book_to(bio, cause ? cause : ABI_SWAP, WHAT(op, ABI_EXACT), bytes, 1);
}

/* Books a bio of the current task to its cause; returns what book() does. */
_always_ __u32 book_bio(struct task_slot *slot, const struct bio *bio, __u32 op, __u32 bytes)
{
	__u32 me = slot ? slot->owner : 0, flags = bio->bi_opf;
	bool kthread;
	__u64 mapping;

	if (!me)
		me = owner_new();
	kthread = slot && slot->flags & SLOT_KTHREAD;
	if (!kthread && bio_limited(bio->bi_flags))
		limited_note(kernel_address(address(bio)), me);
	if (bytes && (op == ABI_WRITE || kthread)) {
		__u64 far = kernel_address(address(bio));

		if (op == ABI_WRITE && flags & KERNEL_REQ_SWAP)
			return book_swap(far, op, bytes);
		mapping = op == ABI_DISCARD ? 0 : bio_mapping(bio);
		if (mapping)
			return book_file(far, mapping, op, bytes, me);
		if (kthread)
			return book_kthread(far, op, bytes, me);
	}
	return book_to(kernel_address(address(bio)), me, WHAT(op, ABI_EXACT), bytes, 1);
}

#endif
