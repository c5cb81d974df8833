/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the tables of a sample promise of each row (data/sample_table.h). */
#ifndef IOTOP_TESTS_FUZZ_ROWS_H
#define IOTOP_TESTS_FUZZ_ROWS_H

#include "data/sample.h"
#include "fuzz.h"

static inline void check_row(const struct table_info *info, const char *row)
{
	for (unsigned i = 0; i < info->nfields; i++) {
		const struct field *f = &info->fields[i];
		const struct blob *blob = (const void *)(row + f->off);

		if (f->kind == FIELD_U32 && f->max)
			FUZZ_CHECK(*(const uint32_t *)(const void *)(row + f->off) <= f->max);
		if (f->kind == FIELD_STR && f->required)
			FUZZ_CHECK(*(const char *const *)(const void *)(row + f->off));
		if (f->kind == FIELD_BLOB)
			FUZZ_CHECK(blob->len % 8 == 0 && (blob->data || !blob->len));
	}
}

#endif
