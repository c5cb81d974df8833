/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "data/totals.h"

#include <math.h>
#include <string.h>

#include "data/model.h"
#include "data/names.h"

#define SECTOR 512	/* /proc/diskstats counts in these whatever the disk's own block is */

/* Of struct system_counters, in the order of the last members of struct model_flows. */
#define SYSTEM_FLOWS 6
#define SYSTEM_FLOWS_SWAP 2	/* that are known where /proc/vmstat lacks the others */

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
	t->dirty = NAN;
}

void totals_release(struct totals_state *t)
{
	counter_table_free(t->disks);
}

struct model_flows totals_unknown(void)
{
	struct model_flows ret;

	for (size_t i = 0; i < MODEL_FLOWS; i++)
		(&ret.read)[i] = NAN;
	return ret;
}

void totals_flow(double *sum, double *ret_rate, uint64_t bytes, double seconds)
{
	*sum = (isnan(*sum) ? 0 : *sum) + (double)bytes;
	*ret_rate = seconds > 0 ? (double)bytes / seconds : NAN;
}

struct model_flows model_flows(const struct model *m, enum span span)
{
	unsigned rows = m->have & SRC_BLOCK ? SRC_BLOCK : SRC_TASKIO;
	/* The first two members are of the rows, the next two of the disks. */
	const unsigned sources[] = { rows, rows, SRC_DISKS, SRC_DISKS, SRC_CALLERS, SRC_CALLERS };
	struct model_flows ret = span == SPAN_TICK ? m->totals.flows : m->sums;
	double *rates = &ret.read, seconds;

	for (size_t i = 0; span == SPAN_MEAN && i < MODEL_FLOWS; i++) {
		seconds = model_watched(m, i < ARRAY_SIZE(sources) ? sources[i] : SRC_SYSTEM, true);
		rates[i] = seconds > 0 ? rates[i] / seconds : NAN;
	}
	return ret;
}

/*
 * An interval counts for a disk that was counted at both of its ends. A loop device lies on another
 * disk until it is detached: what it read until then was counted below it.
 */
static void disks_add(struct totals_state *t, struct model *m, struct names *names)
{
	struct model_flows *rates = &m->totals.flows;
	double seconds = model_watched(m, SRC_DISKS, false);
	struct sectors total = { 0 };
	uint64_t rows = 0;

	if (!m->cur->tables[TABLE_DISK].n)
		return;
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
	if (!rows)
		return;
	totals_flow(&m->sums.disk_read, &rates->disk_read, total.read * SECTOR, seconds);
	totals_flow(&m->sums.disk_write, &rates->disk_write, total.written * SECTOR, seconds);
}

/* µs of waiting per µs of so many seconds, in percent. */
static double pressure(uint64_t us, double seconds)
{
	return MIN((double)us / seconds / 1e4, 100);
}

/* The same, and added up. NaN is the sum of nothing. */
static double pressure_add(double *sum, uint64_t us, double seconds)
{
	*sum = (isnan(*sum) ? 0 : *sum) + (double)us;
	return pressure(us, seconds);
}

/* Pages into bytes. */
static void dirty_set(struct totals_state *t, struct model_totals *to,
		      const struct sample_system *sys, double seconds)
{
	double page = (double)sys->page_size;

	to->dirty = (double)sys->dirty * page;
	to->writeback = (double)sys->writeback * page;
	to->dirty_threshold = (double)sys->dirty_threshold * page;
	to->dirty_background_threshold = (double)sys->dirty_background_threshold * page;
	if (seconds > 0 && !isnan(t->dirty))
		to->dirty_growth = (to->dirty + to->writeback - t->dirty) / seconds;
	t->dirty = to->dirty + to->writeback;
}

static void system_add(struct totals_state *t, struct model *m, const struct sample_system *sys)
{
	const struct system_counters cur = {
		sys->swap_in,	   sys->swap_out,      sys->refault_file,
		sys->refault_anon, sys->scan_direct,   sys->steal_direct,
		sys->psi_some_us,  sys->psi_full_us,   sys->psi_memory_some_us,
		sys->psi_memory_full_us,
	};
	double seconds = model_watched(m, SRC_SYSTEM, false);
	struct model_totals *to = &m->totals;
	struct system_counters now;

	counters_advance((uint64_t *)&now, (uint64_t *)&t->system, &cur,
			 sizeof(now) / sizeof(uint64_t));
	to->tasks = sys->tasks;
	to->load[0] = sys->load1 / 100.0;
	to->load[1] = sys->load5 / 100.0;
	to->load[2] = sys->load15 / 100.0;
	if (sys->vmstat)
		dirty_set(t, to, sys, seconds);
	if (!(seconds > 0))
		return;
	for (size_t i = 0; i < (sys->vmstat ? SYSTEM_FLOWS : SYSTEM_FLOWS_SWAP); i++)
		totals_flow(&(&m->sums.swap_in)[i], &(&to->flows.swap_in)[i],
			    (&now.swap_in)[i] * sys->page_size, seconds);
	if (sys->psi) {
		to->psi_some = pressure_add(&m->psi_some_us, now.psi_some, seconds);
		to->psi_full = pressure_add(&m->psi_full_us, now.psi_full, seconds);
	}
	if (sys->psi_memory) {
		to->psi_memory_some =
			pressure_add(&m->psi_memory_some_us, now.psi_memory_some, seconds);
		to->psi_memory_full =
			pressure_add(&m->psi_memory_full_us, now.psi_memory_full, seconds);
	}
}

void totals_system(struct totals_state *t, struct model *m, struct names *names)
{
	m->totals = (struct model_totals){
		.flows = totals_unknown(), .psi_some = NAN, .psi_full = NAN,
		.psi_memory_some = NAN, .psi_memory_full = NAN,
		.dirty = NAN, .writeback = NAN, .dirty_threshold = NAN,
		.dirty_background_threshold = NAN, .dirty_growth = NAN, .load = { NAN, NAN, NAN },
	};
	disks_add(t, m, names);
	sample_each(m->cur, SYSTEM, const struct sample_system, sys)
		system_add(t, m, sys);
}

void totals_history(struct totals_state *t, struct model *m)
{
	if (m->interval > 0) {
		history_push(&t->at_disks, m->totals.flows.disk_read,
			     m->totals.flows.disk_write, 1);
		history_push(&t->at_rows, m->totals.flows.read, m->totals.flows.write, 1);
	}
	m->totals.disks = t->at_disks;
	m->totals.rows = t->at_rows;
}
