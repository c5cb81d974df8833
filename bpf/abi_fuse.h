/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the programs count of the calls to processes that answer for file systems (FUSE). */
#ifndef IOTOP_BPF_ABI_FUSE_H
#define IOTOP_BPF_ABI_FUSE_H

#include <linux/types.h>

#define ABI_FUSE_MOUNTS 512	/* file systems */
#define ABI_FUSE_CALLS 8192	/* that wait for an answer */
#define ABI_FUSE_CALLERS 1024	/* tasks, those that called last */

/* Of a file system, by its device number; cumulative. */
struct abi_fuse {
	__u64 answers;		/* to all calls */
	__u64 calls, errors;	/* of those that were seen from their begin; with an error */
	__u64 ns;		/* sum of these calls, from being sent to the answer */
	__u64 read, write;	/* bytes of file data from and to the server */
	__u32 server, spare;	/* process that gave the last answer; 0: not known */
	char comm[16];		/* of its main thread */
};

/* A task that waits for the answer to a call; tid 0: it does not, the call is in the background. */
struct abi_fuse_task {
	__u64 start;		/* ns of CLOCK_BOOTTIME */
	__u32 tgid, tid;
};

/* A call that waits for an answer. */
struct abi_fuse_call {
	struct abi_fuse_task task;
	__u64 since;		/* ns of CLOCK_MONOTONIC */
	__u32 dev, spare;	/* of the file system */
};

/* How long a task waited for answers, up to the last one; cumulative. */
struct abi_fuse_wait {
	__u64 ns;
	__u32 dev, spare;	/* of the last call */
};

_Static_assert(sizeof(struct abi_fuse_call) == 32, "the same on both sides");
_Static_assert(sizeof(struct abi_fuse) == 72, "the same on both sides");

#endif
