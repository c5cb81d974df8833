// SPDX-License-Identifier: GPL-2.0-or-later
#include "data/layer/layer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/utf8.h"
#include "data/layer/layer_callers.h"
#include "data/layer/layer_fs.h"
#include "data/model.h"
#include "data/names.h"

#define QUIET_TICKS 10	/* what did nothing for longer is hidden */

const char *const layer_names[LAYER_COUNT] = {
	[LAYER_SYSCALL] = "syscall",
	[LAYER_VFS] = "vfs",
	[LAYER_FS] = "fs",
	[LAYER_CACHE] = "cache",
	[LAYER_QUEUE] = "queue",
	[LAYER_DEVICE] = "device",
};

const char *const layer_op_names[LAYER_OP_COUNT] = {
	[LAYER_READ] = "read",
	[LAYER_WRITE] = "write",
	[LAYER_OPEN] = "open",
	[LAYER_FSYNC] = "fsync",
	[LAYER_SYNC] = "sync",
	[LAYER_DISCARD] = "discard",
	[LAYER_FLUSH] = "flush",
	[LAYER_OTHER] = "other",
	[LAYER_COMMIT] = "commit",
	[LAYER_DATA] = "data",
	[LAYER_JOURNAL] = "journal",
	[LAYER_JOINED] = "joined",
	[LAYER_FAULT] = "fault",
};

/* What is kept from tick to tick. */
struct entry {
	struct layer_key key;
	struct {
		uint64_t count, lat_ns, time_ns;
		uint64_t hist[HIST_BUCKETS];
	} last;				/* cumulative, of the newest sample */
	struct layer_counters now, sum;
	uint64_t hist_now[HIST_BUCKETS], hist_sum[HIST_BUCKETS];
	uint64_t running;
	char *fs;			/* clean, NULL: unknown */
	const struct layer_caller *callers;
	unsigned active;		/* tick in which it last did something */
};

struct layer_state {
	struct hash entries;
	struct layer_callers callers;
	struct layer_fs fs;	/* where the kind of file system is that is looked at, if it is
				 * only one */
	unsigned tick;
	uint64_t mono;		/* of the newest sample */
	bool started;
};

static void *state_new(void)
{
	struct layer_state *st = mem_zalloc(sizeof(*st));

	hash_init(&st->entries, offsetof(struct entry, key), sizeof(((struct entry *)0)->key));
	layer_callers_init(&st->callers);
	layer_fs_init(&st->fs);
	return st;
}

static void entry_drop(void *value, _unused_ void *arg)
{
	struct entry *e = value;

	free(e->fs);
	free(e);
}

static void state_free(void *state)
{
	struct layer_state *st = state;

	hash_filter(&st->entries, NULL, entry_drop, NULL);
	hash_release(&st->entries);
	layer_callers_release(&st->callers);
	layer_fs_release(&st->fs);
	free(st);
}

/* A blob of another size is of another program, or damaged: as if there were none. */
static const uint64_t *counts_of(const struct sample_layer *l)
{
	return l->hist.data && l->hist.len == HIST_BUCKETS * sizeof(uint64_t) ? l->hist.data : NULL;
}

static struct entry *entry_get(struct layer_state *st, const struct sample_layer *l)
{
	struct entry key = { .key = { l->dev, l->layer, l->op, l->is_block } },
		     *e = hash_get(&st->entries, &key.key);

	if (e)
		return e;
	e = mem_zalloc(sizeof(*e));
	e->key = key.key;
	e->fs = l->fs && *l->fs ? utf8_clean_dup(l->fs) : NULL;
	/* The first sample is a baseline; what appears later began to count after it. */
	if (!st->started) {
		e->last.count = l->count;
		e->last.lat_ns = l->total_ns;
		e->last.time_ns = l->total_ns + l->running_ns;
		if (counts_of(l))
			memcpy(e->last.hist, counts_of(l), sizeof(e->last.hist));
	}
	hash_put(&st->entries, e);
	return e;
}

static void hist_update(struct entry *e, const uint64_t *counts)
{
	uint64_t cur;

	for (size_t i = 0; counts && i < HIST_BUCKETS; i++) {
		memcpy(&cur, (const char *)counts + i * sizeof(cur), sizeof(cur));
		e->hist_now[i] = counter_delta(cur, e->last.hist[i]);
		e->hist_sum[i] += e->hist_now[i];
		e->last.hist[i] = cur;
	}
}

static void entry_update(struct layer_state *st, const struct sample_layer *l)
{
	struct entry *e = entry_get(st, l);
	uint64_t time = l->total_ns + l->running_ns;

	e->now = (struct layer_counters){
		.count = counter_delta(l->count, e->last.count),
		.lat_ns = counter_delta(l->total_ns, e->last.lat_ns),
		.time_ns = counter_delta(time, e->last.time_ns),
	};
	if (e->now.count || l->running)
		e->now.max_ns = l->max_ns;
	e->running = l->running;
	e->last.count = l->count;
	e->last.lat_ns = l->total_ns;
	/* What ended while the sample was taken may be in both parts of it: it counts once. */
	e->last.time_ns = MAX(e->last.time_ns, time);
	e->sum.count += e->now.count;
	e->sum.lat_ns += e->now.lat_ns;
	e->sum.time_ns += e->now.time_ns;
	e->sum.max_ns = MAX(e->sum.max_ns, e->now.max_ns);
	hist_update(e, counts_of(l));
	if (e->now.count || e->running)
		e->active = st->tick;
}

/* Each to the row it is a part of. */
static void callers_update(struct layer_state *st, const struct sample *s)
{
	const struct layer_key *key;
	struct layer_caller *caller;
	struct entry *e;
	size_t i = 0;

	layer_callers_update(&st->callers, s, !st->started);
	while ((caller = layer_callers_next(&st->callers, &i, &key))) {
		e = caller->sum.count ? hash_get(&st->entries, key) : NULL;
		if (!e)
			continue;
		caller->next = e->callers;
		e->callers = caller;
	}
}

static void state_update(struct layer_state *st, const struct model *m, const struct sample *s)
{
	/*
	 * Samples went by without us: the source was closed, and when it comes back its counters
	 * start at zero.
	 */
	bool again = st->started &&
		     (double)counter_delta(s->mono, st->mono) > m->interval * 1.5 * NSEC_PER_SEC;
	struct entry *e;
	size_t i = 0;

	st->tick++;
	while ((e = hash_next(&st->entries, &i))) {
		memset(&e->now, 0, sizeof(e->now));
		memset(e->hist_now, 0, sizeof(e->hist_now));
		e->running = 0;
		e->callers = NULL;
		if (again)
			memset(&e->last, 0, sizeof(e->last));
	}
	sample_each(s, LAYER, const struct sample_layer, l)
		entry_update(st, l);
	callers_update(st, s);
	st->mono = s->mono;
	st->started = true;
}

static void row_names(struct layer_row *r, const struct entry *e, struct model *m)
{
	struct names *names = engine_name_table(m->engine);

	r->layer = layer_names[r->layer_id];
	r->op = layer_op_names[r->op_id];
	r->fs = e->key.is_block ? "block device" : e->fs;
	/* File systems on no disk, or on several, have a number whose major is 0. */
	if (r->dev >> 20) {
		r->disk = names_disk_people(names, r->dev);
		r->whole = names_disk(names, r->dev)->whole;
	}
	r->row.name = arena_printf(&m->arena, "%s %s%s%s%s%s", r->layer, r->op, r->fs ? " " : "",
				   r->fs ? r->fs : "", r->disk ? " " : "", r->disk ? r->disk : "");
}

static void row_fill(struct layer_row *r, const struct entry *e, const struct layer_state *st,
		     struct model *m)
{
	r->row.key = hash_bytes(&e->key, sizeof(e->key));
	r->row.flags = st->tick - e->active > QUIET_TICKS ? ROW_QUIET : 0;
	r->row.have = m->have | SRC_LAYERS;
	r->row.now = (const uint64_t *)&e->now;
	r->row.sum = (const uint64_t *)&e->sum;
	r->row.members = 1;
	r->now = &e->now;
	r->sum = &e->sum;
	r->layer_id = e->key.layer;
	r->op_id = e->key.op;
	r->dev = r->whole = e->key.dev;
	r->is_block = e->key.is_block;
	r->running = e->running;
	r->hist[0] = e->hist_now;
	r->hist[1] = e->hist_sum;
	r->callers = e->callers;
	for (size_t i = 0; i < 2; i++) {
		r->share[i] = NAN;
		r->tasks[i] = layer_shares_by(e->callers, false, i, &m->arena);
		r->files[i] = layer_shares_by(e->callers, true, i, &m->arena);
	}
	row_names(r, e, m);
}

const struct layer_row *layer_find(const struct model *m, const struct layer_row *r, uint32_t layer,
				   uint32_t op)
{
	const struct row_list *list = &m->rows[ENTITY_LAYER];

	for (size_t i = 0; i < list->n; i++) {
		const struct layer_row *o = (const struct layer_row *)list->rows[i];

		if (o->layer_id == layer && o->op_id == op && o->dev == r->dev &&
		    o->is_block == r->is_block)
			return o;
	}
	return NULL;
}

/*
 * The row a row is a part of: the same operation one layer up, or the fsync() of which it is a
 * step.
 */
static const struct layer_row *row_above(const struct model *m, const struct layer_row *r)
{
	const struct layer_row *up = NULL;

	if (r->layer_id > LAYER_CACHE || r->op_id == LAYER_COMMIT)
		return NULL;
	if (layer_is_step(r->layer_id, r->op_id))
		return layer_find(m, r, LAYER_FS, LAYER_FSYNC);
	for (uint32_t layer = r->layer_id; layer-- && !up;)
		up = layer_find(m, r, layer, r->op_id);
	return up;
}

bool layer_leads_to(uint32_t op, uint32_t at_disk)
{
	if (at_disk == LAYER_READ)
		return op == LAYER_READ || op == LAYER_FAULT;
	return (at_disk == LAYER_WRITE || at_disk == LAYER_FLUSH) &&
	       (op == LAYER_WRITE || op == LAYER_FSYNC || op == LAYER_SYNC || op == LAYER_COMMIT);
}

/* Time of the programs in ended calls that lead to this operation on the same disk. */
static uint64_t calls_above(const struct model *m, const struct layer_row *r, int span)
{
	const struct row_list *list = &m->rows[ENTITY_LAYER];
	uint64_t ns = 0;

	for (size_t i = 0; i < list->n; i++) {
		const struct layer_row *o = (const struct layer_row *)list->rows[i];

		if (layer_is_call(o->layer_id, o->op_id) && o->whole == r->whole &&
		    layer_leads_to(o->op_id, r->op_id))
			ns += (span ? o->sum : o->now)->lat_ns;
	}
	return ns;
}

static void rows_link(struct model *m)
{
	const struct row_list *list = &m->rows[ENTITY_LAYER];

	for (size_t i = 0; i < list->n; i++) {
		struct layer_row *r = (struct layer_row *)(uintptr_t)list->rows[i];
		const struct layer_row *up = row_above(m, r);

		r->row.parent = up ? &up->row : NULL;
		for (int span = 0; span < 2; span++) {
			uint64_t mine = (span ? r->sum : r->now)->time_ns, above = 0;

			if (up && layer_is_step(r->layer_id, r->op_id)) {
				/*
				 * Known when the fsync() has ended, as a whole: as the ended ones
				 * are, whenever they began.
				 */
				mine = (span ? r->sum : r->now)->lat_ns;
				above = (span ? up->sum : up->now)->lat_ns;
			} else if (up) {
				above = (span ? up->sum : up->now)->time_ns;
			} else if (r->layer_id >= LAYER_QUEUE && r->dev) {
				/*
				 * What is in flight at a disk is not known: only what ended can be
				 * compared.
				 */
				mine = (span ? r->sum : r->now)->lat_ns;
				above = calls_above(m, r, span);
			}
			/*
			 * More than the calls took: several at a time, or for nobody who waits.
			 * That is no share.
			 */
			if (above && mine <= above)
				r->share[span] = 100.0 * (double)mine / (double)above;
		}
	}
}

/*
 * With --disk only what lies on it, and itself; with --fs only file systems of that kind, and the
 * disks that hold them.
 */
static bool shown(const struct layer_state *st, struct model *m, const struct entry *e)
{
	const char *fs = engine_get_options(m->engine)->fs;

	if (fs && !(e->key.layer >= LAYER_QUEUE ? layer_fs_holds(&st->fs, e->key.dev)
						: e->fs && !strcmp(e->fs, fs)))
		return false;
	if (!(e->key.dev >> 20))
		return !engine_get_options(m->engine)->disk;
	return names_disk(engine_name_table(m->engine), e->key.dev)->shown;
}

static void build(void *state, struct model *m, const struct sample *cur)
{
	struct layer_state *st = state;
	struct entry *e;
	size_t i = 0;

	state_update(st, m, cur);
	if (engine_get_options(m->engine)->fs)
		layer_fs_update(&st->fs, m, cur, engine_get_options(m->engine)->fs);
	while ((e = hash_next(&st->entries, &i)))
		if ((e->sum.count || e->running) && shown(st, m, e))
			row_fill(model_add_row(m, ENTITY_LAYER), e, st, m);
	rows_link(m);
}

const struct entity entity_layer = {
	.name = "layer",
	.row_size = sizeof(struct layer_row),
	.nsum = LAYER_COUNTERS_SUM,
	.nmax = LAYER_COUNTERS_MAX,
	.columns = layer_columns,
	.ncolumns = LAYER_COLUMNS,
	.needs = SRC_LAYERS,
	.groups = 1u << GROUP_NONE,
	.state_new = state_new,
	.state_free = state_free,
	.build = build,
};
