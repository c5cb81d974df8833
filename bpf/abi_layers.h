/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The part of abi.h about layers, and who spends time in them. abi.h brings it. */
#ifndef IOTOP_BPF_ABI_LAYERS_H
#define IOTOP_BPF_ABI_LAYERS_H

#include "bpf/abi_common.h"

/*
 * The layers an I/O goes through, and what is done there: as enum layer, enum layer_op of
 * data/sample_row.h.
 */
enum abi_layer_id {
	ABI_LAYER_SYSCALL,
	ABI_LAYER_VFS,
	ABI_LAYER_FS,
	ABI_LAYER_CACHE,	/* waiting for a page of the page cache */
	ABI_LAYER_QUEUE,
	ABI_LAYER_DEVICE,
	ABI_LAYER_LIMIT,	/* held back by a limit, before the queue */
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
	ABI_LAYER_FAULT,	/* of a page of a file that is mapped */
	ABI_LAYER_RANGE,	/* sync_file_range(): writes pages, no metadata, and does not
				 * flush */
	ABI_LAYER_OPS,
};

/*
 * What is done in a function of the kernel, and where its first argument leads to the file: as enum
 * layer_probe.
 */
enum abi_probe {
	ABI_PROBE_VFS_READ,	/* struct file * */
	ABI_PROBE_VFS_WRITE,
	ABI_PROBE_VFS_FSYNC,
	ABI_PROBE_VFS_FSYNC_FD,	/* a file descriptor */
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
	ABI_CALL_MAPPED,	/* msync(): none; only with MS_SYNC it waits for what it writes */
	ABI_CALL_FD,		/* the first argument */
	ABI_CALL_RETURNS_FD,
	ABI_CALL_SUBMITS,	/* io_submit(): one for each of a list of requests */
	ABI_CALL_REAPS,		/* io_getevents(): tells which of them ended */
};

#define ABI_CALLS 512
struct abi_call {
	__u8 wanted, op, file;	/* enum abi_layer_op, enum abi_call_file */
};

/* An entry for each device, layer and operation. Entry 0 is nobody's. */
#define ABI_LAYER_FS_NAME 16
struct abi_layer_key {
	__u32 dev;		/* what a file system lies on, else its own number; a disk; 0:
				 * unknown */
	__u8 layer, op, is_block, spare;	/* is_block: the file is the disk itself */
};
_Static_assert(sizeof(struct abi_layer_key) == 8, "abi_layer_key");

struct abi_layer_entry {
	struct abi_layer_key key;
	char fs[ABI_LAYER_FS_NAME];
};

struct abi_layer {
	__u64 count, total_ns;
	__u64 before_ns;	/* of calls that began before they were watched */
	__u64 max[2];		/* by the parity of the interval */
	struct abi_hist hist;
};

/* What a task did at an entry with one file. ino 0: with no file that is known. */
struct abi_caller_key {
	__u64 start;		/* of the task, ns of CLOCK_BOOTTIME */
	__u64 ino;
	__u32 tgid, tid;
	__u32 sdev;		/* of the file system */
	__u32 entry;
};
_Static_assert(sizeof(struct abi_caller_key) == 32, "abi_caller_key");

struct abi_caller {
	__u64 count, total_ns;	/* ended */
	__u64 bytes;		/* of calls: read and written, as they return it */
	__u64 before_bytes;	/* of these, of calls that began before reads were compared */
	__u64 max[2];		/* by the parity of the interval */
	char comm[ABI_COMM];
};
_Static_assert(sizeof(struct abi_caller) == 64, "abi_caller");

#define ABI_CALLERS 32768
#define ABI_CALLER_FILES 4096

/* Names are kept once a file, and once more as an overlay shows it. */
struct abi_names_key {
	__u64 ino;
	__u32 sdev, seen;	/* seen: 1 for the names in an overlay */
};

/* Something that still runs. */
struct abi_layer_running {
	__u64 start;		/* ns of CLOCK_MONOTONIC */
	__u32 entry, spare;
};

#endif
