/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the kernel programs and the collectors both read: fixed width, no pointers to follow, sizes asserted.
 * Everything counts up and is never cleared while it is in use; user space maps it and subtracts.
 */
#ifndef IOTOP_BPF_ABI_H
#define IOTOP_BPF_ABI_H

#include <linux/types.h>

#define ABI_COMM 16

/* As enum io_op. */
enum abi_op {
	ABI_READ,
	ABI_WRITE,
	ABI_DISCARD,
	ABI_FLUSH,
	ABI_OTHER,
	ABI_OPS,
};

/* As enum io_how. */
enum abi_how {
	ABI_EXACT,
	ABI_INODE,
	ABI_DEVICE,
	ABI_CGROUP,
};

/*
 * An owner is a small number that stands for a task: the place in the array of owners, and above it a generation that user
 * space raises when the place goes to another task, so that an old number is noticed. Places below ABI_OWNER_FIRST stand for
 * causes that are not tasks (enum io_residual).
 */
#define ABI_OWNER_BITS 20
#define ABI_OWNER_PLACE(owner) ((owner) & ((1u << ABI_OWNER_BITS) - 1))
#define ABI_OWNER_GEN(owner) ((owner) >> ABI_OWNER_BITS)
#define ABI_OWNER(place, gen) ((place) | (gen) << ABI_OWNER_BITS)
#define ABI_OWNER_FIRST 8
#define ABI_UNATTRIBUTED 1
#define ABI_JOURNAL 2
#define ABI_METADATA 3
#define ABI_SWAP 4

#define ABI_TASK_KTHREAD (1u << 0)
#define ABI_TASK_ENDED (1u << 1)
#define ABI_TASK_DELAYS (1u << 2)	/* blkio_ns and swapin_ns were there to be read */
#define ABI_TASK_IO (1u << 3)		/* so were the bytes */

/* Who a number stands for. Written when the task does its first I/O; comm and ended again when it ends. */
struct abi_owner {
	__u64 start;	/* ns of CLOCK_BOOTTIME */
	__u64 cgroup;	/* id in the v2 hierarchy */
	__u64 ended;	/* ns of CLOCK_MONOTONIC, 0: alive */
	__u32 tgid, tid, uid;
	__u32 flags;	/* ABI_TASK_* */
	__u32 gen;	/* user space writes it */
	__u32 spare;
	char comm[ABI_COMM];
};
_Static_assert(sizeof(struct abi_owner) == 64, "abi_owner");

/* A longest time and the interval it belongs to in one number: readers and writers need no lock. */
#define ABI_MAX_BITS 40
#define ABI_MAX_NS(max) ((max) & ((1ULL << ABI_MAX_BITS) - 1))
#define ABI_MAX_EPOCH(max) ((max) >> ABI_MAX_BITS)
#define ABI_EPOCH_MASK ((1u << (64 - ABI_MAX_BITS)) - 1)

/* What a counter is for. */
struct abi_counter_key {
	__u32 cause, submitter;	/* owners */
	__u32 dev;		/* whole disk, major << 20 | minor */
	__u16 disk;		/* its place in the array of disks */
	__u8 op, how;
};

/* The first ABI_DISKS * ABI_OPS counters are for what could not be booked to anyone, by disk and operation. */
struct abi_counter {
	struct abi_counter_key key;	/* cause 0: not in use */
	__u64 ios, bytes;		/* submitted */
	__u64 done, lat_ns;		/* completed */
	__u64 max[2];			/* by the parity of the interval */
};
_Static_assert(sizeof(struct abi_counter) == 64, "abi_counter");

#define ABI_DISKS 512
#define ABI_COUNTER_FIRST (ABI_DISKS * ABI_OPS)
#define ABI_COUNTER_BITS 22	/* with the disk's number in 31 bits (struct abi_flight) */

#define ABI_DISK_BIO (1u << 0)	/* no requests: bios go to the driver */
#define ABI_DISK_TIMED (1u << 1)	/* its requests carry the time of their start */

struct abi_disk {
	__u64 queue;		/* of the kernel: tells whether a request is of this disk */
	__u32 dev;
	__u32 flags;		/* ABI_DISK_* */
	__u64 started, finished;	/* bios */
	__u64 last_ns;		/* when one last started or finished, CLOCK_MONOTONIC */
	__u64 busy_ns;		/* time with a bio in flight, up to last_ns */
	__u32 last[2];		/* owner that last caused a read, a write */
	__u32 upper;		/* place of the disk that is stacked on this one, 0: none */
	__u8 recent;		/* which of `last' was the last */
	__u8 waking;		/* it was idle, and when what is in flight began is not known yet */
	__u16 room;		/* requests it has room for, 0: not known; user space writes it */
};
_Static_assert(sizeof(struct abi_disk) == 64, "abi_disk");

/* What is known of a queue of requests. */
struct abi_queue {
	__u64 address;	/* 0: free */
	__u32 disk;	/* its place */
	__u32 carries;	/* its requests carry the time of their issue */
};

struct abi_diskop {
	__u64 ios, bytes;	/* completed */
	__u64 lat_ns, queue_ns;
	__u64 unsplit_ns;	/* the part of lat_ns of those whose issue was not seen; what remains is the device's */
	__u64 errors, requeues, merges;
	__u64 max[2];
};

/* One a disk and stripe: stripes keep processors off each other's cache lines. */
struct abi_diskstat {
	struct abi_diskop op[ABI_OPS];
};
_Static_assert(sizeof(struct abi_diskstat) == 400, "abi_diskstat");

/* The buckets of data/histogram.h. */
#define ABI_HIST_SUB_BITS 4
#define ABI_HIST_MIN_SHIFT 10
#define ABI_HIST_MAX_SHIFT 37
#define ABI_HIST_BUCKETS (((ABI_HIST_MAX_SHIFT - ABI_HIST_MIN_SHIFT) << ABI_HIST_SUB_BITS) + 2)

struct abi_hist {
	__u64 count[ABI_HIST_BUCKETS];
};

/* One a disk, operation and stripe. */
#define ABI_HIST_INDEX(disk, op, stripe, stripes) (((disk) * ABI_OPS + (op)) * (stripes) + (stripe))

enum abi_lost {
	ABI_LOST_OWNERS,	/* I/O of tasks for whom there was no number */
	ABI_LOST_COUNTERS,	/* I/O for which there was no counter */
	ABI_LOST_DISKS,		/* I/O at disks for which there was no place */
	ABI_LOST_LATENCY,	/* bios whose start was overwritten */
	ABI_LOST_WALK,		/* requests with more bios than are looked at */
	ABI_LOST_INODES,	/* files with dirty pages that were forgotten */
	ABI_LOST_FORGOTTEN,	/* I/O of tasks that ended and whose number was wanted for others */
	ABI_LOST_COUNT,
};

/* A bio in flight: four in a set, the set by the bio's address. */
struct abi_flight {
	__u64 bio;	/* address, 0: free */
	__u64 start_ns, issue_ns;	/* CLOCK_MONOTONIC; start 0: the request knows it */
	__u32 counter;	/* and the disk above ABI_COUNTER_BITS */
	__u32 left;	/* bytes */
};

#define ABI_WAYS 4
/*
 * The multiplier spreads addresses over the high bits (2^64 divided by the golden ratio); to be cut to the number of sets. All of
 * the address: bios that lie at the same place of their pages would have a sixteenth of the sets.
 */
#define ABI_FLIGHT_SET(bio) ((__u32)(((bio) >> 4) * 0x9e3779b97f4a7c15ULL >> 32))
struct abi_flight_set {
	struct abi_flight way[ABI_WAYS];
};
_Static_assert(sizeof(struct abi_flight_set) == 128, "abi_flight_set");

#define ABI_SHARES 11
/*
 * Who has dirtied how many pages of a file that were not written back yet: so many tasks, the last stands for all others when there
 * are more.
 */
struct abi_inode {
	__u64 mapping;	/* address of its address_space, 0: free */
	__u64 folio;	/* the one that was taken off last, 0: something was dirtied since */
	__u64 ino;
	__u32 gen, sdev;	/* with ino: whose mapping it is */
	__u32 last;	/* owner that dirtied a page last */
	__u16 stamp;	/* interval in which that was */
	__u16 flags;	/* ABI_INODE_* */
	struct {
		__u32 owner, pages;
	} who[ABI_SHARES];
};
_Static_assert(sizeof(struct abi_inode) == 128, "abi_inode");
#define ABI_INODE_BACKING 1	/* of a loop device: the owners are those of the loop device's I/O */

struct abi_inode_set {
	struct abi_inode way[ABI_WAYS];
};

/* A file that is a loop device. */
struct abi_backing {
	__u64 ino;
	__u32 sdev, spare;
};
#define ABI_UNPLACED_SEVERAL 0xffffffff	/* there are several loop devices whose file is not known */

/* I/O of one cause at one disk, of one file. */
struct abi_file_key {
	__u64 ino;
	__u32 sdev;	/* of the file system */
	__u32 dev;	/* whole disk */
	__u32 cause;	/* an owner */
	__u32 spare;
};
_Static_assert(sizeof(struct abi_file_key) == 24, "abi_file_key");

#define ABI_FILE_NAME 256	/* longest name, with its NUL */
#define ABI_FILE_NAMES 1024
#define ABI_FILE_WHOLE 1	/* the names go up to the root of the file system */

struct abi_names {
	__u32 count, flags;	/* flags: ABI_FILE_* */
	__u32 gen, spare;	/* gen: of the inode that had the number last */
	char name[ABI_FILE_NAMES];	/* the file's, that of its folder, and so on: each with its NUL */
};

struct abi_file {
	__u64 read, write;	/* bytes, submitted */
	struct abi_names at;
};
_Static_assert(sizeof(struct abi_file) == 1056, "abi_file");

/* The layers an I/O goes through, and what is done there: as enum layer, enum layer_op of data/sample.h. */
enum abi_layer_id {
	ABI_LAYER_SYSCALL,
	ABI_LAYER_VFS,
	ABI_LAYER_FS,
	ABI_LAYER_CACHE,	/* waiting for a page of the page cache */
	ABI_LAYER_QUEUE,
	ABI_LAYER_DEVICE,
	ABI_LAYERS,
};

enum abi_layer_op {
	ABI_LAYER_READ,
	ABI_LAYER_WRITE,
	ABI_LAYER_OPEN,
	ABI_LAYER_FSYNC,
	ABI_LAYER_SYNC,
	ABI_LAYER_DISCARD,
	ABI_LAYER_FLUSH,
	ABI_LAYER_OTHER,
	ABI_LAYER_COMMIT,	/* of a journal, in its own thread */
	ABI_LAYER_DATA,		/* the part of an fsync() before the journal */
	ABI_LAYER_JOURNAL,	/* the part in which a commit ran that began after it */
	ABI_LAYER_JOINED,	/* the part in which a commit ran that had begun before it */
	ABI_LAYER_OPS,
};

/* What is done in a function of the kernel, and where its first argument leads to the file: as enum layer_probe. */
enum abi_probe {
	ABI_PROBE_VFS_READ,	/* struct file * */
	ABI_PROBE_VFS_WRITE,
	ABI_PROBE_VFS_FSYNC,
	ABI_PROBE_VFS_OPEN,	/* struct path * */
	ABI_PROBE_FS_READ,	/* struct kiocb * */
	ABI_PROBE_FS_WRITE,
	ABI_PROBE_FS_FSYNC,	/* struct file * */
	ABI_PROBE_FS_OPEN,	/* struct inode * */
	ABI_PROBES,
};

/* Functions that get programs of their own (fentry, fexit): so many pairs are there. */
#define ABI_LAYER_SLOTS 16

/* How a system call tells its file. */
enum abi_call_file {
	ABI_CALL_NO_FILE,
	ABI_CALL_FD,		/* the first argument */
	ABI_CALL_RETURNS_FD,
	ABI_CALL_SUBMITS,	/* io_submit(): one for each of a list of requests */
	ABI_CALL_REAPS,		/* io_getevents(): tells which of them ended */
};

#define ABI_CALLS 512
struct abi_call {
	__u8 wanted, op, file;	/* enum abi_layer_op, enum abi_call_file */
};

/* Where times are kept. Place 0 is of no one. */
#define ABI_LAYER_PLACES 256
#define ABI_LAYER_FS_NAME 16
struct abi_layer_key {
	__u32 dev;		/* what a file system lies on, else its own number; a disk; 0: unknown */
	__u8 layer, op, is_block, spare;	/* is_block: the file is the disk itself */
};
_Static_assert(sizeof(struct abi_layer_key) == 8, "abi_layer_key");

struct abi_layer_place {
	struct abi_layer_key key;
	char fs[ABI_LAYER_FS_NAME];
};

struct abi_layer {
	__u64 count, total_ns;
	__u64 max[2];		/* by the parity of the interval */
	struct abi_hist hist;
};

/* What a task did at a place (of abi_layer_place) with one file. ino 0: with none that is known. */
struct abi_caller_key {
	__u64 start;		/* of the task, ns of CLOCK_BOOTTIME */
	__u64 ino;
	__u32 tgid, tid;
	__u32 sdev;		/* of the file system */
	__u32 place;
};
_Static_assert(sizeof(struct abi_caller_key) == 32, "abi_caller_key");

struct abi_caller {
	__u64 count, total_ns;	/* ended */
	__u64 max[2];		/* by the parity of the interval */
	char comm[ABI_COMM];
};
_Static_assert(sizeof(struct abi_caller) == 48, "abi_caller");

#define ABI_CALLERS 16384
#define ABI_CALLER_FILES 1024

/* Names are kept once a file. */
struct abi_names_key {
	__u64 ino;
	__u32 sdev, spare;
};

/* Something that still runs. */
struct abi_layer_running {
	__u64 start;		/* ns of CLOCK_MONOTONIC */
	__u32 place, spare;
};

/* A task as the iterator lists it, and as it was when it ended. */
struct abi_task {
	__u64 start;	/* ns of CLOCK_BOOTTIME */
	__u64 exit_ns;	/* ns of CLOCK_MONOTONIC, 0: alive */
	__u64 cgroup;
	__u64 read_bytes, write_bytes, cancelled_bytes;
	__u64 blkio_ns, swapin_ns;
	__u32 tgid, tid, ppid, uid;
	__u32 flags;	/* ABI_TASK_* */
	__u32 state;	/* letter */
	__u32 ioprio;
	__s32 nice;
	char comm[ABI_COMM];
};

/* Stands for the n-th kernel function that a program calls until it is bound. No helper has such a number. */
#define ABI_CALL(n) (0x10000000L + (n))
/* Stands for bpf_rdonly_cast() in any program; where the kernel has it not, its first argument is what it returns. */
#define ABI_CAST 0x1000ffffL

/* What a walk over the tasks leaves, many in one place of an array. */
#define ABI_TASKS_A_PAGE 32

struct abi_task_page {
	struct abi_task task[ABI_TASKS_A_PAGE];
};
_Static_assert(sizeof(struct abi_task) == 112, "abi_task");

/* A stack, kept once under a hash of what it holds. */
#define ABI_STACK_DEPTH 125
#define ABI_STACK_USER (1u << 0)
#define ABI_STACK_CUT (1u << 1)	/* as deep as there is room */

struct abi_stack {
	__u64 start;	/* user stacks: of the process, ns of CLOCK_BOOTTIME */
	__u64 mm;	/* user stacks: tells address spaces apart */
	__u32 tgid;
	__u16 n, flags;	/* frames; ABI_STACK_* */
	__u64 ip[ABI_STACK_DEPTH];	/* innermost first */
};
_Static_assert(sizeof(struct abi_stack) == 1024, "abi_stack");

/* An address space that is seen for the first time. */
struct abi_space {
	__u64 start, mm;
	__u32 tgid, spare;
};

enum abi_stack_lost {
	ABI_STACK_FAILED,	/* the kernel could not walk it */
	ABI_STACK_FULL,		/* there was no room */
	ABI_STACK_COLLIDED,	/* another stack has the same hash */
	ABI_STACK_TOO_DEEP,	/* stacks stored with ABI_STACK_CUT */
	ABI_STACK_SPACES,	/* address spaces that user space was not told of */
	ABI_STACK_LOST_COUNT,
};

/* I/O of a process by one path. kstack, ustack: hashes, 0: none. tgid 0: of those for whom there was no counter. */
struct abi_stackio_key {
	__u64 kstack, ustack;
	__u64 start;	/* of the process, ns of CLOCK_BOOTTIME */
	__u32 tgid, dev, op;
	__u32 cause;	/* owner (block programs), 0: the process itself, or not known */
};
_Static_assert(sizeof(struct abi_stackio_key) == 40, "abi_stackio_key");

struct abi_stackio {
	__u64 ios, bytes;	/* submitted */
	__u64 done, lat_ns;	/* completed */
	char comm[ABI_COMM];
};
_Static_assert(sizeof(struct abi_stackio) == 48, "abi_stackio");

/* Waits of a task that ever waited for I/O. */
struct abi_wait_key {
	__u64 start;	/* ns of CLOCK_BOOTTIME */
	__u32 tid, spare;
};
_Static_assert(sizeof(struct abi_wait_key) == 16, "abi_wait_key");

/* Times are added before since goes back to 0: who reads in between is behind, never ahead. */
struct abi_wait {
	__u64 iowait_ns, throttle_ns;
	__u64 since;		/* of the wait that is going on, ns of CLOCK_MONOTONIC; 0: none is */
	__u32 throttled;	/* the next wait, or the one going on, is in balance_dirty_pages() */
	__u32 ended;		/* the task is gone */
};
_Static_assert(sizeof(struct abi_wait) == 32, "abi_wait");

/* Who ended a wait. */
enum abi_waker {
	ABI_WAKER_NONE,		/* it goes on */
	ABI_WAKER_TASK,
	ABI_WAKER_IRQ,
	ABI_WAKER_SOFTIRQ,
	ABI_WAKER_IDLE,		/* the idle task, outside of interrupts */
	ABI_WAKER_UNKNOWN,	/* the stack could not be walked */
	ABI_WAKERS,
};

#define ABI_OFFCPU_IOWAIT (1u << 0)
#define ABI_OFFCPU_VIA (1u << 1)	/* the request had woken the waker, not the task itself */

/* A task that was off the processor, where, and who woke it. Stacks are hashes, 0: none. */
struct abi_offcpu_key {
	__u64 start, waker_start;	/* ns of CLOCK_BOOTTIME; waker_start 0: no task */
	__u64 kstack, ustack;
	__u64 waker_kstack, waker_ustack;
	__u32 tgid, tid;		/* both 0: of those for whom there was no counter */
	__u32 waker_tgid, waker_tid;
	__u32 io_dev;			/* of the request whose completion woke it; 0: none did */
	__u8 state;			/* letter */
	__u8 flags;			/* ABI_OFFCPU_* */
	__u8 waker;			/* enum abi_waker */
	__u8 io_op;			/* enum abi_op */
};
_Static_assert(sizeof(struct abi_offcpu_key) == 72, "abi_offcpu_key");

struct abi_offcpu {
	__u64 blocked_ns, count;
	__u64 io_ns;			/* latency of the requests */
	__u64 max[2];			/* longest, by the parity of the interval */
	__u64 fresh_ns, fresh_count, fresh_io_ns;	/* how much of the above is of the interval fresh_epoch */
	__u32 fresh_epoch, spare;
	char comm[ABI_COMM], waker_comm[ABI_COMM];
};
_Static_assert(sizeof(struct abi_offcpu) == 104, "abi_offcpu");

enum abi_offcpu_lost {
	ABI_OFFCPU_COUNTERS,	/* booked without task and stacks: there was no counter */
	ABI_OFFCPU_WAKEUPS,	/* ends of blocks that no program saw */
	ABI_OFFCPU_SLOTS,	/* blocks of tasks for whom there was no memory */
	ABI_OFFCPU_LOST_COUNT,
};

#endif
