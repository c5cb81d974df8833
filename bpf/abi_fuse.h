/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the programs count of the calls to processes that answer for file systems (FUSE). */
#ifndef IOTOP_BPF_ABI_FUSE_H
#define IOTOP_BPF_ABI_FUSE_H

#include <linux/types.h>

#define ABI_FUSE_MOUNTS 512	/* file systems */
#define ABI_FUSE_CALLS 8192	/* that wait for an answer */

/* Of a file system, by its device number; cumulative. */
struct abi_fuse {
	__u64 answers;		/* to all calls */
	__u64 calls, errors;	/* of those that were seen from their begin; with an error */
	__u64 ns;		/* sum of these calls, from being sent to the answer */
	__u64 read, write;	/* bytes of file data from and to the server */
};

_Static_assert(sizeof(struct abi_fuse) == 48, "the same on both sides");

#endif
