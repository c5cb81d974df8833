// SPDX-License-Identifier: GPL-2.0-or-later
/* In which order a view shows its rows. */
#include "data/history.h"
#include "thing_views.h"

START_TEST(sorting)
{
	static const struct {
		const char *sort, *ids;
	} cases[] = {
		/*
		 * 4 has no bytes that anyone measured: last in both directions. 5 and 1 are equal:
		 * by id.
		 */
		{ "bytes", "3 2 1 5 6 4" },	 { "bytes:asc", "6 1 5 2 3 4" },
		{ "bytes:desc", "3 2 1 5 6 4" }, { "name", "3 1 2 5 6 4" },
		{ "name:desc", "6 5 2 1 3 4" },	 { "id", "6 5 4 3 2 1" },
		{ "nice:asc", "1 2 3 4 5 6" },	 { "big", "2 1 3 4 5 6" },
		{ "big:asc", "3 4 5 6 1 2" },
	};

	things_build();
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct view_spec spec = spec_new("id,name", cases[i].sort);

		ck_assert_msg(!strcmp(shown(&spec), cases[i].ids), "%s: %s", cases[i].sort,
			      shown(&spec));
	}
	things_release();
}
END_TEST

/* Whatever the numbers are, the order is that of their values, of equal ones that of the ids. */
START_TEST(sorting_numbers)
{
	static const uint64_t bigs[] = {
		0, 1, (1ull << 53) - 1, 1ull << 53, (1ull << 53) + 1, 1ull << 63, UINT64_MAX,
	};
	static const char *const sorts[] = { "big", "big:asc", "nice", "nice:asc", "bytes",
					     "bytes:asc" };
	unsigned seed = 1;

	things_build();
	for (unsigned round = 0; round < 600; round++) {
		struct view_spec spec = spec_new("id", sorts[round % ARRAY_SIZE(sorts)]);
		struct view v;

		for (size_t i = 0; i < ARRAY_SIZE(things); i++) {
			uint64_t big;

			seed = seed * 1103515245 + 12345;
			big = bigs[(seed >> 16) % ARRAY_SIZE(bigs)];
			things[i].big = things[i].now.bytes = big;
			things[i].nice = round & 8 ? (int64_t)big : -(int64_t)(big >> 1);
			things[i].row.have ^= seed >> 20 & SRC_BLOCK;
		}
		view_init(&v);
		view_build(&v, &thing_model, &spec);
		for (size_t i = 1; i < v.n; i++) {
			struct value a = view_value(&v, i - 1, spec.sort, &unit_texts),
				     b = view_value(&v, i, spec.sort, &unit_texts);
			int order = value_order(&a, &b, spec.descending);

			ck_assert(order <= 0);
			ck_assert(order || ((const struct thing *)v.rows[i - 1].row)->id <
						   ((const struct thing *)v.rows[i].row)->id);
		}
		view_release(&v);
	}
	things_release();
}
END_TEST

static uint64_t urgency(const struct row *row, _unused_ enum span span)
{
	return row == &things[4].row ? 1 : row == &things[5].row ? 2 : 0;
}

/* Of rows with as much the more urgent one is first, and none with any is idle. */
START_TEST(urgent)
{
	struct view_spec spec = spec_new("id,name", "bytes");
	struct entity entity = thing_entity;
	struct history none = { 0 };

	entity.urgency = urgency;
	things_build();
	for (unsigned i = 0; i < ARRAY_SIZE(things); i++)
		things[i].row.entity = spec.entity = &entity;
	ck_assert_str_eq(shown(&spec), "3 2 5 1 6 4");
	/* What something is called has an order of its own. */
	spec.sort = entity_column(&entity, "nice");
	spec.descending = false;
	ck_assert_str_eq(shown(&spec), "1 2 3 4 5 6");
	things[3].row.history = things[5].row.history = &none;
	spec.hide_idle = true;
	ck_assert_str_eq(shown(&spec), "1 2 3 5 6");
	things_release();
}
END_TEST

START_TEST(sort_keys)
{
	struct view_spec spec = spec_new("id", NULL);
	struct err err;

	ck_assert_int_eq(view_set_sort(&spec, "name", &err), 0);
	ck_assert(!spec.descending && !strcmp(spec.sort->key, "name"));
	ck_assert_int_eq(view_set_sort(&spec, "bytes", &err), 0);
	ck_assert(spec.descending);
	ck_assert_int_eq(view_set_sort(&spec, "bytes:up", &err), -EINVAL);
	ck_assert_str_eq(err.text, "sort direction \"up\" is neither asc nor desc");
	ck_assert_int_eq(view_set_sort(&spec, "byte", &err), -EINVAL);
	ck_assert_str_eq(err.text, "no column \"byte\"; did you mean \"bytes\"?");
	ck_assert_int_eq(view_set_sort(&spec, "graph", &err), -EINVAL);
	ck_assert(spec.descending && !strcmp(spec.sort->key, "bytes"));
}
END_TEST

/* The first few of many are those that all of them begin with. */
START_TEST(the_first)
{
	static struct thing many[300];
	static const struct row *rows[ARRAY_SIZE(many)];
	unsigned seed = 7;

	things_build();
	free(thing_model.rows[0].rows);
	for (unsigned round = 0; round < 60; round++) {
		struct view_spec spec = spec_new("id", round & 1 ? "bytes" : "nice:asc");
		struct view all, first;

		for (size_t i = 0; i < ARRAY_SIZE(many); i++) {
			seed = seed * 1103515245 + 12345;
			many[i] = things[0];
			many[i].id = many[i].row.key = i;
			many[i].nice = seed >> 16 & 31;
			many[i].now.bytes = round & 2 ? 0 : seed >> 16 & 7;
			many[i].row.now = &many[i].now;
			many[i].row.history = NULL;
			rows[i] = &many[i].row;
		}
		thing_model.rows[0] = (struct row_list){ .rows = rows, .n = ARRAY_SIZE(many) };
		view_init(&all);
		view_init(&first);
		view_build(&all, &thing_model, &spec);
		ck_assert_uint_eq(all.n, ARRAY_SIZE(many));
		spec.rows = 1 + round / 2;
		view_build(&first, &thing_model, &spec);
		ck_assert_uint_eq(first.n, spec.rows);
		for (size_t i = 0; i < first.n; i++)
			ck_assert_ptr_eq(first.rows[i].row, all.rows[i].row);
		view_release(&first);
		view_release(&all);
	}
	thing_model.rows[0].rows = NULL;
	things_release();
}
END_TEST

/* What two rows have in common is told without a look at it, and nothing else is. */
START_TEST(same_cells)
{
	const struct column *bytes = entity_column(&thing_entity, "bytes"),
			    *name = entity_column(&thing_entity, "name"),
			    *max = entity_column(&thing_entity, "max");
	struct row *a, *b;

	things_build();
	a = &things[0].row;
	b = &things[1].row;
	b->have = a->have;
	ck_assert(!column_is_same(bytes, a, b) && !column_is_same(name, a, b));
	b->now = a->now;
	ck_assert(!column_is_same(bytes, a, b));
	b->sum = a->sum;
	things[1].name = things[0].name;
	ck_assert(column_is_same(bytes, a, b) && column_is_same(name, a, b));
	/* It may compute anything. */
	ck_assert(!column_is_same(max, a, b));
	b->have &= ~(unsigned)SRC_BLOCK;
	ck_assert(!column_is_same(bytes, a, b));
	b->have = a->have;
	b->flags |= ROW_BEFORE;
	ck_assert(!column_is_same(bytes, a, b));
	b->flags = a->flags;
	b->members = 2;
	ck_assert(!column_is_same(bytes, a, b));
	things_release();
}
END_TEST

UNIT_MAIN("view_order", sorting, sorting_numbers, urgent, sort_keys, the_first, same_cells)
