/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One accessor for each change in the kernel structures of types.h.
 */
#ifndef IOTOP_BPF_COMMON_KERNEL_H
#define IOTOP_BPF_COMMON_KERNEL_H

#include <linux/types.h>
#include <stdbool.h>

#include <linux/bpf.h>

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "bpf/abi.h"
#include "bpf/common/types.h"

#define _always_ static __attribute__((always_inline)) inline
/* Off the beaten path: not worth being copied into each program. */
#define _rarely_ static __attribute__((noinline, unused))

/*
 * The verifier follows each round of a loop, and each call of a static function: before 5.17 there
 * is no other kind of loop. A long one is two, the inner one in a global function, which is
 * verified once, with this many rounds.
 */
#define VERIFIED_STEP 64

/*
 * The enum was renamed in 6.1, and numbers moved; the suffix of an enumerator is dropped like that
 * of a type.
 */
enum req_op {
	REQ_OP_READ = 0,
	REQ_OP_WRITE = 1,
	REQ_OP_FLUSH = 2,
	REQ_OP_DISCARD = 3,
};
enum req_opf {
	REQ_OP_READ___opf = 0,
	REQ_OP_WRITE___opf = 1,
	REQ_OP_FLUSH___opf = 2,
	REQ_OP_DISCARD___opf = 3,
};
#define KERNEL_OP(name)                                                  \
	(bpf_core_enum_value_exists(enum req_op, REQ_OP_##name)          \
		 ? bpf_core_enum_value(enum req_op, REQ_OP_##name)       \
		 : bpf_core_enum_value(enum req_opf, REQ_OP_##name##___opf))
#define KERNEL_OP_MASK 0xff
#define KERNEL_OP_COMMAND 32	/* SCSI_IN up to 5.15, DRV_IN and DRV_OUT */
/* Bits 8 to 21 of the flags have not moved since 5.8. */
#define KERNEL_REQ_SYNC (1u << 11)
#define KERNEL_REQ_META (1u << 12)
#define KERNEL_REQ_IDLE (1u << 15)
#define KERNEL_REQ_FUA (1u << 17)
#define KERNEL_REQ_PREFLUSH (1u << 18)
#define KERNEL_REQ_RAHEAD (1u << 19)

enum req_flag_bits {
	__REQ_SWAP = 24,
};
#define KERNEL_REQ_SWAP                                                  \
	(bpf_core_enum_value_exists(enum req_flag_bits, __REQ_SWAP)      \
		 ? 1u << bpf_core_enum_value(enum req_flag_bits, __REQ_SWAP) : 0)

/* The first bit that is a file system's: of one with a journal, that the journal has the buffer. */
enum bh_state_bits {
	BH_PrivateStart = 15,
};

enum pageflags {
	PG_locked = 0,
	PG_writeback = 1,
	PG_dirty = 4,
	PG_head = 6,
};
#define PAGE_FLAG(name) (1ul << bpf_core_enum_value(enum pageflags, PG_##name))

/* Pages of a folio that is being dirtied. */
_always_ __u32 folio_pages(const struct folio *folio)
{
	unsigned long flags;

	if (bpf_core_field_exists(((struct folio___memdesc *)0)->flags.f))
		flags = ((const struct folio___memdesc *)folio)->flags.f;
	else
		flags = folio->flags;
	if (!(flags & PAGE_FLAG(head)))
		return 1;
	if (bpf_core_field_exists(folio->_nr_pages))
		return folio->_nr_pages;
	if (bpf_core_field_exists(((struct folio___nr *)0)->_folio_nr_pages))
		return ((const struct folio___nr *)folio)->_folio_nr_pages;
	return 1;
}

_always_ unsigned long page_flags(__u64 head)
{
	if (bpf_core_field_exists(((struct folio___memdesc *)0)->flags.f))
		return BPF_CORE_READ((const struct folio___memdesc *)head, flags.f);
	return BPF_CORE_READ((const struct page *)head, flags);
}

/* folio_pages() where the folio's address is but a number. */
_always_ __u32 folio_pages_probe_read(const struct folio *folio)
{
	if (!(page_flags((__u64)folio) & PAGE_FLAG(head)))
		return 1;
	if (bpf_core_field_exists(((struct folio *)0)->_nr_pages))
		return BPF_CORE_READ(folio, _nr_pages);
	if (bpf_core_field_exists(((struct folio___nr *)0)->_folio_nr_pages))
		return BPF_CORE_READ((const struct folio___nr *)folio, _folio_nr_pages);
	return 1;
}

/*
 * The page that holds the mapping, of a page that may be the tail of a compound one. Both forms
 * have bit 0 set in a tail; the rest is the address of the head, or (where 7.0 saves memory for
 * huge pages) a mask to get there, of ones at the top.
 */
_always_ __u64 page_head(__u64 page)
{
	unsigned long info = 0;

	if (bpf_core_field_exists(((struct page *)0)->compound_head))
		bpf_core_read(&info, sizeof(info), &((const struct page *)page)->compound_head);
	else if (bpf_core_field_exists(((struct page___info *)0)->compound_info))
		bpf_core_read(&info, sizeof(info),
			      &((const struct page___info *)page)->compound_info);
	if (!(info & 1))
		return page;
	return (__u64)info >> 32 == 0xffffffff ? page & info : info - 1;
}

_always_ bool page_in_writeback(__u64 page)
{
	return page_flags(page_head(page)) & PAGE_FLAG(writeback);
}

_always_ bool page_dirty(__u64 page)
{
	return page_flags(page_head(page)) & PAGE_FLAG(dirty);
}

/* In pages of the file, or of the area of memory; of the head of a folio. */
_always_ __u64 page_index(__u64 head)
{
	if (bpf_core_field_exists(((struct folio___index *)0)->index))
		return BPF_CORE_READ((const struct folio___index *)head, index);
	if (bpf_core_field_exists(((struct page___index *)0)->index))
		return BPF_CORE_READ((const struct page___index *)head, index);
	return 0;
}

/* The dentry that has this link in it. */
_always_ __u64 dentry_of_alias(__u64 node)
{
	if (bpf_core_field_exists(((struct dentry___union *)0)->d_u.d_alias))
		return node - bpf_core_field_offset(struct dentry___union, d_u.d_alias);
	if (bpf_core_field_exists(((struct dentry___plain *)0)->d_alias))
		return node - bpf_core_field_offset(struct dentry___plain, d_alias);
	return 0;
}

#define KERNEL_MS_SYNC 4
#define KERNEL_S_IFMT 0170000
#define KERNEL_S_IFREG 0100000
#define KERNEL_S_IFBLK 0060000

_always_ const struct block_device *bdev_of_inode(const struct inode *inode)
{
	return (const void *)((const char *)inode -
			      bpf_core_field_offset(struct bdev_inode, vfs_inode));
}

/* Is there a file system on the block device with this inode? */
_always_ bool bdev_inode_mounted(const struct inode *inode)
{
	const struct block_device *bdev = bdev_of_inode(inode);

	if (bpf_core_field_exists(((struct block_device___super *)0)->bd_super))
		return BPF_CORE_READ((const struct block_device___super *)bdev, bd_super);
	return BPF_CORE_READ(bdev, bd_holder_ops);
}

/* The block device that a link of a stacked disk leads to; 0: not known. */
_always_ __u64 holder_bdev(const struct bd_holder_disk *link)
{
	if (bpf_core_field_exists(link->holder_dir))
		return (__u64)BPF_CORE_READ(link, holder_dir, parent) -
		       bpf_core_field_offset(struct block_device___device, bd_device) -
		       bpf_core_field_offset(struct device, kobj);
	if (bpf_core_field_exists(((struct bd_holder_disk___bdev *)0)->bdev))
		return (__u64)BPF_CORE_READ((const struct bd_holder_disk___bdev *)link, bdev);
	return 0;
}

/* An enum since 6.11, at first without a name; before, a macro that was bit 4. */
enum rqf_flags {
	__RQF_FLUSH_SEQ = 1,
};

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct queue_limits {
	unsigned int features;	/* came with that enum: what has no name cannot be asked for */
};

#pragma clang attribute pop

_always_ bool flags_of_flush_sequence(unsigned int rq_flags)
{
	if (bpf_core_enum_value_exists(enum rqf_flags, __RQF_FLUSH_SEQ))
		return rq_flags & 1u << bpf_core_enum_value(enum rqf_flags, __RQF_FLUSH_SEQ);
	if (bpf_core_field_exists(((struct queue_limits *)0)->features))
		return rq_flags & 1u << __RQF_FLUSH_SEQ;
	return rq_flags & 1u << 4;
}

/* Whether a bio that completed has had no data: its size is 0 in any case. */
_always_ bool bio_was_empty(const struct bio *bio)
{
	return !BPF_CORE_READ(bio, bi_io_vec);
}

_always_ bool request_in_flush_sequence(const struct request *rq)
{
	return flags_of_flush_sequence(rq->rq_flags);
}

/*
 * What is read seldom is read with a helper call. A plain load of a pointer is cheaper when it
 * runs, but newer verifiers search the names of all the kernel's types at each one: a millisecond
 * every time they come by.
 */
#define KERNEL_DEV(major, minor) ((__u32)(major) << 20 | (__u32)(minor))

_always_ __u32 gendisk_dev(const struct gendisk *disk)
{
	return KERNEL_DEV(BPF_CORE_READ(disk, major), BPF_CORE_READ(disk, first_minor));
}

/*
 * A path of an NVMe multipath disk, which has a number but is no disk for anybody: 1 << 10, since
 * 5.17 1 << 1, which was unused.
 */
_always_ bool gendisk_hidden(const struct gendisk *disk)
{
	return BPF_CORE_READ(disk, flags) & (1 << 10 | 1 << 1);
}

/* Bio-based drivers have their own submit_bio. */
_always_ bool gendisk_bio_based(const struct gendisk *disk)
{
	return BPF_CORE_READ(disk, fops, submit_bio);
}

_always_ const struct gendisk *bio_gendisk(const struct bio *bio)
{
	if (!bpf_core_field_exists(bio->bi_bdev))
		return BPF_CORE_READ((const struct bio___disk *)bio, bi_disk);
	return BPF_CORE_READ(bio, bi_bdev, bd_disk);
}

/* The number of the disk of a bio, by loads; 0: it has none. */
_always_ __u32 bio_disk_dev(const struct bio *bio)
{
	const struct block_device *bdev;
	const struct gendisk *disk;

	if (!bpf_core_field_exists(bio->bi_bdev)) {
		disk = ((const struct bio___disk *)bio)->bi_disk;
	} else {
		bdev = bio->bi_bdev;
		disk = bdev ? bdev->bd_disk : NULL;
	}
	return disk ? KERNEL_DEV(disk->major, disk->first_minor) : 0;
}

/*
 * A number that tells block devices apart: the partition where the bio knows it, else the whole
 * disk.
 */
_always_ __u32 bio_dev(const struct bio *bio)
{
	const struct block_device *bdev;
	const struct gendisk *disk;

	if (!bpf_core_field_exists(bio->bi_bdev)) {
		disk = ((const struct bio___disk *)bio)->bi_disk;
		return KERNEL_DEV(disk->major, disk->first_minor);
	}
	bdev = bio->bi_bdev;
	return bdev ? bdev->bd_dev : 0;
}

/* The same where the bio's address is but a number. */
_always_ __u32 bio_dev_probe_read(const struct bio *bio)
{
	if (!bpf_core_field_exists(bio->bi_bdev))
		return gendisk_dev(bio_gendisk(bio));
	return BPF_CORE_READ(bio, bi_bdev, bd_dev);
}

/*
 * The number of the partition, on older kernels, too, as far as partitions are numbered like their
 * disk.
 */
_always_ __u32 bio_partition(const struct bio *bio)
{
	const struct bio___disk *old = (const struct bio___disk *)bio;

	return bio_dev_probe_read(bio) +
	       (bpf_core_field_exists(bio->bi_bdev) ? 0 : BPF_CORE_READ(old, bi_partno));
}

_always_ bool bio_knows_partition(void)
{
	return bpf_core_field_exists(((struct bio *)0)->bi_bdev);
}

_always_ const struct gendisk *request_gendisk(const struct request *rq)
{
	if (bpf_core_field_exists(((struct request___disk *)0)->rq_disk))
		return BPF_CORE_READ((const struct request___disk *)rq, rq_disk);
	return BPF_CORE_READ(rq, q, disk);
}

/* Since 6.1 a program at a tracepoint does not run again on a processor where it is running. */
_always_ bool program_may_be_skipped(void)
{
	return bpf_core_field_exists(((struct bpf_prog *)0)->active);
}

#define KERNEL_PF_KTHREAD 0x00200000
#define KERNEL_LOOP_MAJOR 7
#define KERNEL_MD_MAJOR 9
#define KERNEL_PF_FROZEN 0x00010000	/* by a control group; a state of its own since 6.1 */
#define KERNEL_PF_IO_WORKER 0x00000010	/* 5.11; before, another one that does no I/O */
#define KERNEL_PF_EXITING 0x00000004
#define KERNEL_PF_WQ_WORKER 0x00000020

#define KERNEL_MAX_RT_PRIO 100

#define KERNEL_TASK_UNINTERRUPTIBLE 2
#define KERNEL_TASK_SLEEPS 3	/* or interruptible; not stopped */

/*
 * The task waits for memory or reclaims it: the kernel's own account of memory stalls, by PSI
 * (psi_memstall_enter). Never set where that is off.
 */
_always_ bool task_in_memstall(const struct task_struct *task)
{
	return bpf_core_field_exists(task->in_memstall) &&
	       BPF_CORE_READ_BITFIELD(task, in_memstall);
}

_always_ unsigned int task_state(const struct task_struct *task)
{
	if (bpf_core_field_exists(task->__state))
		return task->__state;
	return ((const struct task_struct___state *)task)->state;
}

/*
 * The letter ps shows for a state and an exit state. A function that is verified by itself: each
 * letter would be a path of its own through what follows.
 */
__noinline __u32 state_letter(__u32 state, __u32 exit_state)
{
	/* TASK_IDLE: uninterruptible that does not count for the load */
	if ((state & 0x402) == 0x402)
		return 'I';
	state |= exit_state;
	if (state & 0x20)
		return 'Z';
	if (state & 0x10)
		return 'X';
	if (state & 0x40)
		return 'P';
	if (state & 0x08)
		return 't';
	if (state & 0x04)
		return 'T';
	if (state & 0x02)
		return 'D';
	return state & 0x01 ? 'S' : 'R';
}

_always_ __u32 task_letter(const struct task_struct *task)
{
	return state_letter(task_state(task), task->exit_state);
}

#endif
