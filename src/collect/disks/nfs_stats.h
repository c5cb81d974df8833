/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the kernel's NFS client tells of a mount (/proc/PID/mountstats) and its servers (/sys). */
#ifndef IOTOP_COLLECT_DISKS_NFS_STATS_H
#define IOTOP_COLLECT_DISKS_NFS_STATS_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

/* Cumulative. source and point lie in the text, escaped as in /proc/PID/mountinfo. */
struct nfs_stats {
	const char *source, *point;
	size_t source_len, point_len;
	uint64_t read, write;		/* bytes from and to the server */
	uint64_t answers;		/* that came over the connections of its server */
	uint64_t ops, errors;		/* ended; of these with an error of the server */
	uint64_t retrans;		/* times that something was sent again */
	uint64_t rtt_ms, execute_ms;	/* from sending to the answer, from call to end */
};

/* The next NFS mount of a text; *p moves behind it. 1, or 0 at the end. */
int nfs_stats_next(const char **p, struct nfs_stats *ret);
/*
 * Calls that go on now to the server with this address, whether they wait for the answer, to be
 * sent or for the connection. sys: a descriptor of /sys. 0, or -ENOENT: the kernel does not tell
 * (before 5.14).
 */
int nfs_waiting(int sys, struct buf *buf, const char *addr, uint64_t *ret);

#endif
