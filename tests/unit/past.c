/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What was shown is shown again, on every screen. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../golden/dump.h"
#include "../golden/scene.h"
#include "base/clock.h"
#include "past.h"
#include "tui/screen.h"
#include "unit.h"

#define TICKS 100
#define WIDTH 160
#define HEIGHT 40

static const struct scene scene = { .disks = true, .stacks = true, .layers = true, .offcpu = true,
				    .files = true, .findings = true };
static const struct engine_options no_options;

/* A run of the scene, in memory; each sample is there until the next but one. */
struct run {
	struct flight *flight;
	struct timeline *line;
	struct past *past;
	struct engine *engine;
	struct sample *samples[2];
	unsigned tick;
};

static void run_begin(struct run *r)
{
	*r = (struct run){ .engine = engine_new(&no_options),
			   .samples = { sample_new(), sample_new() } };
	r->flight = flight_new(3600 * NSEC_PER_SEC, 64u << 20);
	r->line = timeline_of_flight(r->flight);
	r->past = past_new(r->line, &no_options);
}

static const struct model *run_tick(struct run *r)
{
	struct sample *s = r->samples[r->tick % 2];
	const struct model *m;

	sample_reset(s);
	scene_sample(&scene, s, r->tick);
	m = engine_advance(r->engine, s, ~0u);
	engine_late(r->engine, s);
	flight_add(r->flight, s, r->tick ? r->samples[(r->tick + 1) % 2] : NULL, s);
	r->tick++;
	return m;
}

static void run_end(struct run *r)
{
	past_free(r->past);
	timeline_free(r->line);
	flight_free(r->flight);
	engine_free(r->engine);
	sample_free(r->samples[0]);
	sample_free(r->samples[1]);
}

static char *picture(const struct model *m, const char *screen)
{
	struct app_options options = { .group = -1, .screen = screen, .delay = 1,
				       .glyphs = GLYPHS_BLOCK };
	struct app *app = app_new(&options, NULL);
	struct buf out = { 0 };
	struct canvas c;

	canvas_init(&c, WIDTH, HEIGHT);
	app_model(app, m);
	app_draw(app, &c);
	canvas_dump(&c, &out, false);
	canvas_release(&c);
	app_free(app);
	return out.data;
}

/* Within the time of a history: sums, graphs and findings are those that were there. */
START_TEST(same_pictures)
{
	static char *pictures[16][HISTORY_TICKS];
	struct run r;

	run_begin(&r);
	while (r.tick < HISTORY_TICKS) {
		const struct model *m = run_tick(&r);

		for (unsigned i = 0; screens[i]; i++)
			pictures[i][r.tick - 1] = picture(m, screens[i]->name);
	}
	/* There and back, by steps and by leaps. */
	for (unsigned i = 0; screens[i]; i++) {
		static const unsigned places[] = { 58, 57, 30, 31, 32, 8, 7, 2, 1, 40 };

		for (unsigned k = 0; k < ARRAY_SIZE(places); k++) {
			uint64_t at = flight_time(r.flight, places[k]);
			char *now = picture(past_to(r.past, at), screens[i]->name);

			ck_assert_str_eq(now, pictures[i][places[k]]);
			free(now);
		}
		for (unsigned k = 0; k < HISTORY_TICKS; k++)
			free(pictures[i][k]);
	}
	run_end(&r);
}
END_TEST

static uint64_t number_of(const struct model *m, const struct run *r)
{
	for (uint64_t i = flight_first(r->flight); m && i < flight_end(r->flight); i++)
		if (flight_time(r->flight, i) == m->real_ns)
			return i;
	return UINT64_MAX;
}

/* Steps, minutes, beyond both ends, and on while samples come. */
START_TEST(walks)
{
	struct app_time t;
	struct run r;

	run_begin(&r);
	ck_assert_ptr_null(past_step(r.past, -1));
	ck_assert_ptr_null(past_skip(r.past, -60));
	while (r.tick < TICKS)
		run_tick(&r);
	past_time(r.past, &t);
	ck_assert(!t.on);
	ck_assert_uint_eq(number_of(past_step(r.past, -1), &r), TICKS - 2);
	ck_assert_uint_eq(number_of(past_step(r.past, -3), &r), TICKS - 5);
	ck_assert_uint_eq(number_of(past_step(r.past, 1), &r), TICKS - 4);
	ck_assert_uint_eq(number_of(past_skip(r.past, -60), &r), TICKS - 64);
	ck_assert_uint_eq(number_of(past_skip(r.past, -60), &r), 1);
	ck_assert_uint_eq(number_of(past_step(r.past, -1), &r), 1);
	run_tick(&r);
	ck_assert_uint_eq(number_of(past_step(r.past, 0), &r), 1);
	past_time(r.past, &t);
	ck_assert(t.on);
	ck_assert_uint_eq(t.at, flight_time(r.flight, 1));
	ck_assert_uint_eq(t.last, flight_time(r.flight, TICKS));
	ck_assert_uint_eq(number_of(past_skip(r.past, 60), &r), 61);
	ck_assert_ptr_null(past_skip(r.past, 60));
	ck_assert(!past_is_on(r.past));
	ck_assert_uint_eq(number_of(past_to(r.past, 0), &r), 1);
	past_leave(r.past);
	ck_assert(!past_is_on(r.past));
	run_end(&r);
}
END_TEST

/* What was done between two moments, whoever has ended meanwhile. */
START_TEST(ranges)
{
	double read[40], written[40];
	struct app_time t;
	const struct model *m;
	struct run r;

	run_begin(&r);
	while (r.tick < 40) {
		m = run_tick(&r);
		read[r.tick - 1] = m->sums.read;
		written[r.tick - 1] = m->sums.write;
	}
	ck_assert_ptr_null(past_end_range(r.past));
	past_to(r.past, flight_time(r.flight, 5));
	past_begin_range(r.past);
	/* Up to the newest, where it is told to end where it begins. */
	m = past_end_range(r.past);
	ck_assert_double_eq_tol(m->elapsed, 34, 0.001);
	ck_assert_double_eq_tol(m->sums.read, read[39] - read[5], 1);
	past_to(r.past, flight_time(r.flight, 5));
	past_begin_range(r.past);
	past_to(r.past, flight_time(r.flight, 4));
	ck_assert_ptr_null(past_end_range(r.past));
	past_to(r.past, flight_time(r.flight, 30));
	m = past_end_range(r.past);
	ck_assert_double_eq_tol(m->elapsed, 25, 0.001);
	ck_assert_double_eq_tol(m->sums.read, read[30] - read[5], 1);
	ck_assert_double_eq_tol(m->sums.write, written[30] - written[5], 1);
	past_time(r.past, &t);
	ck_assert_uint_eq(t.begin, flight_time(r.flight, 5));
	ck_assert_uint_eq(t.at, flight_time(r.flight, 30));
	/* A step shows one interval again; now ends a range as well. */
	ck_assert_uint_eq(number_of(past_step(r.past, 1), &r), 31);
	past_time(r.past, &t);
	ck_assert_uint_eq(t.begin, 0);
	past_leave(r.past);
	m = past_end_range(r.past);
	ck_assert_double_eq_tol(m->sums.read, read[39] - read[5], 1);
	run_end(&r);
}
END_TEST

/* A range with the one before it, and with the time before it; a step ends that. */
START_TEST(compares)
{
	const struct model *m;
	struct app_time t;
	struct run r;

	run_begin(&r);
	while (r.tick < 40)
		run_tick(&r);
	ck_assert_ptr_null(past_compare(r.past));
	past_to(r.past, flight_time(r.flight, 20));
	past_begin_range(r.past);
	past_to(r.past, flight_time(r.flight, 30));
	past_end_range(r.past);
	m = past_compare(r.past);
	ck_assert_ptr_nonnull(m);
	ck_assert_double_eq_tol(m->before->elapsed, 10, 0.001);
	past_time(r.past, &t);
	ck_assert(t.compared);
	ck_assert_uint_eq(t.compared_begin, flight_time(r.flight, 10));
	ck_assert_uint_eq(t.compared_end, flight_time(r.flight, 20));
	m = past_compare(r.past);
	ck_assert_ptr_nonnull(m);
	ck_assert_ptr_null(m->before);
	past_to(r.past, flight_time(r.flight, 31));
	past_begin_range(r.past);
	past_to(r.past, flight_time(r.flight, 36));
	past_end_range(r.past);
	m = past_compare(r.past);
	past_time(r.past, &t);
	ck_assert_uint_eq(t.compared_begin, flight_time(r.flight, 20));
	ck_assert_uint_eq(t.compared_end, flight_time(r.flight, 30));
	m = past_step(r.past, 1);
	ck_assert_ptr_null(m->before);
	run_end(&r);
}
END_TEST

/* Where one interval is shown: from there on with as much time before. */
START_TEST(compares_since)
{
	const struct model *m;
	struct app_time t;
	struct run r;

	run_begin(&r);
	while (r.tick < 40)
		run_tick(&r);
	past_to(r.past, flight_time(r.flight, 30));
	m = past_compare(r.past);
	ck_assert_ptr_nonnull(m);
	ck_assert_ptr_nonnull(m->before);
	past_time(r.past, &t);
	ck_assert_uint_eq(t.begin, flight_time(r.flight, 30));
	ck_assert_uint_eq(t.at, flight_time(r.flight, 39));
	ck_assert_uint_eq(t.compared_begin, flight_time(r.flight, 21));
	ck_assert_uint_eq(t.compared_end, flight_time(r.flight, 30));
	run_end(&r);
}
END_TEST

/* A replay plays on from where one is, up to now; a range stays. */
START_TEST(plays)
{
	struct run r;

	run_begin(&r);
	while (r.tick < 20)
		run_tick(&r);
	past_step(r.past, -3);
	past_play(r.past);
	ck_assert_uint_eq(number_of(past_step(r.past, 0), &r), 18 - 1);
	past_begin_range(r.past);
	past_play(r.past);
	ck_assert_uint_eq(number_of(past_step(r.past, 0), &r), 18 - 1);
	past_step(r.past, 1);
	past_end_range(r.past);
	past_play(r.past);
	ck_assert_uint_eq(number_of(past_step(r.past, 0), &r), 18);
	past_step(r.past, 0);
	past_step(r.past, -1);
	past_play(r.past);
	past_play(r.past);
	ck_assert(!past_is_on(r.past));
	run_end(&r);
}
END_TEST

/* A pause is a gap in the bar, samples are one line. */
START_TEST(gaps)
{
	struct app_time t;
	unsigned there = 0;
	struct run r;

	run_begin(&r);
	while (r.tick < 30)
		run_tick(&r);
	r.tick += 60;
	while (r.tick < 120)
		run_tick(&r);
	past_step(r.past, -1);
	past_time(r.past, &t);
	for (unsigned i = 0; i < APP_TIME_MARKS; i++)
		there += t.marks[i] > 0;
	ck_assert_uint_gt(there, APP_TIME_MARKS / 2 - 8);
	ck_assert_uint_lt(there, APP_TIME_MARKS / 2 + 8);
	ck_assert(t.marks[0] && !t.marks[APP_TIME_MARKS / 2] && t.marks[APP_TIME_MARKS - 1]);
	run_end(&r);
}
END_TEST

static uint32_t next_random(uint32_t *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return *seed >> 8;
}

/* What is true wherever one is. m: what is shown. */
static void check_place(const struct run *r, const struct model *m)
{
	struct app_time t;

	past_time(r->past, &t);
	ck_assert(t.on == (m != NULL));
	if (!m)
		return;
	ck_assert_uint_ne(number_of(m, r), UINT64_MAX);
	ck_assert_uint_eq(t.at, m->real_ns);
	ck_assert(t.first <= t.at && t.at <= t.last);
	ck_assert(t.compared == (m->before != NULL));
	if (t.begin) {
		ck_assert_double_eq_tol(m->elapsed, (double)(t.at - t.begin) / NSEC_PER_SEC, 0.01);
		ck_assert_double_ge(m->sums.write, 0);
	}
	if (t.compared)
		ck_assert_double_eq_tol(m->before->elapsed,
					(double)(t.compared_end - t.compared_begin) / NSEC_PER_SEC,
					0.01);
}

/* Wherever one went before: what is shown of a moment is the same. */
START_TEST(random_walks)
{
	uint32_t seed = 20260131;
	struct run r, straight;
	unsigned compared = 0;

	run_begin(&r);
	run_begin(&straight);
	while (r.tick < 90) {
		run_tick(&r);
		run_tick(&straight);
	}
	for (unsigned i = 0; i < 400; i++) {
		enum app_travel how = next_random(&seed) % (TRAVEL_COMPARE + 1);
		int64_t much = (int64_t)(next_random(&seed) % 81) - 40;
		struct past_message said;
		const struct model *m;

		if (how == TRAVEL_TO)
			much = (int64_t)flight_time(r.flight, next_random(&seed) % 90);
		m = past_travel(r.past, how, much, &said);
		check_place(&r, m);
		compared += m && m->before;
		if (i % 20 || !m || m->before)
			continue;
		m = past_to(r.past, m->real_ns);
		if (m) {
			char *here = picture(m, "tasks"),
			     *there = picture(past_to(straight.past, m->real_ns), "tasks");

			ck_assert_str_eq(here, there);
			free(here);
			free(there);
			past_leave(straight.past);
		}
	}
	ck_assert_uint_gt(compared, 1);
	run_end(&r);
	run_end(&straight);
}
END_TEST

UNIT_MAIN("past", same_pictures, walks, ranges, compares, compares_since, plays, gaps,
	  random_walks)
