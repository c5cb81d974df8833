// SPDX-License-Identifier: GPL-2.0-or-later
/* Rows of one group as one row: its counters, its cells, its place in the tree. */
#include "thing_views.h"

START_TEST(groups)
{
	struct view_spec spec = spec_new("id,bytes,max,members", "bytes");
	const struct thing_counters *now, *sum;
	const struct thing *g;
	struct view v;

	things_build();
	spec.group = GROUP_COMM;
	view_init(&v);
	view_build(&v, &thing_model, &spec);
	ck_assert_uint_eq(v.n, 3);	/* a: 1 2 3, b: 5 6, and 4 has no name */
	ck_assert_uint_eq(v.total, 3);
	g = (const struct thing *)v.rows[0].row;
	ck_assert_uint_eq(g->row.members, 3);
	now = g->row.now;
	ck_assert_uint_eq(now->bytes, 1000 + 2000 + 5000000000);
	ck_assert_uint_eq(now->max_ns, 30);
	sum = g->row.sum;
	ck_assert_uint_eq(sum->bytes, 10000 + 2000 + 5000000000);
	ck_assert_uint_eq(g->row.flags, ROW_GROUP | ROW_LED);
	ck_assert_uint_eq(g->row.have, SRC_BLOCK | SRC_TASKS | SRC_WAITS);
	ck_assert_ptr_null(g->row.parent);
	/* 1 has two intervals, 2 has three: aligned at the newest. */
	ck_assert_ptr_nonnull(g->row.history);
	ck_assert_uint_eq(g->row.history->n, 3);
	ck_assert(g->row.history->read[0] == 1 && g->row.history->read[1] == 12 &&
		  g->row.history->read[2] == 23);
	ck_assert_uint_eq(v.rows[2].row->key, things[3].row.key);
	for (size_t i = 0; i < 3; i++)
		ck_assert_ptr_eq(g->row.parts[i], &things[2 - i].row);
	ck_assert_ptr_null(v.rows[2].row->parts);
	/* All of group b in this interval is new. */
	ck_assert_uint_eq(v.rows[1].row->flags, ROW_GROUP | ROW_LED | ROW_NEW);
	view_release(&v);
	things_release();
}
END_TEST

static struct value half(const struct cell *c)
{
	return value_f64((double)((const struct thing *)c->row)->nice / 2);
}

static struct value bytes_twice(const struct cell *c)
{
	return value_u64(2 * *(const uint64_t *)c->counters);
}

#define FIELD(member) COL_FIELD(struct thing, member)

/* Groups a (nice 5 6 7, big 2^63, 2^64 - 1, 0) and b (9 10, 0 0); in a only one is of SRC_WAITS. */
START_TEST(folding)
{
	static const struct {
		struct column column;
		const char *a, *b;
	} cases[] = {
		{ { FIELD(nice), .fold = FOLD_SAME }, "-", "-" },
		{ { FIELD(big), .fold = FOLD_SAME }, "-", "0" },
		{ { FIELD(nice), .fold = FOLD_MAX }, "7", "10" },
		{ { FIELD(name), .fold = FOLD_MAX }, "ac", "b\344\270\255" },
		{ { FIELD(nice), .fold = FOLD_SUM, .unit = UNIT_COUNT }, "18", "19" },
		{ { FIELD(big), .fold = FOLD_SUM, .flags = COL_NONZERO },
		  "9223372036854775807", "-" },
		{ { .get = half, .fold = FOLD_SUM, .unit = UNIT_RATIO }, "9.00", "9.50" },
		{ { .get = half, .fold = FOLD_MAX, .unit = UNIT_RATIO }, "3.50", "5.00" },
		/* The group's own row: what its leader says, what is a mean, what it knows. */
		{ { FIELD(name), .fold = FOLD_FIRST }, "a", "b" },
		{ { .get = bytes_twice, .fold = FOLD_MEAN, .unit = UNIT_COUNT }, "10.0G", "2.00k" },
		{ { FIELD(name), .fold = FOLD_SAME, .flags = COL_WHOLE }, "a", "b" },
		/* Unknown of some: they add nothing, are no maximum, and do not agree. */
		{ { FIELD(nice), .fold = FOLD_SUM, .needs = SRC_WAITS }, "5", "-" },
		{ { FIELD(nice), .fold = FOLD_MAX, .needs = SRC_WAITS }, "5", "-" },
		{ { FIELD(nice), .fold = FOLD_SAME, .needs = SRC_WAITS }, "-", "-" },
		/* Of all: it is unknown. */
		{ { FIELD(nice), .fold = FOLD_SUM, .needs = SRC_LAYERS }, "-", "-" },
	};
	struct view_spec spec = spec_new("id", "id:desc");
	struct view v;

	things_build();
	spec.group = GROUP_COMM;
	view_init(&v);
	view_build(&v, &thing_model, &spec);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct column *col = &cases[i].column;

		for (size_t g = 0; g < 2; g++) {
			const char *expected = g ? cases[i].a : cases[i].b;
			long at = view_find(&v, hash_bytes(g ? "a" : "b", 1));
			struct value value = view_value(&v, (size_t)at, col, &unit_texts);
			char text[64];

			column_text(text, sizeof(text), col, &value, NULL);
			ck_assert_msg(!strcmp(text, expected), "%zu: %s is not %s", i, text,
				      expected);
		}
	}
	view_release(&v);
	things_release();
}
END_TEST

/* A group of one says what its only member says. */
START_TEST(group_of_one)
{
	static const struct column same = { COL_FIELD(struct thing, nice),
					    .fold = FOLD_SAME };
	struct view_spec spec = spec_new("id", "id:asc");
	struct value value;
	struct view v;

	things_build();
	things[3].name = "c";
	spec.group = GROUP_COMM;
	view_init(&v);
	view_build(&v, &thing_model, &spec);
	value = view_value(&v, (size_t)view_find(&v, hash_bytes("c", 1)), &same, &unit_texts);
	ck_assert(value.kind == VAL_I64 && value.i64 == 8);
	view_release(&v);
	things_release();
}
END_TEST

/* Order and filter see the value of the group, too. */
START_TEST(folded_values_select)
{
	struct view_spec spec = spec_new("id", "top:asc");
	struct filter *filter;
	struct err err;
	size_t place;

	things_build();
	spec.group = GROUP_COMM;
	/* 4 has no group; group 3 has 7, group 6 has 10. */
	ck_assert_str_eq(shown(&spec), "3 4 6");
	ck_assert_int_eq(filter_parse("top = 7", &thing_entity, &filter, &place, &err), 0);
	spec.filter = filter;
	ck_assert_str_eq(shown(&spec), "3");
	filter_free(filter);
	things_release();
}
END_TEST

START_TEST(group_tree)
{
	struct view_spec spec = spec_new("id", "id:asc");

	things_build();
	spec.group = GROUP_COMM;
	spec.tree = true;
	ck_assert_str_eq(shown(&spec), "3+ .4' 6'");
	/* The group of 6 below the group of 3, through a member of each. */
	things[4].row.parent = &things[0].row;
	ck_assert_str_eq(shown(&spec), "3+' .4 .6'");
	things_release();
}
END_TEST

START_TEST(group_without_sense)
{
	struct view_spec spec = spec_new("id", "id:asc");

	things_build();
	spec.group = GROUP_CGROUP;
	ck_assert_str_eq(shown(&spec), "1 2 3 4 5 6");
	things_release();
}
END_TEST

UNIT_MAIN("view_groups", groups, folding, group_of_one, folded_values_select, group_tree,
	  group_without_sense)
