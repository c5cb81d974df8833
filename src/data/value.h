/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a cell holds. Not measured (VAL_NONE) is never the same as zero, from the kernel map to the
 * JSON.
 */
#ifndef IOTOP_DATA_VALUE_H
#define IOTOP_DATA_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/macro.h"

enum _packed_ value_kind {
	VAL_NONE,
	VAL_U64,
	VAL_I64,
	VAL_F64,
	VAL_STR,	/* clean text (utf8_clean), owned by the model */
	VAL_LIST,	/* clean strings, e.g. the frames of a stack, innermost first */
	VAL_PAIRS,	/* pairs of numbers, e.g. a histogram: upper bound, count */
};

/* Two registers: a refresh makes one for each cell of all rows. */
struct value {
	enum value_kind kind;
	bool phrase;	/* VAL_STR: an N_() string, translated only where a person reads it */
	bool deleted;	/* VAL_STR: of a file that has no name any more, which a person reads
			 * behind it */
	uint32_t n;	/* VAL_LIST, VAL_PAIRS: so many */
	union {
		uint64_t u64;
		int64_t i64;
		double f64;
		const char *str;
		const char *const *list;
		const uint64_t (*pairs)[2];
	};
};
_Static_assert(sizeof(struct value) == 16, "struct value");

static inline struct value value_none(void)
{
	return (struct value){ .kind = VAL_NONE };
}

static inline struct value value_u64(uint64_t v)
{
	return (struct value){ .kind = VAL_U64, .u64 = v };
}

static inline struct value value_i64(int64_t v)
{
	return (struct value){ .kind = VAL_I64, .i64 = v };
}

static inline struct value value_f64(double v)
{
	return (struct value){ .kind = VAL_F64, .f64 = v };
}

/* NULL becomes VAL_NONE. */
static inline struct value value_str(const char *s)
{
	return s ? (struct value){ .kind = VAL_STR, .str = s } : value_none();
}

/* NULL: an empty list. */
static inline struct value value_list(const char *const *items, size_t n)
{
	return (struct value){ .kind = VAL_LIST, .n = items ? (uint32_t)n : 0, .list = items };
}

/* VAL_NONE of 0: nothing was counted. */
static inline struct value value_nonzero(uint64_t v)
{
	return v ? value_u64(v) : value_none();
}

/* An average; VAL_NONE of nothing. */
static inline struct value value_mean(uint64_t sum, uint64_t n)
{
	return n ? value_u64(sum / n) : value_none();
}

/* A string marked with N_(): programs and filters see it as it is. */
static inline struct value value_phrase(const char *s)
{
	struct value v = value_str(s);

	v.phrase = true;
	return v;
}

/* The text of a VAL_STR as a person reads it. */
const char *value_text(const struct value *v);

/*
 * Order of two values of one column: <0, 0, >0. Numbers by number (of any numeric kind), text by
 * strcoll-free byte order, lists by length. VAL_NONE is handled by value_order() only: it sorts
 * last in both directions.
 */
int value_compare(const struct value *a, const struct value *b);
int value_order(const struct value *a, const struct value *b, bool descending);
/* Texts by their bytes, lists item by item. */
bool value_same(const struct value *a, const struct value *b);
/* Two numbers; where one is none or text, the other. */
struct value value_add(const struct value *a, const struct value *b);
/* As a number; false when it is none or text. */
bool value_number(const struct value *v, double *ret);

#endif
