/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Events: single requests, a row each. */
#ifndef IOTOP_DATA_EVENT_EVENT_H
#define IOTOP_DATA_EVENT_EVENT_H

#include "data/entity.h"
#include "data/sample.h"

struct model;

struct event_row {
	struct row row;
	struct sample_event event;		/* its texts are clean */
	uint64_t time_ns;			/* when it ended, CLOCK_REALTIME */
	uint64_t pid, tid;			/* 0: of no task, or not known */
	const char *comm;			/* NULL: not known */
	const char *cgroup, *disk;		/* NULL: not known */
};

/* How events were looked for, and how many there were. */
struct event_totals {
	bool known;
	uint64_t min_ns;	/* shorter ones are left out */
	uint64_t seen, dropped;	/* since the start */
};

struct event_totals event_totals(const struct model *m);

extern const struct column event_columns[];
extern const struct entity entity_event;

#endif
