/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "data/disk/disk_state.h"

#include <stdlib.h>
#include <string.h>

#include "data/disk/disk_load.h"
#include "data/model.h"

#define SECTOR 512	/* /proc/diskstats counts in these whatever the disk's own block is */
#define NSEC_PER_MSEC 1000000u

bool disk_entry_shown(const struct counter_table *t, const struct disk_entry *e)
{
	unsigned away = t->tick - e->alive_tick;

	return e->alive_tick &&
	       (!away || (e->c.active && (t->keep_all || away <= HISTORY_TICKS)));
}

/* The block maps go on reporting a disk that is gone: its old numbers must not look new. */
static bool disk_keep(const struct counter_table *t, const void *entry)
{
	const struct disk_entry *e = entry;

	return e->c.seen == t->tick || disk_entry_shown(t, e);
}

static void disk_forget(void *entry, _unused_ void *arg)
{
	struct disk_entry *e = entry;

	free(e->hists);
	free(e->heat);
	disk_past_free(e->past);
}

static const struct counter_kind disk_kind = {
	COUNTER_ENTRY(struct disk_entry, dev),
	.nsum = DISK_COUNTERS_SUM,
	.nmax = DISK_COUNTERS_MAX,
	.keep = disk_keep,
	.forget = disk_forget,
};

void *disk_state_new(void)
{
	struct disk_state *st = mem_zalloc(sizeof(*st));

	st->disks = counter_table_new(&disk_kind);
	return st;
}

void disk_state_free(void *state)
{
	struct disk_state *st = state;

	if (!st)
		return;
	counter_table_free(st->disks);
	free(st);
}

static struct disk_entry *entry_get(struct disk_state *st, uint32_t dev)
{
	bool fresh;
	struct disk_entry *e = counter_table_get(st->disks, &dev, &fresh);

	if (fresh) {
		e->serial = ++st->serials;
		e->first_tick = st->disks->tick;
	}
	e->c.seen = st->disks->tick;
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
	disk_past_free(old.past);
	*e = (struct disk_entry){
		.c = old.c, .dev = old.dev, .serial = ++st->serials,
		.first_tick = st->disks->tick,
		.maps = { .cur = old.maps.cur, .last = old.maps.last }, .hists = old.hists,
	};
	e->c.active = 0;
	memset(e->c.sum, 0, sizeof(struct disk_counters));
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
	e->alive_tick = st->disks->tick;
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
	c->limits = (struct disk_limit_counters){
		.told_ns = d->limits_ns,
		.exceeded_ns = {
			[LIMIT_VOLUME_IOPS] = d->volume_iops_ns,
			[LIMIT_VOLUME_THROUGHPUT] = d->volume_throughput_ns,
			[LIMIT_INSTANCE_IOPS] = d->instance_iops_ns,
			[LIMIT_INSTANCE_THROUGHPUT] = d->instance_throughput_ns,
		},
	};
}

/* Counts that are all there were up to now, at most n of them: last, now and sum are theirs. */
static void counts_read(struct disk_state *st, const struct blob *blob, size_t n, bool baseline,
			uint64_t *last, uint64_t *now, uint64_t *sum)
{
	uint64_t cur[HIST_BUCKETS] = { 0 }, delta[HIST_BUCKETS];

	memcpy(cur, blob->data, blob->len);
	counters_advance(delta, last, cur, n);
	if (baseline || !watch_held(&st->hists))
		return;
	counters_fold(sum, delta, n, 0);
	if (!st->disks->watch.skipped)
		memcpy(now, delta, n * sizeof(*now));
}

/* A blob that is too large is of another program, or damaged: as if there were none. */
static void hist_read(struct disk_state *st, struct disk_entry *e, const struct sample_diskop *o,
		      bool baseline)
{
	struct disk_hists *h = e->hists;

	if (!o->hist.len || o->hist.len > sizeof(h->now.op[0]))
		return;
	if (!h)
		h = e->hists = mem_zalloc(sizeof(*h));
	counts_read(st, &o->hist, HIST_BUCKETS, baseline, h->last.op[o->op], h->now.op[o->op],
		    h->sum.op[o->op]);
	if (o->sizes.len && o->sizes.len <= sizeof(h->now.sizes[0]))
		counts_read(st, &o->sizes, DISK_SIZES, baseline, h->last.sizes[o->op],
			    h->now.sizes[o->op], h->sum.sizes[o->op]);
	if (o->places.len && o->places.len <= sizeof(h->now.places[0]))
		counts_read(st, &o->places, DISK_PLACES, baseline, h->last.places[o->op],
			    h->now.places[o->op], h->sum.places[o->op]);
	if (o->op == OP_READ || o->op == OP_WRITE)
		h->place_bytes = o->place_bytes;
}

static void op_read(struct disk_state *st, struct disk_entry *e, const struct sample_diskop *o,
		    bool baseline)
{
	e->maps.cur.op[o->op] = (struct disk_op_counters){
		.ios = o->ios, .done = o->ios, .bytes = o->bytes, .lat_ns = o->lat_ns,
		.queue_ns = o->queue_ns, .device_ns = o->device_ns,
		.unsplit = o->unsplit, .merges = o->merges, .errors = o->errors,
		.requeues = o->requeues, .held_ns = o->held_ns, .held_unseen = o->held_unseen,
		.tag_ns = o->tag_ns, .timed = o->timed, .pattern_ios = o->pattern_ios,
		.sequential = o->sequential, .flagged = o->flagged,
	};
	e->maps.cur.max_ns[o->op] = o->max_ns;
	e->maps.seen = e->maps.ever = true;
	hist_read(st, e, o, baseline);
}

static void load_read(struct disk_entry *e, const struct sample_diskload *l)
{
	e->maps.cur.load.busy_ns = l->busy_ns;
	e->maps.cur.load.depth_ns = l->depth_ns;
	e->maps.cur.rare = (struct disk_rare){ l->tag_waits, l->timeouts };
	e->maps.tags_told = l->tags_told;
	e->maps.in_flight = l->in_flight;
}

static void tick_begin(struct disk_state *st)
{
	struct disk_entry *e;

	counter_table_each(st->disks, e) {
		e->stats.seen = e->maps.seen = false;
		e->stats.in_flight = e->maps.in_flight = 0;
		if (e->hists)
			memset(&e->hists->now, 0, sizeof(e->hists->now));
		if (!st->maps.restarted)
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
		e->limits_told = d->limits;
	}
	counter_table_each(st->disks, e)
		e->listed = e->stats.seen;
	st->listed = s->tables[TABLE_DISK].n;
	sample_each(s, DISKOP, const struct sample_diskop, o) {
		e = entry_get(st, o->dev);
		if (!st->listed)
			e->alive_tick = st->disks->tick;
		op_read(st, e, o, baseline);
	}
	sample_each(s, DISKLOAD, const struct sample_diskload, l)
		load_read(entry_get(st, l->dev), l);
}

static struct disk_counters source_delta(struct disk_source *src)
{
	struct disk_counters ret = { 0 };

	counters_advance((uint64_t *)&ret, (uint64_t *)&src->last, &src->cur, DISK_COUNTERS_SUM);
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

static struct disk_counters stats_delta(struct disk_source *src)
{
	struct disk_counters last = src->last, ret = source_delta(src);

	for (size_t op = 0; op < OP_COUNT; op++)
		ret.op[op].lat_ns = time_delta(src->cur.op[op].lat_ns, last.op[op].lat_ns);
	ret.load.busy_ns = time_delta(src->cur.load.busy_ns, last.load.busy_ns);
	ret.load.depth_ns = time_delta(src->cur.load.depth_ns, last.load.depth_ns);
	return ret;
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

	if (!e->maps.seen || !watch_held(&st->maps))
		return *stats;
	if (!e->stats.seen)
		return ret;
	ret.limits = stats->limits;
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

	memset(e->c.now, 0, sizeof(delta));
	e->usual = (struct disk_usual){ 0 };
	if (baseline)
		return;
	delta = entry_choose(st, e, &stats, &maps);
	if (delta.limits.told_ns) {
		e->limits = delta.limits;
		e->limits_at = st->mono;
	}
	disk_load_count(st, e, &stats, &maps);
	delta.load = disk_load_now(st, e, &stats.load, &maps.load);
	counters_fold(e->c.sum, &delta, DISK_COUNTERS_SUM, DISK_COUNTERS_MAX);
	disk_sum(e)->load = disk_load_sum(e);
	/* Nobody asked for disks for a while: what happened since is no rate of this interval. */
	if (st->disks->watch.skipped)
		return;
	*disk_now(e) = delta;
	if (watch_held(&st->maps))
		e->usual = disk_past_count(&e->past, &maps);
	for (size_t op = 0; op < OP_COUNT; op++)
		if (delta.op[op].ios)
			e->c.active = st->disks->tick;
}

void disk_state_update(struct disk_state *st, const struct model *m, bool keep_gone)
{
	struct counter_table *t = st->disks;
	double seconds = model_watched(m, m->have & SRC_DISKS ? SRC_DISKS : SRC_BLOCK, false);
	struct disk_entry *e;

	t->keep_all = keep_gone;
	st->mono = m->cur->mono;
	st->time_ns = counter_delta(m->cur->mono, t->watch.newest);
	counter_table_begin(t, m);
	watch_advance(&st->maps, m, SRC_BLOCK);
	watch_advance(&st->hists, m, SRC_HIST);
	tick_begin(st);
	tables_read(st, m->cur, t->watch.baseline);
	counter_table_each(t, e) {
		entry_count(st, e, t->watch.baseline);
		if (!t->watch.baseline && m->interval > 0)
			history_push(&e->history, disk_now(e)->op[OP_READ].bytes,
				     disk_now(e)->op[OP_WRITE].bytes, seconds);
	}
	counter_table_end(t);
}
