/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The mount table: which disks are mounted where, and on what a file lies. Sources and mount points
 * are chosen by whoever mounts, with FUSE an ordinary user, and a file on them may wait for him for
 * ever: nothing here opens or stats one, but files below /dev.
 */
#ifndef IOTOP_COLLECT_DISKS_MOUNTS_H
#define IOTOP_COLLECT_DISKS_MOUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/disks/topology.h"

struct mount {
	uint32_t dev;
	uint32_t source_dev;	/* of a file system with a number of its own: a disk it lies on;
				 * 0: not known */
	bool bind;		/* not the root of its file system */
	bool local;		/* no server and no program answers for it: its files can be
				 * looked at */
	char *point;
	char *source;
	char *kind;		/* of the file system */
};

struct mounts {
	struct mount *items;
	size_t n;
};

/*
 * Replaces what is there by a text of /proc/PID/mountinfo. dev: a descriptor of /dev, -1: it is not
 * this machine's.
 */
void mounts_parse(struct mounts *m, const char *text, int dev);
void mounts_release(struct mounts *m);
/* The mount that a path lies on, NULL: none. */
const struct mount *mounts_of_path(const struct mounts *m, const char *path);
/* Whether the mount of a path and those on the way to it, but for the root's, are local. */
bool mounts_are_local(const struct mounts *m, const char *path);
/* Whether this mount shows that disk. */
bool mount_shows(const struct mount *m, const struct disk_node *n);
/* The number of the disk whose device file below /dev a path is, 0: it is none. dev as above. */
uint32_t mounts_device(int dev, const char *path);
/*
 * Newline-separated mount points of a disk, roots of file systems first; NULL: none. The caller
 * frees.
 */
char *mounts_of_disk(const struct mounts *m, const struct disk_node *n);
/* Likewise the kinds of file system that are mounted from it, each once. */
char *mounts_kinds(const struct mounts *m, const struct disk_node *n);
/* The number that a file system mounted from it has of its own, not the disk's; 0: none has. */
uint32_t mounts_own_number(const struct mounts *m, const struct disk_node *n);

#endif
