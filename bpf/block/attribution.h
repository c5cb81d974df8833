/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Attribution: whose an I/O is that another task submits. Pages are dirtied by one task and written
 * back by another. Dirtiers are kept by the file's mapping (inode.h), which is found through the
 * first page of a bio. I/O whose owner cannot be known is charged to a named residual, never to a
 * guess.
 */
#ifndef IOTOP_BPF_BLOCK_ATTRIBUTION_H
#define IOTOP_BPF_BLOCK_ATTRIBUTION_H

#include "bpf/abi.h"
#include "bpf/block/anon.h"
#include "bpf/block/lower.h"
#include "bpf/block/charge.h"
#include "bpf/block/count.h"
#include "bpf/block/inode.h"
#include "bpf/common/bio_file.h"
#include "bpf/common/kernel.h"
#include "bpf/block/maps.h"
#include "bpf/block/task_ref.h"
#include "bpf/block/throttled.h"

/*
 * The owner of the last read or write at a disk: what a thread of its driver does next at a disk
 * below is charged to it.
 */
_always_ __u32 disk_last(__u32 disk, bool write)
{
	struct abi_disk *at = bpf_map_lookup_elem(&disks, &disk);

	return at ? at->last[write] : 0;
}

/* The owner of the last I/O: a driver reads for writers, too (parity). */
_always_ __u32 disk_recent(__u32 disk)
{
	struct abi_disk *at = bpf_map_lookup_elem(&disks, &disk);

	return at ? at->last[at->recent & 1] : 0;
}

/*
 * The fast path: the task dirties more pages of the file that it dirtied last on this CPU. No
 * lookup by mapping or task. False: the general path must look, also at the first page of the file.
 */
_always_ bool dirty_again(__u64 at, __u64 nrpages, __u32 pages)
{
	__u32 cpu = bpf_get_smp_processor_id();
	struct cpu_state *state = bpf_map_lookup_elem(&cpu_states, &cpu);
	const struct dirtied *last = state ? &state->dirtied : NULL;
	struct abi_inode *inode;
	__u64 way;

	if (!last || last->mapping != at || last->task != bpf_get_current_pid_tgid())
		return false;
	inode = inode_at(last->nr);
	way = last->share;
	barrier_var(way);
	if (way >= ABI_SHARES)
		return false;
	if (!inode || inode->mapping != at || inode->who[way].ref != last->ref ||
	    !inode->who[way].pages)
		return false;
	if (nrpages <= pages || inode_dirty(inode) > nrpages - pages)
		return false;
	if (inode->last != last->ref)
		inode->last = last->ref;
	inode->stamp = epoch;
	if (inode->folio)
		inode->folio = 0;
	add(inode->who[way].pages, pages);
	return true;
}

_always_ void dirty_remember(__u64 at, __u32 nr, __u32 ref, __u32 way)
{
	__u32 cpu = bpf_get_smp_processor_id();
	struct cpu_state *state = bpf_map_lookup_elem(&cpu_states, &cpu);
	struct dirtied *last = state ? &state->dirtied : NULL;

	if (!last)
		return;
	last->mapping = 0;
	last->task = bpf_get_current_pid_tgid();
	last->nr = nr;
	last->ref = ref;
	last->share = way;
	last->mapping = at;
}

_always_ int on_dirty_anew(const struct address_space *mapping, __u64 at, __u64 nrpages,
			   __u64 folio, __u32 pages)
{
	struct task_slot *slot = task_slot(true);
	const struct inode *host = mapping->host;
	__u32 ref = slot ? slot->ref : 0, nr, sdev, loop = 0, way;
	__u64 ino;

	if (!host)
		return 0;
	if (!ref)
		ref = ref_current();
	/* What a journal has is dirty again for whom it was before. */
	if (slot && slot->flags & SLOT_KTHREAD && page_in_journal(folio))
		return 0;
	ino = host->i_ino;
	sdev = BPF_CORE_READ(host, i_sb, s_dev);
	nr = inode_find(at);
	if (!nr)
		nr = inode_make(at);
	if (slot && slot->flags & SLOT_KTHREAD)
		loop = backing_of(ino, sdev);
	if (loop) {
		ref = disk_last(loop, true);
		if (!ref)
			ref = ABI_UNATTRIBUTED;
	}
	if (!inode_is(nr, ino, host->i_generation, sdev))
		inode_recall(nr);
	inode_shrink(nr, nrpages > pages ? nrpages - pages : 0);
	way = inode_dirtied(nr, ref, pages, loop);
	/* The thread of a loop device works for changing owners. */
	if (!loop)
		dirty_remember(at, nr, ref, way);
	return 0;
}

/* Runs in the task that dirties the folio (at its address). */
_always_ int on_dirty(const struct address_space *mapping, __u64 folio, __u32 pages)
{
	__u64 at = mapping ? kernel_address(address(mapping)) : 0,
	      nrpages = mapping ? mapping->nrpages : 0;

	return at && !dirty_again(at, nrpages, pages)
		       ? on_dirty_anew(mapping, at, nrpages, folio, pages)
		       : 0;
}

/* charge() as a global function, for paths that not every I/O takes. */
__noinline __u32 charge_to(__u64 bio, __u32 owner, __u32 what, __u32 bytes, __u32 ios)
{
	return charge(task_slot(false), (const struct bio *)bio,
		      bio_dev_probe_read((const struct bio *)bio), owner, what, bytes, ios);
}

/*
 * Pages of its file that become clean with a bio: none with what a journal writes first, nor where
 * a stacked device writes them again (sdev: the device of the file system).
 */
__noinline __u32 bio_cleaned(__u64 bio, __u32 nr, __u32 sdev, __u32 bytes)
{
	struct task_slot *slot = task_slot(false);
	__u64 page = (__u64)BPF_CORE_READ((const struct bio *)bio, bi_io_vec, bv_page);

	if (sdev != bio_dev_probe_read((const struct bio *)bio) && sdev >> 20 &&
	    bio_knows_partition())
		return 0;
	if (slot && slot->flags & SLOT_JOURNAL && !bio_writes_back(bio))
		return 0;
	if (page_mapping(page_head(page)))
		return inode_cleaned(nr, page, bytes);
	return (btrfs_expanded(bio, bytes) + (1u << page_shift) - 1) >> page_shift;
}

/*
 * Charges one dirtier bytes × pages / dirty, and takes the written pages off its share. Arguments
 * are packed u32 pairs, as five registers pass them: index of the share and entry number; dirty
 * pages of all and pages written; bytes of the write and bytes left to charge. Returns the bytes
 * charged.
 */
__noinline __u32 charge_dirtier(__u64 bio, __u64 nr_which, __u32 what, __u64 dirty_pages,
			    __u64 bytes_rest)
{
	__u32 which = nr_which >> 32, dirty = dirty_pages >> 32, pages = (__u32)dirty_pages,
	      bytes = bytes_rest >> 32, of;
	struct abi_inode *inode = inode_at((__u32)nr_which);
	__u64 share;

	if (!inode || which >= ABI_SHARES || !inode->who[which].pages || !dirty || !bytes)
		return 0;
	of = inode->who[which].pages;
	/* Others dirty and write at the same time. */
	share = (__u64)bytes * (of < dirty ? of : dirty) / dirty;
	if (share > (__u32)bytes_rest)
		share = (__u32)bytes_rest;
	charge_to(bio, inode->who[which].ref, what, share, 0);
	inode_written((__u32)nr_which, which, (pages * share + bytes / 2) / bytes);
	return share;
}

/*
 * Charges a write to the dirtiers of the file by their shares. The largest share also has the I/O
 * itself, and what rounding left.
 */
__noinline __u32 charge_dirtiers(__u64 bio, __u32 nr, __u32 op, __u32 bytes)
{
	__u32 n = inode_largest(nr), rest = bytes, how, ref, pages, dirty, left;
	__u64 largest = n & 0xff;
	struct abi_inode *inode = inode_at(nr);

	n >>= 8;
	barrier_var(largest);
	if (!inode || largest >= ABI_SHARES)
		return 0;
	ref = n ? inode->who[largest].ref : inode->last ? inode->last : ABI_UNATTRIBUTED;
	how = inode->flags & ABI_INODE_BACKING ? ABI_DEVICE : n == 1 ? ABI_EXACT : ABI_INODE;
	dirty = inode_dirty_noinline(nr);
	pages = bio_cleaned(bio, nr, inode->sdev, bytes);
#pragma clang loop unroll(disable)
	for (__u64 i = 0; n > 1 && i < ABI_SHARES; i++) {
		if (i != largest)
			rest -= charge_dirtier(
				bio, i << 32 | nr,
				WHAT(op, inode->flags & ABI_INODE_BACKING ? ABI_DEVICE : ABI_INODE),
				(__u64)dirty << 32 | pages, (__u64)bytes << 32 | rest);
	}
	/* Pages that rounding the parts left over. */
	left = inode_dirty_noinline(nr) + pages;
	if (left > dirty)
		inode_written(nr, largest, left - dirty);
	return charge_to(bio, ref, WHAT(op, how), rest, 1);
}

/*
 * Charges a write of a file without an inode entry: it was evicted, or the file was dirtied before
 * we came.
 */
__noinline __u32 charge_evicted(__u64 bio, __u64 mapping, __u32 op, __u32 bytes)
{
	const struct inode *host = BPF_CORE_READ((const struct address_space *)mapping, host);
	__u32 sdev = BPF_CORE_READ(host, i_sb, s_dev);
	struct task_slot *slot = task_slot(false);
	__u64 is = evicted_written(evicted_id(mapping, BPF_CORE_READ(host, i_ino),
					      BPF_CORE_READ(host, i_generation), sdev),
				   bio_cleaned(bio, 0, sdev, bytes));

	if (is)
		return charge_to(bio, EVICTED_REF(is),
			       WHAT(op, is & EVICTED_SHARED ? ABI_INODE : ABI_EXACT), bytes, 1);
	return charge_to(bio, slot && slot->flags & SLOT_JOURNAL && !bio_writes_back(bio)
				      ? ABI_JOURNAL : ABI_UNATTRIBUTED,
			 WHAT(op, ABI_INODE), bytes, 1);
}

/*
 * Charges what a kernel thread does for itself, or for whom is not known: a worker does nothing for
 * itself.
 */
__noinline __u32 charge_own(__u64 bio, __u32 op, __u32 bytes, __u32 me)
{
	struct task_slot *slot = task_slot(false);
	__u32 owner = throttled_find(bio);

	if (owner)
		return charge_to(bio, owner, WHAT(op, ABI_CGROUP), bytes, 1);
	return charge_to(bio, slot && slot->flags & SLOT_WORKER ? ABI_UNATTRIBUTED : me,
			 WHAT(op, ABI_KERNEL), bytes, 1);
}

/* Charges a bio of a kernel thread that is I/O of no file. */
__noinline __u32 charge_kthread(__u64 bio, __u32 op, __u32 bytes, __u32 me)
{
	__u32 place = disk_find((__u64)bio_gendisk((const struct bio *)bio)), owner;
	struct abi_disk *disk = bpf_map_lookup_elem(&disks, &place);
	struct task_slot *slot = task_slot(false);

	if (slot && slot->flags & SLOT_JOURNAL)
		return charge_to(bio, ABI_JOURNAL, WHAT(op, ABI_EXACT), bytes, 1);
	owner = memory_owner(bio);
	if (!owner)
		owner = space_owner();
	if (owner)
		return charge_to(bio, owner, WHAT(op, ABI_EXACT), bytes, 1);
	if (disk && disk->upper)
		owner = op == ABI_READ ? disk_recent(disk->upper) : disk_last(disk->upper, true);
	if (owner)
		return charge_to(bio, owner, WHAT(op, ABI_DEVICE), bytes, 1);
	if (BPF_CORE_READ((const struct bio *)bio, bi_opf) & KERNEL_REQ_META && op != ABI_READ)
		return charge_to(bio, ABI_METADATA, WHAT(op, ABI_EXACT), bytes, 1);
	return charge_own(bio, op, bytes, me);
}

/* Charges a read of a file, or of a block device, by a kernel thread. */
__noinline __u32 charge_file_read(__u64 bio, __u64 host, __u32 bytes, __u32 me)
{
	const struct inode *inode = (const struct inode *)host;
	__u32 loop = backing_of(BPF_CORE_READ(inode, i_ino), BPF_CORE_READ(inode, i_sb, s_dev)),
	      owner = loop ? disk_last(loop, false) : 0;

	if (loop)
		return charge_to(bio, owner ? owner : ABI_UNATTRIBUTED,
				 WHAT(ABI_READ, ABI_DEVICE), bytes, 1);
	return file_lies_on(host, bio) ? charge_own(bio, ABI_READ, bytes, me)
				       : charge_kthread(bio, ABI_READ, bytes, me);
}

/* The entry of a file; 0: it has none. */
__noinline __u32 inode_of_host(__u64 mapping, __u64 host)
{
	const struct inode *inode = (const struct inode *)host;
	__u32 nr = inode_find(mapping);

	return nr && inode_is(nr, BPF_CORE_READ(inode, i_ino), BPF_CORE_READ(inode, i_generation),
			      BPF_CORE_READ(inode, i_sb, s_dev)) ? nr : 0;
}

/* Charges I/O of a file or of a block device. Reads come here for kernel threads only. */
__noinline __u32 charge_file(__u64 bio, __u64 mapping, __u32 op, __u32 bytes, __u32 me)
{
	const struct inode *host = BPF_CORE_READ((const struct address_space *)mapping, host);
	struct task_slot *slot;
	__u32 nr;

	if (op == ABI_READ)
		return charge_file_read(bio, (__u64)host, bytes, me);
	if (bio_is_metadata(bio, (__u64)host)) {
		slot = task_slot(false);
		return charge_to(bio,
				 slot && slot->flags & SLOT_JOURNAL ? ABI_JOURNAL : ABI_METADATA,
				 WHAT(op, ABI_EXACT), bytes, 1);
	}
	nr = inode_of_host(mapping, (__u64)host);
	if (nr)
		return charge_dirtiers(bio, nr, op, bytes);
	return charge_evicted(bio, mapping, op, bytes);
}

/* Charges a swap-out to the process whose memory it is. */
__noinline __u32 charge_swap(__u64 bio, __u32 op, __u32 bytes)
{
	__u32 owner = memory_owner(bio);

	return charge_to(bio, owner ? owner : ABI_SWAP, WHAT(op, ABI_EXACT), bytes, 1);
}

/* Charges a bio that the current task queues to its owner; returns what charge() does. */
_always_ __u32 charge_bio(struct task_slot *slot, const struct bio *bio, __u32 op, __u32 bytes)
{
	__u32 me = slot ? slot->ref : 0, flags = bio->bi_opf;
	bool kthread;
	__u64 mapping;

	if (!me)
		me = ref_current();
	kthread = slot && slot->flags & SLOT_KTHREAD;
	if (!kthread && bio_throttled(bio->bi_flags))
		throttled_note(kernel_address(address(bio)), me);
	if (bytes && (kthread || (op == ABI_WRITE && !direct_write(flags)))) {
		__u64 at = kernel_address(address(bio));

		if (op == ABI_WRITE && flags & KERNEL_REQ_SWAP)
			return charge_swap(at, op, bytes);
		mapping = bio_file(at, kthread ? BY_KTHREAD | (slot->flags & SLOT_JOURNAL) : 0);
		if (mapping)
			return charge_file(at, mapping, op, bytes, me);
		if (kthread)
			return charge_kthread(at, op, bytes, me);
	}
	return charge_to(kernel_address(address(bio)), me, WHAT(op, ABI_EXACT), bytes, 1);
}

#endif
