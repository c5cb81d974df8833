// SPDX-License-Identifier: GPL-2.0-or-later
#include "data/layer/layer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
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
	[LAYER_LIMIT] = "limit",
};

const uint32_t layer_order[LAYER_COUNT] = {
	LAYER_SYSCALL, LAYER_VFS, LAYER_FS, LAYER_CACHE, LAYER_LIMIT, LAYER_QUEUE, LAYER_DEVICE,
};

/* What is kept from tick to tick. */
struct entry {
	struct counters c;		/* struct layer_counters, and a histogram */
	struct layer_key key;
	uint64_t running;
	char *fs;			/* clean, NULL: unknown */
	const struct layer_caller *callers;
};

struct layer_state {
	struct counter_table *entries, *callers;
	struct layer_fs fs;	/* disks that hold the file system type of --fs */
};

static void entry_forget(void *entry, _unused_ void *arg)
{
	free(((struct entry *)entry)->fs);
}

static const struct counter_kind layer_kind = {
	COUNTER_ENTRY(struct entry, key),
	.nsum = LAYER_COUNTERS_SUM,
	.nmax = LAYER_COUNTERS_MAX,
	.nhist = HIST_BUCKETS,
	.source = SRC_LAYERS,
	/* What ended while the sample was taken may be in both parts: it counts once. */
	.high_water = 1u << offsetof(struct layer_counters, time_ns) / sizeof(uint64_t),
	.forget = entry_forget,
};

static void *state_new(void)
{
	struct layer_state *st = mem_zalloc(sizeof(*st));

	st->entries = counter_table_new(&layer_kind);
	st->callers = layer_callers_new();
	layer_fs_init(&st->fs);
	return st;
}

static void state_free(void *state)
{
	struct layer_state *st = state;

	counter_table_free(st->entries);
	counter_table_free(st->callers);
	layer_fs_release(&st->fs);
	free(st);
}

/* A blob of another size is of another program, or damaged: as if there were none. */
static const void *counts_of(const struct sample_layer *l)
{
	return l->hist.data && l->hist.len == HIST_BUCKETS * sizeof(uint64_t) ? l->hist.data : NULL;
}

static const struct layer_counters *counters_of(const struct entry *e, bool since_start)
{
	return (const struct layer_counters *)(since_start ? e->c.sum : e->c.now);
}

static void entry_update(struct layer_state *st, const struct sample_layer *l)
{
	struct layer_key key = { l->dev, l->layer, l->op, l->is_block };
	struct layer_counters cur = { l->count, l->total_ns, l->total_ns + l->running_ns,
				      l->max_ns };
	bool fresh;
	struct entry *e = counter_table_get(st->entries, &key, &fresh);

	if (fresh && l->fs && *l->fs)
		e->fs = utf8_clean_dup(l->fs);
	counters_count(st->entries, &e->c, &cur, counts_of(l));
	e->running = l->running;
	if (e->running)
		e->c.active = st->entries->tick;
}

static void state_update(struct layer_state *st, const struct model *m)
{
	struct layer_caller *caller;
	struct entry *e;

	counter_table_begin(st->entries, m);
	counter_table_each(st->entries, e) {
		e->running = 0;
		e->callers = NULL;
	}
	sample_each(m->cur, LAYER, const struct sample_layer, l)
		entry_update(st, l);
	counter_table_end(st->entries);
	layer_callers_update(st->callers, m);
	/* Each to the row it is a part of. */
	counter_table_each(st->callers, caller) {
		e = layer_caller_counters(caller, true)->count
			    ? counter_table_find(st->entries, &caller->key.place) : NULL;
		if (!e)
			continue;
		caller->next = e->callers;
		e->callers = caller;
	}
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
	r->row.flags = st->entries->tick - e->c.active > QUIET_TICKS ? ROW_QUIET : 0;
	r->row.have = m->have | SRC_LAYERS;
	r->now = counters_of(e, false);
	r->sum = counters_of(e, true);
	r->layer_id = e->key.layer;
	r->op_id = e->key.op;
	r->dev = r->whole = e->key.dev;
	r->is_block = e->key.is_block;
	r->running = e->running;
	r->hist[0] = e->c.now + LAYER_COUNTERS_SUM + LAYER_COUNTERS_MAX;
	r->hist[1] = e->c.sum + LAYER_COUNTERS_SUM + LAYER_COUNTERS_MAX;
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
	const struct layer_row *o;

	row_each(o, &m->rows[ENTITY_LAYER])
		if (o->layer_id == layer && o->op_id == op && o->dev == r->dev &&
		    o->is_block == r->is_block)
			return o;
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
	       (op == LAYER_WRITE || op == LAYER_FSYNC || op == LAYER_SYNC || op == LAYER_RANGE ||
		op == LAYER_COMMIT);
}

/* Time of the programs in ended calls that lead to this operation on the same disk. */
static uint64_t calls_above(const struct model *m, const struct layer_row *r, int span)
{
	uint64_t ns = 0;
	const struct layer_row *o;

	row_each(o, &m->rows[ENTITY_LAYER])
		if (layer_is_call(o->layer_id, o->op_id) && o->whole == r->whole &&
		    layer_leads_to(o->op_id, r->op_id))
			ns += (span ? o->sum : o->now)->lat_ns;
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
			} else if (layer_is_of_disk(r->layer_id) && r->dev) {
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

	if (fs && !(layer_is_of_disk(e->key.layer) ? layer_fs_holds(&st->fs, e->key.dev)
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

	state_update(st, m);
	if (engine_get_options(m->engine)->fs)
		layer_fs_update(&st->fs, m, cur, engine_get_options(m->engine)->fs);
	counter_table_each(st->entries, e)
		if ((counters_of(e, true)->count || e->running) && shown(st, m, e))
			row_fill(model_add_counted(m, ENTITY_LAYER, &e->c), e, st, m);
	rows_link(m);
}

const struct entity entity_layer = {
	.name = "layer",
	.row_size = sizeof(struct layer_row),
	.nsum = LAYER_COUNTERS_SUM,
	.nmax = LAYER_COUNTERS_MAX,
	.columns = layer_columns,
	.needs = SRC_LAYERS,
	.hangs = true,
	.groups = 1u << GROUP_NONE,
	.state_new = state_new,
	.state_free = state_free,
	.build = build,
};
