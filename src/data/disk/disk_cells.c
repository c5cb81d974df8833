/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "data/disk/disk_cells.h"

#include <math.h>
#include <string.h>

#include "data/counters.h"

#define ROW DISK_CELL_ROW
#define COUNTERS DISK_CELL_COUNTERS
#define ALL DISK_CELL_ALL

/* The kernel's statistics count milliseconds: none of them is no measure. */
struct value disk_cell_latency(const struct cell *c, enum io_op op)
{
	const struct disk_op_counters *o = &COUNTERS(c)->op[op];

	return o->lat_ns ? value_mean(o->lat_ns, o->done) : value_none();
}

const uint64_t *disk_cell_counts(const struct cell *c, enum io_op op)
{
	const struct disk_hist *hist = cell_is_sum(c) ? ROW(c)->hist_sum : ROW(c)->hist;

	return hist ? hist->op[op] : NULL;
}

struct value disk_cell_percentile(const struct cell *c, enum io_op op, double p)
{
	uint64_t longest = COUNTERS(c)->max_ns[op], ns;
	const uint64_t *counts = disk_cell_counts(c, op);

	if (!counts || !hist_total(counts))
		return value_none();
	ns = hist_percentile(counts, p);
	/* Inside a bucket the percentile is a guess: never beyond the longest. */
	return value_u64(longest ? MIN(ns, longest) : ns);
}

uint64_t disk_counters_all(const struct disk_counters *c, size_t offset)
{
	uint64_t n = 0;

	for (size_t op = 0; op < OP_COUNT; op++)
		n += *(const uint64_t *)((const char *)&c->op[op] + offset);
	return n;
}

/* A disk without requests has no such parts. */
struct value disk_cell_part(const struct cell *c, bool queue)
{
	const struct disk_op_counters *r = &COUNTERS(c)->op[OP_READ],
				      *w = &COUNTERS(c)->op[OP_WRITE];
	uint64_t queue_ns = r->queue_ns + w->queue_ns, device_ns = r->device_ns + w->device_ns;

	if (!queue_ns && !device_ns)
		return value_none();
	return value_mean(queue ? queue_ns : device_ns,
				 counter_delta(r->done + w->done, r->unsplit + w->unsplit));
}

double disk_limit_share(const struct disk_limit_counters *c, enum disk_limit limit)
{
	double share = 100 * (double)c->exceeded_ns[limit] / (double)c->told_ns;

	return c->told_ns ? MIN(share, 100) : NAN;
}

enum disk_limit disk_limit_worst(const struct disk_limit_counters *c)
{
	enum disk_limit worst = 0;

	for (unsigned i = 1; i < LIMIT_COUNT; i++)
		if (c->exceeded_ns[i] > c->exceeded_ns[worst])
			worst = i;
	return worst;
}

struct value disk_cell_exceeded(const struct cell *c)
{
	const struct disk_limit_counters *own = &COUNTERS(c)->limits,
					 *l = own->told_ns || cell_is_sum(c) ? own
										  : &ROW(c)->limits;

	return l->told_ns ? value_f64(disk_limit_share(l, disk_limit_worst(l))) : value_none();
}

struct value disk_cell_insched(const struct cell *c)
{
	const char *sched = ROW(c)->sched;

	if (!sched || !ALL(c, timed) || !ALL(c, done))
		return value_none();
	if (!strncmp(sched, "none", 4))
		return value_u64(0);
	if (ALL(c, unsplit))
		return value_none();
	return value_mean(counter_delta(ALL(c, queue_ns), ALL(c, tag_ns)), ALL(c, done));
}
