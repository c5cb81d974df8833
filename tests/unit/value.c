// SPDX-License-Identifier: GPL-2.0-or-later
#include "unit.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "bpf/common/hist.h"
#include "data/entity.h"
#include "data/histogram.h"
#include "data/model.h"

static const struct value numbers[] = {
	/* Ascending, each above the one before. */
	{ .kind = VAL_F64, .f64 = -1e300 },
	{ .kind = VAL_I64, .i64 = INT64_MIN },
	{ .kind = VAL_I64, .i64 = INT64_MIN + 1 },
	{ .kind = VAL_F64, .f64 = -1.5 },
	{ .kind = VAL_I64, .i64 = -1 },
	{ .kind = VAL_F64, .f64 = -0.5 },
	{ .kind = VAL_U64, .u64 = 0 },
	{ .kind = VAL_F64, .f64 = 0.5 },
	{ .kind = VAL_I64, .i64 = 1 },
	{ .kind = VAL_U64, .u64 = 5000000000 },
	{ .kind = VAL_U64, .u64 = 9000000000 },
	{ .kind = VAL_U64, .u64 = (1ull << 53) + 1 },
	{ .kind = VAL_F64, .f64 = 9007199254740994.0 },
	{ .kind = VAL_U64, .u64 = UINT64_MAX - 1 },
	{ .kind = VAL_U64, .u64 = UINT64_MAX },
	{ .kind = VAL_F64, .f64 = 18446744073709551616.0 },
};

static int sign(int v)
{
	return (v > 0) - (v < 0);
}

START_TEST(order_of_numbers)
{
	for (int i = 0; i < (int)ARRAY_SIZE(numbers); i++)
		for (int j = 0; j < (int)ARRAY_SIZE(numbers); j++) {
			ck_assert_msg(sign(value_compare(&numbers[i], &numbers[j])) == sign(i - j),
				      "%d %d", i, j);
			ck_assert_int_eq(sign(value_order(&numbers[i], &numbers[j], true)),
					 sign(j - i));
		}
}
END_TEST

START_TEST(none_is_last)
{
	struct value none = value_none(), nan = value_f64(NAN), one = value_u64(1),
		     text = value_str("a"), more = value_str("b");
	double d;

	for (int descending = 0; descending < 2; descending++) {
		ck_assert_int_gt(value_order(&none, &one, descending), 0);
		ck_assert_int_lt(value_order(&one, &none, descending), 0);
		ck_assert_int_gt(value_order(&nan, &one, descending), 0);
		ck_assert_int_gt(value_order(&none, &text, descending), 0);
		ck_assert_int_eq(value_order(&none, &nan, descending), 0);
	}
	ck_assert_int_lt(value_order(&text, &more, false), 0);
	ck_assert_int_gt(value_order(&text, &more, true), 0);
	ck_assert_int_eq(value_str(NULL).kind, VAL_NONE);
	ck_assert(!value_number(&none, &d) && !value_number(&nan, &d) && !value_number(&text, &d));
	ck_assert(value_number(&one, &d) && d == 1);
}
END_TEST

START_TEST(buckets)
{
	uint64_t counts[HIST_BUCKETS] = { 0 };

	ck_assert_uint_eq(hist_lower(0), 0);
	ck_assert_uint_eq(hist_upper(HIST_BUCKETS - 1), UINT64_MAX);
	ck_assert_uint_eq(hist_bucket(UINT64_MAX), HIST_BUCKETS - 1);
	for (unsigned i = 0; i < HIST_BUCKETS; i++) {
		uint64_t lower = hist_lower(i), upper = hist_upper(i);

		ck_assert_uint_lt(lower, upper);
		ck_assert_uint_eq(hist_bucket(lower), i);
		ck_assert_uint_eq(hist_bucket(upper - 1), i);
		if (i && i < HIST_BUCKETS - 1)
			ck_assert_uint_le((upper - lower) * 4, lower);
	}
	ck_assert_uint_eq(hist_total(counts), 0);
	ck_assert_uint_eq(hist_percentile(counts, 50), 0);
	counts[hist_bucket(100000)] = 90;
	counts[hist_bucket(5000000)] = 10;
	ck_assert_uint_eq(hist_total(counts), 100);
	ck_assert_uint_eq(hist_bucket(hist_percentile(counts, 50)), hist_bucket(100000));
	ck_assert_uint_eq(hist_bucket(hist_percentile(counts, 99)), hist_bucket(5000000));
	ck_assert_uint_eq(hist_percentile(counts, 0), hist_lower(hist_bucket(100000)));
	ck_assert_uint_eq(hist_percentile(counts, 100), hist_upper(hist_bucket(5000000)));
	counts[HIST_BUCKETS - 1] = 1000;
	ck_assert_uint_eq(hist_percentile(counts, 99), hist_lower(HIST_BUCKETS - 1));
}
END_TEST

/* Where in the bucket: as if its counts were spread evenly. */
START_TEST(percentiles_inside_a_bucket)
{
	uint64_t counts[HIST_BUCKETS] = { 0 }, at = hist_bucket(100000), lower = hist_lower(at),
		 width = hist_upper(at) - lower;

	counts[at] = 200;
	ck_assert_uint_eq(hist_percentile(counts, 25), lower + width / 4);
	ck_assert_uint_eq(hist_percentile(counts, 50), lower + width / 2);
	ck_assert_uint_eq(hist_percentile(counts, 75), lower + width * 3 / 4);
	/* 100 before it, then a quarter of what is in it. */
	counts[at] = 400;
	counts[at - 3] = 100;
	ck_assert_uint_eq(hist_percentile(counts, 40), lower + width / 4);
	/* The last one that is below. */
	ck_assert_uint_eq(hist_percentile(counts, 10),
			  hist_lower(at - 3) + (hist_upper(at - 3) - hist_lower(at - 3)) / 2);
}
END_TEST

/* The kernel programs carry the rule themselves. */
START_TEST(buckets_of_the_kernel_side)
{
	ck_assert_uint_eq(ABI_HIST_BUCKETS, HIST_BUCKETS);
	ck_assert_uint_eq(ABI_HIST_MIN_SHIFT, HIST_MIN_SHIFT);
	ck_assert_uint_eq(ABI_HIST_MAX_SHIFT, HIST_MAX_SHIFT);
	ck_assert_uint_eq(ABI_HIST_SUB_BITS, HIST_SUB_BITS);
	for (unsigned shift = 0; shift < 64; shift++)
		for (uint64_t step = 0; step < 64; step++)
			for (int off = -1; off <= 1; off++) {
				uint64_t ns = (1ull << shift) +
					      (shift > 6 ? step << (shift - 6) : step) +
					      (uint64_t)off;

				ck_assert_msg(abi_hist_bucket(ns) == hist_bucket(ns), "%llu ns",
					      (unsigned long long)ns);
			}
}
END_TEST

struct thing_counters {
	uint64_t bytes, ns, ios;
};

struct thing {
	struct row head;
	uint64_t id;
	int64_t nice;
	double ratio;
	const char *name;
};

static struct value get_double_id(const struct cell *c)
{
	return value_u64(((const struct thing *)c->row)->id * 2);
}

static const struct column columns[] = {
	{ .key = "id", .unit = UNIT_NONE, COL_FIELD(struct thing, id) },
	{ .key = "nice", .unit = UNIT_NONE, COL_FIELD(struct thing, nice) },
	{ .key = "ratio", .unit = UNIT_RATIO, COL_FIELD(struct thing, ratio) },
	{ .key = "name", COL_FIELD(struct thing, name) },
	{ .key = "bytes", .unit = UNIT_BYTES, .flags = COL_RATE,
	  COL_COUNT(struct thing_counters, bytes, VAL_F64), .needs = SRC_BLOCK },
	{ .key = "io", .unit = UNIT_PERCENT, .flags = COL_PERCENT,
	  COL_COUNT(struct thing_counters, ns, VAL_F64) },
	{ .key = "ios", .unit = UNIT_COUNT, .flags = COL_COUNTER,
	  COL_COUNT(struct thing_counters, ios, VAL_U64) },
	{ .key = "twice", .unit = UNIT_NONE, .kind = VAL_U64, .get = get_double_id },
	{ 0 }
};

static const struct entity entity = {
	.name = "thing",
	.row_size = sizeof(struct thing),
	.columns = columns,
};

static struct value value_now(const struct column *col, const struct thing *t,
			      const struct model *m)
{
	return column_value(col, &t->head, m, SPAN_TICK, &unit_texts);
}

/* A rate is of the part of the interval in which its source was watched, if that says anything. */
START_TEST(watched_parts)
{
	static const struct {
		double interval, watched, rate;	/* seconds; NaN: unknown */
	} cases[] = {
		{ 1, 1, 3000 }, { 1, 0.25, 12000 }, { 1, 0.085, NAN }, { 1, 0, NAN },
		{ 0.1, 0.1, 30000 }, { 0.1, 0.08, NAN },
	};
	struct thing_counters now = { 3000, 0, 7 }, sum = { 10000, 0, 70 };
	struct thing t = { .head = { .entity = &entity, .now = &now.bytes, .sum = &sum.bytes,
				     .have = SRC_BLOCK | SRC_STACKS, .members = 1 } };
	struct column ios = columns[6];
	struct model m = { .elapsed = 100 };
	struct watch *w = &m.sources[__builtin_ctz(SRC_BLOCK)].watch,
		     *stacks = &m.sources[__builtin_ctz(SRC_STACKS)].watch;
	struct value v;

	ios.needs = SRC_STACKS;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		double got = NAN;

		m.interval = cases[i].interval;
		w->watched_ns = (uint64_t)(cases[i].watched * NSEC_PER_SEC);
		*stacks = *w;
		v = value_now(&columns[4], &t, &m);
		ck_assert_int_eq(value_number(&v, &got), !isnan(cases[i].rate));
		ck_assert(isnan(cases[i].rate) || fabs(got - cases[i].rate) < 0.01);
		/* Nor is a count of what was hardly seen one of the interval. */
		v = value_now(&ios, &t, &m);
		ck_assert_int_eq(v.kind, isnan(cases[i].rate) ? VAL_NONE : VAL_U64);
	}
	/* The average since the start is of the time in which it was watched. */
	w->total_ns = 4 * NSEC_PER_SEC;
	v = column_value(&columns[4], &t.head, &m, SPAN_MEAN, &unit_texts);
	ck_assert(v.f64 == 2500);
}
END_TEST

START_TEST(column_values)
{
	struct thing_counters now = { 3000, 1000000000, 7 }, sum = { 10000, 30000000000, 70 };
	struct thing t = {
		.head = { .entity = &entity, .now = &now.bytes, .sum = &sum.bytes,
		.have = SRC_BLOCK, .members = 1 },
		.id = 1ull << 63, .nice = -5, .ratio = NAN, .name = NULL,
	};
	static const struct {
		unsigned col;
		double tick, sum, mean;	/* NaN: none */
	} cases[] = {
		{ 0, 9223372036854775808.0, 9223372036854775808.0, 9223372036854775808.0 },
		{ 1, -5, -5, -5 },
		{ 2, NAN, NAN, NAN },
		{ 4, 1500, 10000, 1000 },
		{ 5, 50, 100, 100 },
		{ 6, 7, 70, 70 },
	};
	struct model m = { .interval = 2, .elapsed = 10 };

	for (size_t i = 0; i < SRC_COUNT; i++)
		m.sources[i].watch = (struct watch){ .watched_ns = 2 * NSEC_PER_SEC,
						     .total_ns = 10 * NSEC_PER_SEC };
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const double want[] = { cases[i].tick, cases[i].sum, cases[i].mean };

		for (int span = 0; span < 3; span++) {
			struct value v =
				column_value(&columns[cases[i].col], &t.head, &m, (enum span)span,
					     &unit_texts);
			double got = NAN;

			ck_assert_int_eq(value_number(&v, &got), !isnan(want[span]));
			ck_assert_msg(isnan(want[span]) || got == want[span], "%s %d: %f",
				      columns[cases[i].col].key, span, got);
		}
	}
	ck_assert_int_eq(value_now(&columns[3], &t, &m).kind, VAL_NONE);
	ck_assert_uint_eq(value_now(&columns[7], &t, &m).u64, 0);
	t.head.have = 0;
	ck_assert_int_eq(value_now(&columns[4], &t, &m).kind, VAL_NONE);
	/* Two members may have waited twice the interval. */
	t.head.members = 2;
	now.ns = 5000000000;
	ck_assert(value_now(&columns[5], &t, &m).f64 == 200);
	/* The first sample: no time, no rate, and not 0. */
	t.head.have = SRC_BLOCK;
	m.interval = 0;
	ck_assert_int_eq(value_now(&columns[4], &t, &m).kind, VAL_NONE);
	ck_assert_int_eq(value_now(&columns[5], &t, &m).kind, VAL_NONE);
}
END_TEST

START_TEST(column_texts)
{
	static const char *const frames[] = { "a", "gr\303\274n" };
	static const uint64_t pairs[][2] = { { 1024, 3 }, { 2048, 4 } };
	const struct {
		unsigned col;
		struct value v;
		size_t size;
		const char *text;
	} cases[] = {
		{ 0, value_u64(UINT64_MAX), 64, "18446744073709551615" },
		{ 1, value_i64(-20), 64, "-20" }, { 2, value_none(), 64, "-" },
		{ 3, value_str("gr\303\274n"), 4, "gr" }, { 3, value_str("abc"), 64, "abc" },
		{ 4, value_f64(1174405), 64, "1.12 MiB" },
		{ 5, value_f64(71.26), 64, "71.3" }, { 6, value_u64(21900), 64, "21.9k" },
		{ 4, value_f64(NAN), 64, "-" },
		{ 3, { .kind = VAL_LIST, .n = 2, .list = frames }, 64, "a;gr\303\274n" },
		{ 3, { .kind = VAL_LIST, .n = 2, .list = frames }, 5, "a;gr" },
		{ 3, { .kind = VAL_LIST }, 64, "-" }, { 3,
		  { .kind = VAL_PAIRS, .n = 2, .pairs = pairs }, 64, "1024:3 2048:4" },
	};
	struct unit_style style = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		char text[64];
		int n = column_text(text, cases[i].size, &columns[cases[i].col], &cases[i].v,
				    &style);

		ck_assert_str_eq(text, cases[i].text);
		ck_assert_uint_eq(strlen(text), (size_t)n);
	}
}
END_TEST

UNIT_MAIN("value", order_of_numbers, none_is_last, buckets, percentiles_inside_a_bucket,
	  buckets_of_the_kernel_side, watched_parts, column_values, column_texts)
