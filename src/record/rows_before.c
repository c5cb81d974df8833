// SPDX-License-Identifier: GPL-2.0-or-later
#include "record/rows_before.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"

void rows_before_init(struct rows_before *b, const struct sample *s, size_t table)
{
	*b = (struct rows_before){ .info = &sample_tables[table] };
	if (s) {
		b->rows = s->tables[table].rows;
		b->n = s->tables[table].n;
	}
}

void rows_before_release(struct rows_before *b)
{
	free(b->firsts);
	b->firsts = NULL;
}

static bool same_key(const struct rows_before *b, const char *row, size_t i)
{
	return i < b->n && !memcmp(row, rows_before_at(b, i), b->info->key);
}

static uint32_t *first_of(const struct rows_before *b, const char *row)
{
	return &b->firsts[hash_bytes(row, b->info->key) & b->mask];
}

/* From the last row to the first one, which is the one that counts of rows with the same key. */
static void index_rows(struct rows_before *b)
{
	for (b->mask = 16; b->mask < b->n; b->mask *= 2)
		;
	b->firsts = mem_zalloc((b->mask + b->n) * sizeof(*b->firsts));
	b->others = b->firsts + b->mask;
	b->mask--;
	for (size_t i = b->n; i-- > 0;) {
		uint32_t *first = first_of(b, rows_before_at(b, i));

		b->others[i] = *first;
		*first = (uint32_t)i + 1;
	}
}

/* Rows stay in their order: the next one, or one behind it, or anywhere. */
const char *rows_before_find(struct rows_before *b, const char *row)
{
	if (!b->info->key)
		return b->next < b->n ? rows_before_at(b, b->next) : NULL;
	for (size_t i = b->next; i < b->next + 2; i++)
		if (same_key(b, row, i))
			return rows_before_at(b, i);
	if (b->n && !b->firsts)
		index_rows(b);
	for (uint32_t at = b->n ? *first_of(b, row) : 0; at; at = b->others[at - 1])
		if (same_key(b, row, at - 1))
			return rows_before_at(b, at - 1);
	return NULL;
}
