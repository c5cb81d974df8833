/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What /sys says of a disk: what it is, and what it lies on. */
#ifndef IOTOP_COLLECT_DISKS_TOPOLOGY_H
#define IOTOP_COLLECT_DISKS_TOPOLOGY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "data/sample.h"

/* A disk or a partition. Strings are owned, NULL when there is none. */
struct disk_node {
	uint32_t dev;		/* key: major << 20 | minor */
	uint32_t flags;		/* enum disk_flag */
	uint32_t own;		/* as in sample_disk */
	char *name;		/* kernel name, as /proc/diskstats has it */
	char *whole;		/* name of the whole disk; NULL: itself */
	char *label, *below, *mounts, *kinds;
	const char *type;	/* constant */
	char level[16];		/* of an md: what type points to */
	char *backing;		/* of a loop: its file */
	char sched[48];		/* scheduler and nr_requests; empty: it has no requests */
	uint64_t size;		/* bytes */
	uint64_t read_at;	/* CLOCK_MONOTONIC ns, 0: never */
	uint64_t sectors;	/* moved, as of the last sample: did it do anything since? */
	bool active;
	bool hidden;		/* a path of a multipath disk: no disk of its own */
	bool limits;		/* may tell of its provider's limits */
	unsigned seen;		/* round of the last sample that had it */
};

struct disk_node *disk_node_new(uint32_t dev, const char *name, size_t len);
void disk_node_free(struct disk_node *n);
/* Reads /sys again; sys is an O_PATH descriptor of it. below of a loop comes with the mounts. */
void disk_node_read(struct disk_node *n, int sys);

/* Whether the path of a device file is this disk's: by its name alone, no file is looked at. */
bool disk_node_is(const struct disk_node *n, const char *path);

#endif
