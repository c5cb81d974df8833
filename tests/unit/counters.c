/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a table of counters makes of samples, and since when it knows that it missed nothing. */
#include "data/counters.h"

#include "base/clock.h"
#include "data/model.h"
#include "unit.h"

#define AT(seconds) ((uint64_t)(1000 + (seconds)) * NSEC_PER_SEC)

struct entry {
	struct counters c;
	uint64_t id;
};

/* Tables keep a pointer to theirs. */
static const struct counter_kind plain = {
	.size = sizeof(struct entry),
	.key_off = offsetof(struct entry, id),
	.key_len = sizeof(uint64_t),
	.nsum = 1,
	.nmax = 1,
	.source = SRC_BLOCK,
};

static struct sample *sample;
static struct model model;
static struct counter_table *table;
static unsigned before;	/* second of the sample before */
static uint64_t opened;	/* when the source was opened, as the next sample says; 0: at its time */

static void setup(void)
{
	sample = sample_new();
	model = (struct model){ .cur = sample };
	before = 0;
	opened = 0;
}

static void teardown(void)
{
	counter_table_free(table);
	sample_free(sample);
}

/* A sample at a second; the model has seen the one before, `missed' seconds ago at the table. */
static void begin(unsigned second, enum source_state state, unsigned missed)
{
	struct model_source *source = &model.sources[__builtin_ctz(SRC_BLOCK)];

	sample->mono = AT(second);
	model.interval = before ? second - before - missed : 0;
	if (opened || !source->since || source->state == SOURCE_OFF)
		source->since = opened ? opened : AT(second);
	opened = 0;
	source->state = state;
	before = second;
	counter_table_begin(table, &model);
}

static struct counters *count(uint64_t id, uint64_t value, uint64_t max)
{
	uint64_t cur[] = { value, max };
	struct entry *e = counter_table_get(table, &id, NULL);

	counters_count(table, &e->c, cur, NULL);
	return &e->c;
}

static void is(const struct counters *c, uint64_t now, uint64_t sum)
{
	ck_assert_uint_eq(c->now[0], now);
	ck_assert_uint_eq(c->sum[0], sum);
}

START_TEST(differences)
{
	const struct counters *c;

	table = counter_table_new(&plain);
	begin(1, SOURCE_ON, 0);
	c = count(7, 100, 9);
	is(c, 0, 0);
	ck_assert_uint_eq(c->now[1], 0);
	counter_table_end(table);
	begin(2, SOURCE_ON, 0);
	is(count(7, 130, 5), 30, 30);
	ck_assert_uint_eq(c->now[1], 5);
	is(count(8, 11, 0), 11, 11);	/* came after the first sample */
	counter_table_end(table);
	begin(3, SOURCE_ON, 0);
	is(count(7, 20, 3), 0, 30);	/* fell */
	ck_assert_uint_eq(c->now[1], 0);
	ck_assert_uint_eq(c->sum[1], 5);
	counter_table_end(table);
	begin(4, SOURCE_ON, 0);
	is(count(7, 25, 3), 5, 35);
	counter_table_end(table);
	begin(5, SOURCE_ON, 0);
	counter_table_end(table);
	is(c, 0, 35);			/* not in the sample */
	begin(6, SOURCE_ON, 0);
	is(count(7, 26, 3), 1, 36);
}
END_TEST

START_TEST(a_source_that_was_off_counts_from_zero)
{
	table = counter_table_new(&plain);
	begin(1, SOURCE_ON, 0);
	count(7, 100, 0);
	begin(2, SOURCE_OFF, 0);
	opened = AT(2) + NSEC_PER_SEC / 4;
	begin(3, SOURCE_ON, 0);
	is(count(7, 40, 0), 40, 40);
	ck_assert_uint_eq(table->watch.since, AT(2) + NSEC_PER_SEC / 4);
	ck_assert_uint_eq(table->watch.watched_ns, NSEC_PER_SEC / 4 * 3);
	opened = AT(6) - 1;		/* nobody asked at 4 and 5: it was closed */
	begin(6, SOURCE_ON, 2);
	is(count(7, 50, 0), 50, 90);
	ck_assert_uint_eq(table->watch.watched_ns, 1);
	opened = AT(6) + 1;		/* closed and opened between two samples */
	begin(7, SOURCE_ON, 0);
	is(count(7, 60, 0), 60, 150);
	begin(8, SOURCE_ON, 0);
	is(count(7, 70, 0), 10, 160);
	ck_assert_uint_eq(table->watch.watched_ns, NSEC_PER_SEC);
	ck_assert_uint_eq(table->watch.total_ns, NSEC_PER_SEC / 4 * 11);
}
END_TEST

/* Opened after the first samples: all that its first one has was counted in that interval. */
START_TEST(a_source_that_comes_later)
{
	table = counter_table_new(&plain);
	model.interval = 1;
	before = 4;
	opened = AT(5) - NSEC_PER_SEC / 5;
	begin(5, SOURCE_ON, 0);
	is(count(7, 40, 0), 40, 40);
	ck_assert_uint_eq(table->watch.watched_ns, NSEC_PER_SEC / 5);
}
END_TEST

/* The kernel went on counting while it was not read: how much in which interval is not known. */
START_TEST(a_source_that_was_counted_by_the_kernel)
{
	table = counter_table_new(&plain);
	begin(1, SOURCE_ON, 0);
	count(7, 100, 0);
	begin(2, SOURCE_OFF, 0);
	begin(3, SOURCE_ON, 0);
	is(count(7, 140, 0), 0, 0);
	is(count(8, 99, 0), 0, 0);
	ck_assert_uint_eq(table->watch.watched_ns, 0);
	begin(4, SOURCE_ON, 0);
	is(count(7, 145, 0), 5, 5);
}
END_TEST

/* It was open all the time, and could not be read once. */
START_TEST(a_source_that_was_not_read_goes_on)
{
	table = counter_table_new(&plain);
	begin(1, SOURCE_ON, 0);
	count(7, 100, 0);
	begin(2, SOURCE_OFF, 0);
	opened = AT(1);
	begin(3, SOURCE_ON, 0);
	is(count(7, 140, 0), 40, 40);
	ck_assert_uint_eq(table->watch.watched_ns, 0);
	begin(4, SOURCE_ON, 0);
	is(count(7, 150, 0), 10, 50);
}
END_TEST

/* What they grew by is of the time between the two moments at which they were read. */
START_TEST(counters_that_were_read_late)
{
	uint64_t *late = &model.sources[__builtin_ctz(SRC_BLOCK)].late;

	table = counter_table_new(&plain);
	begin(1, SOURCE_ON, 0);
	*late = NSEC_PER_SEC / 4;
	begin(2, SOURCE_ON, 0);
	ck_assert_uint_eq(table->watch.watched_ns, NSEC_PER_SEC / 4 * 5);
	*late = 0;
	begin(3, SOURCE_ON, 0);
	ck_assert_uint_eq(table->watch.watched_ns, NSEC_PER_SEC / 4 * 3);
	ck_assert_uint_eq(table->watch.total_ns, 2 * NSEC_PER_SEC);
	opened = AT(3) + NSEC_PER_SEC / 2;
	*late = NSEC_PER_SEC / 8;
	begin(4, SOURCE_ON, 0);
	ck_assert_uint_eq(table->watch.since, AT(3) + NSEC_PER_SEC / 2);
	ck_assert_uint_eq(table->watch.watched_ns, NSEC_PER_SEC / 8 * 5);
}
END_TEST

START_TEST(watched_since)
{
	static const struct {
		unsigned second;
		enum source_state state;
		unsigned missed, since, watched;	/* seconds; since 0: not watched */
	} steps[] = {
		{ 1, SOURCE_ON, 0, 1, 0 },   { 2, SOURCE_ON, 0, 1, 1 },
		{ 4, SOURCE_ON, 0, 1, 2 },   { 5, SOURCE_OFF, 0, 0, 0 },
		{ 6, SOURCE_PART, 0, 6, 0 }, { 7, SOURCE_PART, 0, 6, 1 },
		{ 8, SOURCE_ON, 0, 8, 0 },   { 9, SOURCE_ON, 0, 8, 1 },
		{ 12, SOURCE_ON, 2, 12, 0 }, { 13, SOURCE_ON, 0, 12, 1 },
	};

	table = counter_table_new(&plain);
	for (size_t i = 0; i < ARRAY_SIZE(steps); i++) {
		begin(steps[i].second, steps[i].state, steps[i].missed);
		count(7, i, 0);
		ck_assert_uint_eq(table->watch.since,
				  steps[i].since ? AT(steps[i].since) : 0);
		ck_assert_uint_eq(table->watch.watched_ns, steps[i].watched * NSEC_PER_SEC);
	}
}
END_TEST

START_TEST(ways_to_begin)
{
	static struct counter_kind kind;
	const struct counters *c;

	kind = plain;
	kind.begins_visible = true;
	table = counter_table_new(&kind);
	begin(1, SOURCE_ON, 0);
	begin(2, SOURCE_ON, 0);
	c = count(7, 100, 0);
	is(c, 0, 0);
	begin(3, SOURCE_ON, 0);
	is(count(7, 105, 0), 5, 5);
	counter_table_free(table);

	kind = plain;
	kind.drops = true;
	before = 0;
	table = counter_table_new(&kind);
	begin(1, SOURCE_ON, 0);
	count(7, 100, 0);
	begin(2, SOURCE_ON, 0);
	begin(3, SOURCE_ON, 0);
	is(count(7, 120, 0), 120, 120);	/* was not there: another one */
}
END_TEST

START_TEST(above_the_highest_value)
{
	static struct counter_kind kind;

	kind = plain;
	kind.high_water = 1;
	table = counter_table_new(&kind);
	begin(1, SOURCE_ON, 0);
	count(7, 100, 0);
	begin(2, SOURCE_ON, 0);
	is(count(7, 90, 0), 0, 0);
	begin(3, SOURCE_ON, 0);
	is(count(7, 103, 0), 3, 3);
}
END_TEST

/* Nothing is there before it is counted, and now is of the tick in which it was. */
START_TEST(counted_for)
{
	static const uint64_t nothing[2], some[] = { 4, 9 };
	static struct counter_kind kind;
	struct entry *e;
	uint64_t id = 7;

	kind = plain;
	kind.lazy = true;
	table = counter_table_new(&kind);
	begin(1, SOURCE_ON, 0);
	e = counter_table_get(table, &id, NULL);
	counters_bump(table, &e->c, 0, 0);
	counters_bump_all(table, &e->c, nothing);
	ck_assert_ptr_null(e->c.now);
	ck_assert_uint_eq(e->c.active, 0);
	counters_bump(table, &e->c, 0, 3);
	counters_bump_all(table, &e->c, some);
	is(&e->c, 7, 7);
	ck_assert_uint_eq(e->c.now[1], 9);
	begin(2, SOURCE_ON, 0);
	ck_assert_uint_ne(e->c.active, table->tick);
	counters_bump(table, &e->c, 0, 1);
	is(&e->c, 1, 8);
	ck_assert_uint_eq(e->c.now[1], 0);
	ck_assert_uint_eq(e->c.sum[1], 9);
	e->c.drop = true;
	counter_table_sweep(table);
	ck_assert_uint_eq(table->n, 0);
	ck_assert_ptr_null(counter_table_find(table, &id));
}
END_TEST

UNIT_FIXTURE_MAIN("counters", setup, teardown, differences,
		  a_source_that_was_off_counts_from_zero,
		  a_source_that_was_not_read_goes_on, a_source_that_comes_later,
		  a_source_that_was_counted_by_the_kernel, watched_since,
		  counters_that_were_read_late, ways_to_begin, above_the_highest_value,
		  counted_for)
