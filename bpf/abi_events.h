/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What programs send of single requests and calls, through one ring buffer: records by kind. */
#ifndef IOTOP_BPF_ABI_EVENTS_H
#define IOTOP_BPF_ABI_EVENTS_H

#include <linux/types.h>

#include "bpf/abi_common.h"

/* Bytes of the ring buffer: a second of 100,000 events, and half of it once more. */
#define ABI_EVENT_RING (16u << 20)

enum abi_event_kind {
	ABI_EVENT_REQUEST,
	ABI_EVENT_FILE,	/* the names of a file, before the first event that has it */
	ABI_EVENT_CALL,
};

/* The kernel's flags of a request, bits 8 to 21, moved down to 0. */
#define ABI_EVENT_SYNC (1u << 3)
#define ABI_EVENT_META (1u << 4)
#define ABI_EVENT_PRIO (1u << 5)
#define ABI_EVENT_FUA (1u << 9)
#define ABI_EVENT_PREFLUSH (1u << 10)
#define ABI_EVENT_AHEAD (1u << 11)
#define ABI_EVENT_BACKGROUND (1u << 12)
#define ABI_EVENT_NOWAIT (1u << 13)
#define ABI_EVENT_KERNEL ((1u << 14) - 1)	/* all of the kernel's */
#define ABI_EVENT_PART (1u << 16)	/* the rest of the request goes on */

/* A time, a place or a number that is not known. */
#define ABI_EVENT_UNKNOWN (~0ULL)
#define ABI_EVENT_NONE (~0u)

/* A file as the kernel tells it from others. */
struct abi_event_inode {
	__u64 ino;	/* 0: no file, or not known */
	__u32 sdev, gen;
};

/* A request that ended; without requests (dm, md, zram) a bio. */
struct abi_event {
	__u32 kind;	/* ABI_EVENT_REQUEST */
	__u32 op;	/* enum abi_op */
	__u64 ns;	/* when it ended, CLOCK_MONOTONIC */
	__u64 limit_ns, queue_ns, device_ns, total_ns;
	__u64 sector;	/* of the disk, 512 bytes each */
	__u64 offset;	/* in the file, bytes */
	struct abi_event_inode file;
	__u32 owner;	/* task ref, 0: not known */
	__u32 dev;	/* whole disk, major << 20 | minor; 0: not known */
	__u32 bytes;
	__u32 flags;	/* ABI_EVENT_* */
	__u32 tag, queue;	/* of the hardware queue, and which; or ABI_EVENT_NONE */
	__u32 error;	/* 0: none; below 256 a blk_status_t, else -errno */
	__u32 spare;
};
_Static_assert(sizeof(struct abi_event) == 112, "abi_event");

/* A system call on a file on storage that ended, by the task that made it. */
struct abi_event_call {
	__u32 kind;	/* ABI_EVENT_CALL */
	__u32 op;	/* enum abi_layer_op */
	__u64 ns;	/* when it ended, CLOCK_MONOTONIC */
	__u64 total_ns;
	__s64 result;	/* as the task gets it: negative errno */
	__u64 start, cgroup;	/* of the task, as in abi_task_ref */
	struct abi_event_inode file;
	__u32 tgid, tid, uid;
	__u32 dev;	/* what the file system lies on, as in abi_layer_key */
	char comm[ABI_COMM];
};
_Static_assert(sizeof(struct abi_event_call) == 96, "abi_event_call");

#endif
