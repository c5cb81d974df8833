/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The samples of the last minutes come back from memory as they were. */
#include "record/delta.h"
#include "record/flight.h"

#include "base/clock.h"
#include "recordings.h"
#include "same_samples.h"

#define SAMPLES 400
#define MANY (64u << 20)	/* bytes: no bound */

static struct sample *samples[SAMPLES];

/* Rows come, change, stay as they are, and go; every second, sometimes after a pause. */
static void setup(void)
{
	uint64_t seed = 7;

	for (unsigned i = 0; i < SAMPLES; i++) {
		unsigned from = (unsigned)(dice(&seed) % 3), n = (unsigned)(dice(&seed) % 12);

		samples[i] = make(from, n, i / 2);
		samples[i]->mono = samples[i]->real = (i + 1) * NSEC_PER_SEC;
		samples[i]->tables[TABLE_IO].lacks = i % 7 * 64;
		for (unsigned t = 0; t < TABLE_COUNT; t++)
			if (sample_tables[t].late)
				samples[i]->tables[t].n = 0;
	}
}

static void teardown(void)
{
	for (unsigned i = 0; i < SAMPLES; i++)
		sample_free(samples[i]);
}

static struct flight *fill(uint64_t keep, size_t bytes)
{
	struct flight *f = flight_new(keep, bytes);
	struct sample *late = sample_new();

	for (unsigned i = 0; i < SAMPLES; i++)
		flight_add(f, samples[i], i ? samples[i - 1] : NULL, late);
	sample_free(late);
	return f;
}

/* In any order. */
START_TEST(comes_back)
{
	struct flight *f = fill(SAMPLES * NSEC_PER_SEC, MANY);
	uint64_t seed = 1;

	ck_assert_uint_eq(flight_first(f), 0);
	ck_assert_uint_eq(flight_end(f), SAMPLES);
	for (unsigned i = 0; i < SAMPLES; i++)
		assert_same(flight_read(f, i), samples[i]);
	for (unsigned i = 0; i < 300; i++) {
		unsigned at = (unsigned)(dice(&seed) % SAMPLES);

		ck_assert_uint_eq(flight_time(f, at), samples[at]->real);
		assert_same(flight_read(f, at), samples[at]);
	}
	flight_free(f);
}
END_TEST

/* The oldest minute goes as a whole. */
START_TEST(bounded_by_time)
{
	struct flight *f = fill(100 * NSEC_PER_SEC, MANY);

	ck_assert_uint_le(flight_time(f, flight_first(f)), samples[SAMPLES - 100]->real);
	ck_assert_uint_ge(flight_first(f), SAMPLES - 100 - 2 * 60);
	for (uint64_t i = flight_first(f); i < flight_end(f); i++)
		assert_same(flight_read(f, i), samples[i]);
	flight_free(f);
}
END_TEST

START_TEST(bounded_by_bytes)
{
	struct flight *all = fill(SAMPLES * NSEC_PER_SEC, MANY), *f;
	size_t most = flight_bytes(all) / 2;

	f = fill(SAMPLES * NSEC_PER_SEC, most);
	ck_assert_uint_le(flight_bytes(f), most);
	ck_assert_uint_gt(flight_first(f), 0);
	assert_same(flight_read(f, flight_first(f)), samples[flight_first(f)]);
	flight_free(all);
	flight_free(f);
}
END_TEST

/* Samples that were left out in between: what comes then is whole. */
START_TEST(left_out)
{
	struct flight *f = flight_new(SAMPLES * NSEC_PER_SEC, MANY);
	struct sample *late = sample_new();
	uint64_t number = 0;

	for (unsigned i = 1; i < SAMPLES; i += i % 10 ? 1 : 7)
		flight_add(f, samples[i], samples[i - 1], late);
	for (unsigned i = 1; i < SAMPLES; i += i % 10 ? 1 : 7)
		assert_same(flight_read(f, number++), samples[i]);
	sample_free(late);
	flight_free(f);
}
END_TEST

/* Names that came once are known for all that is kept. */
START_TEST(late_names)
{
	struct flight *f = flight_new(SAMPLES * NSEC_PER_SEC, MANY);
	struct sample *late = sample_new();
	const struct sample *all;

	for (unsigned i = 0; i < 10; i++) {
		char text[16];

		sample_reset(late);
		snprintf(text, sizeof(text), "main %u", i / 2);
		*sample_add_row(late, FRAMES, struct sample_frames) = (struct sample_frames){
			i / 2, 0, arena_strdup(&late->arena, text)
		};
		flight_add(f, samples[i], i ? samples[i - 1] : NULL, late);
	}
	sample_free(late);
	all = flight_late(f);
	ck_assert_uint_eq(all->tables[TABLE_FRAMES].n, 5);
	ck_assert_str_eq(((const struct sample_frames *)all->tables[TABLE_FRAMES].rows)[4].text,
			 "main 4");
	flight_free(f);
}
END_TEST

/* What did not change costs next to nothing. */
START_TEST(idle_is_small)
{
	struct buf whole = { 0 }, same = { 0 };
	struct sample *s = make(0, 1000, 1);

	delta_put(&whole, s, NULL);
	delta_put(&same, s, s);
	ck_assert_uint_lt(same.len, 200);
	ck_assert_uint_gt(whole.len, 100000);
	buf_release(&whole);
	buf_release(&same);
	sample_free(s);
}
END_TEST

UNIT_FIXTURE_MAIN("flight", setup, teardown, comes_back, bounded_by_time, bounded_by_bytes,
		  left_out, late_names, idle_is_small)
