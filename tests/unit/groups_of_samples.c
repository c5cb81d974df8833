// SPDX-License-Identifier: GPL-2.0-or-later
/* -d on a recording: several samples are one interval, which says what they say together. */
#include <math.h>

#include "../golden/scene.h"
#include "data/event/event.h"
#include "data/total_row.h"
#include "session.h"
#include "stores.h"

#define TICKS 23
#define STOPPED 9	/* the recorder begins anew with this tick: there is a gap before it */

static const struct scene scene = { .disks = true, .stacks = true, .layers = true,
				     .events = true };
static const struct session_viewer nobody;

static void write_scene(void)
{
	struct sample *s = sample_new();
	struct store *st = NULL;
	struct err err = { "" };

	for (unsigned tick = 0; tick < TICKS; tick++) {
		if (tick == 0 || tick == STOPPED) {
			store_close(st);
			st = open_store(&unbounded);
		}
		sample_reset(s);
		scene_sample(&scene, s, tick);
		ck_assert_msg(store_write(st, s, s, 0, &err) == 0, "%s", err.text);
	}
	store_close(st);
	sample_free(s);
}

/* What a session says of all intervals, one after the other. */
struct said {
	double seconds[TICKS];	/* of each */
	unsigned n;
	double read, write, pressure, rlat;
	unsigned events;
	uint64_t event_times;	/* the sum of their times: each was told once */
};

static double number(const struct row *row, const struct model *m, const char *key)
{
	struct value v = column_value(entity_column(row->entity, key), row, m, SPAN_MEAN,
				      &unit_texts);
	double d = NAN;

	value_number(&v, &d);
	return d;
}

static void add_events(struct said *said, const struct model *m)
{
	const struct event_row *e;

	row_each(e, &m->rows[ENTITY_EVENT]) {
		said->events++;
		said->event_times += e->time_ns;
	}
}

static struct said run_from(const char *begin, uint64_t group_ns)
{
	struct session_options opt = { .replay = folder, .store = true, .group_ns = group_ns,
				       .begin = begin, .stop_fd = -1 };
	struct said said = { 0 };
	struct session s;
	struct err err = { "" };

	ck_assert_msg(session_open(&s, &opt, &err) == 0, "%s", err.text);
	while (session_step(&s, ~0u, &nobody, &err) == 1) {
		enum span span = s.group_ns ? SPAN_MEAN : SPAN_TICK;
		struct total_row t = total_row(s.model, span);
		double seconds = s.group_ns ? s.model->elapsed : s.model->interval;

		if (!(seconds > 0))
			continue;
		said.seconds[said.n++] = seconds;
		said.read += t.totals.flows.read * seconds;
		said.write += t.totals.flows.write * seconds;
		said.pressure += t.totals.psi_some * seconds;
		add_events(&said, s.model);
		for (size_t i = 0; i < s.model->rows[ENTITY_DISK].n; i++)
			if (!strcmp(s.model->rows[ENTITY_DISK].rows[i]->name, "nvme0n1"))
				said.rlat = number(s.model->rows[ENTITY_DISK].rows[i], s.model,
						   "rp99");
	}
	ck_assert_str_eq(err.text, "");
	session_close(&s, &err);
	return said;
}

static struct said run_session(uint64_t group_ns)
{
	return run_from(NULL, group_ns);
}

START_TEST(say_the_same)
{
	/* Up to the gap, and from there on: a shorter one is left at either end. */
	static const double want[] = { 5, 3, 5, 5, 3 };
	struct said each, groups;

	arena_init(&unit_texts);
	write_scene();
	each = run_session(0);
	groups = run_session(5 * NSEC_PER_SEC);
	ck_assert_uint_eq(each.n, TICKS - 2);
	ck_assert_uint_eq(groups.n, ARRAY_SIZE(want));
	for (unsigned i = 0; i < groups.n; i++)
		ck_assert_double_eq_tol(groups.seconds[i], want[i], 1e-6);
	ck_assert_double_gt(each.read, 1e6);
	ck_assert_double_eq_tol(groups.read, each.read, 1);
	ck_assert_double_eq_tol(groups.write, each.write, 1);
	ck_assert_double_eq_tol(groups.pressure, each.pressure, 1e-6);
	ck_assert_double_gt(groups.rlat, 0);
	ck_assert_uint_gt(each.events, TICKS);
	ck_assert_uint_eq(groups.events, each.events);
	ck_assert_uint_eq(groups.event_times, each.event_times);
	arena_release(&unit_texts);
}
END_TEST

/* Intervals that are as long already stay as they are. */
START_TEST(long_enough)
{
	arena_init(&unit_texts);
	write_scene();
	ck_assert_uint_eq(run_session(NSEC_PER_SEC).n, TICKS - 2);
	ck_assert_uint_eq(run_session(NSEC_PER_SEC * 5 / 4).n, TICKS - 2);
	ck_assert_uint_eq(run_session(3600 * NSEC_PER_SEC).n, 2);
	arena_release(&unit_texts);
}
END_TEST

/* The first two are a minute apart, as old ones of a store; shift: of the clock between them. */
static void write_old_pair(int64_t shift)
{
	struct sample *s = sample_new();
	struct store *st = open_store(&unbounded);
	struct err err = { "" };

	for (unsigned tick = 0; tick < TICKS; tick++) {
		sample_reset(s);
		scene_sample(&scene, s, tick ? tick + 59 : 0);
		s->real += tick ? (uint64_t)shift : 0;
		ck_assert_msg(store_write(st, s, s, 0, &err) == 0, "%s", err.text);
	}
	store_close(st);
	sample_free(s);
}

/* What is not played says nothing of how far apart samples are, nor does a clock set back. */
START_TEST(old_ones_are_further_apart)
{
	static const double want[] = { 5, 5, 2 };
	struct said said;

	arena_init(&unit_texts);
	write_old_pair(0);
	ck_assert_uint_eq(run_from("-12s", 0).n, 12);
	said = run_from("-12s", 5 * NSEC_PER_SEC);
	ck_assert_uint_eq(said.n, ARRAY_SIZE(want));
	for (unsigned i = 0; i < said.n; i++)
		ck_assert_double_eq_tol(said.seconds[i], want[i], 1e-6);
	/* The minute is more than is asked for by itself. */
	said = run_session(5 * NSEC_PER_SEC);
	ck_assert_uint_eq(said.n, 1 + 5);
	ck_assert_double_eq_tol(said.seconds[0], 60, 1e-6);
	ck_assert_double_eq_tol(said.seconds[1], 5, 1e-6);
	arena_release(&unit_texts);
}
END_TEST

START_TEST(a_clock_that_was_set_back)
{
	arena_init(&unit_texts);
	write_old_pair(-3600 * (int64_t)NSEC_PER_SEC);
	ck_assert_uint_eq(run_session(5 * NSEC_PER_SEC).n, 1 + 5);
	arena_release(&unit_texts);
}
END_TEST

/* A report over all of a recording, as of a range that is compared, has all of its events. */
START_TEST(events_of_a_range)
{
	struct session_options opt = { .replay = folder, .store = true, .once = true,
				       .engine.whole = true, .stop_fd = -1 };
	struct said each, all = { 0 };
	struct session s;
	struct err err = { "" };

	arena_init(&unit_texts);
	write_scene();
	each = run_session(0);
	ck_assert_msg(session_open(&s, &opt, &err) == 0, "%s", err.text);
	while (session_step(&s, ~0u, &nobody, &err) == 1)
		if (replay_left(s.replay))
			ck_assert_uint_eq(s.model->rows[ENTITY_EVENT].n, 0);
	add_events(&all, s.model);
	ck_assert_uint_eq(all.events, each.events);
	ck_assert_uint_eq(all.event_times, each.event_times);
	session_close(&s, &err);
	arena_release(&unit_texts);
}
END_TEST

UNIT_FIXTURE_MAIN("groups_of_samples", setup, folder_teardown, say_the_same, long_enough,
		  old_ones_are_further_apart, a_clock_that_was_set_back, events_of_a_range)
