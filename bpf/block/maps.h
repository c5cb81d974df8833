/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The maps and variables of the block programs. User space sets the sizes before loading. */
#ifndef IOTOP_BPF_BLOCK_MAPS_H
#define IOTOP_BPF_BLOCK_MAPS_H

#include "bpf/abi.h"
#include "bpf/common/array.h"
#include "bpf/common/kernel.h"
#include "bpf/common/places.h"
#include "bpf/common/task.h"

/*
 * Kept with each task that does I/O: its task ref, and the counters of its last kinds of I/O, which
 * saves the lookup in counter_index.
 */
struct task_slot {
	__u32 ref;	/* 0: none yet */
	__u32 flags;	/* SLOT_*, as of when the ref was given */
	struct {
		__u32 dev, owner;	/* dev of the partition, 0: empty; task ref */
		__u32 what;		/* op | how << 8 */
		__u32 counter;		/* with the disk, as in abi_inflight */
	} cache[4];
};

#define SLOT_KTHREAD 1
#define SLOT_JOURNAL 2
#define SLOT_WORKER 4	/* runs work of a kernel workqueue */
#define SLOT_ENDED 8

/*
 * An LRU: tasks that ended give way. A live task that did finds its ref again in task_ref_index,
 * nothing else here is known here only.
 */
TASK_MAPS(struct task_slot, task_slot_of, task_storage, task_hash, BPF_MAP_TYPE_LRU_HASH)

MAPPED_ARRAY(task_refs, 1, struct abi_task_ref);
MAPPED_ARRAY(counters, 1, struct abi_counter);
MAPPED_ARRAY(asked, 1, struct abi_asked);

/* Task refs of live tasks by task, for I/O that another task submits. */
HASH_MAP(task_ref_index, 1, struct task_key, __u32);

FREE_PLACES(task_refs_free, 1);

FREE_PLACES(counters_free, 1);

HASH_MAP(counter_index, 1, struct abi_counter_key, __u32);

MAPPED_ARRAY(disks, ABI_DISKS, struct abi_disk);

FREE_PLACES(disks_free, ABI_DISKS);

HASH_MAP(disk_index, ABI_DISKS, __u32, __u32);

/* I/O at stacked disks (bpf/block/passing.h): what came, in that order. */
struct passing {
	__u64 bio, start_ns;	/* as in its struct abi_inflight */
	__u64 vec, page;	/* addresses */
	__u64 pos;		/* bytes from the disk's begin, or from that of the file below */
	__u32 owner, size;	/* ref, bytes */
	__u32 done[2];		/* bytes read and written for it below */
	__u32 key;		/* PASSING() */
	__u32 nr;		/* number of its inflight entry */
};

#define PASSING_ROOM 4096
ARRAY(passing, PASSING_ROOM, struct passing);
/* Places in it, by the address of a vector or page: so many that few meet. */
#define PASSING_INDEX (16 * PASSING_ROOM)
ARRAY(passing_index, PASSING_INDEX, __u32);

/* What was read into a page (its address) of a driver, by the address: the last one. */
struct copied {
	__u64 page;
	__u32 owner;	/* ref */
	__u32 pad;
};

#define COPIED_ROOM 4096
ARRAY(copied, COPIED_ROOM, struct copied);

/* By disk and stripe; a stripe is for some of the CPUs. */
MAPPED_ARRAY(diskstats, 1, struct abi_diskstat);
MAPPED_ARRAY(hists, 1, struct abi_disk_hist);
MAPPED_ARRAY(inflight, 1, struct abi_inflight_set);
ARRAY(inodes, 1, struct abi_inode_set);

/* Index of the loop device that a file backs. */
HASH_MAP(backings, 1024, struct abi_backing, __u32);

/* The file that backs a loop device, by the index of the device; ino 0: not known. */
ARRAY(backing_files, ABI_DISKS, struct abi_backing);

/*
 * By cgroup (its address): the task ref that last submitted a throttled bio itself. What a kernel
 * worker queues later for this cgroup is charged to it.
 */
LRU_MAP(throttled, 1024, __u64, __u32);

/* Bios that are or were held back, by address. LRU: one that is cancelled is never queued. */
LRU_MAP(held, ABI_HELD, __u64, struct abi_held);
CPU_ARRAY(held_last, 1, struct abi_held_last);

/* By the index of the counter that they were charged to. */
HASH_MAP(throttled_ios, 1, __u32, struct abi_throttled);

/* The last page dirtied on this CPU: mostly the same task goes on with the same file. */
struct dirtied {
	__u64 mapping;	/* as in struct abi_inode; 0: nothing */
	__u64 task;	/* tgid and tid */
	__u32 nr, ref, life;	/* entry number, dirtier, as in struct abi_inode */
	__u32 written;	/* mark of the folio that is written to here, and is noted; 0: none */
};
/* A mark of a folio's address; never 0. */
#define FOLIO_MARK(at) ((__u32)((at) >> 5) | 1)

/* The last read on this CPU: mostly the same task goes on at the same disk. */
struct read_before {
	__u64 task;	/* tgid and tid; 0: nothing */
	__u32 dev;	/* of the partition */
	__u32 counter;	/* with the disk, as in abi_inflight */
	__u32 ended;	/* tasks_ended at that time: unchanged, the task is the same */
	__u32 throttled;	/* throttled_changes at that time: unchanged, the task is still
				 * the last of its cgroup */
};

/*
 * State of one CPU. An array with an entry per possible CPU instead of a per-CPU map: its lookup is
 * inlined, that of a per-CPU map was a call before 6.10.
 */
enum mark { MARK_REQUEST, MARK_BIO, MARK_COUNT };
/* A mark of an address; never 0. */
#define MARK(at) ((__u16)((at) >> 3) | 1)
struct cpu_state {
	struct dirtied dirtied;
	struct read_before read;
	__u32 queued;	/* bio queued last: low bits of its address; 0: none */
	__u16 done[MARK_COUNT];	/* marks of what completed last; 0: the fallback program has
				 * seen it */
};
_Static_assert(sizeof(struct cpu_state) == 64, "a cache line each");

ARRAY(cpu_states, 1, struct cpu_state);
ARRAY(ended, 1, struct abi_ended);	/* for the programs that look at an end after these */

/* Fixed before the programs are loaded. */
const volatile __u32 stripes = 1;	/* a power of two */
const volatile __u32 inflight_sets = 1;	/* a power of two */
const volatile __u32 inode_sets = 1;	/* a power of two */
const volatile __u32 page_shift = 12;
/* A task may lose the CPU while it runs a program: then there is a fallback program for others. */
const volatile bool may_be_preempted;
/* Flags of a bio that blk-throttle has let pass, and of a copy; 0: not known. */
const volatile __u32 throttled_flag, cloned_flag;
/* Only bios for which there is a limit get that flag: not so before 5.18. */
const volatile bool throttled_flag_tells;

/* Tasks with a ref, by the low bits of their tid: a section is a map that others can have, too. */
__u32 ref_tids[ABI_REF_TIDS] SEC(".data.tids");

volatile __u32 tasks_ended;	/* tasks with a ref that ended */
/* Written by all CPUs at what may come as often as I/O. */
volatile __u32 lives[16] OWN_LINE;	/* the first: how often a file was found clean */
/* The oldest of `passing', and where the next one goes. */
volatile __u32 passing_ring[16] OWN_LINE;
#define PASSING_FIRST (passing_ring[0])
#define PASSING_NEXT (passing_ring[1])
volatile __u32 throttled_changes;	/* how often an entry of `throttled' got another task */

/* Written by user space while the programs run. */
volatile __u32 epoch;		/* number of the interval, for longest times */
volatile bool want_hist;
volatile bool want_asked;	/* somebody looks at struct abi_asked */
volatile __u64 watched_ns;	/* all submissions are seen since (CLOCK_MONOTONIC); 0: not yet */
/* Refs of ended tasks were reclaimed before all I/O that is theirs was written back. */
volatile bool refs_reclaimed_early;
/*
 * Index of the only loop device whose file is not known, 0: none, ABI_UNPLACED_SEVERAL. The
 * programs write it, too.
 */
volatile __u32 unplaced;

/* The verifier does not know that it is 0: paths through which it knew other bits become one. */
volatile __u32 unknown_zero;

/* Read by user space. */
volatile __u64 lost[ABI_LOST_COUNT];
/* ABI_LOST_ENDS by disk. */
volatile __u64 queued_again[ABI_DISKS];
/* By disk: how often a task went to sleep for want of a tag; commands that were not answered. */
volatile __u64 tag_waits[ABI_DISKS], timeouts[ABI_DISKS];
volatile bool loops_known;	/* the programs find the files of loop devices themselves */
/* Events that fallback programs handled, because the kernel skipped the first program. */
volatile __u64 completions_recovered, submissions_recovered;
volatile bool any_held;	/* something was held back once */
volatile bool any_limited;	/* by iocost or iolatency */
/*
 * Disks at which something was held back: the address of td->nr_queued of the kernel, which counts
 * that, and the number of the interval.
 */
volatile __u64 throttle_at[ABI_THROTTLES];
volatile __u32 throttle_epoch[ABI_THROTTLES];
/* Some refs are of tasks that may have no task_slot: they did no I/O themselves, or it gave way. */
volatile bool refs_by_others;
volatile struct abi_places task_ref_places, counter_places, disk_places;
volatile __u64 inodes_taken;

/* A variable whose address never changes: addresses are kept as distances from it (address()). */
volatile __u64 anchor;
volatile __u64 anchor_address;

#endif
