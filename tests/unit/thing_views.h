/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Views of the six things of thing.h. */
#ifndef IOTOP_TESTS_THING_VIEWS_H
#define IOTOP_TESTS_THING_VIEWS_H

#include "unit.h"

#include "thing.h"
#include "view/view.h"

static inline struct view_spec spec_new(const char *columns, const char *sort)
{
	struct view_spec spec = { .entity = &thing_entity };
	struct err err;

	ck_assert_int_eq(view_set_columns(&spec, columns, &err), 0);
	if (sort)
		ck_assert_int_eq(view_set_sort(&spec, sort, &err), 0);
	return spec;
}

/*
 * The rows as "id id id"; in the tree with as many dots before as they are deep, + for more below.
 */
static inline const char *shown(const struct view_spec *spec)
{
	static char text[256];
	struct view v;

	view_init(&v);
	view_build(&v, &thing_model, spec);
	text[0] = '\0';
	for (size_t i = 0; i < v.n; i++) {
		char one[64];

		snprintf(one, sizeof(one), "%s%.*s%llu%s%s", i ? " " : "", (int)v.rows[i].depth,
			 "........", (unsigned long long)((const struct thing *)v.rows[i].row)->id,
			 v.rows[i].has_children ? "+" : "",
			 spec->tree && v.rows[i].last ? "'" : "");
		strcat(text, one);
	}
	view_release(&v);
	return text;
}

#endif
