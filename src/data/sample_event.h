/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows of a sample (data/sample.h) about single requests and calls. */
#ifndef IOTOP_DATA_SAMPLE_EVENT_H
#define IOTOP_DATA_SAMPLE_EVENT_H

#include "data/sample_row.h"

enum event_kind {
	EVENT_REQUEST,	/* at a disk */
	EVENT_CALL,	/* of a program */
	EVENT_KINDS,
};

/* Of a request; as the kernel has them. */
enum event_flag {
	EVENT_SYNC = 1u << 0,
	EVENT_FUA = 1u << 1,
	EVENT_PREFLUSH = 1u << 2,
	EVENT_AHEAD = 1u << 3,
	EVENT_META = 1u << 4,
	EVENT_NOWAIT = 1u << 5,
	EVENT_PRIO = 1u << 6,
	EVENT_BACKGROUND = 1u << 7,
	EVENT_PART = 1u << 8,	/* its rest ends later, as an event of its own */
};

#define EVENT_UNKNOWN UINT64_MAX
#define EVENT_NO_NUMBER UINT32_MAX

/* One request or call, that ended since the sample before. Not cumulative. */
struct sample_event {
	struct task_id id;	/* who it is charged to; all 0: not known */
	uint64_t ns;		/* when it ended, CLOCK_MONOTONIC */
	uint32_t kind;		/* enum event_kind */
	uint32_t op;		/* enum io_op; of a call enum layer_op */
	uint32_t flags;		/* enum event_flag */
	uint32_t uid;		/* as cgroup */
	uint32_t dev;		/* major << 20 | minor of the disk, 0: not known */
	uint32_t sdev;		/* the file system's device, with ino */
	uint32_t tag, hwqueue;	/* or EVENT_NO_NUMBER */
	uint64_t cgroup;	/* id, 0: it is not known, uid neither */
	uint64_t sector, bytes;	/* these and the times: or EVENT_UNKNOWN */
	uint64_t limit_ns, queue_ns, device_ns;	/* held back by a limit; to the device; in it */
	uint64_t total_ns;
	uint64_t ino;		/* 0: no file, or not known */
	uint64_t offset;	/* in it */
	uint32_t error;		/* errno, 0: none */
	int64_t result;		/* of a call */
	const char *comm;	/* NULL: not known */
	const char *path;	/* NULL: not known */
};

/* How events were looked for; one row. */
struct sample_eventlog {
	uint64_t min_ns;	/* --min-latency */
	uint64_t sent, dropped;	/* cumulative */
};

#endif
