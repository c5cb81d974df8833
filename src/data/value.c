// SPDX-License-Identifier: GPL-2.0-or-later
#include "data/value.h"

#include <math.h>
#include <string.h>

#include "base/i18n.h"
#include "base/macro.h"

static bool is_number(const struct value *v)
{
	return v->kind == VAL_U64 || v->kind == VAL_I64 || v->kind == VAL_F64;
}

/* NaN is what a division gave that should not have been made: as little measured as nothing. */
static bool is_none(const struct value *v)
{
	return v->kind == VAL_NONE || (v->kind == VAL_F64 && isnan(v->f64));
}

/*
 * u against f without a rounded conversion of u: from 2^53 on neighbouring integers are the same
 * double.
 */
static int compare_u64_f64(uint64_t u, double f)
{
	uint64_t whole;

	if (f < 0)
		return 1;
	if (f >= 18446744073709551616.0)
		return -1;
	whole = (uint64_t)f;
	return u != whole ? ORDER(u, whole) : f > (double)whole ? -1 : 0;
}

static int compare_i64_f64(int64_t i, double f)
{
	if (i >= 0)
		return compare_u64_f64((uint64_t)i, f);
	return f >= 0 ? -1 : -compare_u64_f64(0 - (uint64_t)i, -f);
}

static int compare_numbers(const struct value *a, const struct value *b)
{
	if (a->kind == VAL_F64 && b->kind == VAL_F64)
		return ORDER(a->f64, b->f64);
	if (b->kind == VAL_F64)
		return a->kind == VAL_U64 ? compare_u64_f64(a->u64, b->f64)
					  : compare_i64_f64(a->i64, b->f64);
	if (a->kind == VAL_F64)
		return -compare_numbers(b, a);
	if (a->kind == VAL_I64 && a->i64 < 0)
		return b->kind == VAL_I64 ? ORDER(a->i64, b->i64) : -1;
	if (b->kind == VAL_I64 && b->i64 < 0)
		return 1;
	/* Neither is negative: both members read the same. */
	return ORDER(a->u64, b->u64);
}

const char *value_text(const struct value *v)
{
	return v->phrase ? _(v->str) : v->str;
}

int value_compare(const struct value *a, const struct value *b)
{
	if (is_number(a) && is_number(b))
		return compare_numbers(a, b);
	if (a->kind != b->kind)
		return ORDER(a->kind, b->kind);
	switch (a->kind) {
	case VAL_STR:
		/* Names of disks and users are one text for all rows. */
		return a->str == b->str ? 0 : strcmp(a->str, b->str);
	case VAL_LIST:
	case VAL_PAIRS:
		return ORDER(a->n, b->n);
	case VAL_NONE:
	case VAL_U64:
	case VAL_I64:
	case VAL_F64:
		break;
	}
	return 0;
}

int value_order(const struct value *a, const struct value *b, bool descending)
{
	int order;

	if (is_none(a) || is_none(b))
		return is_none(a) - is_none(b);
	order = value_compare(a, b);
	return descending ? ORDER(0, order) : order;
}

bool value_same(const struct value *a, const struct value *b)
{
	if (value_order(a, b, false))
		return false;
	if (a->kind == VAL_LIST && a->list != b->list) {
		for (size_t i = 0; i < a->n; i++)
			if (strcmp(a->list[i], b->list[i]))
				return false;
	}
	return a->kind != VAL_PAIRS ||
	       !memcmp(a->pairs, b->pairs, a->n * sizeof(*a->pairs));
}

struct value value_add(const struct value *a, const struct value *b)
{
	double x, y;

	if (!value_number(a, &x))
		return *b;
	if (!value_number(b, &y))
		return *a;
	return a->kind == VAL_U64 && b->kind == VAL_U64 ? value_u64(a->u64 + b->u64)
							: value_f64(x + y);
}

bool value_number(const struct value *v, double *ret)
{
	if (!is_number(v) || is_none(v))
		return false;
	*ret = v->kind == VAL_U64 ? (double)v->u64 : v->kind == VAL_I64 ? (double)v->i64 : v->f64;
	return true;
}
