/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "data/disk/disk_heat.h"

#include <string.h>

#include "base/utf8.h"
#include "data/model.h"

unsigned disk_band(uint64_t ns)
{
	unsigned bucket = hist_bucket(ns);

	return bucket ? (bucket - 1) / HIST_SUB + 1 : 0;
}

uint64_t disk_band_lower(unsigned band)
{
	return band ? (uint64_t)1 << (HIST_MIN_SHIFT + band - 1) : 0;
}

uint64_t disk_band_upper(unsigned band)
{
	return band + 1 < DISK_BANDS ? disk_band_lower(band + 1) : UINT64_MAX;
}

static struct disk_tick *heat_push(struct disk_heat *h, uint64_t real_ns)
{
	struct disk_tick *t = &h->ticks[h->next];

	h->next = (h->next + 1) % HISTORY_TICKS;
	h->n = MIN(h->n + 1, HISTORY_TICKS);
	memset(t, 0, sizeof(*t));
	t->real_ns = real_ns;
	return t;
}

static struct disk_tick *heat_newest(struct disk_heat *h)
{
	return &h->ticks[(h->next + HISTORY_TICKS - 1) % HISTORY_TICKS];
}

static void bands_add(uint32_t *bands, const uint64_t *counts)
{
	for (unsigned i = 0; i < HIST_BUCKETS; i++) {
		unsigned band = i ? (i - 1) / HIST_SUB + 1 : 0;

		bands[band] = MIN((uint64_t)bands[band] + counts[i], UINT32_MAX);
	}
}

static void counts_set(uint32_t *to, const uint64_t *counts, size_t n)
{
	for (size_t i = 0; i < n; i++)
		to[i] = (uint32_t)MIN(counts[i], UINT32_MAX);
}

static void tick_fill(struct disk_tick *t, const struct disk_hists *h)
{
	bands_add(t->reads, h->now.op[OP_READ]);
	bands_add(t->writes, h->now.op[OP_WRITE]);
	counts_set(t->sizes[0], h->now.sizes[OP_READ], DISK_SIZES);
	counts_set(t->sizes[1], h->now.sizes[OP_WRITE], DISK_SIZES);
	counts_set(t->places[0], h->now.places[OP_READ], DISK_PLACES);
	counts_set(t->places[1], h->now.places[OP_WRITE], DISK_PLACES);
	t->place_bytes = h->place_bytes;
}

static bool had_requests(const struct disk_entry *e)
{
	return disk_now(e)->op[OP_READ].done || disk_now(e)->op[OP_WRITE].done;
}

/* Whole characters only. */
static void comm_copy(char out[static 32], const char *comm)
{
	size_t n = 0;

	while (comm[n]) {
		uint32_t point;
		size_t len = (size_t)utf8_next(comm + n, &point);

		if (n + len > 31)
			break;
		memcpy(out + n, comm + n, len);
		n += len;
	}
	out[n] = '\0';
}

static void tick_task(struct disk_tick *t, const struct disktask_row *r)
{
	struct disk_tick_task *to = &t->tasks[0];

	if (t->ntasks < DISK_TICK_TASKS) {
		to = &t->tasks[t->ntasks++];
	} else {
		t->others++;
		for (unsigned i = 1; i < DISK_TICK_TASKS; i++)
			if (t->tasks[i].ios < to->ios)
				to = &t->tasks[i];
		if (to->ios >= r->all_now->done)
			return;
	}
	*to = (struct disk_tick_task){
		.pid = (uint32_t)r->pid, .op = r->op, .ios = r->all_now->done,
		.avg_ns = r->all_now->lat_ns / r->all_now->done, .max_ns = r->all_now->max_ns,
	};
	comm_copy(to->comm, r->comm);
}

void disk_heat_update(struct disk_state *st, const struct model *m)
{
	bool held = watch_held(&st->hists);
	struct disk_entry *e;
	const struct disktask_row *r;

	counter_table_each(st->disks, e) {
		struct disk_tick *t;

		if (!e->heat && e->hists && had_requests(e))
			e->heat = mem_zalloc(sizeof(*e->heat));
		if (!e->heat)
			continue;
		t = heat_push(e->heat, m->real_ns);
		t->unknown = !held;
		tick_fill(t, e->hists);
	}
	row_each(r, &m->rows[ENTITY_DISKTASK]) {
		if (!r->all_now->done || (r->op != OP_READ && r->op != OP_WRITE))
			continue;
		e = counter_table_find(st->disks, &r->dev);
		if (e && e->heat && held)
			tick_task(heat_newest(e->heat), r);
	}
}
