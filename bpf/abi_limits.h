/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What limits of control groups (io.max, iocost, iolatency) hold back. A part of abi.h. */
#ifndef IOTOP_BPF_ABI_LIMITS_H
#define IOTOP_BPF_ABI_LIMITS_H

#include <linux/types.h>

/*
 * A bio that a limit holds back, or held back and that is in flight now. By its address; it is no
 * time of a limit when `since' is 0: nobody saw when it was held.
 */
struct abi_held {
	__u64 since;		/* ns of CLOCK_MONOTONIC */
	__u64 ns;		/* how long, once it was queued */
	__u64 after;		/* part of that: after it was queued (iocost, iolatency) */
	__u64 task;		/* address of who submitted it */
	__u64 start, tid;	/* of that task: as the kernel has them */
	__u32 flags;		/* of the kernel, for that task (PF_*) */
	__u32 queued;		/* 1: it may pass; 2: and is counted at its layer */
	__u32 dev, op;		/* as in abi_counter_key */
};
_Static_assert(sizeof(struct abi_held) == 64, "abi_held");

/* The last bio that ended on a processor and had been held back: its address, and how long (ns). */
struct abi_held_last {
	__u64 bio, ns, after;	/* as in struct abi_held; ns: ABI_HELD_UNSEEN: not known */
};
#define ABI_HELD_UNSEEN (~0ULL)

/* What limits held back of the I/O of one counter. */
struct abi_throttled {
	__u64 ns;	/* time with one held back */
	__u64 since, until;	/* the last part of that, CLOCK_MONOTONIC: they leave in about the
				 * order in which they came */
	__u64 held, held_ns;	/* how many, and the sum of their times */
	__u64 unseen;	/* held back, for a time that is not known */
};

#endif
