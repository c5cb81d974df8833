// SPDX-License-Identifier: GPL-2.0-or-later
#include "data/disk/disk_past.h"

#include <stdlib.h>

#include "base/arena.h"
#include "data/counters.h"
#include "data/disk/disk_entry.h"

#define SIZES 10	/* classes: up to 4 KiB, 8 KiB, …, 1 MiB, more */
#define DEPTHS 9	/* classes: up to 1 in flight, 2, 4, …, 128, more */
#define FEW 8		/* an interval with fewer I/Os of a class says nothing */
#define KNOWN 10	/* so many intervals make a usual time */
/* Each interval counts for this much, and 1/1024 less with each later one: half after 710. */
#define INTERVAL (1ULL << 32)
#define FADE_SHIFT 10

/* Average device times of intervals. */
struct past_class {
	uint64_t counts[HIST_BUCKETS];
	unsigned seen;		/* intervals */
};

struct disk_past {
	struct past_class *classes[2][SIZES][DEPTHS];	/* reads, writes; NULL: none seen */
};

/* 0 for values up to first, 1 up to twice as much, and so on. */
static unsigned class_of(uint64_t value, uint64_t first, unsigned classes)
{
	unsigned class = 0;

	while (class < classes - 1 && value > first << class)
		class++;
	return class;
}

static void past_add(struct past_class *c, uint64_t ns)
{
	for (size_t i = 0; i < HIST_BUCKETS; i++)
		c->counts[i] -= c->counts[i] >> FADE_SHIFT;
	c->counts[hist_bucket(ns)] += INTERVAL;
	c->seen++;
}

/* One operation of an interval in which this many were in flight, in hundredths. */
static void op_count(struct disk_past *past, struct disk_usual *ret, unsigned op,
		     const struct disk_op_counters *o, uint64_t depth)
{
	uint64_t known = counter_delta(o->done, o->unsplit);
	struct past_class **class;

	if (known < FEW || !o->device_ns)
		return;
	class = &past->classes[op == OP_WRITE][class_of(o->bytes / o->done, 4096, SIZES)]
			      [class_of(depth, 150, DEPTHS)];
	if (!*class)
		*class = mem_zalloc(sizeof(**class));
	if ((*class)->seen >= KNOWN) {
		ret->ios += known;
		ret->usual_ns += known * hist_percentile((*class)->counts, 50);
		ret->device_ns += o->device_ns;
	}
	past_add(*class, o->device_ns / known);
}

struct disk_usual disk_past_count(struct disk_past **past, const struct disk_counters *now)
{
	const struct disk_load *load = &now->load;
	struct disk_usual ret = { 0 };

	if (!load->busy_ns || !disk_has_moved(now))
		return ret;
	if (!*past)
		*past = mem_zalloc(sizeof(**past));
	for (unsigned op = OP_READ; op <= OP_WRITE; op++)
		op_count(*past, &ret, op, &now->op[op], load->depth_ns * 100 / load->busy_ns);
	return ret;
}

void disk_past_free(struct disk_past *past)
{
	for (size_t i = 0; past && i < sizeof(past->classes) / sizeof(past->classes[0][0][0]); i++)
		free((&past->classes[0][0][0])[i]);
	free(past);
}
