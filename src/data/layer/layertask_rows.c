// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The callers of the rows of the layers, added up by process. Nothing is kept from tick to tick.
 */
#include <math.h>

#include "base/hash.h"
#include "data/layer/layertask.h"
#include "data/model.h"

/* A row while it is added up; in the model's arena. */
struct sums {
	struct {
		uint64_t pid;
		const struct layer_row *at;
	} key;				/* hash key */
	struct layertask_row *row;
	struct layer_counters now, sum;
	bool named;			/* by the leader */
};

static struct sums *sums_new(struct model *m, uint32_t pid, const struct layer_row *at)
{
	struct sums *s = arena_new(&m->arena, struct sums, 1);
	struct layertask_row *r = model_add_row(m, ENTITY_LAYERTASK);
	const uint64_t id[] = { pid, at->row.key };

	s->key.pid = r->pid = pid;
	s->key.at = r->at = at;
	r->layer = at->layer;
	r->op = at->op;
	r->fs = at->fs;
	r->disk = at->disk;
	s->row = r;
	r->row.key = hash_bytes(id, sizeof(id));
	r->row.now = &s->now;
	r->row.sum = &s->sum;
	r->row.have = at->row.have;
	r->row.flags = ROW_QUIET;
	r->row.members = 0;
	r->share[0] = r->share[1] = NAN;
	return s;
}

static void caller_add(struct model *m, struct hash *all, const struct layer_row *at,
		       const struct layer_caller *c)
{
	struct sums probe = { .key = { c->key.id.tgid, at } }, *s = hash_get(all, &probe.key);
	bool leader = c->key.id.tid == c->key.id.tgid;

	if (!s) {
		s = sums_new(m, c->key.id.tgid, at);
		hash_put(all, s);
	}
	if (!s->row->comm || (leader && !s->named)) {
		s->row->comm = s->row->row.name = c->comm;
		s->named = leader;
	}
	s->row->row.members++;
	counters_fold(&s->now, layer_caller_counters(c, false), LAYER_COUNTERS_SUM,
		      LAYER_COUNTERS_MAX);
	counters_fold(&s->sum, layer_caller_counters(c, true), LAYER_COUNTERS_SUM,
		      LAYER_COUNTERS_MAX);
}

static double share_of(const struct layer_counters *of, const struct layer_counters *above)
{
	return above->lat_ns && of->lat_ns <= above->lat_ns
		       ? 100.0 * (double)of->lat_ns / (double)above->lat_ns : NAN;
}

/* Below the row of the same process at the nearest layer above where it has one. */
static void row_link(const struct hash *all, struct sums *s)
{
	const struct sums *up = NULL;

	for (const struct row *above = s->key.at->row.parent; above && !up; above = above->parent) {
		struct sums probe = { .key = { s->key.pid, (const struct layer_row *)above } };

		up = hash_get(all, &probe.key);
	}
	if (!up)
		return;
	s->row->row.parent = &up->row->row;
	s->row->share[0] = share_of(&s->now, &up->now);
	s->row->share[1] = share_of(&s->sum, &up->sum);
}

static void build(_unused_ void *state, struct model *m, _unused_ const struct sample *cur)
{
	const struct layer_row *at;
	struct hash all;
	struct sums *s;
	size_t i = 0;

	hash_init(&all, offsetof(struct sums, key), sizeof(((struct sums *)0)->key));
	row_each(at, &m->rows[ENTITY_LAYER])
		for (const struct layer_caller *c = at->callers; c; c = c->next)
			caller_add(m, &all, at, c);
	while ((s = hash_next(&all, &i))) {
		if (s->key.pid)
			s->row->row.name = arena_printf(&m->arena, "%s %u", s->row->comm,
							(unsigned)s->key.pid);
		row_link(&all, s);
	}
	hash_release(&all);
}

const struct entity entity_layertask = {
	.name = "layertask",
	.row_size = sizeof(struct layertask_row),
	.nsum = LAYER_COUNTERS_SUM,
	.nmax = LAYER_COUNTERS_MAX,
	.columns = layertask_columns,
	.needs = SRC_CALLERS,
	.hangs = true,
	.derived = true,
	.build = build,
};
