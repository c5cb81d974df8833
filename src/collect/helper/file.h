/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A file that a process has mapped, as helper and main process tell each other of it. */
#ifndef IOTOP_COLLECT_HELPER_FILE_H
#define IOTOP_COLLECT_HELPER_FILE_H

#include "collect/helper/wire.h"

/* One address space of a process: a new one begins at execve(). No padding: it is a hash key. */
struct space_key {
	uint64_t start;	/* of the process, ns of CLOCK_BOOTTIME; 0: whatever process has this
			 * number */
	uint64_t mm;	/* any number that changes with execve() */
	uint32_t tgid, pad;
};

struct helper_file {
	uint64_t dev, ino;		/* as /proc/PID/maps says; dev: major << 32 | minor */
	uint64_t size, mtime;		/* bytes, ns; both 0: it was not opened yet */
	uint64_t start, end, offset;	/* where it is mapped, and what of it */
	uint32_t tgid;			/* by whom */
	uint32_t slow;			/* it lies where opening may wait for somebody: a
					 * network, FUSE */
	const char *path;		/* raw, as maps says; not terminated where it comes from
					 * a message */
	size_t path_len;
};

void wire_put_file(struct buf *b, const struct helper_file *f);
struct helper_file wire_file(struct wire_reader *r);
void wire_put_space(struct buf *b, const struct space_key *key);
struct space_key wire_space(struct wire_reader *r);

#endif
