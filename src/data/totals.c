/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "data/totals.h"

#include <math.h>
#include <string.h>

#include "data/model.h"
#include "data/names.h"

#define SECTOR 512	/* /proc/diskstats counts in these whatever the disk's own block is */

struct sectors {
	uint64_t read, written;
};

struct total_disk {
	struct counters c;	/* struct sectors */
	uint32_t dev;
	unsigned counted_tick;	/* of the last sample in which it was counted, 0: never */
};

/*
 * A device that is listed for the first time begins with the numbers it has: they are of its life
 * before.
 */
static const struct counter_kind total_kind = {
	COUNTER_ENTRY(struct total_disk, dev),
	.nsum = sizeof(struct sectors) / sizeof(uint64_t),
	.begins_visible = true,
};

void totals_init(struct totals_state *t)
{
	memset(t, 0, sizeof(*t));
	t->disks = counter_table_new(&total_kind);
}

void totals_release(struct totals_state *t)
{
	counter_table_free(t->disks);
}

/*
 * An interval counts for a disk that was counted at both of its ends. A loop device lies on another
 * disk until it is detached: what it read until then was counted below it.
 */
static void disks_add(struct totals_state *t, struct model *m, struct names *names)
{
	struct sectors total = { 0 };
	uint64_t rows = 0;

	counter_table_begin(t->disks, m);
	sample_each(m->cur, DISK, const struct sample_disk, d) {
		struct sectors cur = { d->rd_sectors, d->wr_sectors };
		struct total_disk *e = counter_table_get(t->disks, &d->dev, NULL);

		counters_count(t->disks, &e->c, &cur, NULL);
		if (!names_disk(names, d->dev)->counted)
			continue;
		if (e->counted_tick && e->counted_tick + 1 == t->disks->tick)
			counters_fold(&total, e->c.now, total_kind.nsum, 0);
		e->counted_tick = t->disks->tick;
		rows++;
	}
	m->totals.disk_read = m->totals.disk_write = NAN;
	if (rows && m->interval > 0) {
		m->totals.disk_read = total.read * SECTOR / m->interval;
		m->totals.disk_write = total.written * SECTOR / m->interval;
	}
}

static void system_add(struct totals_state *t, struct model *m, const struct sample_system *sys)
{
	uint64_t in = counter_advance(&t->swap_in, sys->swap_in),
		 out = counter_advance(&t->swap_out, sys->swap_out),
		 some = counter_advance(&t->psi_some, sys->psi_some_us),
		 full = counter_advance(&t->psi_full, sys->psi_full_us);
	struct model_totals *to = &m->totals;

	to->tasks = sys->tasks;
	to->load[0] = sys->load1 / 100.0;
	to->load[1] = sys->load5 / 100.0;
	to->load[2] = sys->load15 / 100.0;
	if (!(m->interval > 0))
		return;
	to->swap_in = in * sys->page_size / m->interval;
	to->swap_out = out * sys->page_size / m->interval;
	if (sys->psi) {
		/* µs of waiting per µs, in percent */
		to->psi_some = MIN(some / m->interval / 1e4, 100);
		to->psi_full = MIN(full / m->interval / 1e4, 100);
	}
}

void totals_system(struct totals_state *t, struct model *m, struct names *names)
{
	m->totals = (struct model_totals){
		.swap_in = NAN, .swap_out = NAN, .psi_some = NAN, .psi_full = NAN,
		.read = NAN, .write = NAN, .load = { NAN, NAN, NAN },
	};
	disks_add(t, m, names);
	sample_each(m->cur, SYSTEM, const struct sample_system, sys)
		system_add(t, m, sys);
}

void totals_history(struct totals_state *t, struct model *m)
{
	if (m->interval > 0) {
		history_push(&t->at_disks, m->totals.disk_read, m->totals.disk_write);
		history_push(&t->at_rows, m->totals.read, m->totals.write);
	}
	m->totals.disks = t->at_disks;
	m->totals.rows = t->at_rows;
}
