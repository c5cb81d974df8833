/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What /sys and mountinfo say of a disk: what it is, what it lies on, where it is mounted. */
#ifndef IOTOP_COLLECT_TOPOLOGY_H
#define IOTOP_COLLECT_TOPOLOGY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "data/sample.h"

/* A disk or a partition. Strings are owned, NULL when there is none. */
struct disk_node {
	uint32_t dev;		/* key: major << 20 | minor */
	uint32_t flags;		/* enum disk_flag */
	char *name;		/* kernel name, as /proc/diskstats has it */
	char *whole;		/* name of the whole disk; NULL: itself */
	char *label, *below, *mounts, *kinds;
	const char *type;	/* constant */
	char level[16];		/* of an md: what type points to */
	char *backing;		/* of a loop: its file */
	uint64_t size;		/* bytes */
	uint64_t read_at;	/* CLOCK_MONOTONIC ns, 0: never */
	uint64_t sectors;	/* moved, as of the last sample: did it do anything since? */
	bool active;
	bool hidden;		/* a path of a multipath disk: no disk of its own */
	unsigned seen;		/* round of the last sample that had it */
};

struct disk_node *disk_node_new(uint32_t dev, const char *name, size_t len);
void disk_node_free(struct disk_node *n);
/* Reads /sys again; sys is an O_PATH descriptor of it. below of a loop comes with the mounts. */
void disk_node_read(struct disk_node *n, int sys);

/* The mount table. */
struct mount {
	uint32_t dev;
	bool bind;		/* not the root of its file system */
	char *point;
	char *source;
	char *kind;		/* of the file system */
};

struct mounts {
	struct mount *items;
	size_t n;
};

/* Replaces what is there by a text of /proc/PID/mountinfo. */
void mounts_parse(struct mounts *m, const char *text);
void mounts_release(struct mounts *m);
/* The mount that a path lies on, NULL: none. */
const struct mount *mounts_of_path(const struct mounts *m, const char *path);
/* Whether this mount shows that disk. live: the device files are this machine's. */
bool mount_shows(const struct mount *m, const struct disk_node *n, bool live);
/* Newline-separated mount points of a disk, roots of file systems first; NULL: none. The caller frees. */
char *mounts_of_disk(const struct mounts *m, const struct disk_node *n, bool live);
/* Likewise the kinds of file system that are mounted from it, each once. */
char *mounts_kinds(const struct mounts *m, const struct disk_node *n, bool live);

#endif
