/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the kernel programs and the collectors both read: fixed width, no pointers to follow, sizes
 * asserted. Everything counts up and is never cleared while it is in use; user space maps it and
 * subtracts.
 */
#ifndef IOTOP_BPF_ABI_H
#define IOTOP_BPF_ABI_H

#include <linux/types.h>

#include "bpf/abi_addresses.h"
#include "bpf/abi_common.h"
#include "bpf/abi_events.h"
#include "bpf/abi_files.h"
#include "bpf/abi_layers.h"
#include "bpf/abi_limits.h"
#include "bpf/abi_pattern.h"
#include "bpf/abi_stacks.h"

/* As enum io_how. */
enum abi_how {
	ABI_EXACT,
	ABI_INODE,
	ABI_DEVICE,
	ABI_CGROUP,
	ABI_KERNEL,
	ABI_LOST,
};

/*
 * An ref is a small number that stands for a task: the place in the array of refs, and above it
 * a generation that user space raises when the place goes to another task, so that an old number is
 * noticed. Places below ABI_REF_FIRST stand for owners that are not tasks (enum io_residual).
 */
#define ABI_REF_BITS 20
#define ABI_REF_INDEX(ref) ((ref) & ((1u << ABI_REF_BITS) - 1))
#define ABI_REF_GEN(ref) ((ref) >> ABI_REF_BITS)
#define ABI_REF(place, gen) ((place) | (gen) << ABI_REF_BITS)
#define ABI_REF_FIRST 8
#define ABI_UNATTRIBUTED 1
#define ABI_JOURNAL 2
#define ABI_METADATA 3
#define ABI_SWAP 4
#define ABI_OUTSIDE 5

#define ABI_TASK_KTHREAD (1u << 0)
#define ABI_TASK_ENDED (1u << 1)
#define ABI_TASK_DELAYS (1u << 2)	/* blkio_ns and swapin_ns were there to be read */
#define ABI_TASK_IO (1u << 3)		/* so were the bytes */
#define ABI_TASK_ASLEEP (1u << 4)	/* it sleeps, and has left its processor */
#define ABI_TASK_EXITING (1u << 5)

/*
 * Who a number stands for. Written when the task does its first I/O; comm, uid and ended again when
 * it ends.
 */
struct abi_task_ref {
	__u64 start;	/* ns of CLOCK_BOOTTIME */
	__u64 cgroup;	/* id in the v2 hierarchy */
	__u64 ended;	/* ns of CLOCK_MONOTONIC, 0: alive */
	__u32 tgid, tid, uid;
	__u32 flags;	/* ABI_TASK_* */
	__u32 gen;	/* user space writes it */
	__u32 dirtied;	/* pages that became dirty by it; wraps. Only the task itself counts, and so
			 * without a lock */
	char comm[ABI_COMM];
};
_Static_assert(sizeof(struct abi_task_ref) == 64, "abi_task_ref");

/* What a counter is for. */
struct abi_counter_key {
	__u32 owner, submitter;	/* refs */
	__u32 dev;		/* whole disk, major << 20 | minor */
	__u16 disk;		/* its place in the array of disks */
	__u8 op, how;
};

/*
 * The first ABI_DISKS * ABI_OPS counters are for what could not be charged to anyone, by disk and
 * operation.
 */
struct abi_counter {
	struct abi_counter_key key;	/* owner 0: not in use */
	__u64 ios, bytes;		/* submitted */
	__u64 done, lat_ns;		/* completed */
	__u64 max[2];			/* by the parity of the interval */
};
_Static_assert(sizeof(struct abi_counter) == 64, "abi_counter");

/*
 * Requests in flight that a task asked for: submitted for itself by itself, or by the threads of
 * its rings, and not in the background. By the index of its task ref.
 */
struct abi_asked {
	__u32 started, finished;	/* requests; they wrap */
	__u64 since;			/* ns of CLOCK_MONOTONIC; not later than any sleep */
	__u64 ns;			/* time with one in flight, up to since; exact while a task
					 * sleeps that looks at it */
	__u32 also;			/* of a thread of a ring: index of the task that made the
					 * ring; 0: none */
	__u32 others;			/* 1: threads of rings submit for it */
	__u32 ahead;			/* how many of those in flight read ahead */
	__u32 doubtful;			/* ABI_DOUBT of the sample up to which one may have ended
					 * that nobody saw; ABI_DOUBT_SINCE: of the next one */
};
#define ABI_DOUBT(ns) ((__u32)(ns) | 1)	/* time of a sample, CLOCK_MONOTONIC */
#define ABI_DOUBT_SINCE 2
_Static_assert(sizeof(struct abi_asked) == 40, "abi_asked");

/* Tasks with a task ref, by the low bits of their tid. */
#define ABI_REF_TIDS 16384

#define ABI_DISKS 1024
#define ABI_COUNTER_FIRST (ABI_DISKS * ABI_OPS)
/* What an inflight entry holds: the counter, the disk above it, and flags (ABI_INFLIGHT_*). */
#define ABI_COUNTER_BITS 19
#define ABI_COUNTER_PLACE(charged) ((charged) & ((1u << ABI_COUNTER_BITS) - 1))
#define ABI_COUNTER_DISK(charged) ((charged) >> ABI_COUNTER_BITS & (ABI_DISKS - 1))
#define ABI_SEVERAL (1u << 29)	/* the bio is of several owners: struct abi_part */

#define ABI_DISK_BIO (1u << 0)	/* no requests: bios go to the driver */
#define ABI_DISK_TIMED (1u << 1)	/* its requests carry the time of their start */
#define ABI_DISK_SPLIT (1u << 2)	/* and of their issue */
#define ABI_DISK_LIMITED (1u << 3)	/* iocost or iolatency may hold a bio back before it asks
					 * for a request */
#define ABI_DISK_SCARCE (1u << 4)	/* somebody waited for a tag lately */
#define ABI_DISK_MAPPED (1u << 5)	/* by device mapper: what it reads below for a write lies
					 * where the write does (snapshots) */

struct abi_disk {
	__u64 queue;		/* of the kernel: tells whether a request is of this disk */
	__u32 dev;
	__u32 flags;		/* ABI_DISK_* */
	__u64 started, finished;	/* bios */
	__u64 last_ns;		/* when one last started or finished, CLOCK_MONOTONIC */
	__u64 busy_ns;		/* time with a bio in flight, up to last_ns */
	__u64 full_ns;		/* when one last came and there was no room; of ABI_DISK_LIMITED */
	__u16 above, below;	/* 0: none. Disks that lie on this one have `below' equal to its
				 * `above': what they pass on is kept under that number, the
				 * place of one of them */
	__u16 room;		/* requests it has room for, 0: not known; user space writes it */
	__u16 shift;		/* a place (ABI_PLACES) has 1 << shift sectors; user space writes
				 * it, 0: not known */
	__u64 offset;		/* of a loop device: where in its file it begins, bytes */
};
_Static_assert(sizeof(struct abi_disk) == 72, "abi_disk");

struct abi_diskop {
	__u64 ios, bytes;	/* completed */
	__u64 lat_ns, queue_ns;
	__u64 unsplit, unsplit_ns;	/* of those whose issue was not seen, how many, and the
					 * part of lat_ns; what remains is the device's */
	__u64 errors, requeues, merges;
	__u64 tag_ns;		/* part of queue_ns: until they had a request */
	__u64 max[2];
};

/* One a disk and stripe: stripes keep processors off each other's cache lines. */
struct abi_diskstat {
	struct abi_diskop op[ABI_OPS];
};
_Static_assert(sizeof(struct abi_diskstat) == 480, "abi_diskstat");

/* Of requests whose latency is known. */
struct abi_disk_hist {
	struct abi_hist time;
	__u64 size[ABI_SIZES];
};

/* One a disk, operation and stripe. */
#define ABI_HIST_INDEX(disk, op, stripe, stripes) (((disk) * ABI_OPS + (op)) * (stripes) + (stripe))

enum abi_lost {
	ABI_LOST_TASK_REFS,	/* I/O of tasks for whom there was no number */
	ABI_LOST_COUNTERS,	/* I/O for which there was no counter */
	ABI_LOST_DISKS,		/* I/O at disks for which there was no place */
	ABI_LOST_LATENCY,	/* bios whose start was overwritten */
	ABI_LOST_WALK,		/* requests with more bios than are looked at */
	ABI_LOST_INODES,	/* files with dirty pages that were forgotten */
	ABI_LOST_FORGOTTEN,	/* I/O of tasks that ended and whose number was wanted for others */
	ABI_LOST_ENDS,		/* bios that were queued again and whose end was not seen */
	ABI_LOST_STARTS,	/* bios that ended and have no entry */
	ABI_LOST_THROTTLED,	/* bios held back for which there was no counter */
	ABI_LOST_PASSING,	/* I/O at stacked disks that was forgotten before it had ended */
	ABI_LOST_COUNT,
};

/* A bio in flight: four in a set, the set by the bio's address. */
struct abi_inflight {
	__u64 bio;	/* address, 0: free */
	__u64 start_ns, issue_ns;	/* CLOCK_MONOTONIC; the start may be ABI_INFLIGHT_START() */
	__u32 counter;	/* ABI_COUNTER_PLACE and the like, ABI_INFLIGHT_* */
	__u32 left;	/* bytes */
};

/*
 * A start that is no time, which the request knows: the number of the interval, and above it that
 * of the bio at its disk, so that an entry that is used again has another one.
 */
#define ABI_INFLIGHT_UNTIMED (1ULL << 63)
#define ABI_INFLIGHT_START(interval, nth) \
	(ABI_INFLIGHT_UNTIMED | (__u64)(nth) << 32 | (__u32)(interval))
#define ABI_INFLIGHT_ASKED (1u << 31)	/* its submitter's struct abi_asked counts it */
#define ABI_INFLIGHT_AHEAD (1u << 30)	/* among those that read ahead */

#define ABI_WAYS 4
/*
 * The multiplier spreads addresses over the high bits (2^64 divided by the golden ratio); to be cut
 * to the number of sets. All of the address: bios that lie at the same place of their pages would
 * have a sixteenth of the sets.
 */
#define ABI_INFLIGHT_SET(bio) ((__u32)(((bio) >> 4) * 0x9e3779b97f4a7c15ULL >> 32))
struct abi_inflight_set {
	struct abi_inflight way[ABI_WAYS];
};
_Static_assert(sizeof(struct abi_inflight_set) == 128, "abi_inflight_set");

/* What the block programs saw end last on a processor, a request or bio; a cache line each. */
struct abi_ended {
	__u64 at;	/* its address, as in struct abi_inflight */
	__u64 ns;	/* CLOCK_MONOTONIC */
	__u64 spare[6];
};

#define ABI_HELD 8192	/* most bios that are held back at once */
#define ABI_THROTTLES 4	/* debug registers that there are */

/* A file with dirty pages. */
struct abi_inode {
	__u64 mapping;	/* address of its address_space, 0: free */
	__u64 folio;	/* the one that was taken off last, 0: something was dirtied since */
	__u64 ino;
	__u32 gen, sdev;	/* with ino: whose mapping it is */
	__u32 owner;	/* ref that dirtied all pages but those in struct abi_dirtiers */
	__u32 life;	/* another number since the file was last clean */
	__u32 pages;	/* dirty ones; more when some were truncated */
	__u16 stamp;	/* interval in which a page was dirtied last */
	__u16 flags;	/* ABI_INODE_* */
};
_Static_assert(sizeof(struct abi_inode) == 48, "abi_inode");
#define ABI_INODE_BACKING 1	/* of a loop device: the refs are those of the loop device's
				 * I/O */
#define ABI_INODE_SHARED 2	/* some pages are in struct abi_dirtiers */
#define ABI_INODE_PARTLY 4	/* some that were there had to make room: nobody's */

struct abi_inode_set {
	struct abi_inode way[ABI_WAYS];
};

/* Who dirtied so many pages, one after the other, of a file that several write to. */
#define ABI_BLOCK_PAGES 16
struct abi_dirtiers {
	__u32 inode, life;	/* number of the file's entry, 0: free */
	__u32 block;		/* the first page's index / ABI_BLOCK_PAGES */
	__u16 stamp;		/* interval in which one was dirtied last */
	__u16 others;		/* 0: there is no `other' */
	__u8 dirty[ABI_BLOCK_PAGES];	/* not written since; bytes, as several CPUs write */
	__u32 ref[ABI_BLOCK_PAGES];	/* 0: the file's owner */
	__u32 other[ABI_BLOCK_PAGES];	/* who dirtied it during its writeback, 0: nobody */
};
_Static_assert(sizeof(struct abi_dirtiers) == 160, "abi_dirtiers");

#define ABI_DIRTIERS_WAYS 8
struct abi_dirtiers_set {
	struct abi_dirtiers way[ABI_DIRTIERS_WAYS];
};

/*
 * What one owner has of a bio in flight that has pages of several; those of one bio are a list,
 * from the one with owner 0 on.
 */
#define ABI_PARTS 1024	/* most of one bio */
struct abi_part_key {
	__u64 bio;	/* address */
	__u32 owner, spare;
};

struct abi_part {
	__u64 vec;	/* owner 0: address of the bio_vec that is read next */
	__u32 at, rest;	/* owner 0: bytes of that which were read, bytes left in the bio */
	__u32 of, bytes;	/* owner 0: whose the last pages were; their bytes */
	__u32 next;	/* the next owner, 0: none */
	__u32 counter;
	__u32 time;	/* the same in all parts of a bio */
	__u32 spare;
};
_Static_assert(sizeof(struct abi_part) == 40, "abi_part");

/*
 * Files whose note had to make room: in each number an ref, in 11 bits above it the pages, and in
 * the 20 highest bits what tells the file from others (bpf/block/evicted.h); 0: free.
 */
#define ABI_EVICTED_WAYS 8
#define ABI_EVICTED_PAGES ((1u << 11) - 1)
struct abi_evicted_set {
	__u64 way[ABI_EVICTED_WAYS];
};

/* A file that is a loop device. */
struct abi_backing {
	__u64 ino;
	__u32 sdev, spare;
};
#define ABI_UNPLACED_SEVERAL 0xffffffff	/* there are several loop devices whose file is not known */

struct abi_event_file {
	__u32 kind, spare;	/* ABI_EVENT_FILE */
	struct abi_event_inode file;
	struct abi_names at;
};

/* Ids are the kernel's inode numbers and generations, and do not get there. */
#define ABI_CGROUP_MEMORY (1ULL << 60)
#define ABI_CGROUP_SYSTEMD (1ULL << 61)
#define ABI_CGROUP_BLKIO (1ULL << 62)

/* A task as the iterator lists it, and as it was when it ended. */
struct abi_task {
	__u64 start;	/* ns of CLOCK_BOOTTIME */
	__u64 process;	/* start of its process */
	__u64 exit_ns;	/* ns of CLOCK_MONOTONIC, 0: alive */
	__u64 cgroup;	/* id, with ABI_CGROUP_* when it is of that hierarchy of version 1: each
			 * numbers on its own */
	__u64 read_bytes, write_bytes, cancelled_bytes;
	__u64 blkio_ns, swapin_ns;
	__u64 asleep_ns;	/* in one uninterruptible sleep so far; 0: in none, or not known */
	__u32 tgid, tid, ppid, uid;
	__u32 flags;	/* ABI_TASK_* */
	__u32 state;	/* letter */
	__u32 frozen_dev;	/* of the frozen file system that it waits for; 0: for none, or not
				 * known */
	__u16 ioprio;
	__s16 nice;
	char comm[ABI_COMM];
};

/* So many free places are pushed at most by one run of a program, and by one step of it. */
#define ABI_FILL_STEP 16
#define ABI_FILL (ABI_FILL_STEP * ABI_FILL_STEP * ABI_FILL_STEP)
/* Queues of free places of the block programs. */
enum abi_fill {
	ABI_FILL_REFS,
	ABI_FILL_COUNTERS,
	ABI_FILL_DISKS,
};

/*
 * Stands for the n-th kernel function that a program calls until it is bound. No helper has such a
 * number.
 */
#define ABI_CALL(n) (0x10000000L + (n))
/*
 * Stands for bpf_rdonly_cast() in any program; where the kernel has it not, its first argument is
 * what it returns.
 */
#define ABI_CAST 0x1000ffffL

/* Stands for the number that a struct has in the types of the kernel (enum abi_type). */
#define ABI_TYPE(n) (0x7a110000 + (n))
enum abi_type {
	ABI_TYPE_bio,
	ABI_TYPE_request,
	ABI_TYPE_folio,
	ABI_TYPE_address_space,
	ABI_TYPE_task_struct,
	ABI_TYPE_kiocb,
	ABI_TYPE_bio_vec,
	ABI_TYPE_pt_regs,
	ABI_TYPES,
};

/*
 * What a walk over the tasks leaves, many in one place of an array. What is there of a task that
 * has slept since the walk before is left as it is.
 */
#define ABI_TASKS_A_PAGE 32

struct abi_task_page {
	struct abi_task task[ABI_TASKS_A_PAGE];
};
_Static_assert(sizeof(struct abi_task) == 128, "abi_task");

#endif
