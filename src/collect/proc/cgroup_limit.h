/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The limits of I/O that hold for a control group: its own and those of the groups it is in. */
#ifndef IOTOP_COLLECT_PROC_CGROUP_LIMIT_H
#define IOTOP_COLLECT_PROC_CGROUP_LIMIT_H

#include <stdbool.h>

#include "base/buf.h"

/*
 * Adds what is a limit in a text of io.max, " riops=20", after the number of the disk where there
 * are several.
 */
void cgroup_limit_max(const char *text, struct buf *ret);
/* The same of io.weight: " 100", and those for single disks behind it. */
void cgroup_limit_weight(const char *text, struct buf *ret);
/* The same of version 1: text of a file of blkio.throttle, for that key ("riops"). */
void cgroup_limit_device(const char *text, const char *key, struct buf *ret);
/*
 * Reads all that is set for the group with this path below root and for those it is in: "io.max
 * riops=20; io.max wbps=1000 (/upper)". unified: of version 2.
 */
void cgroup_limit_read(int root, const char *path, bool unified, struct buf *ret);
/*
 * The same of what may hold its I/O back: not its own io.latency, which holds back others, but
 * theirs (cgroup_peers.h).
 */
void cgroup_limit_holding(int root, const char *path, bool unified, struct buf *ret);

#endif
