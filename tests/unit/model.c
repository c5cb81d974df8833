/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The model from hand-written samples. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "data/names.h"
#include "tasks.h"

START_TEST(first_sample_is_a_baseline)
{
	struct sample *s = sample_at(0, SRC_TASKS | SRC_TASKIO);
	const struct model *m;

	task(s, 10, 10, -50)->write_bytes = 1 << 20;
	m = advance(s);
	ck_assert(m->interval == 0);
	ck_assert_uint_eq(m->rows[ENTITY_TASK].n, 1);
	ck_assert_uint_eq(now(row_of(m, 10, -50))->write, 0);
	s = sample_at(2, SRC_TASKS | SRC_TASKIO);
	task(s, 10, 10, -50)->write_bytes = 3 << 20;
	m = advance(s);
	ck_assert(m->interval == 2.0);
	ck_assert_uint_eq(now(row_of(m, 10, -50))->write, 2 << 20);
	ck_assert(m->totals.flows.write == (1 << 20));
}
END_TEST

START_TEST(nothing_is_lost_in_the_first_interval_of_a_task)
{
	const struct model *m;
	struct sample *s;

	advance(sample_at(0, SRC_TASKS | SRC_TASKIO));
	s = sample_at(1, SRC_TASKS | SRC_TASKIO);
	task(s, 11, 11, 0.5)->write_bytes = 5000;	/* started in the interval: all of it
							 * counts */
	task(s, 12, 12, -5)->write_bytes = 7000;	/* older, only now visible: not ours */
	m = advance(s);
	ck_assert_uint_eq(now(row_of(m, 11, 0.5))->write, 5000);
	ck_assert_uint_eq(now(row_of(m, 12, -5))->write, 0);
}
END_TEST

START_TEST(a_counter_that_falls_makes_no_spike)
{
	const struct model *m;
	struct sample *s = sample_at(0, SRC_TASKS | SRC_TASKIO);

	task(s, 10, 10, -1)->read_bytes = 9000;
	advance(s);
	s = sample_at(1, SRC_TASKS | SRC_TASKIO);
	task(s, 10, 10, -1)->read_bytes = 100;
	m = advance(s);
	ck_assert_uint_eq(now(row_of(m, 10, -1))->read, 0);
	s = sample_at(2, SRC_TASKS | SRC_TASKIO);
	task(s, 10, 10, -1)->read_bytes = 9001;
	m = advance(s);
	ck_assert_uint_eq(now(row_of(m, 10, -1))->read, 1);
}
END_TEST

START_TEST(cancelled_pages_are_not_written)
{
	const struct model *m;
	struct sample_task *t;
	struct sample *s = sample_at(0, SRC_TASKS | SRC_TASKIO);

	task(s, 10, 10, -1);
	advance(s);
	s = sample_at(1, SRC_TASKS | SRC_TASKIO);
	t = task(s, 10, 10, -1);
	t->write_bytes = 10000;
	t->cancelled_bytes = 10000;
	m = advance(s);
	ck_assert_uint_eq(now(row_of(m, 10, -1))->write, 0);
	s = sample_at(2, SRC_TASKS | SRC_TASKIO);
	t = task(s, 10, 10, -1);
	t->write_bytes = 30000;
	t->cancelled_bytes = 10000;
	advance(s);
	s = sample_at(3, SRC_TASKS | SRC_TASKIO);
	t = task(s, 10, 10, -1);
	t->write_bytes = 35000;
	t->cancelled_bytes = 30000;	/* what was shown stays shown, and nothing wraps */
	m = advance(s);
	ck_assert_uint_eq(now(row_of(m, 10, -1))->write, 0);
	ck_assert_uint_eq(sum(row_of(m, 10, -1))->write, 20000);
}
END_TEST

/*
 * Containers that come and go for hours; the row of one that is there, although no sample names its
 * cgroup again, keeps the name.
 */
START_TEST(cgroups_do_not_fill_the_memory)
{
	struct names *names = engine_name_table(engine);
	const struct model *m = NULL;
	uint64_t id = 1000;
	size_t known = 0;
	char path[32];

	for (unsigned round = 0; round < 40; round++) {
		struct sample *s = sample_at(round, SRC_TASKS | SRC_TASKIO);

		task(s, 1, 1, -1)->cgroup = 1;
		for (unsigned i = 0; i < (round ? 1000 : 1); i++) {
			struct sample_cgroup *c = sample_add_row(s, CGROUP, struct sample_cgroup);

			snprintf(path, sizeof(path), "/machine/%u", round ? i : 7);
			*c = (struct sample_cgroup){ .id = round ? id++ : 1,
						     .path = arena_strdup(&s->arena, path) };
		}
		m = advance(s);
	}
	ck_assert_str_eq(row_of(m, 1, -1)->cgroup, "7");
	for (uint64_t i = 1000; i < id; i++)
		known += !!names_cgroup_path(names, i);
	ck_assert_uint_ge(known, 4000);
	ck_assert_uint_le(known, 9192);
}
END_TEST

static const struct model *two_devices(double when, uint64_t bytes, bool with_tasks)
{
	struct task_id dd = { 10, 10, 1000 * SEC }, worker = { 5, 5, 500 * SEC };
	struct sample *s = sample_at(when, SRC_TASKS | SRC_TASKIO | SRC_BLOCK);

	disks(s);
	if (with_tasks) {
		task(s, 10, 10, 0);
		task(s, 5, 5, -500);
	}
	io(s, dd, dd, LOOP_DEV, OP_WRITE, bytes);
	io(s, dd, worker, DISK_DEV, OP_WRITE, bytes);
	return advance(s);
}

START_TEST(a_byte_is_charged_once_to_its_cause)
{
	const struct task_row *dd;
	const struct model *m;

	two_devices(0, 4096, true);
	m = two_devices(1, 4096 + 81920, true);
	dd = row_of(m, 10, 0);
	ck_assert_uint_eq(now(dd)->write, 81920);
	ck_assert_uint_eq(now(dd)->wios, 20);
	ck_assert_uint_eq(now(dd)->lat_ns / now(dd)->done, 1000);
	ck_assert_uint_eq(now(dd)->max_ns, 2000);
	ck_assert_str_eq(dd->disk, "sda");
	ck_assert_uint_eq(now(row_of(m, 5, -500))->write, 0);
	ck_assert(m->totals.flows.write == 81920);
}
END_TEST

START_TEST(or_to_its_submitter)
{
	const struct model *m;

	options.attribute = ATTRIBUTE_SUBMITTER;
	engine_set_options(engine, &options);
	two_devices(0, 4096, true);
	m = two_devices(1, 4096 + 81920, true);
	ck_assert_uint_eq(now(row_of(m, 10, 0))->write, 0);
	ck_assert_uint_eq(now(row_of(m, 5, -500))->write, 81920);
}
END_TEST

START_TEST(no_time_between_samples_is_no_rate)
{
	const struct model *m;

	two_devices(0, 4096, true);
	two_devices(1, 4096, true);
	m = two_devices(1, 8192, true);
	ck_assert(m->interval == 0);
	ck_assert(m->totals.flows.write != m->totals.flows.write);	/* NaN: unknown */
}
END_TEST

START_TEST(losses_of_this_run_only)
{
	const struct model *m;
	struct sample *s = sample_at(0, SRC_TASKS);

	sample_lose(s, "block.owners-full", 5);
	advance(s);
	s = sample_at(1, SRC_TASKS);
	sample_lose(s, "block.owners-full", 8);
	m = advance(s);
	ck_assert_uint_eq(m->nlosses, 1);
	ck_assert_uint_eq(m->losses[0].now, 3);
	ck_assert_uint_eq(m->losses[0].total, 3);
}
END_TEST

START_TEST(waits_of_the_scheduler_go_before_delays)
{
	static const struct {
		unsigned have;
		enum source_state waits;
		unsigned waited, delayed, want;	/* in all; of the interval */
	} steps[] = {
		{ SRC_WAITS | SRC_DELAYS, SOURCE_ON, 100, 10, 0 },
		{ SRC_WAITS | SRC_DELAYS, SOURCE_ON, 150, 20, 50 },
		{ SRC_DELAYS, SOURCE_OFF, 0, 40, 0 }, /* goes on from there */
		{ SRC_DELAYS, SOURCE_OFF, 0, 47, 7 },
		{ SRC_WAITS | SRC_DELAYS, SOURCE_PART, 90, 50, 3 }, /* those of /proc are coarse */
		{ SRC_WAITS | SRC_DELAYS, SOURCE_ON, 200, 60, 0 },
		{ SRC_WAITS, SOURCE_ON, 201, 0, 1 },
	};

	for (unsigned i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		struct sample *s = sample_at(i, SRC_TASKS);
		struct sample_task *t = task(s, 10, 10, -50);

		if (steps[i].waits != SOURCE_OFF)
			sample_source(s, SRC_WAITS, steps[i].waits, NULL);
		t->have |= steps[i].have;
		t->wait_ns = steps[i].waited;
		t->blkio_ns = steps[i].delayed;
		ck_assert_uint_eq(now(row_of(advance(s), 10, -50))->wait_ns, steps[i].want);
	}
}
END_TEST

/*
 * The end of a request was perhaps not seen: no longer than the kernel says; of who is never in
 * iowait nothing is known.
 */
START_TEST(waits_in_doubt)
{
	for (unsigned iowait = 0; iowait < 2; iowait++) {
		const struct model *m = NULL;

		for (unsigned i = 0; i < 4; i++) {
			struct sample *s = sample_at(10 * iowait + i, SRC_TASKS | SRC_WAITS);
			struct sample_task *t = task(s, 10, 10 + iowait, -50);

			t->have |= SRC_WAITS;
			t->wait_ns = i * 900000000ULL;
			t->iowait_ns = i * iowait * 80000000ULL;
			t->flags |= i == 2 ? TASK_DOUBT : 0;
			m = advance(s);
			if (i == 1 || i == 3)
				ck_assert_uint_eq(now(row_of(m, 10 + iowait, -50))->wait_ns,
						  900000000);
			else if (i == 2 && iowait)
				ck_assert_uint_eq(now(row_of(m, 11, -50))->wait_ns, 80000000);
			else if (i == 2)
				ck_assert(!(row_of(m, 10, -50)->row.have & SRC_WAITS));
		}
	}
}
END_TEST

/* A task in iowait for most of the interval makes pressure; whether it waits for I/O is said. */
START_TEST(pressure_without_io)
{
	static const struct {
		uint64_t iowait, wait;	/* in all, ms */
		bool idle;
	} steps[] = { { 100, 100, false }, { 1050, 100, true }, { 2000, 1050, false } };

	for (unsigned i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		struct sample *s = sample_at(i, SRC_TASKS | SRC_WAITS | SRC_SYSTEM);
		struct sample_system *system = sample_add_row(s, SYSTEM, struct sample_system);
		struct sample_task *t = task(s, 10, 10, -50);
		const struct model *m;

		system->psi = 1;
		system->psi_some_us = i * 950000;
		t->have |= SRC_WAITS;
		t->iowait_ns = steps[i].iowait * 1000000;
		t->wait_ns = steps[i].wait * 1000000;
		m = advance(s);
		ck_assert_int_eq(m->totals.psi_idle, steps[i].idle);
		if (i == 1)
			ck_assert_uint_eq(now(row_of(m, 10, -50))->iowait_ns, 950000000);
	}
}
END_TEST

START_TEST(hostile_names_are_clean)
{
	const struct model *m;
	struct sample *s = sample_at(0, SRC_TASKS);
	struct sample_cmdline *c;

	task(s, 10, 10, -1)->comm = "\x1b[31mx\n";
	c = sample_add_row(s, CMDLINE, struct sample_cmdline);
	c->id = (struct task_id){ 10, 10, 999 * SEC };
	c->args = "sh \xff\x07";
	m = advance(s);
	ck_assert_ptr_null(strpbrk(row_of(m, 10, -1)->comm, "\x1b\n"));
	ck_assert_ptr_null(strpbrk(task_command(row_of(m, 10, -1)), "\xff\x07"));
}
END_TEST

static struct value cell(const struct model *m, const char *key)
{
	return column_value(entity_column(&entity_task, key), &row_of(m, 10, -1)->row, m,
			    SPAN_TICK, &unit_texts);
}

static struct sample *watched_sample(double seconds, uint64_t written, uint64_t waited)
{
	const unsigned on = SRC_TASKS | SRC_TASKIO | SRC_WAITS | SRC_BLOCK;
	struct sample *s = sample_at(seconds, on);
	struct sample_task *t = task(s, 10, 10, -1);

	t->have |= SRC_WAITS;
	t->write_bytes = written;
	t->wait_ns = waited;
	sample_opened(s, SRC_WAITS, 6.5);
	sample_opened(s, SRC_BLOCK, 6.5);
	return s;
}

/*
 * Another screen was looked at from 2 to 6. The scheduler's programs and those of the block layer
 * have begun anew since, the accounting of tasks went on.
 */
START_TEST(a_screen_that_comes_back)
{
	const struct task_id id = { 10, 10, 999 * SEC };
	const struct history *history;
	struct sample *s = watched_sample(0, 0, 0);
	const struct model *m;

	sample_opened(s, SRC_WAITS, 0);
	sample_opened(s, SRC_BLOCK, 0);
	advance(s);
	s = watched_sample(1, 4096, SEC / 2);
	sample_opened(s, SRC_WAITS, 0);
	sample_opened(s, SRC_BLOCK, 0);
	disks(s);
	io(s, id, id, DISK_DEV, OP_READ, 4096);
	m = advance(s);
	ck_assert_double_eq_tol(cell(m, "io").f64, 50, 1e-6);
	ck_assert(cell(m, "dirty").f64 == 4096);
	for (unsigned i = 2; i < 7; i++)
		m = engine_advance(engine, sample_at(i, SRC_SYSTEM), SRC_SYSTEM);
	ck_assert_int_eq(cell(m, "io").kind, VAL_NONE);
	ck_assert_int_eq(cell(m, "read").kind, VAL_NONE);

	s = watched_sample(7, 1 << 30, SEC / 4);
	disks(s);
	io(s, id, id, DISK_DEV, OP_READ, 8192);
	m = advance(s);
	ck_assert_double_eq_tol(cell(m, "io").f64, 50, 1e-6);	/* of half of the second */
	ck_assert(cell(m, "read").f64 == 16384);
	ck_assert_int_eq(cell(m, "dirty").kind, VAL_NONE);
	ck_assert_uint_eq(sum(row_of(m, 10, -1))->dirty, 4096);
	ck_assert_uint_eq(sum(row_of(m, 10, -1))->wait_ns, SEC / 4 * 3);
	ck_assert(m->totals.flows.read == 16384);
	history = row_of(m, 10, -1)->row.history;
	ck_assert_uint_eq(history->n, 7);
	for (unsigned i = 0; i < 7; i++)
		ck_assert(isnan(history->read[i]) == (i > 0 && i < 6));
	/* 0.75 s in 1.5 s that were watched. */
	ck_assert_double_eq_tol(column_value(entity_column(&entity_task, "io"),
					     &row_of(m, 10, -1)->row, m, SPAN_MEAN, &unit_texts)
					.f64, 50, 1e-6);
	m = advance(watched_sample(8, (1 << 30) + 100, SEC / 4));
	ck_assert(cell(m, "dirty").f64 == 100);
}
END_TEST

UNIT_FIXTURE_MAIN("model", samples_setup, samples_teardown,
	first_sample_is_a_baseline, nothing_is_lost_in_the_first_interval_of_a_task,
	a_counter_that_falls_makes_no_spike, cancelled_pages_are_not_written,
	cgroups_do_not_fill_the_memory, a_byte_is_charged_once_to_its_cause, or_to_its_submitter,
	no_time_between_samples_is_no_rate, losses_of_this_run_only,
	waits_of_the_scheduler_go_before_delays, waits_in_doubt, pressure_without_io,
	hostile_names_are_clean, a_screen_that_comes_back)
