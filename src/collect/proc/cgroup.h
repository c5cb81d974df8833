/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Control groups by name, and what lies below them. */
#ifndef IOTOP_COLLECT_PROC_CGROUP_H
#define IOTOP_COLLECT_PROC_CGROUP_H

#include <stdint.h>

#include "base/buf.h"

/*
 * Opens a control group by its path below where cgroup2 is mounted, or by its whole path; proc:
 * "/proc". A descriptor, or -errno (-ENOENT also where no cgroup2 is mounted, and for what lies
 * outside of it, be there something or not). Adds the path below the mount to ret_path (NULL: not
 * wanted); of the root it is "".
 */
int cgroup_open(const char *proc, const char *path, struct buf *ret_path);
/*
 * Opens it again when it was removed: who makes it anew makes another group. *fd: of the group that
 * was there, -1: none; it is -1 while there is none. 1: *fd is of another group, 0: of the same, or
 * -errno.
 */
int cgroup_follow(const char *proc, const char *path, int *fd);
/* Tells of a control group (a descriptor of its folder) and of all below it, each by its id. */
void cgroup_each(int fd, void (*each)(void *arg, uint64_t id), void *arg);

#endif
