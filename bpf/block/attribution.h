/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Attribution: whose an I/O is that another task submits. Pages are dirtied by one task and written
 * back by another. Dirtiers are kept by the file's mapping (inode.h, dirtiers.h), which is found
 * through the first page of a bio. I/O whose owner cannot be known is charged to a named residual,
 * never to a guess.
 */
#ifndef IOTOP_BPF_BLOCK_ATTRIBUTION_H
#define IOTOP_BPF_BLOCK_ATTRIBUTION_H

#include "bpf/abi.h"
#include "bpf/block/anon.h"
#include "bpf/block/lower.h"
#include "bpf/block/charge.h"
#include "bpf/block/copied.h"
#include "bpf/block/count.h"
#include "bpf/block/dirtiers.h"
#include "bpf/block/inode.h"
#include "bpf/block/parts.h"
#include "bpf/common/bio_file.h"
#include "bpf/common/kernel.h"
#include "bpf/block/maps.h"
#include "bpf/block/passing.h"
#include "bpf/block/task_ref.h"
#include "bpf/block/throttled.h"

/*
 * Whether pages of a file become clean with a bio: not with what a journal writes first, nor where
 * a stacked device writes them again (sdev: the device of the file system).
 */
__noinline bool bio_cleans(__u64 bio, __u64 file, __u32 sdev)
{
	struct task_slot *slot = task_slot(false);

	if (sdev != bio_dev_probe_read((const struct bio *)bio) && sdev >> 20 &&
	    bio_knows_partition())
		return false;
	return !slot || !(slot->flags & SLOT_JOURNAL) || file_writes_back(file);
}

_always_ __u32 pages_of(__u32 bytes)
{
	return (bytes + (1u << page_shift) - 1) >> page_shift;
}

/*
 * Charges what btrfs has compressed to who dirtied the first of the pages that it stands for: there
 * are few, and no bytes of it are one page's.
 */
__noinline __u32 charge_compressed(__u64 bio, __u32 nr, __u32 what, __u32 bytes, bool cleans)
{
	__u64 index = btrfs_begin(bio) >> page_shift;
	__u32 all = btrfs_expanded(bio, bytes), owner = dirtiers_of(nr, index, false);

	for (__u32 i = 0; cleans && i < KERNEL_BTRFS_COMPRESSED >> 12 && i < pages_of(all); i++)
		dirtiers_of(nr, index + i, true);
	if (cleans)
		inode_written(nr, 0, 0, all);
	return charge_to(bio, owner, what, bytes, 1);
}

/* Charges a write to those who dirtied the file. */
__noinline __u32 charge_dirtiers(__u64 bio, __u64 file, __u32 nr, __u32 op, __u32 bytes)
{
	struct abi_inode *inode = inode_at(nr);
	bool cleans;
	__u32 how;

	if (!inode)
		return 0;
	cleans = bio_cleans(bio, file, inode->sdev);
	how = inode->flags & ABI_INODE_BACKING ? ABI_DEVICE
	      : inode->flags & ABI_INODE_SHARED ? ABI_INODE : ABI_EXACT;
	if (file & FILE_NO_PAGE)
		return charge_compressed(bio, nr, WHAT(op, how), bytes, cleans);
	if (inode->flags & ABI_INODE_SHARED)
		return parts_charge(bio, (__u64)nr << 32 | bytes, WHAT(op, how), cleans);
	if (cleans)
		inode_written(nr, file, folio_pages_probe_read((const struct folio *)file), bytes);
	return charge_to(bio, inode->owner, WHAT(op, how), bytes, 1);
}

/*
 * Charges a write of a file without an inode entry: it was evicted, or the file was dirtied before
 * we came.
 */
__noinline __u32 charge_evicted(__u64 bio, __u64 file, __u32 op, __u32 bytes)
{
	__u64 mapping = file_mapping(file);
	const struct inode *host = BPF_CORE_READ((const struct address_space *)mapping, host);
	__u32 sdev = BPF_CORE_READ(host, i_sb, s_dev),
	      pages = bio_cleans(bio, file, sdev) ? pages_of(btrfs_expanded(bio, bytes)) : 0;
	struct task_slot *slot = task_slot(false);
	__u64 is = evicted_written(evicted_id(mapping, BPF_CORE_READ(host, i_ino),
					      BPF_CORE_READ(host, i_generation), sdev),
				   pages);

	if (is)
		return charge_to(bio, EVICTED_REF(is), WHAT(op, ABI_EXACT), bytes, 1);
	return charge_to(bio, slot && slot->flags & SLOT_JOURNAL && !file_writes_back(file)
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

/*
 * Whose is what the driver of a stacked disk does with pages of its own: a write of what was read
 * for somebody is his, else it is for what was done least for. 0: not known.
 */
__noinline __u32 passed_owner(__u64 bio, __u32 key, __u32 bytes)
{
	bool reads = PASSING_OP(key) == ABI_READ,
	     copies = disk_copies(PASSING_QUEUE(key)) && !is_raid_thread();
	__u32 owner = reads || !copies ? 0 : copied_owner(bio);

	if (owner)
		return owner;
	owner = PASSED_OWNER(passing_done(
		passing_next_in_turn(key, 0, bio_pos(bio), reads && copies ? bytes : 0), key, bytes,
		false));
	if (reads && owner && copies)
		copied_note(bio, owner);
	return owner;
}

/* Charges a bio of a kernel thread that is I/O of no file. */
__noinline __u32 charge_kthread(__u64 bio, __u32 op, __u32 bytes, __u32 me)
{
	__u32 place = disk_find((__u64)bio_gendisk((const struct bio *)bio)), owner,
	      key;
	struct abi_disk *disk = bpf_map_lookup_elem(&disks, &place);
	struct task_slot *slot = task_slot(false);
	bool meta = BPF_CORE_READ((const struct bio *)bio, bi_opf) & KERNEL_REQ_META;

	if (slot && slot->flags & SLOT_JOURNAL)
		return charge_to(bio, ABI_JOURNAL, WHAT(op, ABI_EXACT), bytes, 1);
	owner = memory_owner(bio);
	if (!owner)
		owner = space_owner();
	if (owner)
		return charge_to(bio, owner, WHAT(op, ABI_EXACT), bytes, 1);
	key = PASSING(disk ? disk->above : 0, op, meta);
	if (PASSING_QUEUE(key))
		owner = passed_owner(bio, key, bytes);
	if (owner)
		return charge_to(bio, owner, WHAT(op, ABI_DEVICE), bytes, 1);
	if (meta && op != ABI_READ)
		return charge_to(bio, ABI_METADATA, WHAT(op, ABI_EXACT), bytes, 1);
	return charge_own(bio, op, bytes, me);
}

/* Charges a read of a file, or of a block device, by a kernel thread. */
_always_ __u32 charge_file_read(__u64 bio, __u64 host, __u32 bytes, __u32 me)
{
	const struct inode *inode = (const struct inode *)host;
	__u32 loop = backing_of(BPF_CORE_READ(inode, i_ino), BPF_CORE_READ(inode, i_sb, s_dev));

	if (loop)
		return charge_to(bio,
				 passing_loop_owner(loop, ABI_READ,
						    passing_page(bio, passing_vec(bio)), bytes),
				 WHAT(ABI_READ, ABI_DEVICE), bytes, 1);
	return file_lies_on(host, bio) ? charge_own(bio, ABI_READ, bytes, me)
				       : charge_kthread(bio, ABI_READ, bytes, me);
}

/*
 * Whether a kernel thread is at work on an inode of no type: that is the file system's own (f2fs
 * keeps its nodes in the pages of such).
 */
__noinline bool is_internal(__u64 host)
{
	struct task_slot *slot = task_slot(false);

	return host && slot && slot->flags & SLOT_KTHREAD &&
	       !(BPF_CORE_READ((const struct inode *)host, i_mode) & KERNEL_S_IFMT);
}

#define OP_META 0x100	/* above an operation: marked as metadata */

/* Charges I/O of a file or of a block device. Reads come here for kernel threads only. */
__noinline __u32 charge_file(__u64 bio, __u64 file, __u32 op_meta, __u32 bytes, __u32 me)
{
	__u64 mapping = file_mapping(file);
	const struct inode *host = BPF_CORE_READ((const struct address_space *)mapping, host);
	__u32 op = op_meta & 0xff, nr;
	struct task_slot *slot;

	if (op == ABI_READ)
		return charge_file_read(bio, (__u64)host, bytes, me);
	if (file_is_metadata(file, host, op_meta & OP_META) || is_internal((__u64)host)) {
		slot = task_slot(false);
		return charge_to(bio,
				 slot && slot->flags & SLOT_JOURNAL ? ABI_JOURNAL : ABI_METADATA,
				 WHAT(op, ABI_EXACT), bytes, 1);
	}
	nr = inode_of_host(mapping, (__u64)host);
	if (nr)
		return charge_dirtiers(bio, file, nr, op, bytes);
	return charge_evicted(bio, file, op, bytes);
}

/* Whether several tasks dirtied a file. */
__noinline bool is_shared(__u32 nr)
{
	const struct abi_inode *inode = inode_at(nr);

	return inode && inode->flags & ABI_INODE_SHARED;
}

/*
 * Charges a bio that leads to one at a stacked disk; PASSING_NONE: it does not, or several dirtied
 * the pages of its file, and it is divided anew.
 */
__noinline __u32 charge_passing(__u64 bio, __u64 file, __u32 op, __u32 bytes)
{
	__u64 is = passing_done(passing_lead(bio), PASSING(0, op, 0), bytes, true);

	if (!is || (PASSED_HOW(is) == ABI_INODE && file &&
		    is_shared(inode_find(file_mapping(file)))))
		return PASSING_NONE;
	return charge_to(bio, PASSED_OWNER(is), WHAT(op, PASSED_HOW(is)), bytes, 1);
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
	__u32 me = slot ? slot->ref : 0, flags = bio->bi_opf, by;
	bool kthread;
	__u64 file;

	if (!me)
		me = ref_current();
	kthread = slot && slot->flags & SLOT_KTHREAD;
	if (!kthread && bio_throttled(bio->bi_flags))
		throttled_note(kernel_address(address(bio)), me);
	if (bytes && (kthread || (op == ABI_WRITE && !direct_write(flags)))) {
		__u64 at = kernel_address(address(bio));

		by = kthread ? BY_KTHREAD | (slot->flags & SLOT_JOURNAL) : 0;
		file = op == ABI_DISCARD ? 0 : bio_file(at, flags, by);
		if (kthread && passing_any()) {
			__u32 packed = charge_passing(at, file, op, bytes);

			if (packed != PASSING_NONE)
				return packed;
		}
		if (op == ABI_WRITE && flags & KERNEL_REQ_SWAP)
			return charge_swap(at, op, bytes);
		if (file)
			return charge_file(at, file, op | (flags & KERNEL_REQ_META ? OP_META : 0),
					   bytes, me);
		if (kthread)
			return charge_kthread(at, op, bytes, me);
	}
	return charge_to(kernel_address(address(bio)), me, WHAT(op, ABI_EXACT), bytes, 1);
}

#endif
