/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rows of a sample (data/sample.h), and what the numbers in them mean. Counters are cumulative
 * unless a comment says otherwise. Strings are raw (as the kernel has them) and owned by the
 * sample's arena.
 */
#ifndef IOTOP_DATA_SAMPLE_ROW_H
#define IOTOP_DATA_SAMPLE_ROW_H

#include <stdint.h>

#include "data/sample_disk.h"
#include "data/sample_file.h"
#include "data/sample_id.h"
#include "data/sample_system.h"

/*
 * Without BPF starts are cut to clock ticks, or estimated when the task has ended: one that seems
 * to have started so long (ns) before a sample may have started after it.
 */
#define TASK_START_SLACK (20 * 1000000ull)

enum io_op {
	OP_READ,
	OP_WRITE,
	OP_DISCARD,
	OP_FLUSH,
	OP_OTHER,	/* commands for the driver: in no statistics of the kernel */
	OP_COUNT,
};

/* "read", "write", "discard", "flush", "other" */
const char *io_op_name(uint32_t op);

/* Which stacks are collected and tell rows apart: -K, -U, or neither of them. */
enum which_stacks {
	STACKS_BOTH,
	STACKS_KERNEL,
	STACKS_USER,
};

/* How sure the cause of an I/O is. */
enum io_how {
	HOW_EXACT,	/* the submitter itself, or one task dirtied all of it */
	HOW_INODE,	/* shared by those who dirtied the file */
	HOW_DEVICE,	/* carried over from the device stacked above */
	HOW_CGROUP,	/* of the control group it is of: who last did some there that its limits
			 * did not hold back */
	HOW_KERNEL,	/* a kernel thread did it: for whom, if not for itself, is not known */
	HOW_LOST,	/* there was no room in the maps */
	HOW_COUNT,
};

/* Causes that are not tasks: tid of a task_id whose start is 0. */
enum io_residual {
	RESIDUAL_UNATTRIBUTED = 1,
	RESIDUAL_JOURNAL,
	RESIDUAL_METADATA,
	RESIDUAL_SWAP,
	RESIDUAL_OUTSIDE,	/* tasks outside of the reader's PID namespace: they have no pid
				 * there */
};

/* "[journal]", … */
const char *residual_name(uint32_t residual);

enum task_flag {
	TASK_KTHREAD = 1u << 0,
	TASK_ENDED = 1u << 1,	/* this row is its last: counters are final */
	TASK_GROUP = 1u << 2,	/* counters are of the whole process (taskstats TGID) */
	TASK_DOUBT = 1u << 4,	/* wait_ns may be too much, of the last interval: the end of a
				 * request of its own was perhaps not seen */
	TASK_DIRTIED = 1u << 5,	/* of a sample_owner: what it dirtied is counted */
	TASK_EXITING = 1u << 6,	/* its end was told, or is about to be */
	TASK_LISTED = 1u << 3,	/* came from a full listing: a task of an earlier listing that is
				 * missing has ended */
};

struct sample_task {
	struct task_id id;
	uint64_t process;	/* start of its process, as id.start; 0 unknown */
	uint32_t ppid;		/* tgid of the parent */
	uint32_t uid;
	uint32_t state;		/* letter, as ps: R S D T t Z X I; 0 unknown */
	uint32_t ioprio;	/* class << 13 | level as ioprio_get(2); class 0: derived from
				 * nice */
	uint64_t asleep_ns;	/* in one uninterruptible sleep so far; 0: in none, or unknown */
	int64_t nice;
	uint32_t flags;		/* enum task_flag */
	uint32_t have;		/* enum source bits that this row carries */
	uint64_t cgroup;	/* cgroup id, 0 unknown */
	const char *comm;
	uint64_t exit;		/* CLOCK_BOOTTIME ns when it ended, 0 alive or unknown */
	/* SRC_TASKIO */
	uint64_t read_bytes, write_bytes, cancelled_bytes;
	/* SRC_DELAYS, ns */
	uint64_t blkio_ns, swapin_ns;
	/*
	 * SRC_WAITS, ns, with what is still going on: the time it could not go on for I/O, and what
	 * the kernel calls iowait
	 */
	uint64_t wait_ns, iowait_ns;
	/* SRC_THROTTLE, ns */
	uint64_t throttle_ns;
	/* SRC_MEMSTALL, ns, with what is still going on */
	uint64_t memstall_ns;
	/*
	 * The time it waited for the server of a file system (FUSE), ns, with what is still going
	 * on, and the device of that which it waited for last; 0: none
	 */
	uint64_t server_ns;
	uint32_t server_dev;
	uint32_t frozen_dev;	/* the device of the file system that it waits for to be thawed; 0:
				 * for none, or unknown */
};

/* I/O at one disk, charged to who caused it and who submitted it. */
struct sample_io {
	struct task_id cause, submitter;
	uint32_t dev;		/* major << 20 | minor, as in the kernel */
	uint32_t op;		/* enum io_op */
	uint32_t how;		/* enum io_how */
	uint64_t ios, bytes;	/* counted at submission */
	uint64_t done, lat_ns;	/* completed, and the sum of submission to completion */
	uint64_t max_ns;	/* longest that completed since the sample before: not cumulative */
	uint64_t throttled_ns;	/* time in which a limit held one of them back, before it was
				 * queued; with what is still going on */
	uint64_t held_ns;	/* sum of these times over the I/Os */
	uint64_t held_unseen;	/* I/Os held back for a time that is not known */
	/* SRC_PATTERN: reads and writes queued while it was on; of these … */
	uint64_t pattern_ios;
	uint64_t sequential;	/* began where the one before ended */
	uint64_t flagged;	/* reads: ahead; writes: somebody waits */
};

/* A name for a task of sample_io that may be in no listing any more. */
struct sample_owner {
	struct task_id id;
	uint32_t uid;
	uint32_t flags;		/* enum task_flag */
	uint64_t cgroup;
	const char *comm;
	uint64_t dirtied;	/* bytes of pages that became dirty by it; with TASK_DIRTIED */
};

/* What the block programs counted on one disk for one operation (whole disks only). */
struct sample_diskop {
	uint32_t dev, op;
	uint64_t ios, bytes;	/* completed */
	uint64_t lat_ns;	/* sum of submission to completion */
	uint64_t queue_ns, device_ns;	/* its two parts */
	uint64_t unsplit;	/* I/Os whose parts are not known: not in these two */
	uint64_t max_ns;	/* since the sample before: not cumulative */
	uint64_t errors, requeues, merges;
	uint64_t held_ns;	/* sum of the times in which limits held back what was queued since:
				 * not in lat_ns */
	uint64_t held_unseen;	/* I/Os held back for a time that is not known */
	uint64_t tag_ns;	/* part of queue_ns: until they had a request */
	uint64_t timed;		/* I/Os whose request tells that */
	uint64_t pattern_ios, sequential, flagged;	/* as in sample_io */
	struct blob sizes;	/* uint64_t counts of requests: below 1 KiB, below 2, 4 and so on */
	struct blob hist;	/* uint64_t counts in the buckets of data/histogram.h; zeroes at
				 * the end may be left away */
	struct blob places;	/* SRC_PATTERN: uint64_t counts of I/O by where on the disk it
				 * begins */
	uint64_t place_bytes;	/* of the disk to each of these */
};

/* In-flight time of a whole disk. */
struct sample_diskload {
	uint32_t dev;
	uint32_t tags_told;	/* 1: the kernel tells of tag_waits */
	uint64_t busy_ns;	/* time with at least one request in flight */
	uint64_t depth_ns;	/* sum over requests of their time in flight */
	uint64_t in_flight;	/* now */
	uint64_t tag_waits;	/* how often a task went to sleep for want of a tag */
	uint64_t timeouts;	/* commands that it did not answer in time: SCSI */
};

enum source_state {
	SOURCE_OFF,
	SOURCE_ON,
	SOURCE_PART,	/* works, but with something missing: the reason says what */
};

struct sample_source {
	uint32_t source;	/* one enum source bit */
	uint32_t state;		/* enum source_state */
	const char *reason;	/* NULL when on */
	/*
	 * Since when it has been counting without a gap, CLOCK_MONOTONIC ns. Before the sample: its
	 * counters began at zero then. The time of the sample: they have been counting since long
	 * ago, and are read for the first time. 0: off, or an older recording.
	 */
	uint64_t since;
	uint64_t late;	/* its counters were read so long after the time of the sample, ns */
};

/* Something that was lost. Cumulative. */
struct sample_loss {
	const char *name;	/* "block.owners-full", … */
	uint64_t count;
};

struct sample_user {
	uint32_t uid;
	const char *name;
};

struct sample_cgroup {
	uint64_t id;
	const char *path;
	const char *limit;	/* "io.max riops=20", where it held I/O back since the sample
				 * before; else NULL */
	const char *name;	/* what its engine calls the container: "web", of Kubernetes
				 * "namespace/pod/container"; NULL: none, or not known */
};

/* Read on demand, for rows that are shown. */
struct sample_cmdline {
	struct task_id id;	/* of any task of the process */
	const char *args;	/* NUL of /proc/PID/cmdline replaced by spaces */
};

/* I/O of one process at one disk by one path through the code. */
struct sample_stackio {
	struct task_id cause, submitter;	/* processes; cause with tgid 0: unknown, the
						 * submitter stands for it */
	uint32_t dev, op;	/* as in sample_io */
	uint64_t kstack, ustack;	/* ids of sample_frames; 0: not taken, or none */
	uint64_t ios, bytes;	/* counted at submission */
	uint64_t done, lat_ns;	/* as in sample_io */
	uint64_t untimed;	/* completed; a limit held them back for a time that is not known */
	const char *comm;	/* of the submitter */
	const char *cause_comm;	/* NULL: the submitter's */
};

enum frames_flag {
	FRAMES_USER = 1u << 0,	/* of user code, else of the kernel */
	FRAMES_CUT = 1u << 1,	/* there was no room for the outer frames */
	FRAMES_BROKEN = 1u << 2,	/* the walk ended early, for a reason */
};

/* Why a walk ended, in the flags. */
enum frames_end {
	FRAMES_END_UNKNOWN,	/* most likely code without frame pointers */
	FRAMES_END_FIRST,	/* it did not: nothing had called the outermost function */
	FRAMES_END_NO_FRAME,
	FRAMES_END_ODD,
	FRAMES_END_UNMAPPED,
	FRAMES_END_MEMORY,
	FRAMES_END_NO_TABLE,
	FRAMES_END_NO_SENSE,
	FRAMES_END_EARLY,
	FRAMES_END_32_BITS,
};
#define FRAMES_END(end) ((uint32_t)(end) << 8)
#define FRAMES_ENDED(flags) ((flags) >> 8 & 15)

/* Who ended a wait. */
enum waker_kind {
	WAKER_NONE,	/* nobody yet: it goes on */
	WAKER_TASK,
	WAKER_IRQ,
	WAKER_SOFTIRQ,
	WAKER_IDLE,	/* the idle task, outside of interrupts */
	WAKER_UNKNOWN,	/* an interrupt or whom it had stopped: the kernel does not tell */
};

/* What a task waits for that another one holds. */
enum wait_lock {
	WAIT_NO_LOCK,	/* something else, or it is not known */
	WAIT_MUTEX,
	WAIT_RWSEM,
	WAIT_JOURNAL,	/* the commit of a journal (jbd2): its thread is the holder */
};

/*
 * Time a task was off the processor, by where it was and who woke it. What goes on is split at the
 * samples.
 */
struct sample_offcpu {
	struct task_id id, waker;	/* waker 0: not a task */
	struct task_id holder;	/* of the lock; 0: nobody, or not known */
	uint64_t kstack, ustack, waker_kstack, waker_ustack;	/* ids of sample_frames; 0: not
								 * taken, or none */
	uint32_t dev, op;	/* of the request whose completion woke it; dev 0: none did */
	uint32_t state;		/* letter */
	uint32_t iowait;	/* 1: it waited for I/O */
	uint32_t via;		/* 1: the request woke its waker */
	uint32_t lock;		/* enum wait_lock; of what goes on */
	uint32_t memstall;	/* 1: it was stalled for memory */
	uint32_t limited;	/* 1: a limit held the request back for most of it */
	uint32_t waker_kind;	/* enum waker_kind */
	uint32_t uid;		/* as cgroup */
	uint64_t blocked_ns;
	uint64_t count;		/* blocks; one that goes on counts once a sample */
	uint64_t io_ns;		/* latency of the requests, summed */
	uint64_t max_ns;	/* longest seen since the sample before, from its begin on: not
				 * cumulative */
	uint64_t cgroup;	/* id, 0: it is not known, uid neither */
	const char *comm;
	const char *waker_comm;	/* NULL: not a task */
	const char *holder_comm;	/* NULL: no holder */
};

/* A stack by its names. Once for each id, when somebody wanted to read it. */
struct sample_frames {
	uint64_t id;
	uint32_t flags;		/* enum frames_flag */
	const char *text;	/* names, innermost first, a line each; of user code, behind a tab
				 * each: where in the source one is, or why it has no name; and the
				 * name of its file. Both may be missing */
};

/* In place of a file: code that the process made, or was made for it, while it ran. */
#define FRAMES_AT_RUN_TIME "[run time]"

/* The layers an I/O goes through, as they are recorded; layer_order has them top down. */
enum layer {
	LAYER_SYSCALL,
	LAYER_VFS,
	LAYER_FS,
	LAYER_CACHE,	/* waiting for a page of the page cache */
	LAYER_QUEUE,	/* of a disk, until the device has it */
	LAYER_DEVICE,
	LAYER_LIMIT,	/* held back by a limit, before the queue */
	LAYER_COUNT,
};

enum layer_op {
	LAYER_READ,
	LAYER_WRITE,
	LAYER_OPEN,
	LAYER_FSYNC,
	LAYER_SYNC,
	LAYER_DISCARD,
	LAYER_FLUSH,
	LAYER_OTHER,
	LAYER_COMMIT,	/* of a journal, in its own thread */
	LAYER_DATA,	/* the part of an fsync() before the journal */
	LAYER_JOURNAL,	/* the part in which a commit ran that began after it */
	LAYER_JOINED,	/* the part in which a commit ran that had begun before it */
	LAYER_FAULT,	/* of a page of a file that is mapped */
	LAYER_RANGE,	/* sync_file_range(): writes pages, no metadata, and does not flush */
	LAYER_OP_COUNT,
};

extern const char *const layer_op_names[LAYER_OP_COUNT];	/* "read", … */

/* How long an operation took at one layer. */
struct sample_layer {
	uint32_t dev;		/* what a file system lies on, else its own number; a disk; 0:
				 * unknown */
	uint32_t layer, op;	/* enum layer, enum layer_op */
	uint32_t is_block;	/* the files are the disk itself */
	const char *fs;		/* kind of file system; NULL: none, or unknown */
	uint64_t count, total_ns;	/* ended */
	uint64_t max_ns;	/* since the sample before, also of what still runs: not
				 * cumulative */
	/*
	 * Still runs: how many now, and the sum of their time up to now, with that of calls which
	 * began before they were watched and have ended; not cumulative.
	 */
	uint64_t running, running_ns;
	struct blob hist;	/* of what ended, as in sample_diskop */
};

/* What one task did at one layer with one file. Only of calls and file systems. */
struct sample_caller {
	struct task_id id;
	uint64_t ino;		/* 0: no file, or an unknown one */
	uint32_t sdev;		/* of the file system */
	uint32_t dev, layer, op, is_block;	/* as in sample_layer */
	const char *comm;
	const char *path;	/* NULL unknown */
	uint64_t count, total_ns;	/* ended */
	uint64_t max_ns;	/* since the sample before: not cumulative */
	uint64_t bytes;		/* that calls read or wrote, as they return it */
	const char *seen;	/* as in sample_file */
	uint64_t before_bytes;	/* of bytes: of calls that began before they were counted and what
				 * disks read for files was, too */
	const char *mount, *fs;	/* as in sample_file */
};

#endif
