/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which control groups have series of their own. For src/out/metrics/ only. */
#ifndef IOTOP_OUT_METRICS_GROUPS_H
#define IOTOP_OUT_METRICS_GROUPS_H

#include "out/metrics/state.h"

/* A control group. Another one at the same path is the same. */
struct metric_group {
	uint64_t id;		/* hash key; of the newest at this path */
	char *labels;		/* owned: where it is, which container, pod and unit that is */
	char *container;	/* owned: what it was called then; NULL: it is none */
	double score;		/* bytes; what is of an hour ago counts for nothing */
	unsigned since, active;	/* ticks: since when own is as it is; when it last did anything */
	double alive;		/* seconds, as of metrics.now: when it last had a task */
	bool own;		/* has series of its own; else what it does is in "other" */
};

void groups_init(struct hash *h);
void groups_clear(struct hash *h);
/*
 * path: clean; container: as rows of tasks have it, with the names that its engine gave as soon as
 * they are known; NULL: none. Valid until groups_balance().
 */
struct metric_group *groups_get(struct metrics *x, uint64_t id, const char *path,
				const char *container);
/* The series of a group, or that of "other"; rest: its labels beside the group's, may be "". */
struct series *groups_series(struct metrics *x, struct metric_group *g, enum series_set set,
			     const char *rest);
/* It did so much in this tick. */
void groups_count(struct metrics *x, struct metric_group *g, double bytes);
/* It has a task. */
void groups_alive(struct metrics *x, uint64_t id);
/* The end of a tick: whose series go, and who gets some. lists: groups_alive() was told of all. */
void groups_balance(struct metrics *x, bool lists);

#endif
