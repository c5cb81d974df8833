// SPDX-License-Identifier: GPL-2.0-or-later
/* Which rows a view shows, in which tree and with which columns. */
#include <math.h>

#include "data/history.h"
#include "thing_views.h"
#include "view/pattern.h"

/*
 * What regular expressions may cost is for all rows and both filters of a view together, and anew
 * each time.
 */
START_TEST(slow_filters)
{
	static char text[PATTERN_TEXT + 1];
	struct view_spec spec = spec_new("id,name", "id");
	struct filter *only, *filter;
	const struct row **rows;
	struct err err;
	struct view v;
	size_t place;

	things_build();
	free(thing_model.rows[0].rows);
	rows = calloc(1000, sizeof(*rows));
	for (size_t i = 0; i < 1000; i++)
		rows[i] = &things[i % 2].row;
	thing_model.rows[0] = (struct row_list){ .rows = rows, .n = 1000, .cap = 1000 };
	memset(text, 'a', sizeof(text) - 1);
	things[0].name = text;
	ck_assert_int_eq(
		filter_parse("id = 2 or name ~ '(a?){250}$'", &thing_entity, &only, &place, &err),
		0);
	ck_assert_int_eq(filter_parse("id = 2 or name ~ a", &thing_entity, &filter, &place, &err),
			 0);
	spec.selection = only;
	view_init(&v);
	for (unsigned i = 0; i < 3; i++) {
		spec.filter = i ? filter : NULL;
		view_build(&v, &thing_model, &spec);
		ck_assert_uint_gt(v.budget.unread, 0);
		ck_assert_uint_le(v.budget.unread, 500);
		/* Those that nobody looked at are not shown. */
		ck_assert_uint_ge(v.n, 500);
		ck_assert_uint_le(v.n + v.budget.unread, 1000);
	}
	spec.selection = NULL;
	view_build(&v, &thing_model, &spec);
	ck_assert(v.n == 1000 && !v.budget.unread);
	view_release(&v);
	filter_free(only);
	filter_free(filter);
	things_release();
}
END_TEST

START_TEST(selection)
{
	struct view_spec spec = spec_new("id", "id:asc");
	struct view v;

	things_build();
	ck_assert_str_eq(shown(&spec), "1 2 3 4 5 6");
	spec.only_active = true;
	ck_assert_str_eq(shown(&spec), "1 2 3 5");
	/* 6 did something since the start. */
	spec.span = SPAN_SUM;
	ck_assert_str_eq(shown(&spec), "1 2 3 5 6");
	spec.hide_ended = true;
	ck_assert_str_eq(shown(&spec), "1 2 5 6");
	spec.rows = 2;
	ck_assert_str_eq(shown(&spec), "1 2");
	spec = spec_new("id", "id:asc");
	things[1].row.flags |= ROW_QUIET;
	things[3].row.flags |= ROW_QUIET;
	ck_assert_str_eq(shown(&spec), "1 2 3 5 6");

	spec.rows = 3;
	view_init(&v);
	view_build(&v, &thing_model, &spec);
	ck_assert_uint_eq(v.n, 3);
	ck_assert_uint_eq(v.total, 6);
	ck_assert_int_eq(view_find(&v, things[2].row.key), 2);
	ck_assert_int_eq(view_find(&v, things[5].row.key), -1);
	ck_assert_uint_eq(view_value(&v, 1, spec.columns[0], &unit_texts).u64, 2);
	view_release(&v);
	things_release();
}
END_TEST

/* Idle is what did nothing in the last intervals, where nobody chose or looks for it. */
START_TEST(idle)
{
	struct view_spec spec = spec_new("id", "id:asc");
	struct history lately = { 0 }, before = { 0 }, just = { 0 };
	struct filter *filter;
	struct err err;
	struct view v;
	size_t place;

	things_build();
	history_push(&just, 5, 0, 1);
	for (unsigned i = 0; i < 2; i++)
		history_push(&just, 0, 0, 1);
	history_push(&lately, 0, 5, 1);
	history_push(&before, 5, 0, 1);
	for (unsigned i = 0; i < 10; i++)
		history_push(&before, 0, 0, 1);
	history_push(&lately, NAN, NAN, 0);
	things[3].row.history = &lately;
	things[5].row.history = &before;
	spec.hide_idle = true;
	ck_assert_str_eq(shown(&spec), "1 2 3 4 5");
	view_init(&v);
	view_build(&v, &thing_model, &spec);
	ck_assert(v.n == 5 && v.idle == 1 && v.total == 6);
	ck_assert_int_eq(filter_parse("id > 3", &thing_entity, &filter, &place, &err), 0);
	spec.filter = filter;
	ck_assert_str_eq(shown(&spec), "4 5 6");
	spec.filter = NULL;
	spec.selection = filter;
	ck_assert_str_eq(shown(&spec), "4 5 6");
	view_build(&v, &thing_model, &spec);
	ck_assert_uint_eq(v.idle, 0);
	view_release(&v);
	filter_free(filter);
	/* What ended does nothing again, and is not in the way for long. */
	spec.filter = spec.selection = NULL;
	things[3].row.flags = things[5].row.flags = ROW_ENDED;
	things[3].row.history = things[5].row.history = &just;
	ck_assert_str_eq(shown(&spec), "1 2 3 4 5 6");
	history_push(&just, 0, 0, 1);
	ck_assert_str_eq(shown(&spec), "1 2 3 5");
	things_release();
}
END_TEST

START_TEST(tree)
{
	struct view_spec spec = spec_new("id", "id:asc");

	things_build();
	spec.tree = true;
	ck_assert_str_eq(shown(&spec), "1+ .2+ ..3' .4' 5 6'");
	ck_assert_int_eq(view_set_sort(&spec, "id", NULL), 0);
	ck_assert_str_eq(shown(&spec), "6 5 1+' .4 .2+' ..3'");
	/* Without 2, which is idle, 3 hangs below 1. */
	things[1].now.bytes = 0;
	spec.only_active = true;
	ck_assert_str_eq(shown(&spec), "5 1+' .3'");
	spec.only_active = false;
	/* A circle, and a row that hangs off it. */
	things[0].row.parent = &things[2].row;
	ck_assert_int_eq(view_set_sort(&spec, "id:asc", NULL), 0);
	ck_assert_str_eq(shown(&spec), "1+ .2+ ..3' .4' 5 6'");
	things[4].row.parent = &things[4].row;
	ck_assert_str_eq(shown(&spec), "1+ .2+ ..3' .4' 5 6'");
	things_release();
}
END_TEST

static bool fold_two(const void *arg, const struct row *row)
{
	return row->key == *(const uint64_t *)arg;
}

/*
 * 1 is above 2 and 4, 2 above 3, which did most; 5 did half as much as 1 to 4, more than each of 1,
 * 2 and 4.
 */
START_TEST(tree_by_subtrees)
{
	static const struct {
		const char *sort, *ids;
		enum span span;
	} cases[] = {
		{ "bytes", "1+ .2+ ..3' .4' 5 6'", SPAN_TICK },
		{ "bytes", "5 1+ .2+ ..3' .4' 6'", SPAN_SUM },
		/* What nobody measured is last, without a child that somebody did. */
		{ "bytes:asc", "6 5 1+' .2+ ..3' .4'", SPAN_TICK },
		/* The best of them, not the sum. */
		{ "max", "5 1+ .2+ ..3' .4' 6'", SPAN_TICK },
		{ "max:asc", "6 1+ .4 .2+' ..3' 5'", SPAN_TICK },
		/* Each its own. */
		{ "id", "6 5 1+' .4 .2+' ..3'", SPAN_TICK },
		{ "name:desc", "6 5 1+' .2+ ..3' .4'", SPAN_TICK },
	}, again[] = {
		{ "bytes", "5 1+ .2+ ..3' .4' 6'", SPAN_TICK },
		{ "bytes:asc", "1+ .2+ ..3' .4' 6 5'", SPAN_TICK },
		{ "id", "6 5 1+' .4 .2+' ..3'", SPAN_TICK },
	};
	struct entity twice = thing_entity;

	things_build();
	things[0].now = (struct thing_counters){ 0, 0, 5 };
	things[1].now = (struct thing_counters){ 1, 0, 30 };
	things[2].now = (struct thing_counters){ 5000, 0, 20 };
	things[3].now = (struct thing_counters){ 7, 0, 4 };
	things[4].now = (struct thing_counters){ 2500, 0, 40 };
	things[5].now = (struct thing_counters){ 0, 0, 3 };
	for (size_t i = 0; i < 6; i++)
		things[i].sum = things[i].now;
	things[2].sum.bytes = 2498;
	twice.tree_adds = false;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct view_spec spec = spec_new("id", cases[i].sort);

		spec.tree = true;
		spec.span = cases[i].span;
		ck_assert_msg(!strcmp(shown(&spec), cases[i].ids), "%s: %s", cases[i].sort,
			      shown(&spec));
		/* Below a row that is folded is what brought it there. */
		spec.folded = fold_two;
		spec.folded_arg = &things[1].row.key;
		if (!i)
			ck_assert_str_eq(shown(&spec), "1+ .2+ .4' 5 6'");
	}
	/* Where they tell of the same thing, no sums. */
	things[4].now.bytes = 5001;
	things[5].now.bytes = 4000;
	for (size_t i = 0; i < ARRAY_SIZE(again); i++) {
		struct view_spec spec = spec_new("id", again[i].sort);

		spec.entity = &twice;
		spec.tree = true;
		ck_assert_msg(!strcmp(shown(&spec), again[i].ids), "%s: %s", again[i].sort,
			      shown(&spec));
	}
	things_release();
}
END_TEST

START_TEST(folded_tree)
{
	struct view_spec spec = spec_new("id", "id:asc");

	things_build();
	spec.tree = true;
	spec.folded = fold_two;
	spec.folded_arg = &things[1].row.key;
	ck_assert_str_eq(shown(&spec), "1+ .2+ .4' 5 6'");
	things_release();
}
END_TEST

static const char *columns_of(const struct view_spec *spec)
{
	static char text[256];

	text[0] = '\0';
	for (unsigned i = 0; i < spec->ncolumns; i++) {
		strcat(text, i ? "," : "");
		strcat(text, spec->columns[i]->key);
	}
	return text;
}

START_TEST(column_lists)
{
	static const struct {
		const char *list, *columns;	/* NULL: refused */
		const char *err;
	} cases[] = {
		{ "bytes", "bytes" },
		{ "bytes,id,bytes", "bytes,id" },
		{ "+bytes", "id,bytes,name" },
		{ "-id", "name" },
		{ "+bytes,-id", "bytes,name" },
		{ "+bytes,big", "id,bytes,big,name" },
		{ "-bytes", "id,name" },
		{ "", NULL, "no column is left" },
		{ "-id,-name", NULL, "no column is left" },
		{ "bites", NULL, "no column \"bites\"; did you mean \"bytes\"?" },
		{ "+nmae", NULL, "no column \"nmae\"; did you mean \"name\"?" },
		{ "qqqqqq", NULL, "no column \"qqqqqq\"; --list-columns lists them" },
		{ ",", NULL, "no column \"\"; --list-columns lists them" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct view_spec spec = spec_new("id,name", NULL);
		struct err err = { "" };
		int ret = view_set_columns(&spec, cases[i].list, &err);

		ck_assert_int_eq(ret, cases[i].columns ? 0 : -EINVAL);
		ck_assert_str_eq(columns_of(&spec),
				 cases[i].columns ? cases[i].columns : "id,name");
		if (cases[i].err)
			ck_assert_str_eq(err.text, cases[i].err);
	}
}
END_TEST

START_TEST(needs)
{
	struct view_spec spec = spec_new("id", NULL);
	struct filter *f;
	size_t place;

	ck_assert_uint_eq(view_needs(&spec), SRC_TASKS);
	ck_assert_int_eq(view_set_sort(&spec, "bytes", NULL), 0);
	ck_assert_uint_eq(view_needs(&spec), SRC_TASKS | SRC_BLOCK);
	ck_assert_int_eq(view_set_sort(&spec, "id", NULL), 0);
	ck_assert_int_eq(filter_parse("wait > 1", &thing_entity, &f, &place, NULL), 0);
	spec.filter = f;
	ck_assert_uint_eq(view_needs(&spec), SRC_TASKS | SRC_DELAYS | SRC_WAITS);
	spec.filter = NULL;
	filter_free(f);
	spec.only_active = true;
	ck_assert_uint_eq(view_needs(&spec), SRC_TASKS | SRC_BLOCK);
}
END_TEST

UNIT_MAIN("view", slow_filters, selection, idle, tree, tree_by_subtrees, folded_tree, column_lists,
	  needs)
