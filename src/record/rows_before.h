/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rows of a table as they were in another sample, found by their keys. Most are where they are
 * looked for first: behind the row that was found last.
 */
#ifndef IOTOP_RECORD_ROWS_BEFORE_H
#define IOTOP_RECORD_ROWS_BEFORE_H

#include "data/sample.h"

struct rows_before {
	const struct table_info *info;
	const char *rows; /* of the sample, which must stay as it is */
	size_t n;
	size_t next;	  /* the one that is looked for first; the caller moves it on */
	/*
	 * Made when rows are not where they were, by what their keys hash to: the first row, and of
	 * each row the next one. One more than its number; 0: none.
	 */
	uint32_t *firsts, *others;
	size_t mask;
};

/* s may be NULL: there are none. rows_before_release() by the caller. */
void rows_before_init(struct rows_before *b, const struct sample *s, size_t table);
void rows_before_release(struct rows_before *b);
/* The row with the key of another, NULL: none has it. In a table without keys: the next one. */
const char *rows_before_find(struct rows_before *b, const char *row);

static inline const char *rows_before_at(const struct rows_before *b, size_t i)
{
	return b->rows + i * b->info->size;
}

/* Which row it is that was found. */
static inline size_t rows_before_index(const struct rows_before *b, const char *row)
{
	return (size_t)(row - b->rows) / b->info->size;
}

#endif
