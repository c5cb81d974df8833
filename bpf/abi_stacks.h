/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The part of abi.h about stacks, waits and blocked tasks. abi.h brings it. */
#ifndef IOTOP_BPF_ABI_STACKS_H
#define IOTOP_BPF_ABI_STACKS_H

#include "bpf/abi_common.h"

/* A stack, kept once under a hash of what it holds. */
#define ABI_STACK_DEPTH 125
#define ABI_STACK_USER (1u << 0)
#define ABI_STACK_CUT (1u << 1)	/* as deep as there is room */
#define ABI_STACK_TABLES (1u << 2)	/* unwound by tables, where code has some */
#define ABI_STACK_END(flags) ((flags) >> 4 & 15)	/* enum abi_stack_end */

/* Why a user stack has no more frames. */
enum abi_stack_end {
	ABI_END_UNKNOWN,	/* by frame pointers: it is not known */
	ABI_END_FIRST,		/* the outermost */
	ABI_END_NO_FRAME,	/* code without a table, and no frame pointer */
	ABI_END_ODD,		/* the table says what cannot be expressed */
	ABI_END_UNMAPPED,	/* the return address is in no code that is known */
	ABI_END_MEMORY,		/* the stack could not be read */
	ABI_END_NO_TABLE,	/* that of the code is not here: no room, or it was not read */
	ABI_END_BROKEN,		/* the frame is not above the one before */
	ABI_END_EARLY,		/* by what its code shows: its tables were not here yet */
	ABI_END_32_BITS,	/* a program of 32 bits, which is not unwound */
	ABI_ENDS,
};

struct abi_stack {
	__u64 start;	/* user stacks: of the process, ns of CLOCK_BOOTTIME */
	__u64 mm;	/* user stacks: tells address spaces apart */
	__u32 tgid;
	__u16 n, flags;	/* frames; ABI_STACK_* */
	__u64 ip[ABI_STACK_DEPTH];	/* innermost first */
};
_Static_assert(sizeof(struct abi_stack) == 1024, "abi_stack");

/* An address space that is seen for the first time, or whose mappings have changed. */
struct abi_space {
	__u64 start, mm;
	__u32 tgid, changed;
};

enum abi_stack_lost {
	ABI_STACK_FAILED,	/* the kernel could not walk it */
	ABI_STACK_FULL,		/* there was no room */
	ABI_STACK_TOO_DEEP,	/* stacks stored with ABI_STACK_CUT */
	ABI_STACK_SPACES,	/* address spaces that user space was not told of */
	ABI_STACK_LOST_COUNT,
};

/*
 * I/O of a process by one path. kstack, ustack: hashes, 0: none. tgid 0: of those for whom there
 * was no counter.
 */
struct abi_stackio_key {
	__u64 kstack, ustack;
	__u64 start;	/* of the process, ns of CLOCK_BOOTTIME */
	__u32 tgid, dev, op;
	__u32 owner;	/* ref (block programs), 0: the process itself, or not known */
};
_Static_assert(sizeof(struct abi_stackio_key) == 40, "abi_stackio_key");

struct abi_stackio {
	__u64 ios, bytes;	/* submitted */
	__u64 done, lat_ns;	/* completed, from when it was submitted */
	__u64 untimed;		/* completed, submitted at a time that is not known */
	char comm[ABI_COMM];
};
_Static_assert(sizeof(struct abi_stackio) == 56, "abi_stackio");

/* Waits of a task that ever waited for I/O or memory. */
struct abi_wait_key {
	__u64 start;	/* ns of CLOCK_BOOTTIME */
	__u32 tid, spare;
};
_Static_assert(sizeof(struct abi_wait_key) == 16, "abi_wait_key");

/* Times are added before since goes back to 0: who reads in between is behind, never ahead. */
struct abi_wait {
	__u64 wait_ns;		/* time that it could not go on for I/O */
	__u64 iowait_ns;	/* what the kernel calls iowait: asleep with in_iowait set */
	__u64 throttle_ns;
	__u64 since;		/* of the sleep that is going on, ns of CLOCK_MONOTONIC; 0: none
				 * is */
	__u64 asked_ns;		/* of asked, when it began */
	__u32 asked;		/* index of the struct abi_asked with a request in flight for as
				 * long as the task waits for I/O; ABI_WAITS_*: not that */
	__u8 iowait;		/* the sleep is iowait */
	__u8 throttled;		/* the next wait, or the one going on, is in
				 * balance_dirty_pages() */
	__u8 ended;		/* the task is gone */
	__u8 spare;
	__u32 own;		/* as asked, of the last sleep of which it was one; 0: none */
	__u32 reclaims;		/* the memory stall is direct reclaim: it goes on while the task
				 * runs */
	__u64 memstall_ns;	/* stalled for memory */
	__u64 memstall_since;	/* of the stall that is going on, as since */
};
_Static_assert(sizeof(struct abi_wait) == 72, "abi_wait");
#define ABI_WAITS_ALWAYS 0	/* all of the sleep is for I/O */
#define ABI_WAITS_NEVER 1	/* nobody has a request in flight that it could wait for */

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
#define ABI_OFFCPU_MEMSTALL (1u << 2)	/* stalled for memory (in_memstall) */
#define ABI_OFFCPU_LIMITED (1u << 3)	/* a limit held the request back for most of it */

/* What a task waits for that another one holds; in the upper half of flags. */
enum abi_lock {
	ABI_LOCK_NONE,		/* something else, or it is not known */
	ABI_LOCK_MUTEX,
	ABI_LOCK_RWSEM,
	ABI_LOCK_JOURNAL,
	ABI_LOCKS,
};
#define ABI_OFFCPU_LOCK 4	/* bits it is shifted by */

/*
 * A task that was off the processor, where, who held what it waited for, and who woke it. Stacks
 * are hashes, 0: none.
 */
struct abi_offcpu_key {
	__u64 start, waker_start;	/* ns of CLOCK_BOOTTIME; waker_start 0: no task */
	__u64 holder_start;		/* 0: nobody, or not known */
	__u64 kstack, ustack;
	__u64 waker_kstack, waker_ustack;
	__u32 tgid, tid;		/* both 0: of those for whom there was no counter */
	__u32 waker_tgid, waker_tid;
	__u32 holder_tgid, holder_tid;
	__u32 io_dev;			/* of the request whose completion woke it; 0: none did */
	__u8 state;			/* letter */
	__u8 flags;			/* ABI_OFFCPU_*, enum abi_lock */
	__u8 waker;			/* enum abi_waker */
	__u8 io_op;			/* enum abi_op */
};
_Static_assert(sizeof(struct abi_offcpu_key) == 88, "abi_offcpu_key");

struct abi_offcpu {
	__u64 blocked_ns, count;
	__u64 io_ns;			/* latency of the requests */
	__u64 max[2];			/* longest, by the parity of the interval */
	__u64 fresh_ns, fresh_count, fresh_io_ns;	/* how much of the above is of the
							 * interval fresh_epoch */
	__u32 fresh_epoch, uid;
	__u64 cgroup;			/* id in the v2 hierarchy */
	char comm[ABI_COMM], waker_comm[ABI_COMM], holder_comm[ABI_COMM];
};
_Static_assert(sizeof(struct abi_offcpu) == 128, "abi_offcpu");

enum abi_offcpu_lost {
	ABI_OFFCPU_COUNTERS,	/* charged without task and stacks: there was no counter */
	ABI_OFFCPU_WAKEUPS,	/* ends of blocks that no program saw */
	ABI_OFFCPU_SLOTS,	/* begins of blocks for which there was no memory */
	ABI_OFFCPU_LOST_COUNT,
};

#endif
