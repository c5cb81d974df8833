/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/utf8.h"
#include "data/counters.h"
#include "data/model.h"
#include "data/names.h"
#include "data/stack/frames.h"
#include "data/totals.h"

/* What was lost before the first sample is not ours. */
struct loss_entry {
	struct counters c;
	uint64_t id;		/* hash of the name */
	char *name;
};

static void loss_forget(void *entry, _unused_ void *arg)
{
	free(((struct loss_entry *)entry)->name);
}

static const struct counter_kind loss_kind = {
	COUNTER_ENTRY(struct loss_entry, id),
	.nsum = 1,
	.forget = loss_forget,
};

#define LOSSES_OF_MODEL 1	/* model_add_loss() */

struct engine {
	struct engine_options opt;
	struct model model;
	uint64_t first_mono, prev_mono;	/* first: without the time of gaps */
	uint64_t disks_since;	/* the first sample that had disks; 0: none had */
	bool started;
	unsigned skipped;	/* sources of entities that were not built for the sample before */
	struct names *names;
	struct frames_table *frames;
	struct totals_state totals;
	struct counter_table *losses;
	void *state[ENTITY_COUNT];
};

struct engine *engine_new(const struct engine_options *opt)
{
	struct engine *e = mem_zalloc(sizeof(*e));

	e->opt = *opt;
	e->names = names_new();
	names_set_disk(e->names, opt->disk);
	e->frames = frames_new();
	totals_init(&e->totals);
	e->losses = counter_table_new(&loss_kind);
	arena_init_sealable(&e->model.arena);
	e->model.engine = e;
	e->model.sums = totals_unknown();
	e->model.psi_some_us = e->model.psi_full_us = NAN;
	e->model.psi_memory_some_us = e->model.psi_memory_full_us = NAN;
	return e;
}

void engine_free(struct engine *e)
{
	if (!e)
		return;
	for (size_t k = 0; k < ENTITY_COUNT; k++) {
		if (e->state[k])
			entities[k]->state_free(e->state[k]);
		free(e->model.rows[k].rows);
	}
	counter_table_free(e->losses);
	totals_release(&e->totals);
	names_free(e->names);
	frames_free(e->frames);
	arena_release(&e->model.arena);
	free(e);
}

void engine_set_options(struct engine *e, const struct engine_options *opt)
{
	e->opt = *opt;
}

void engine_set_passing(struct engine *e, bool on)
{
	e->opt.passing = on;
}

const struct engine_options *engine_get_options(const struct engine *e)
{
	return &e->opt;
}

struct names *engine_name_table(struct engine *e)
{
	return e->names;
}

struct frames_table *engine_frames(struct engine *e)
{
	return e->frames;
}

void *engine_state(const struct engine *e, enum entity_id id)
{
	return e->state[id];
}

void *model_add_row(struct model *m, enum entity_id id)
{
	struct row_list *list = &m->rows[id];
	struct row *row = arena_alloc(&m->arena, entities[id]->row_size);

	list->rows = mem_grow(list->rows, list->n, &list->cap, sizeof(*list->rows));
	row->entity = entities[id];
	row->members = 1;
	list->rows[list->n++] = row;
	return row;
}

void *model_add_counted(struct model *m, enum entity_id id, const struct counters *c)
{
	struct row *row = model_add_row(m, id);

	row->key = c->hash;
	row->now = c->now;
	row->sum = c->sum;
	return row;
}

void *model_replace_row(struct model *m, enum entity_id id, size_t i)
{
	const struct row **row = &m->rows[id].rows[i];
	void *copy = arena_alloc(&m->arena, entities[id]->row_size);

	*row = memcpy(copy, *row, entities[id]->row_size);
	return copy;
}

static void source_set(struct model *m, const struct sample_source *src)
{
	struct model_source *to = &m->sources[__builtin_ctz(src->source)];

	to->state = src->state;
	to->reason = src->reason ? utf8_clean(&m->arena, src->reason, strlen(src->reason)) : NULL;
	to->late = src->late;
	if (src->state == SOURCE_OFF)
		return;
	m->have |= src->source;
	to->since = src->since ? src->since : to->since;
}

static void sources_set(struct engine *e, struct model *m, const struct sample *s)
{
	struct watch *disks;

	m->have = 0;
	for (unsigned i = 0; i < SRC_COUNT; i++) {
		m->sources[i].state = SOURCE_OFF;
		m->sources[i].reason = NULL;
		/* Behind a gap the clock may be another boot's. */
		if (m->gap)
			m->sources[i].since = 0;
	}
	sample_each(s, SOURCE, const struct sample_source, src)
		if (src->source && src->source < 1u << SRC_COUNT)
			source_set(m, src);
	for (unsigned i = 0; i < SRC_COUNT; i++) {
		struct model_source *src = &m->sources[i];

		if (src->state == SOURCE_OFF)
			src->since = 0;
		else if (!src->since)
			src->since = s->mono;
		if (e->skipped >> i & 1)
			src->watch.newest = 0;
		watch_advance(&src->watch, m, 1u << i);
	}
	/* The kernel counts for disks while nobody looks, and all of that is in their sums. */
	disks = &m->sources[__builtin_ctz(SRC_DISKS)].watch;
	if (disks->since && !e->disks_since)
		e->disks_since = s->mono;
	disks->total_ns = disks->since ? s->mono - e->disks_since : 0;
	e->skipped = 0;
}

static void losses_set(struct engine *e, struct model *m, const struct sample *s)
{
	m->losses =
		arena_new(&m->arena, struct model_loss, s->tables[TABLE_LOSS].n + LOSSES_OF_MODEL);
	m->nlosses = 0;
	counter_table_begin(e->losses, m);
	sample_each(s, LOSS, const struct sample_loss, loss) {
		struct loss_entry *l;
		uint64_t id;
		bool fresh;

		if (!loss->name)
			continue;
		id = hash_bytes(loss->name, strlen(loss->name));
		l = counter_table_get(e->losses, &id, &fresh);
		if (fresh)
			l->name = utf8_clean_dup(loss->name);
		counters_count(e->losses, &l->c, &loss->count, NULL);
		model_add_loss(m, l->name, l->c.now[0], l->c.sum[0]);
	}
}

void model_add_loss(struct model *m, const char *name, uint64_t now, uint64_t total)
{
	m->losses[m->nlosses++] = (struct model_loss){ .name = name, .now = now, .total = total };
}

/* A gap is in none of the times since the start. */
static void leave_out(struct engine *e, uint64_t ns)
{
	e->first_mono += ns;
	e->disks_since += e->disks_since ? ns : 0;
}

static void header_set(struct engine *e, struct model *m, const struct sample *s)
{
	m->cur = s;
	m->real_ns = s->real;
	m->before = NULL;
	m->selection = e->opt.selection;
	m->gap = e->started && s->gap;
	if (!e->started)
		e->first_mono = s->mono;
	else if (m->gap)
		leave_out(e, s->mono - e->prev_mono);
	m->interval = e->started && !m->gap ?
		counter_delta(s->mono, e->prev_mono) / (double)NSEC_PER_SEC : 0;
	/* Differences of clocks may wrap: after a gap it may be another boot's. */
	m->elapsed = (double)(s->mono - e->first_mono) / (double)NSEC_PER_SEC;
	memset(&m->calm, 0, sizeof(m->calm));
	for (size_t i = 0; i < TABLE_COUNT; i++) {
		m->lacks[i] |= s->tables[i].lacks;
		m->lacking |= m->lacks[i] != 0;
	}
	m->host = m->release = "";
	m->delayacct = 2;
	m->trigger = NULL;
	sample_each(s, SYSTEM, const struct sample_system, sys) {
		if (sys->host)
			m->host = utf8_clean(&m->arena, sys->host, strlen(sys->host));
		if (sys->release)
			m->release = utf8_clean(&m->arena, sys->release, strlen(sys->release));
		if (sys->trigger)
			m->trigger = utf8_clean(&m->arena, sys->trigger, strlen(sys->trigger));
		m->delayacct = sys->delayacct;
	}
}

const struct model *engine_advance(struct engine *e, const struct sample *cur, unsigned wanted)
{
	struct model *m = &e->model;

	arena_reset(&m->arena);
	m->nreads = 0;
	for (size_t i = 0; i < ENTITY_COUNT; i++)
		m->rows[i].n = 0;
	header_set(e, m, cur);
	sources_set(e, m, cur);
	losses_set(e, m, cur);
	names_round(e->names);
	names_update(e->names, cur);
	frames_round(e->frames);
	totals_system(&e->totals, m, e->names);
	for (size_t i = 0; i < ENTITY_COUNT; i++) {
		unsigned for_it = entities[i]->always ? wanted | m->have : wanted;

		if (!(for_it & entities[i]->needs) && i != ENTITY_TASK) {
			e->skipped |= entities[i]->derived ? 0 : entities[i]->needs;
			continue;
		}
		if (!e->state[i] && entities[i]->state_new)
			e->state[i] = entities[i]->state_new();
		entities[i]->build(e->state[i], m, cur);
	}
	totals_history(&e->totals, m);
	e->prev_mono = cur->mono;
	e->started = true;
	arena_seal(&m->arena);
	return m;
}

bool model_lacks(const struct model *m, const struct column *col)
{
	for (size_t i = 0; m->lacking && i < ARRAY_SIZE(col->reads) && col->reads[i].table; i++) {
		size_t table = col->reads[i].table - 1u;
		const struct table_info *info = &sample_tables[table];

		for (unsigned f = 0; f < info->nfields; f++)
			if (m->lacks[table] >> f & 1 && info->fields[f].off == col->reads[i].off)
				return true;
	}
	return false;
}

unsigned model_unrecorded(const struct model *m)
{
	unsigned bits = 0;

	for (unsigned i = 0; i < SRC_COUNT; i++) {
		const char *reason = m->sources[i].reason;

		bits |= (unsigned)(reason && !strcmp(reason, source_unrecorded)) << i;
	}
	return bits;
}

void engine_late(struct engine *e, const struct sample *late)
{
	arena_open(&e->model.arena);
	frames_update(e->frames, late);
	for (size_t i = 0; i < ENTITY_COUNT; i++)
		if (e->state[i] && entities[i]->late)
			entities[i]->late(e->state[i], &e->model, late);
	arena_seal(&e->model.arena);
}
