/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel functions at which the layers vfs and fs are measured. */
#ifndef IOTOP_COLLECT_BPF_FUNCTIONS_H
#define IOTOP_COLLECT_BPF_FUNCTIONS_H

#include <stddef.h>
#include <stdint.h>

/*
 * Which pair of programs a function needs: what it does, and how its first argument leads to the
 * file.
 */
enum layer_probe {
	PROBE_VFS_READ,		/* struct file * */
	PROBE_VFS_WRITE,
	PROBE_VFS_FSYNC,
	PROBE_VFS_FSYNC_FD,	/* a file descriptor */
	PROBE_VFS_OPEN,		/* struct path * */
	PROBE_FS_READ,		/* struct kiocb * */
	PROBE_FS_WRITE,
	PROBE_FS_FSYNC,		/* struct file * */
	PROBE_FS_OPEN,		/* struct inode * */
	PROBE_COUNT,
};

struct layer_function {
	const char *name;
	enum layer_probe probe;
};

#define LAYER_FUNCTIONS_MAX 64

/* Sorted by name. */
extern const struct layer_function layer_functions[];
extern const size_t layer_functions_count;

/* The names of those with an address, as many as fit; NULL when none has. */
const char *layer_functions_text(const uint64_t *address, char *out, size_t size);

#endif
