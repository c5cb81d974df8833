// SPDX-License-Identifier: GPL-2.0-or-later
#include "record/rows_before.h"

#include <string.h>

void rows_before_init(struct rows_before *b, const struct sample *s, size_t table)
{
	*b = (struct rows_before){ .info = &sample_tables[table] };
	if (s) {
		b->rows = s->tables[table].rows;
		b->n = s->tables[table].n;
	}
	hash_init(&b->keys, 0, b->info->key);
}

void rows_before_release(struct rows_before *b)
{
	hash_release(&b->keys);
}

static bool same_key(const struct rows_before *b, const char *row, size_t i)
{
	return i < b->n && !memcmp(row, rows_before_at(b, i), b->info->key);
}

/* Rows stay in their order: the next one, or one behind it, or anywhere. */
const char *rows_before_find(struct rows_before *b, const char *row)
{
	if (!b->info->key)
		return b->next < b->n ? rows_before_at(b, b->next) : NULL;
	for (size_t i = b->next; i < b->next + 2; i++)
		if (same_key(b, row, i))
			return rows_before_at(b, i);
	if (!b->hashed) {
		for (size_t i = 0; i < b->n; i++)
			if (!hash_get(&b->keys, rows_before_at(b, i)))
				hash_put(&b->keys, (void *)(uintptr_t)rows_before_at(b, i));
		b->hashed = true;
	}
	return hash_get(&b->keys, row);
}
