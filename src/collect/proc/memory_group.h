/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Controllers of a control group, of version 1 or 2: memory, I/O, pressure. */
#ifndef IOTOP_COLLECT_PROC_MEMORY_GROUP_H
#define IOTOP_COLLECT_PROC_MEMORY_GROUP_H

#include <stdbool.h>

#include "base/buf.h"
#include "data/sample.h"

/* Where a controller's hierarchy is mounted. */
struct memory_root {
	const char *controller;	/* its name in version 1; "": only version 2 will do */
	int fd;		/* O_PATH; -1: nowhere */
	char *root;	/* what of it is mounted there: "/" for all */
	bool v1;
};

/* proc: a descriptor of /proc. */
void memory_root_open(struct memory_root *r, const char *controller, int proc, struct buf *buf);
void memory_root_close(struct memory_root *r);
/*
 * The control group of a process for the controller, as a path below the root; NULL: not known. The
 * caller frees.
 */
char *memory_group_of(const struct memory_root *r, int proc, struct buf *buf, uint32_t tgid);
/*
 * Reads the counters of a group, or of the next above it that the controller counts for; the limits
 * of all above are its own, too. What cannot be read is left out of row->have.
 */
void memory_group_read(const struct memory_root *r, struct buf *buf, const char *path,
		       struct sample_memory *row);
/* A file of a group into buf; path may be "". False: it cannot be read, or is empty. */
bool memory_group_file(const struct memory_root *r, struct buf *buf, const char *path,
		       const char *file);

#endif
