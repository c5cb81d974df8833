/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The functions of the kernel that the layers vfs and fs are measured at, and which of them a
 * kernel has.
 */
#ifndef IOTOP_COLLECT_BPF_FUNCTIONS_H
#define IOTOP_COLLECT_BPF_FUNCTIONS_H

#include <stddef.h>
#include <stdint.h>

/*
 * Which pair of programs goes to a function: what is done there, and where its first argument leads
 * to the file.
 */
enum layer_probe {
	PROBE_VFS_READ,		/* struct file * */
	PROBE_VFS_WRITE,
	PROBE_VFS_FSYNC,
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

/* By name, as they are listed. */
extern const struct layer_function layer_functions[];
extern const size_t layer_functions_count;

/* The names of those that have an address, as many as there is room for; NULL when none has. */
const char *layer_functions_text(const uint64_t *address, char *out, size_t size);

#endif
