/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opens a path that others may have chosen, without being led anywhere. */
#ifndef IOTOP_COLLECT_DISKS_BENEATH_H
#define IOTOP_COLLECT_DISKS_BENEATH_H

#include <stdbool.h>

/*
 * openat() of a path that stays below dir and on its mount, whatever the links in it say; -errno.
 * Without `links`, and where the kernel cannot keep to that by itself (openat2(), Linux 5.6), no
 * symbolic link is followed at all. ".." is refused; a slash at the beginning means dir.
 */
int beneath_open(int dir, const char *path, int flags, bool links);

#endif
