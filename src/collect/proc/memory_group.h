/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The memory controller of a control group, of version 1 or 2. */
#ifndef IOTOP_COLLECT_PROC_MEMORY_GROUP_H
#define IOTOP_COLLECT_PROC_MEMORY_GROUP_H

#include <stdbool.h>

#include "base/buf.h"
#include "data/sample.h"

/* Where the controller's hierarchy is mounted. */
struct memory_root {
	int fd;		/* O_PATH; -1: nowhere */
	char *root;	/* what of it is mounted there: "/" for all */
	bool v1;
};

/* proc: a descriptor of /proc. */
void memory_root_open(struct memory_root *r, int proc, struct buf *buf);
void memory_root_close(struct memory_root *r);
/*
 * The memory control group of a process, as a path below the root; NULL: not known. The caller
 * frees.
 */
char *memory_group_of(const struct memory_root *r, int proc, struct buf *buf, uint32_t tgid);
/*
 * Reads the counters of a group, or of the next above it that the controller counts for; the limits
 * of all above are its own, too. What cannot be read is left out of row->have.
 */
void memory_group_read(const struct memory_root *r, struct buf *buf, const char *path,
		       struct sample_memory *row);

#endif
