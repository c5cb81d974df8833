// SPDX-License-Identifier: GPL-2.0-or-later
/* Whose requests took about so long in an interval of a disk. */
#include <stdlib.h>

#include "data/disk/disk.h"

static bool is_alone(const struct disk_tick *tick, const struct disk_tick_task *t)
{
	for (unsigned i = 0; i < tick->ntasks; i++)
		if (&tick->tasks[i] != t && tick->tasks[i].op == t->op)
			return false;
	return !tick->others;
}

static enum disk_nearness nearness(const struct disk_tick *tick, const struct disk_tick_task *t,
				   unsigned first, unsigned last)
{
	unsigned average = disk_band(t->avg_ns), longest = disk_band(t->max_ns);

	if (is_alone(tick, t))
		return NEAR_ONLY;
	if (average >= first && average <= last)
		return NEAR_AVERAGE;
	if (longest >= first && longest <= last)
		return NEAR_LONGEST;
	return first > longest ? NEAR_NOT : first > average ? NEAR_BETWEEN : NEAR_FASTER;
}

static int guest_order(const void *pa, const void *pb)
{
	const struct disk_guest *a = pa, *b = pb;

	if (a->near != b->near)
		return (int)a->near - (int)b->near;
	return ORDER(b->task->ios, a->task->ios);
}

unsigned disk_guests(const struct disk_tick *tick, unsigned first, unsigned last, bool reads,
		     bool writes, struct disk_guest guests[DISK_TICK_TASKS])
{
	unsigned n = 0;

	for (unsigned i = 0; i < tick->ntasks; i++) {
		const struct disk_tick_task *t = &tick->tasks[i];

		if (!(t->op == OP_READ ? reads : writes))
			continue;
		guests[n] = (struct disk_guest){ t, nearness(tick, t, first, last) };
		n += guests[n].near != NEAR_NOT;
	}
	qsort(guests, n, sizeof(*guests), guest_order);
	return n;
}
