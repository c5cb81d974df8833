// SPDX-License-Identifier: GPL-2.0-or-later
#include "data/layer/layer_parts.h"

#include "base/hash.h"
#include "data/counters.h"

/* The operation of a program that r is a part of. */
static uint32_t op_of(const struct layer_row *r)
{
	return layer_is_step(r->layer_id, r->op_id) ? (uint32_t)LAYER_FSYNC : r->op_id;
}

static bool is_part(const struct layer_row *r, const struct layer_row *of)
{
	if (layer_is_of_disk(of->layer_id)) {
		if (r->whole != of->whole)
			return false;
		return layer_is_of_disk(r->layer_id) ? r->op_id == of->op_id
						  : layer_is_call(r->layer_id, r->op_id) &&
							    layer_leads_to(r->op_id, of->op_id);
	}
	if (layer_is_of_disk(r->layer_id))
		return r->whole == of->whole && layer_leads_to(op_of(of), r->op_id);
	return r->dev == of->dev && r->is_block == of->is_block && op_of(r) == op_of(of);
}

struct layer_parts layer_parts(const struct model *m, const struct layer_row *row, bool since_start,
			       struct arena *a)
{
	const struct row_list *all = &m->rows[ENTITY_LAYER];
	const struct row **items = arena_new(a, const struct row *, all->n);
	struct layer_parts parts = { .rows.rows = items };

	for (uint32_t at = 0; at < LAYER_COUNT; at++) {
		uint32_t layer = layer_order[at];
		const struct layer_row *r;

		row_each(r, all) {
			const struct layer_counters *c = since_start ? r->sum : r->now;

			if (r->layer_id != layer || !is_part(r, row))
				continue;
			items[parts.rows.n++] = &r->row;
			if (layer_is_call(r->layer_id, r->op_id)) {
				parts.calls_ns += c->time_ns;
				parts.ended_ns += c->lat_ns;
			}
		}
	}
	if (!parts.calls_ns)
		parts.calls_ns = (since_start ? row->sum : row->now)->time_ns;
	if (!parts.ended_ns)
		parts.ended_ns = (since_start ? row->sum : row->now)->time_ns;
	return parts;
}

static uint64_t whole_of(const struct row *row)
{
	return ((const struct layer_row *)row)->whole;
}

struct rows layer_on_disk(const struct model *m, uint32_t whole, struct arena *a)
{
	struct row_index by_disk = row_index_new(m, ENTITY_LAYER, whole_of, a);

	return row_index_find(&by_disk, whole);
}

/* Adds up the callers for whom is_one() is true of n keys. */
static void sums_of(const struct model *m, void *keys, size_t n, size_t size,
		    bool (*is_one)(const struct hash *wanted, const struct layer_caller *c),
		    bool since_start, struct layer_sums *ret)
{
	const struct layer_row *r;
	struct hash wanted;

	*ret = (struct layer_sums){ 0 };
	hash_init(&wanted, 0, size);
	for (size_t i = 0; i < n && m->rows[ENTITY_LAYER].n; i++)
		hash_put(&wanted, (char *)keys + i * size);
	row_each(r, &m->rows[ENTITY_LAYER])
		for (const struct layer_caller *c = r->callers; c; c = c->next)
			if (is_one(&wanted, c))
				counters_fold(&ret->at[r->layer_id][r->op_id],
					      layer_caller_counters(c, since_start),
					      LAYER_COUNTERS_SUM, LAYER_COUNTERS_MAX);
	hash_release(&wanted);
}

static bool is_task(const struct hash *wanted, const struct layer_caller *c)
{
	return hash_get(wanted, &c->key.id);
}

static bool is_file(const struct hash *wanted, const struct layer_caller *c)
{
	const struct layer_file file = { c->key.ino, c->key.sdev, 0 };

	return c->key.ino && hash_get(wanted, &file);
}

void layer_sums_of(const struct model *m, struct task_id *ids, size_t n, bool since_start,
		   struct layer_sums *ret)
{
	sums_of(m, ids, n, sizeof(*ids), is_task, since_start, ret);
}

void layer_sums_of_files(const struct model *m, struct layer_file *files, size_t n,
			 bool since_start, struct layer_sums *ret)
{
	sums_of(m, files, n, sizeof(*files), is_file, since_start, ret);
}
