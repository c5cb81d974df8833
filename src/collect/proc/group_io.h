/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the kernel says of the I/O of a control group: pressure, limits, bytes by disk. */
#ifndef IOTOP_COLLECT_PROC_GROUP_IO_H
#define IOTOP_COLLECT_PROC_GROUP_IO_H

#include "collect/proc/memory_group.h"

/* The hierarchies that a group is in. Their roots are borrowed. */
struct group_io {
	const struct memory_root *memory, *io, *unified;
	/* Its path below each; NULL: not known. */
	const char *memory_path, *io_path, *unified_path;
};

/* Fills the pressure of the row. */
void group_io_pressure(const struct group_io *g, struct buf *buf, struct sample_memory *row);
/* What limits the group, in one line; NULL: nothing does. The caller frees. */
char *group_io_limits(const struct group_io *g, struct buf *buf);
/* Adds a row for each disk that io.stat, or blkio of version 1, names. */
void group_io_disks(const struct group_io *g, struct buf *buf, struct sample *s, uint64_t cgroup);

#endif
