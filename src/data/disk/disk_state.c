/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "data/disk/disk_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "data/counters.h"

#define SECTOR 512	/* /proc/diskstats counts in these whatever the disk's own block is */
#define NSEC_PER_MSEC 1000000u

struct disk_state *disk_state_new(void)
{
	struct disk_state *st = mem_zalloc(sizeof(*st));

	hash_init(&st->disks, offsetof(struct disk_entry, dev), sizeof(uint32_t));
	return st;
}

static void entry_drop(void *value, _unused_ void *arg)
{
	struct disk_entry *e = value;

	free(e->hists);
	free(e->heat);
	free(e);
}

void disk_state_free(struct disk_state *st)
{
	if (!st)
		return;
	hash_filter(&st->disks, NULL, entry_drop, NULL);
	hash_release(&st->disks);
	free(st);
}

struct disk_entry *disk_state_find(const struct disk_state *st, uint32_t dev)
{
	return hash_get(&st->disks, &dev);
}

static struct disk_entry *entry_get(struct disk_state *st, uint32_t dev)
{
	struct disk_entry *e = disk_state_find(st, dev);

	if (!e) {
		e = mem_zalloc(sizeof(*e));
		e->dev = dev;
		e->serial = ++st->serials;
		e->first_tick = st->tick;
		hash_put(&st->disks, e);
	}
	e->seen_tick = st->tick;
	return e;
}

/*
 * A number that was free for a while is another disk's now. What the block programs counted under
 * it before was the old one's.
 */
static void entry_renew(struct disk_state *st, struct disk_entry *e)
{
	struct disk_entry old = *e;

	free(old.heat);
	*e = (struct disk_entry){
		.dev = old.dev, .serial = ++st->serials, .first_tick = st->tick,
		.maps = { .cur = old.maps.cur, .last = old.maps.last }, .hists = old.hists,
	};
	if (e->hists)
		memset(&e->hists->sum, 0, sizeof(e->hists->sum));
}

static struct disk_entry *entry_listed(struct disk_state *st, const struct sample_disk *d)
{
	struct disk_entry *e = entry_get(st, d->dev);

	e->flags = d->flags;
	if (d->flags & DISK_GONE)
		return e;
	if (e->stats.ever && !e->listed && st->listed)
		entry_renew(st, e);
	e->flags = d->flags;
	e->seen_tick = e->alive_tick = st->tick;
	return e;
}

static void stats_read(struct disk_counters *c, const struct sample_disk *d)
{
	c->op[OP_READ] = (struct disk_op_counters){
		.ios = d->rd_ios,
		.bytes = d->rd_sectors * SECTOR,
		.lat_ns = d->rd_ms * NSEC_PER_MSEC,
		.merges = d->rd_merges,
	};
	c->op[OP_WRITE] = (struct disk_op_counters){
		.ios = d->wr_ios,
		.bytes = d->wr_sectors * SECTOR,
		.lat_ns = d->wr_ms * NSEC_PER_MSEC,
		.merges = d->wr_merges,
	};
	c->op[OP_DISCARD] = (struct disk_op_counters){
		.ios = d->dc_ios,
		.bytes = d->dc_sectors * SECTOR,
		.lat_ns = d->dc_ms * NSEC_PER_MSEC,
		.merges = d->dc_merges,
	};
	c->op[OP_FLUSH] =
		(struct disk_op_counters){ .ios = d->fl_ios, .lat_ns = d->fl_ms * NSEC_PER_MSEC };
	for (size_t op = 0; op < OP_COUNT; op++)
		c->op[op].done = c->op[op].unsplit = c->op[op].ios;
	c->load.busy_ns = d->io_ms * NSEC_PER_MSEC;
	c->load.depth_ns = d->weighted_ms * NSEC_PER_MSEC;
}

/* A blob that is too large is of another program, or damaged: as if there were none. */
static void hist_read(struct disk_state *st, struct disk_entry *e, const struct sample_diskop *o,
		      bool baseline)
{
	uint64_t cur[HIST_BUCKETS] = { 0 };
	uint64_t *last, *now, *sum;

	if (!o->hist.len || o->hist.len > sizeof(cur))
		return;
	if (!e->hists)
		e->hists = mem_zalloc(sizeof(*e->hists));
	memcpy(cur, o->hist.data, o->hist.len);
	last = e->hists->last.op[o->op];
	now = e->hists->now.op[o->op];
	sum = e->hists->sum.op[o->op];
	for (size_t i = 0; i < HIST_BUCKETS; i++) {
		uint64_t delta = baseline || !st->hists_whole ? 0 : counter_delta(cur[i], last[i]);

		now[i] = st->gap ? 0 : delta;
		sum[i] += delta;
		last[i] = cur[i];
	}
}

static void op_read(struct disk_state *st, struct disk_entry *e, const struct sample_diskop *o,
		    bool baseline)
{
	e->maps.cur.op[o->op] = (struct disk_op_counters){
		.ios = o->ios, .done = o->ios, .bytes = o->bytes, .lat_ns = o->lat_ns,
		.queue_ns = o->queue_ns, .device_ns = o->device_ns,
		.unsplit = o->unsplit, .merges = o->merges, .errors = o->errors,
		.requeues = o->requeues,
	};
	e->maps.cur.max_ns[o->op] = o->max_ns;
	e->maps.seen = e->maps.ever = true;
	hist_read(st, e, o, baseline);
}

static void load_read(struct disk_entry *e, const struct sample_diskload *l)
{
	e->maps.cur.load.busy_ns = l->busy_ns;
	e->maps.cur.load.depth_ns = l->depth_ns;
	e->maps.in_flight = l->in_flight;
}

static void tick_begin(struct disk_state *st, bool maps_restarted)
{
	struct disk_entry *e;
	size_t i = 0;

	while ((e = hash_next(&st->disks, &i))) {
		e->stats.seen = e->maps.seen = false;
		e->stats.in_flight = e->maps.in_flight = 0;
		memset(&e->now, 0, sizeof(e->now));
		if (e->hists)
			memset(&e->hists->now, 0, sizeof(e->hists->now));
		if (!maps_restarted)
			continue;
		memset(&e->maps.last, 0, sizeof(e->maps.last));
		memset(&e->maps.cur, 0, sizeof(e->maps.cur));
		if (e->hists)
			memset(&e->hists->last, 0, sizeof(e->hists->last));
	}
}

static void tables_read(struct disk_state *st, const struct sample *s, bool baseline)
{
	struct disk_entry *e;
	size_t i = 0;

	sample_each(s, DISK, const struct sample_disk, d) {
		e = entry_listed(st, d);
		if (d->flags & DISK_GONE)
			continue;
		stats_read(&e->stats.cur, d);
		if (!e->stats.ever && !st->listed)	/* the first list of disks: all of them
							 * are old */
			e->stats.last = e->stats.cur;
		e->stats.seen = e->stats.ever = true;
		e->stats.in_flight = d->in_flight;
	}
	while ((e = hash_next(&st->disks, &i)))
		e->listed = e->stats.seen;
	st->listed = s->tables[TABLE_DISK].n;
	sample_each(s, DISKOP, const struct sample_diskop, o) {
		e = entry_get(st, o->dev);
		if (!st->listed)
			e->alive_tick = st->tick;
		op_read(st, e, o, baseline);
	}
	sample_each(s, DISKLOAD, const struct sample_diskload, l)
		load_read(entry_get(st, l->dev), l);
}

static struct disk_counters source_delta(const struct disk_source *src)
{
	struct disk_counters ret = { 0 };
	const uint64_t *cur = (const uint64_t *)&src->cur, *last = (const uint64_t *)&src->last;

	for (size_t i = 0; i < DISK_COUNTERS_SUM; i++)
		((uint64_t *)&ret)[i] = counter_delta(cur[i], last[i]);
	for (size_t op = 0; op < OP_COUNT; op++)
		if (ret.op[op].ios)
			ret.max_ns[op] = src->cur.max_ns[op];
	return ret;
}

/*
 * The kernel prints times of /proc/diskstats as 32 bit numbers of ms: at depth 32 the sum of
 * waiting wraps every other day.
 */
static uint64_t time_delta(uint64_t cur, uint64_t last)
{
	const uint64_t wrap = (1ull << 32) * NSEC_PER_MSEC;

	if (cur < last && last < wrap && last - cur > wrap / 2)
		return cur + wrap - last;
	return counter_delta(cur, last);
}

static struct disk_counters stats_delta(const struct disk_source *src)
{
	struct disk_counters ret = source_delta(src);

	for (size_t op = 0; op < OP_COUNT; op++)
		ret.op[op].lat_ns = time_delta(src->cur.op[op].lat_ns, src->last.op[op].lat_ns);
	ret.load.busy_ns = time_delta(src->cur.load.busy_ns, src->last.load.busy_ns);
	ret.load.depth_ns = time_delta(src->cur.load.depth_ns, src->last.load.depth_ns);
	return ret;
}

bool disk_has_moved(const struct disk_counters *c)
{
	return c->op[OP_READ].ios || c->op[OP_WRITE].ios;
}

/*
 * Reads and writes are counted by the kernel's statistics: no program can miss one there. Times,
 * and what they leave out (discards of some disks, everything with iostats=0), are the block
 * programs'. Both are read one after the other: that the statistics stand still is believed the
 * second time.
 */
static struct disk_counters entry_choose(const struct disk_state *st, struct disk_entry *e,
					 const struct disk_counters *stats,
					 const struct disk_counters *maps)
{
	struct disk_counters ret = *maps;

	if (!e->maps.seen || !st->maps_whole)
		return *stats;
	if (!e->stats.seen)
		return ret;
	if (disk_has_moved(stats))
		e->still = 0;
	else if (disk_has_moved(maps))
		e->still = MIN(e->still + 1, 3);
	if (e->still == 1)
		e->held = *maps;
	for (size_t op = OP_READ; op <= OP_WRITE; op++) {
		struct disk_op_counters *to = &ret.op[op];
		const struct disk_op_counters *more = e->still == 2 ? &e->held.op[op] : NULL;

		if (e->still < 2) {
			to->ios = stats->op[op].ios;
			to->bytes = stats->op[op].bytes;
			to->merges = stats->op[op].merges;
		} else if (more) {
			to->ios += more->ios;
			to->bytes += more->bytes;
			to->merges += more->merges;
		}
	}
	return ret;
}

static void entry_count(struct disk_state *st, struct disk_entry *e, bool baseline)
{
	struct disk_counters stats = stats_delta(&e->stats), maps = source_delta(&e->maps), delta;

	e->stats.last = e->stats.cur;
	e->maps.last = e->maps.cur;
	if (baseline)
		return;
	delta = entry_choose(st, e, &stats, &maps);
	disk_load_count(st, e, &stats, &maps);
	delta.load = disk_load_now(st, e, &stats.load, &maps.load);
	counters_fold(&e->sum, &delta, DISK_COUNTERS_SUM, DISK_COUNTERS_MAX);
	e->sum.load = disk_load_sum(e);
	if (st->gap)
		return;
	e->now = delta;
	for (size_t op = 0; op < OP_COUNT; op++)
		if (delta.op[op].ios)
			e->busy_tick = st->tick;
}

bool disk_entry_shown(const struct disk_state *st, const struct disk_entry *e)
{
	unsigned away = st->tick - e->alive_tick;

	return e->alive_tick &&
	       (!away || (e->busy_tick && (st->keep_gone || away <= HISTORY_TICKS)));
}

/* The block maps go on reporting a disk that is gone: its old numbers must not look new. */
static bool entry_keep(void *value, void *arg)
{
	const struct disk_entry *e = value;
	const struct disk_state *st = arg;

	return e->seen_tick == st->tick || disk_entry_shown(st, e);
}

void disk_state_update(struct disk_state *st, const struct model *m, const struct sample *s,
		       bool keep_gone)
{
	bool baseline = !st->tick++, maps_on = m->have & SRC_BLOCK, hists_on = m->have & SRC_HIST;
	struct disk_entry *e;
	size_t i = 0;

	st->keep_gone = keep_gone;
	/*
	 * Nobody asked for disks for a while: what happened since is no rate of the last interval.
	 */
	st->gap = !baseline && fabs((double)counter_delta(s->mono, st->prev_mono) / NSEC_PER_SEC -
				    m->interval) > 1e-6;
	st->time_ns = counter_delta(s->mono, st->prev_mono);
	st->maps_whole = maps_on && (st->maps_on || baseline);
	st->hists_whole = hists_on && (st->hists_on || baseline);
	st->maps_on = maps_on;
	st->hists_on = hists_on;
	tick_begin(st, maps_on && !st->maps_whole);
	tables_read(st, s, baseline);
	while ((e = hash_next(&st->disks, &i))) {
		entry_count(st, e, baseline);
		if (!baseline && m->interval > 0)
			history_push(&e->history, e->now.op[OP_READ].bytes / m->interval,
				     e->now.op[OP_WRITE].bytes / m->interval);
	}
	hash_filter(&st->disks, entry_keep, entry_drop, st);
	st->prev_mono = s->mono;
}
