/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The maps of the block programs; user space sets their sizes before they are made. */
#ifndef IOTOP_BPF_BLOCK_MAPS_H
#define IOTOP_BPF_BLOCK_MAPS_H

#include "bpf/abi.h"
#include "bpf/common/array.h"
#include "bpf/common/kernel.h"
#include "bpf/common/task.h"

/*
 * What a task has at hand: its number, and the counters of its last few kinds of I/O, so that no
 * hash is asked.
 */
struct task_slot {
	__u32 owner;	/* 0: none yet */
	__u32 flags;	/* SLOT_*, from when the owner was made */
	struct {
		__u32 dev, cause;	/* dev of the partition; 0: empty */
		__u32 what;		/* op | how << 8 */
		__u32 counter;		/* with the disk, as in abi_flight */
	} cache[4];
};

#define SLOT_KTHREAD 1
#define SLOT_JOURNAL 2
#define SLOT_WORKER 4	/* of a work queue */
#define SLOT_ENDED 8

TASK_MAPS(struct task_slot, task_slot_of, task_storage, task_hash, BPF_MAP_TYPE_HASH)

MAPPED_ARRAY(owners, 1, struct abi_owner);
MAPPED_ARRAY(counters, 1, struct abi_counter);

/* The number of a task that lives, for when another one submits what is its. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, struct task_key);
	__type(value, __u32);
} owner_index SEC(".maps");

/* Places that are free: user space puts them in, a program that needs one takes it out. */
struct {
	__uint(type, BPF_MAP_TYPE_QUEUE);
	__uint(max_entries, 1);
	__type(value, __u32);
} owners_free SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_QUEUE);
	__uint(max_entries, 1);
	__type(value, __u32);
} counters_free SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, struct abi_counter_key);
	__type(value, __u32);
} counter_index SEC(".maps");

MAPPED_ARRAY(disks, ABI_DISKS, struct abi_disk);

struct {
	__uint(type, BPF_MAP_TYPE_QUEUE);
	__uint(max_entries, ABI_DISKS);
	__type(value, __u32);
} disks_free SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, ABI_DISKS);
	__type(key, __u32);
	__type(value, __u32);
} disk_index SEC(".maps");

/* By disk and stripe. */
MAPPED_ARRAY(diskstats, 1, struct abi_diskstat);
MAPPED_ARRAY(hists, 1, struct abi_hist);
MAPPED_ARRAY(flights, 1, struct abi_flight_set);
ARRAY(inodes, 1, struct abi_inode_set);

/* Place of the loop device that a file backs. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1024);
	__type(key, struct abi_backing);
	__type(value, __u32);
} backings SEC(".maps");

/* The other way round: the file of a loop device, by its place; ino 0: not known. */
ARRAY(backing_files, ABI_DISKS, struct abi_backing);

/*
 * Whose I/O the limits of a control group (by its address) have let pass last, of those who submit
 * it themselves.
 */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 1024);
	__type(key, __u64);
	__type(value, __u32);
} limited SEC(".maps");

/* What was dirtied last: mostly the same task goes on with the same file. */
struct dirtied {
	__u64 mapping;	/* as in struct abi_inode; 0: nothing */
	__u64 task;	/* tgid and tid */
	__u32 note, owner, way, spare;
};

/* What was read last: mostly the same task goes on at the same disk. */
struct read_before {
	__u64 task;	/* tgid and tid; 0: nothing */
	__u32 dev;	/* of the partition */
	__u32 counter;	/* with the disk, as in abi_flight */
	__u32 ended;	/* owners_ended of then: the task is still the same */
	__u32 limited;	/* limited_changes of then: it is still the last of its control group */
};

/*
 * Of a processor: what was dirtied and read there, which bio was queued last, and what was
 * completed last. No per-CPU map: looking something up there was a call for long, here it is a few
 * instructions.
 */
enum mark { MARK_REQUEST, MARK_BIO, MARK_COUNT };
/* Of an address; never 0. */
#define MARK(at) ((__u16)((at) >> 3) | 1)
struct processor {
	struct dirtied dirtied;
	struct read_before read;
	__u32 queued;	/* low bits of its distance; 0: none */
	__u16 done[MARK_COUNT];	/* marks; 0: the second program has seen it */
};
_Static_assert(sizeof(struct processor) == 64, "a cache line each");

ARRAY(processors, 1, struct processor);

/* Fixed before the programs are loaded. */
const volatile __u32 stripes = 1;	/* a power of two */
const volatile __u32 flight_sets = 1;	/* a power of two */
const volatile __u32 inode_sets = 1;	/* a power of two */
const volatile __u32 page_shift = 12;
const volatile bool may_be_preempted;	/* a task may lose the processor while it runs a program,
					 * and the second one is there for that */
const volatile __u32 limited_flag;	/* of a bio that limits of control groups have let pass;
					 * 0: not known */

volatile __u32 owners_ended;	/* tasks with a number that ended */
volatile __u32 limited_changes;	/* how often another task was the last of a control group, in
				 * `limited' */

/* Written by user space while they run. */
volatile __u32 epoch;		/* number of the interval, for longest times */
volatile bool want_hist;
volatile bool owners_hurried;	/* numbers of tasks that ended were wanted for others before all
				 * that is theirs was written */
volatile __u32 unplaced;	/* place of the loop device whose file is not known, 0: none; the
				 * programs write it, too */

/* Read by user space. */
volatile __u64 lost[ABI_LOST_COUNT];
volatile bool loops_known;	/* the programs find the files of loop devices themselves */
volatile __u64 nested;	/* completions that came while one was being looked at */
volatile __u64 queued_nested;	/* the same of bios being queued */
volatile bool owners_by_others;	/* there are numbers of tasks that may have done nothing
				 * themselves */
volatile __u64 owners_taken, counters_taken, disks_taken, inodes_taken;

/* The programs ask for a place of memory that never moves (address()). */
volatile __u64 anchor;
volatile __u64 anchor_address;

#endif
