// SPDX-License-Identifier: GPL-2.0-or-later
#include "data/join.h"

#include <stdlib.h>

struct rows row_members(const struct row *const *row)
{
	if ((*row)->parts)
		return (struct rows){ (*row)->parts, (*row)->members };
	return (struct rows){ row, 1 };
}

struct keyed {
	uint64_t key;
	size_t at;	/* in the model */
};

static int key_order(const void *pa, const void *pb)
{
	const struct keyed *a = pa, *b = pb;

	if (a->key != b->key)
		return a->key < b->key ? -1 : 1;
	return ORDER(a->at, b->at);
}

struct row_index row_index_new(const struct model *m, enum entity_id id,
			       uint64_t (*key)(const struct row *row), struct arena *a)
{
	const struct row_list *list = &m->rows[id];
	struct row_index ix = {
		.keys = arena_new(a, uint64_t, list->n),
		.rows = arena_new(a, const struct row *, list->n),
		.n = list->n,
	};
	struct keyed *keyed = arena_new(a, struct keyed, list->n);

	for (size_t i = 0; i < list->n; i++)
		keyed[i] = (struct keyed){ key(list->rows[i]), i };
	if (list->n > 1)
		qsort(keyed, list->n, sizeof(*keyed), key_order);
	for (size_t i = 0; i < list->n; i++) {
		ix.keys[i] = keyed[i].key;
		ix.rows[i] = list->rows[keyed[i].at];
	}
	return ix;
}

struct rows row_index_find(const struct row_index *ix, uint64_t key)
{
	size_t low = 0, high = ix->n, end;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (ix->keys[middle] < key)
			low = middle + 1;
		else
			high = middle;
	}
	for (end = low; end < ix->n && ix->keys[end] == key; end++)
		;
	return (struct rows){ ix->rows + low, end - low };
}
