// SPDX-License-Identifier: GPL-2.0-or-later
#include "data/compare.h"

#include <string.h>

#include "data/model.h"
#include "data/task/task_group.h"

/* What a row that was only before has done since: longer than the counters of any entity. */
static const uint64_t zeroes[4096];

/* A row by what it is called in both ranges. */
struct joined {
	uint64_t key;
	const struct row *row;
};

/* The key of a disk also tells which of several it was that had its number, one after another. */
static uint64_t key_of(const struct row *row, enum entity_id id)
{
	return id == ENTITY_DISK ? (uint32_t)row->key : row->key;
}

static void join_all(struct hash *h, struct arena *a, const struct row_list *list,
		     enum entity_id id)
{
	struct joined *all = arena_new(a, struct joined, list->n);

	hash_init(h, offsetof(struct joined, key), sizeof(uint64_t));
	for (size_t i = 0; i < list->n; i++) {
		all[i] = (struct joined){ key_of(list->rows[i], id), list->rows[i] };
		if (!hash_get(h, &all[i].key))
			hash_put(h, &all[i]);
	}
}

static bool did_nothing(const struct row *row)
{
	const uint64_t *sum = row->sum;

	for (unsigned i = 0; sum && i < row->entity->nsum; i++)
		if (sum[i])
			return false;
	return sum && row->entity->nsum;
}

static void add_before(struct model *m, enum entity_id id, const struct row *then,
		       const struct hash *now)
{
	struct row *row = model_add_row(m, id);
	const struct joined *parent = NULL;
	uint64_t key;

	memcpy(row, then, then->entity->row_size);
	if (then->parent) {
		key = key_of(then->parent, id);
		parent = hash_get(now, &key);
	}
	row->flags |= ROW_BEFORE;
	row->now = row->now ? zeroes : NULL;
	row->sum = row->sum ? zeroes : NULL;
	row->history = NULL;
	row->parent = parent ? parent->row : NULL;
	row->turned_parent = NULL;
	row->before = then;
}

static void join(struct model *m, enum entity_id id)
{
	const struct row_list *before = &m->before->rows[id];
	size_t n = m->rows[id].n;
	struct hash now, then;

	join_all(&now, &m->arena, &m->rows[id], id);
	join_all(&then, &m->arena, before, id);
	for (size_t i = 0; i < n; i++) {
		struct row *row = (struct row *)(uintptr_t)m->rows[id].rows[i];
		uint64_t key = key_of(row, id);
		const struct joined *old = hash_get(&then, &key);

		row->before = old ? old->row : NULL;
	}
	for (size_t i = 0; i < before->n; i++) {
		uint64_t key = key_of(before->rows[i], id);

		if (!hash_get(&now, &key) && !did_nothing(before->rows[i]))
			add_before(m, id, before->rows[i], &now);
	}
	if (id == ENTITY_TASK)
		tasks_only_before(m, n);
	hash_release(&now);
	hash_release(&then);
}

void model_compare(const struct model *newest, const struct model *before)
{
	struct model *m = (struct model *)(uintptr_t)newest;

	arena_open(&m->arena);
	m->before = before;
	for (size_t i = 0; i < ENTITY_COUNT; i++)
		join(m, (enum entity_id)i);
	arena_seal(&m->arena);
}
