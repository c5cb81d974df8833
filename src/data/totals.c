/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "data/totals.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data/counters.h"
#include "data/names.h"

#define SECTOR 512	/* /proc/diskstats counts in these whatever the disk's own block is */

struct total_disk {
	uint32_t dev;
	uint64_t rd_sectors, wr_sectors;
	uint64_t counted_tick;	/* of the last sample in which it was counted, 0: never */
};

void totals_init(struct totals_state *t)
{
	memset(t, 0, sizeof(*t));
	hash_init(&t->disks, offsetof(struct total_disk, dev), sizeof(uint32_t));
}

void totals_release(struct totals_state *t)
{
	struct total_disk *d;
	size_t i = 0;

	while ((d = hash_next(&t->disks, &i)))
		free(d);
	hash_release(&t->disks);
}

/*
 * A device that is listed for the first time begins with the numbers it has: they are of its life
 * before.
 */
static struct total_disk *total_disk(struct totals_state *t, const struct sample_disk *d)
{
	struct total_disk *e = hash_get(&t->disks, &d->dev);

	if (e)
		return e;
	e = mem_alloc(sizeof(*e));
	*e = (struct total_disk){ .dev = d->dev,
				  .rd_sectors = d->rd_sectors,
				  .wr_sectors = d->wr_sectors };
	hash_put(&t->disks, e);
	return e;
}

/*
 * An interval counts for a disk that was counted at both of its ends. A loop device lies on another
 * disk until it is detached: what it read until then was counted below it.
 */
static void disks_add(struct totals_state *t, struct model *m, const struct sample *s)
{
	struct names *names = engine_name_table(m->engine);
	uint64_t read = 0, written = 0, rows = 0;

	t->tick++;
	sample_each(s, DISK, const struct sample_disk, d) {
		struct total_disk *e = total_disk(t, d);

		if (names_disk(names, d->dev)->counted) {
			if (e->counted_tick && e->counted_tick == t->tick - 1) {
				read += counter_delta(d->rd_sectors, e->rd_sectors);
				written += counter_delta(d->wr_sectors, e->wr_sectors);
			}
			e->counted_tick = t->tick;
			rows++;
		}
		e->rd_sectors = d->rd_sectors;
		e->wr_sectors = d->wr_sectors;
	}
	m->totals.disk_read = m->totals.disk_write = NAN;
	if (rows && m->interval > 0) {
		m->totals.disk_read = read * SECTOR / m->interval;
		m->totals.disk_write = written * SECTOR / m->interval;
	}
}

static void system_add(struct totals_state *t, struct model *m, const struct sample_system *sys)
{
	struct model_totals *to = &m->totals;

	to->tasks = sys->tasks;
	to->load[0] = sys->load1 / 100.0;
	to->load[1] = sys->load5 / 100.0;
	to->load[2] = sys->load15 / 100.0;
	if (m->interval > 0) {
		to->swap_in =
			counter_delta(sys->swap_in, t->swap_in) * sys->page_size / m->interval;
		to->swap_out =
			counter_delta(sys->swap_out, t->swap_out) * sys->page_size / m->interval;
		if (sys->psi) {
			/* µs of waiting per µs, in percent */
			to->psi_some = MIN(counter_delta(sys->psi_some_us, t->psi_some) /
						   m->interval / 1e4,
					   100);
			to->psi_full = MIN(counter_delta(sys->psi_full_us, t->psi_full) /
						   m->interval / 1e4,
					   100);
		}
	}
	t->swap_in = sys->swap_in;
	t->swap_out = sys->swap_out;
	t->psi_some = sys->psi_some_us;
	t->psi_full = sys->psi_full_us;
}

void totals_system(struct totals_state *t, struct model *m, const struct sample *s)
{
	m->totals = (struct model_totals){
		.swap_in = NAN, .swap_out = NAN, .psi_some = NAN, .psi_full = NAN,
		.read = NAN, .write = NAN, .load = { NAN, NAN, NAN },
	};
	disks_add(t, m, s);
	sample_each(s, SYSTEM, const struct sample_system, sys)
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
