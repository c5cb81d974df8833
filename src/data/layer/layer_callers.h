/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whose the time at the layers is: counters by task, file and row of the layers. */
#ifndef IOTOP_DATA_LAYER_LAYER_CALLERS_H
#define IOTOP_DATA_LAYER_LAYER_CALLERS_H

#include "data/counters.h"
#include "data/sample.h"

/* What a row is for. No padding: it is a hash key. */
struct layer_key {
	uint32_t dev, layer, op, is_block;
};

struct layer_counters {
	uint64_t count, lat_ns;	/* ended, and how long these took from begin to end */
	uint64_t time_ns;	/* spent there, by what ended and by what still runs */
	uint64_t max_ns;
};

#define LAYER_COUNTERS_MAX 1
#define LAYER_COUNTERS_SUM (sizeof(struct layer_counters) / sizeof(uint64_t) - LAYER_COUNTERS_MAX)

/* One task and one file (or none that is known) of a row. Owned by the table. */
struct layer_caller {
	struct counters c;		/* struct layer_counters, of what ended */
	struct layer_caller_key {
		struct task_id id;
		uint64_t ino;		/* 0: no file */
		uint32_t sdev;		/* of its file system */
		struct layer_key place;
		uint32_t spare;
	} key;
	char *comm, *path;		/* clean; path NULL: unknown */
	const struct layer_caller *next;	/* of the same row */
};

/* Of the interval, or since the start. */
static inline const struct layer_counters *layer_caller_counters(const struct layer_caller *c,
								 bool since_start)
{
	return (const struct layer_counters *)(since_start ? c->c.sum : c->c.now);
}

/* A table of struct layer_caller. */
struct counter_table *layer_callers_new(void);
/* One more sample, m->cur. */
void layer_callers_update(struct counter_table *t, const struct model *m);

#endif
