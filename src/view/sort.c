// SPDX-License-Identifier: GPL-2.0-or-later
/* The order of rows. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "view/arrange.h"

#define TIES 2

struct order {
	struct value value;
	uint64_t urgency;
	struct value ties[TIES];	/* the first two columns of the entity: ids, names */
	const struct row *row;
	uint64_t keys[2 + TIES];	/* of all these, the lowest goes first; if is_keyed */
	bool is_keyed;
};

#define EXACT (1ull << 53)	/* up to here each whole number is a double of its own */

/*
 * The place of a number in the order, as a number: most of thousands of rows are told apart by
 * these alone. False: it has none.
 */
static bool value_key(const struct value *v, bool descending, uint64_t *ret)
{
	uint64_t bits, sign = 1ull << 63;
	double d;

	if (v->kind == VAL_NONE || (v->kind == VAL_F64 && isnan(v->f64))) {
		*ret = UINT64_MAX;
		return true;
	}
	if (!value_number(v, &d) || (v->kind != VAL_F64 && !(fabs(d) < EXACT)))
		return false;
	d += 0.0;	/* of the two zeroes one */
	memcpy(&bits, &d, sizeof(bits));
	bits = bits & sign ? ~bits : bits | sign;
	*ret = descending ? ~bits : bits;
	return true;
}

static void set_keys(struct order *o, bool descending)
{
	o->is_keyed = value_key(&o->value, descending, &o->keys[0]);
	o->keys[1] = ~o->urgency;
	for (size_t i = 0; i < TIES; i++)
		o->is_keyed = o->is_keyed && value_key(&o->ties[i], false, &o->keys[2 + i]);
}

/* Only of amounts: where the sort is by names, equal ones are in the order of their ids. */
static uint64_t urgency_of(const struct view_spec *spec, const struct row *row)
{
	bool amount = spec->sort && spec->descending && spec->sort->kind != VAL_STR;

	if (!amount || !row->entity->urgency || row_is_still(row, spec->span))
		return 0;
	return row->entity->urgency(row, spec->span);
}

/*
 * qsort_r has no order of its own for equals: what else is to be seen in a row, the name, and the
 * key, which no two rows share and which is another one on another machine, make it stable over
 * ticks.
 */
static int order_compare(const struct order *a, const struct order *b, const struct view_spec *spec)
{
	int order;

	for (size_t i = 0; a->is_keyed && b->is_keyed && i < ARRAY_SIZE(a->keys); i++)
		if (a->keys[i] != b->keys[i])
			return ORDER(a->keys[i], b->keys[i]);
	order = value_order(&a->value, &b->value, spec->descending);
	if (!order)
		order = (a->urgency < b->urgency) - (a->urgency > b->urgency);
	for (size_t i = 0; !order && i < ARRAY_SIZE(a->ties); i++)
		order = value_order(&a->ties[i], &b->ties[i], false);
	if (!order && a->row->name && b->row->name)
		order = strcmp(a->row->name, b->row->name);
	return order ? order : ORDER(a->row->key, b->row->key);
}

static int pointer_compare(const void *pa, const void *pb, void *spec)
{
	const struct order *const *a = pa, *const *b = pb;

	return order_compare(*a, *b, spec);
}

/*
 * The first few (at least one) of many rows, each put in its place among them: most do not come
 * before the last of these, and that is all that is asked of them.
 */
static void rows_first(struct view *v, const struct row **rows, const struct order *orders,
		       size_t n, size_t few)
{
	const struct order **first = arena_new(&v->arena, const struct order *, few);
	const struct view_spec *spec = v->spec;
	size_t have = 0;

	for (size_t i = 0; i < n; i++) {
		size_t lo = 0, hi = have;

		if (have == few && order_compare(&orders[i], first[few - 1], spec) >= 0)
			continue;
		while (lo < hi) {
			size_t mid = lo + (hi - lo) / 2;

			if (order_compare(&orders[i], first[mid], spec) < 0)
				hi = mid;
			else
				lo = mid + 1;
		}
		have += have < few;
		memmove(&first[lo + 1], &first[lo], (have - 1 - lo) * sizeof(*first));
		first[lo] = &orders[i];
	}
	for (size_t i = 0; i < have; i++)
		rows[i] = first[i]->row;
}

/*
 * So many at most: a row that comes before them all moves them all, and where the order is turned
 * round each row does.
 */
#define FEW 256

struct value view_sort_value(struct view *v, const struct row *row)
{
	const struct column *col = v->spec->sort;
	struct value value = column_value(col, row, v->model, v->spec->span, &v->arena);

	/* Less is as much of a change as more. */
	if (col->compared == COMPARED_DIFFERENCE && value.kind == VAL_F64)
		value.f64 = fabs(value.f64);
	return value;
}

void view_sort(struct view *v, const struct row **rows, const struct value *values, size_t n,
	       size_t most)
{
	const struct view_spec *spec = v->spec;
	struct order *orders = arena_new(&v->arena, struct order, n);
	const struct order **list;

	for (size_t i = 0; i < n; i++) {
		const struct entity *e = rows[i]->entity;

		orders[i].row = rows[i];
		orders[i].urgency = urgency_of(spec, rows[i]);
		if (values)
			orders[i].value = values[i];
		else if (spec->sort)
			orders[i].value = view_sort_value(v, rows[i]);
		for (size_t j = 0; j < ARRAY_SIZE(orders->ties) && e->columns[j].key; j++)
			orders[i].ties[j] =
				column_value(&e->columns[j], rows[i], v->model, spec->span,
					     &v->arena);
		set_keys(&orders[i], spec->descending);
	}
	if (most < n && most <= FEW) {
		rows_first(v, rows, orders, n, most);
		return;
	}
	list = arena_new(&v->arena, const struct order *, n);
	for (size_t i = 0; i < n; i++)
		list[i] = &orders[i];
	qsort_r(list, n, sizeof(*list), pointer_compare, (void *)(uintptr_t)spec);
	for (size_t i = 0; i < n; i++)
		rows[i] = list[i]->row;
}
