/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opens a path that others may have chosen, without being led anywhere. */
#ifndef IOTOP_COLLECT_BENEATH_H
#define IOTOP_COLLECT_BENEATH_H

/*
 * openat() of a relative path that stays below dir and on its mount, whatever the links in it say; -errno. Where the kernel cannot
 * (before 5.6) no link is followed at all.
 */
int beneath_open(int dir, const char *path, int flags);

#endif
