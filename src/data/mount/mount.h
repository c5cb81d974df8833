/* SPDX-License-Identifier: GPL-2.0-or-later */
/* File systems that a server answers for: another machine, or a process. */
#ifndef IOTOP_DATA_MOUNT_MOUNT_H
#define IOTOP_DATA_MOUNT_MOUNT_H

#include "base/clock.h"
#include "data/entity.h"

/* uint64_t only: see struct entity. */
struct mount_counters {
	uint64_t read, write;	/* bytes */
	uint64_t calls, errors, retrans;
	uint64_t ns, rtt_ns;	/* sums of calls: from begin to end, from sending to the answer */
};

#define MOUNT_COUNTERS_SUM (sizeof(struct mount_counters) / sizeof(uint64_t))

struct mount_row {
	struct row row;
	uint32_t dev, have;			/* as in sample_mount */
	const char *mount, *fs, *source;	/* clean */
	const char *server;	/* "sshfs 4711", the process that answers: clean; NULL: not known */
	uint64_t waiting;			/* as in sample_mount */
	/*
	 * For how long at least calls wait and the server has answered none, ns; 0: none wait, or
	 * answers come. UINT64_MAX: not known.
	 */
	uint64_t silent_ns;
};

/* Whether calls wait and none has been answered for five seconds. */
static inline bool mount_is_silent(const struct mount_row *r)
{
	return r->silent_ns != UINT64_MAX && r->silent_ns >= 5 * NSEC_PER_SEC;
}

extern const struct column mount_columns[];
extern const struct entity entity_mount;

#endif
