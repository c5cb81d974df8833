/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The few kernel structures the programs touch, and one accessor for each change in them. Only names and types matter:
 * libbpf finds the members in the BTF of the running kernel. A suffix ___x names a form that some kernels have.
 */
#ifndef IOTOP_BPF_KERNEL_H
#define IOTOP_BPF_KERNEL_H

#include <linux/types.h>
#include <stdbool.h>

#include <linux/bpf.h>

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "bpf/abi.h"

#define _always_ static __attribute__((always_inline)) inline
/* Off the beaten path: not worth being copied into each program. */
#define _rarely_ static __attribute__((noinline, unused))

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct bio;

struct block_device_operations {
	void *submit_bio;
};

struct request_queue;

struct gendisk {
	int major, first_minor;
	const struct block_device_operations *fops;
	struct request_queue *queue;
};

struct request_queue {
	struct gendisk *disk;	/* 5.15 */
};

struct block_device {
	__u32 bd_dev;
	struct gendisk *bd_disk;
	void *bd_holder_ops;	/* 6.5 */
};

struct block_device___super {
	void *bd_super;	/* before 6.5 */
};

struct file_system_type {
	const char *name;
	int fs_flags;
};

struct super_block {
	__u32 s_dev;
	struct file_system_type *s_type;
	unsigned long s_magic;
	struct block_device *s_bdev;
};

struct inode {
	__u16 i_mode;
	struct super_block *i_sb;
	__u64 i_ino;	/* unsigned long before 7.0 */
	__u32 i_generation;
	__u32 i_rdev;
};

struct address_space {
	struct inode *host;
	unsigned long nrpages;
};

struct page {
	struct address_space *mapping;
	unsigned long compound_head;	/* before 7.0 */
};

struct page___info {
	unsigned long compound_info;	/* 7.0 */
};

struct folio {
	unsigned long flags;	/* before 6.18 */
	unsigned int _nr_pages;	/* 6.15 */
};

struct folio___memdesc {
	struct {
		unsigned long f;
	} flags;
};

struct folio___nr {
	unsigned int _folio_nr_pages;	/* 5.18 */
};

struct bio_vec {
	struct page *bv_page;
};

struct blkcg_gq {
	struct blkcg *blkcg;
};

/* The inode of a block device lies beside it. */
struct bdev_inode {
	struct inode vfs_inode;
};

struct bvec_iter {
	unsigned int bi_size;
};

struct bio {
	struct bio *bi_next;
	struct block_device *bi_bdev;	/* 5.12 */
	unsigned int bi_opf;
	unsigned short bi_flags;
	__u8 bi_status;
	struct bvec_iter bi_iter;
	void *bi_private;
	struct bio_vec *bi_io_vec;
	struct blkcg_gq *bi_blkg;	/* CONFIG_BLK_CGROUP */
};

struct bio___disk {
	struct gendisk *bi_disk;	/* before 5.12 */
};

struct request {
	struct request_queue *q;
	unsigned int cmd_flags;
	unsigned int rq_flags;
	unsigned int __data_len;
	struct bio *bio;
	__u64 start_time_ns, io_start_time_ns;
};

struct request___disk {
	struct gendisk *rq_disk;	/* before 5.17 */
};

struct kernfs_node {
	__u64 id;
};

struct cgroup {
	struct kernfs_node *kn;
};

struct css_set {
	struct cgroup *dfl_cgrp;
};

struct io_context {
	unsigned short ioprio;
};

struct task_io_accounting {
	__u64 read_bytes, write_bytes, cancelled_write_bytes;
};

struct task_delay_info {
	__u64 blkio_delay, swapin_delay;
};

struct cred {
	struct {
		__u32 val;
	} uid;
};

struct sched_entity {
	__u64 sum_exec_runtime;
};

struct sched_info {
	unsigned long long run_delay;	/* CONFIG_SCHED_INFO */
};

struct task_struct {
	struct sched_info sched_info;
	unsigned int __state;	/* 5.14 */
	int exit_state;
	unsigned int flags;
	unsigned int in_iowait : 1;
	unsigned int on_cpu;	/* 7.2: a byte */
	struct sched_entity se;
	int static_prio;
	int pid, tgid;
	struct task_struct *real_parent, *group_leader;
	void *mm;
	__u64 start_boottime;
	const struct cred *real_cred;
	char comm[16];
	struct io_context *io_context;
	struct task_io_accounting ioac;
	struct task_delay_info *delays;
	struct css_set *cgroups;
};

struct task_struct___state {
	long state;	/* before 5.14 */
};

struct bpf_prog {
	int *active;	/* 5.12: where it runs; a program at a tracepoint looks at it since 6.1 */
};

struct seq_file;

struct bpf_iter_meta {
	struct seq_file *seq;
};

struct bpf_iter__task {
	struct bpf_iter_meta *meta;
	struct task_struct *task;
};

#pragma clang attribute pop

/* The enum was renamed in 6.1, and numbers moved; the suffix of an enumerator is dropped like that of a type. */
enum req_op {
	REQ_OP_READ = 0,
	REQ_OP_WRITE = 1,
	REQ_OP_FLUSH = 2,
	REQ_OP_DISCARD = 3,
	REQ_OP_ZONE_APPEND = 7,
};
enum req_opf {
	REQ_OP_READ___opf = 0,
	REQ_OP_WRITE___opf = 1,
	REQ_OP_FLUSH___opf = 2,
	REQ_OP_DISCARD___opf = 3,
	REQ_OP_ZONE_APPEND___opf = 13,
};
#define KERNEL_OP(name)                                                  \
	(bpf_core_enum_value_exists(enum req_op, REQ_OP_##name)          \
		 ? bpf_core_enum_value(enum req_op, REQ_OP_##name)       \
		 : bpf_core_enum_value(enum req_opf, REQ_OP_##name##___opf))
#define KERNEL_OP_MASK 0xff
/* Bits 8 to 21 of the flags have not moved since 5.8. */
#define KERNEL_REQ_META (1u << 12)
#define KERNEL_REQ_PREFLUSH (1u << 18)

enum req_flag_bits {
	__REQ_SWAP = 24,
};
#define KERNEL_REQ_SWAP                                                  \
	(bpf_core_enum_value_exists(enum req_flag_bits, __REQ_SWAP)      \
		 ? 1u << bpf_core_enum_value(enum req_flag_bits, __REQ_SWAP) : 0)

enum pageflags {
	PG_head = 6,
};

/* Pages of a folio that is being dirtied. */
_always_ __u32 folio_pages(const struct folio *folio)
{
	unsigned long flags;

	if (bpf_core_field_exists(((struct folio___memdesc *)0)->flags.f))
		flags = ((const struct folio___memdesc *)folio)->flags.f;
	else
		flags = folio->flags;
	if (!(flags & 1ul << bpf_core_enum_value(enum pageflags, PG_head)))
		return 1;
	if (bpf_core_field_exists(folio->_nr_pages))
		return folio->_nr_pages;
	if (bpf_core_field_exists(((struct folio___nr *)0)->_folio_nr_pages))
		return ((const struct folio___nr *)folio)->_folio_nr_pages;
	return 1;
}

/* The same where the folio's address is but a number. */
_always_ __u32 folio_pages_far(const struct folio *folio)
{
	unsigned long flags;

	if (bpf_core_field_exists(((struct folio___memdesc *)0)->flags.f))
		flags = BPF_CORE_READ((const struct folio___memdesc *)folio, flags.f);
	else if (bpf_core_field_exists(((struct folio *)0)->flags))
		flags = BPF_CORE_READ(folio, flags);
	else
		return 1;
	if (!(flags & 1ul << bpf_core_enum_value(enum pageflags, PG_head)))
		return 1;
	if (bpf_core_field_exists(((struct folio *)0)->_nr_pages))
		return BPF_CORE_READ(folio, _nr_pages);
	if (bpf_core_field_exists(((struct folio___nr *)0)->_folio_nr_pages))
		return BPF_CORE_READ((const struct folio___nr *)folio, _folio_nr_pages);
	return 1;
}

/*
 * The page that holds the mapping, of a page that may be the tail of a compound one. Both forms have bit 0 set in a tail; the
 * rest is the address of the head, or (where 7.0 saves memory for huge pages) a mask to get there, of ones at the top.
 */
_always_ __u64 page_head(__u64 page)
{
	unsigned long info = 0;

	if (bpf_core_field_exists(((struct page *)0)->compound_head))
		bpf_core_read(&info, sizeof(info), &((const struct page *)page)->compound_head);
	else if (bpf_core_field_exists(((struct page___info *)0)->compound_info))
		bpf_core_read(&info, sizeof(info), &((const struct page___info *)page)->compound_info);
	if (!(info & 1))
		return page;
	return (__u64)info >> 32 == 0xffffffff ? page & info : info - 1;
}

#define KERNEL_S_IFMT 0170000
#define KERNEL_S_IFBLK 0060000

_always_ const struct block_device *bdev_of_inode(const struct inode *inode)
{
	return (const void *)((const char *)inode - bpf_core_field_offset(struct bdev_inode, vfs_inode));
}

/* Is there a file system on the block device with this inode? */
_always_ bool bdev_inode_mounted(const struct inode *inode)
{
	const struct block_device *bdev = bdev_of_inode(inode);

	if (bpf_core_field_exists(((struct block_device___super *)0)->bd_super))
		return BPF_CORE_READ((const struct block_device___super *)bdev, bd_super);
	return BPF_CORE_READ(bdev, bd_holder_ops);
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

_always_ bool request_in_flush_sequence(const struct request *rq)
{
	return flags_of_flush_sequence(rq->rq_flags);
}

/*
 * What is read seldom is read with a helper call. A plain load of a pointer is cheaper when it runs, but newer verifiers search
 * the names of all the kernel's types at each one: a millisecond every time they come by.
 */
#define KERNEL_DEV(major, minor) ((__u32)(major) << 20 | (__u32)(minor))

_always_ __u32 gendisk_dev(const struct gendisk *disk)
{
	return KERNEL_DEV(BPF_CORE_READ(disk, major), BPF_CORE_READ(disk, first_minor));
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

/* A number that tells block devices apart: the partition where the bio knows it, else the whole disk. */
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
_always_ __u32 bio_dev_far(const struct bio *bio)
{
	if (!bpf_core_field_exists(bio->bi_bdev))
		return gendisk_dev(bio_gendisk(bio));
	return BPF_CORE_READ(bio, bi_bdev, bd_dev);
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

/*
 * A pointer that the verifier does not trust: of each that is read through one that it trusts newer kernels look for a trusted variant
 * by name, through all their types, a millisecond each time. Costs nothing when it runs.
 */
static void *(*const kernel_cast)(const void *obj, __u32 btf_id) = (void *)ABI_CAST;
#define UNTRUSTED(type, pointer) ((type *)kernel_cast((const void *)(pointer), bpf_core_type_id_kernel(type)))

#define KERNEL_PF_KTHREAD 0x00200000
#define KERNEL_PF_IO_WORKER 0x00000010	/* 5.11; before, another one that does no I/O */
#define KERNEL_PF_EXITING 0x00000004
#define KERNEL_PF_WQ_WORKER 0x00000020

_always_ __u64 task_cgroup(const struct task_struct *task)
{
	const struct css_set *set = task->cgroups;
	const struct cgroup *cgroup = set ? set->dfl_cgrp : NULL;
	const struct kernfs_node *kn = cgroup ? cgroup->kn : NULL;

	return kn ? kn->id : 0;
}

_always_ unsigned int task_state(const struct task_struct *task)
{
	if (bpf_core_field_exists(task->__state))
		return task->__state;
	return ((const struct task_struct___state *)task)->state;
}

/* The letter ps shows. */
_always_ __u32 task_letter(const struct task_struct *task)
{
	unsigned int state = task_state(task);

	/* TASK_IDLE: uninterruptible that does not count for the load */
	if ((state & 0x402) == 0x402)
		return 'I';
	state |= task->exit_state;
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

#endif
