/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Two samples that must be the same. */
#ifndef IOTOP_TESTS_SAME_SAMPLES_H
#define IOTOP_TESTS_SAME_SAMPLES_H

#include <string.h>

#include "data/sample.h"
#include "unit.h"

static inline bool same_field(const struct field *f, const char *a, const char *b)
{
	const void *p = a + f->off, *q = b + f->off;
	const char *x, *y;
	const struct blob *v = p, *w = q;

	switch (f->kind) {
	case FIELD_U32:
		return !memcmp(p, q, 4);
	case FIELD_U64:
	case FIELD_I64:
		return !memcmp(p, q, 8);
	case FIELD_STR:
		x = *(const char *const *)p;
		y = *(const char *const *)q;
		return x && y ? !strcmp(x, y) : x == y;
	case FIELD_BLOB:
		return v->len == w->len && !v->data == !w->data &&
		       (!v->len || !memcmp(v->data, w->data, v->len));
	}
	return false;
}

/* The row of a table with a key that has this one; of others, the one at its place. */
static inline const char *find_row(const struct sample *s, unsigned t, const char *row, size_t i)
{
	const struct table_info *info = &sample_tables[t];
	const char *at = s->tables[t].rows;

	if (!info->key)
		return at + i * info->size;
	for (size_t j = 0; j < s->tables[t].n; j++, at += info->size) {
		if (!memcmp(at, row, info->key))
			return at;
	}
	ck_abort_msg("%s: row %zu is not there", info->name, i);
	return NULL;
}

static inline void assert_same(const struct sample *a, const struct sample *b)
{
	ck_assert_uint_eq(a->mono, b->mono);
	ck_assert_uint_eq(a->boot, b->boot);
	ck_assert_uint_eq(a->real, b->real);
	for (unsigned t = 0; t < TABLE_COUNT; t++) {
		const struct table_info *info = &sample_tables[t];

		ck_assert_uint_eq(a->tables[t].n, b->tables[t].n);
		ck_assert_uint_eq(a->tables[t].lacks, b->tables[t].lacks);
		for (size_t i = 0; i < a->tables[t].n; i++) {
			const char *x = (const char *)a->tables[t].rows + i * info->size;
			const char *y = find_row(b, t, x, i);

			for (unsigned f = 0; f < info->nfields; f++)
				ck_assert_msg(same_field(&info->fields[f], x, y),
					      "%s.%s of row %zu", info->name, info->fields[f].name,
					      i);
		}
	}
}

#endif
