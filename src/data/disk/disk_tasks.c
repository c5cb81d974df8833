// SPDX-License-Identifier: GPL-2.0-or-later
/* Who is on a disk. */
#include <stdlib.h>

#include "data/disk/disk.h"

static uint64_t disk_of(const struct row *row)
{
	return ((const struct disktask_row *)row)->dev;
}

struct rows disk_tasks(const struct model *m, uint32_t whole, struct arena *a)
{
	struct row_index by_disk = row_index_new(m, ENTITY_DISKTASK, disk_of, a);

	return row_index_find(&by_disk, whole);
}

static const struct disktask_counters *counters(const struct row *row, bool since_start)
{
	const struct disktask_row *r = (const struct disktask_row *)row;

	return since_start ? r->all_sum : r->all_now;
}

static int by_bytes(const void *pa, const void *pb, void *arg)
{
	const struct row *a = *(const struct row *const *)pa, *b = *(const struct row *const *)pb;
	const bool *since_start = arg;
	const struct disktask_counters *x = counters(a, *since_start),
				       *y = counters(b, *since_start);

	if (x->bytes != y->bytes)
		return x->bytes < y->bytes ? 1 : -1;
	if (x->ios != y->ios)
		return x->ios < y->ios ? 1 : -1;
	return ORDER(a->key, b->key);
}

struct rows disk_tasks_busiest(const struct model *m, uint32_t whole, bool since_start,
			       struct arena *a)
{
	struct rows all = disk_tasks(m, whole, a);
	const struct row **busy = arena_new(a, const struct row *, all.n);
	size_t n = 0;

	for (size_t i = 0; i < all.n; i++) {
		const struct disktask_counters *c = counters(all.rows[i], since_start);

		if (c->ios || c->done)
			busy[n++] = all.rows[i];
	}
	if (n > 1)
		qsort_r(busy, n, sizeof(*busy), by_bytes, &since_start);
	return (struct rows){ busy, n };
}
