/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Latency targets (io.latency) of the groups beside a control group. When one of them is missed,
 * the kernel holds back the groups beside it that have none, or a longer one
 * (iolatency_check_latencies() and check_scale_change()): what holds a group back is another's
 * target, never its own.
 */
#ifndef IOTOP_COLLECT_PROC_CGROUP_PEERS_H
#define IOTOP_COLLECT_PROC_CGROUP_PEERS_H

#include "base/buf.h"

/*
 * Adds the shortest of these of each disk that may hold back the group with this path ("/a/b")
 * below root (version 2): " 8:0 target=1000 (/a/web)", in microseconds as the file has it. Nothing
 * where the kernel has no io.latency. Of the groups beside it 1,024 are read.
 */
void cgroup_peers_read(int root, const char *path, struct buf *ret);

#endif
