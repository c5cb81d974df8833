/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The few kernel structures the programs touch. Only names and types matter: libbpf finds the
 * members in the BTF of the running kernel. A suffix ___x names a form that some kernels have;
 * kernel.h has one accessor for each such change.
 */
#ifndef IOTOP_BPF_COMMON_TYPES_H
#define IOTOP_BPF_COMMON_TYPES_H

#include <linux/types.h>
#include <stdbool.h>

#include <linux/bpf.h>

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct bio;

struct block_device_operations {
	void *submit_bio;
};

struct request_queue;

struct gendisk {
	int major, first_minor, flags;
	char disk_name[32];
	const struct block_device_operations *fops;
	struct request_queue *queue;
};

/* CONFIG_BLK_DEV_THROTTLING */
struct throtl_data {
	unsigned int nr_queued[2];	/* bios held back */
};

/* What may hold a bio back until it gets a request; the enum begins with wbt. */
enum rq_qos_id {
	RQ_QOS_WBT,
	RQ_QOS_LATENCY,
	RQ_QOS_COST,
};

struct rq_qos {
	enum rq_qos_id id;
	struct rq_qos *next;
};

/* These two begin with their struct rq_qos. They stay when they are no longer wanted. */
struct ioc {
	bool enabled;
};

struct blk_iolatency {
	bool enabled;	/* 6.0 */
};

struct blk_iolatency___count {
	struct {
		int counter;
	} enabled;
};

struct request_queue {
	struct gendisk *disk;	/* 5.15 */
	struct throtl_data *td;
	struct rq_qos *rq_qos;
};

struct block_device {
	__u32 bd_dev;
	struct gendisk *bd_disk;
	void *bd_holder_ops;	/* 6.5 */
};

struct block_device___super {
	void *bd_super;	/* before 6.5 */
};

struct list_head {
	struct list_head *next, *prev;
};

struct kobject {
	struct kobject *parent;
};

struct device {
	struct kobject kobj;
};

struct block_device___device {
	struct device bd_device;
};

/* The link of a stacked disk to one that it lies on. */
struct bd_holder_disk {
	struct list_head list;
	struct kobject *holder_dir;	/* 6.2: a folder of the lower one's */
};

struct bd_holder_disk___bdev {
	struct block_device *bdev;
};

struct hlist_node {
	struct hlist_node *next;
};

/* The link by which an inode finds its names: in a union, or by itself. */
struct dentry___union {
	union {
		struct hlist_node d_alias;
	} d_u;
};

struct dentry___plain {
	struct hlist_node d_alias;
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
	struct address_space *i_mapping;
	__u64 i_ino;	/* unsigned long before 7.0 */
	__u32 i_generation;
	__u32 i_rdev;
};

/* Of each of 64 entries or fewer a bit. Older writers of BTF make one array of the two. */
struct xa_node {
	unsigned long marks[3][1];
};

struct xa_node___flat {
	unsigned long marks[3];
};

struct xa_node___entries {
	__u8 shift;	/* bits of an index below those that choose the entry */
	void *slots[64];
};

struct xarray {
	__u32 xa_flags;	/* of the only entry the tags: above those of the allocation */
	void *xa_head;	/* the only entry, or a node: its address + 2 */
};

struct address_space {
	struct inode *host;
	struct xarray i_pages;
	unsigned long nrpages;
};

struct page {
	unsigned long flags;	/* before 6.18 */
	struct address_space *mapping;
	unsigned long compound_head;	/* before 7.0 */
};

struct page___flags {
	unsigned long flags;	/* before there were folios */
};

struct page___info {
	unsigned long compound_info;	/* 7.0 */
};

struct page___index {
	unsigned long index;	/* before there were folios (5.16) */
};

struct folio___index {
	unsigned long index;
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

struct buffer_head {
	unsigned long b_state;
	struct page *b_page;
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
	__u64 bi_sector;
	unsigned int bi_size, bi_idx;
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
	__u8 bi_partno;
};

struct blk_mq_hw_ctx {
	unsigned int queue_num;
};

struct request {
	struct request_queue *q;
	struct blk_mq_hw_ctx *mq_hctx;
	unsigned int cmd_flags;
	unsigned int rq_flags;
	int tag;
	unsigned int __data_len;
	__u64 __sector;
	struct bio *bio;
	__u64 start_time_ns, io_start_time_ns;
	__u64 alloc_time_ns;	/* CONFIG_BLK_CGROUP_IOCOST: when it was asked for */
};

struct request___disk {
	struct gendisk *rq_disk;	/* before 5.17 */
};

struct kernfs_node {
	__u64 id;
};

struct cgroup_root {
	int hierarchy_id;	/* 0: version 2 */
	unsigned int subsys_mask;
	char name[64];
};

struct cgroup {
	struct kernfs_node *kn;
	struct cgroup_root *root;
	int level;	/* 0: the root */
};

/* Of a task to its group in one of the hierarchies. */
struct cgrp_cset_link {
	struct cgroup *cgrp;
	struct list_head cgrp_link;
};

struct css_set {
	struct cgroup *dfl_cgrp;
	struct list_head cgrp_links;
};

enum cgroup_subsys_id {
	memory_cgrp_id = 4,
	io_cgrp_id = 5,
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
	__u64 prev_sum_exec_runtime;	/* when it was given a processor last */
};

struct sched_info {
	unsigned long long run_delay;	/* CONFIG_SCHED_INFO */
	unsigned long long last_arrival;
};

struct thread_struct {
	unsigned long sp;
};

struct pid_namespace {
	struct {
		unsigned int inum;
	} ns;
};

struct upid {
	int nr;
	struct pid_namespace *ns;
};

struct pid {
	unsigned int level;
	struct upid numbers[1];
};

struct signal_struct {
	struct list_head thread_head;
};

struct task_struct {
	struct thread_struct thread;
	void *stack;
	struct sched_info sched_info;
	unsigned int __state;	/* 5.14 */
	int exit_state;
	unsigned int flags;
	unsigned int in_iowait : 1;
	unsigned int in_memstall : 1;	/* CONFIG_PSI */
	unsigned int on_cpu, on_rq;	/* 7.2: bytes */
	unsigned long nvcsw, nivcsw;
	unsigned long min_flt, maj_flt;
	struct sched_entity se;
	int prio, static_prio;
	int pid, tgid;
	struct task_struct *real_parent, *group_leader;
	struct pid *thread_pid;
	struct signal_struct *signal;
	struct list_head thread_node;	/* of signal's */
	struct mm_struct *mm;
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
	__u64 seq_num;
};

struct bpf_iter__task {
	struct bpf_iter_meta *meta;
	struct task_struct *task;
};

#pragma clang attribute pop

#endif
