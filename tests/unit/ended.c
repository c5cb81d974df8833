/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tasks that ended: how long they stay, and that nothing they did is lost or comes twice. */
#include <string.h>

#include "tasks.h"

START_TEST(a_reused_pid_is_a_new_row)
{
	const struct model *m;
	struct sample *s = sample_at(0, SRC_TASKS | SRC_TASKIO);

	task(s, 10, 10, -100)->write_bytes = 1 << 30;
	advance(s);
	s = sample_at(1, SRC_TASKS | SRC_TASKIO);
	task(s, 10, 10, -100)->write_bytes = (1 << 30) + 5;
	advance(s);
	s = sample_at(2, SRC_TASKS | SRC_TASKIO);
	task(s, 10, 10, 1.5)->write_bytes = 77;
	m = advance(s);
	ck_assert_uint_eq(now(row_of(m, 10, 1.5))->write, 77);
	ck_assert_uint_eq(sum(row_of(m, 10, 1.5))->write, 77);
	ck_assert(row_of(m, 10, -100)->row.flags & ROW_ENDED);
	ck_assert_uint_eq(sum(row_of(m, 10, -100))->write, 5);
	ck_assert_uint_ne(row_of(m, 10, -100)->process, row_of(m, 10, 1.5)->process);
}
END_TEST

START_TEST(a_task_between_two_samples_has_its_row)
{
	const struct model *m;
	struct sample_task *t;
	struct sample *s;

	advance(sample_at(0, SRC_TASKS | SRC_TASKIO));
	s = sample_at(1, SRC_TASKS | SRC_TASKIO);
	task(s, 1, 1, -900);
	t = task(s, 20, 20, 0.2);
	t->flags = TASK_ENDED;
	t->write_bytes = 300 << 20;
	t->exit = (uint64_t)(1000.4 * SEC);
	m = advance(s);
	ck_assert(row_of(m, 20, 0.2)->row.flags & ROW_ENDED);
	ck_assert_uint_eq(now(row_of(m, 20, 0.2))->write, 300 << 20);
	ck_assert_uint_eq(m->totals.ended, 1);
	/* It stays for the history's length, its last interval only once. */
	for (unsigned i = 0; i < HISTORY_TICKS; i++) {
		s = sample_at(2 + i, SRC_TASKS | SRC_TASKIO);
		task(s, 1, 1, -900);
		m = advance(s);
		ck_assert_ptr_nonnull(row_of(m, 20, 0.2));
		ck_assert_uint_eq(now(row_of(m, 20, 0.2))->write, 0);
		ck_assert_uint_eq(sum(row_of(m, 20, 0.2))->write, 300 << 20);
	}
	s = sample_at(2 + HISTORY_TICKS, SRC_TASKS | SRC_TASKIO);
	task(s, 1, 1, -900);
	m = advance(s);
	ck_assert_ptr_null(row_of(m, 20, 0.2));
}
END_TEST

START_TEST(idle_ended_tasks_do_not_stay)
{
	const struct model *m = NULL;
	struct sample *s;

	advance(sample_at(0, SRC_TASKS | SRC_TASKIO));
	for (unsigned i = 1; i <= 3; i++) {
		s = sample_at(i, SRC_TASKS | SRC_TASKIO);
		for (unsigned k = 0; k < 1000; k++)
			task(s, 1000 * i + k, 1000 * i + k, i - 0.5)->flags = TASK_ENDED;
		m = advance(s);
	}
	ck_assert_uint_le(m->rows[ENTITY_TASK].n, 2000);
}
END_TEST

/* One whose parent does not wait for it is listed for long, and dropped meanwhile. */
START_TEST(a_listing_goes_on_after_a_zombie_was_dropped)
{
	const struct model *m = NULL;

	for (unsigned i = 0; i < 5; i++) {
		struct sample *s = sample_at(i, SRC_TASKS | SRC_TASKIO);

		if (i == 1)
			task(s, 20, 20, -100)->flags = TASK_ENDED;
		task(s, 10, 10, -100);
		task(s, 20, 20, -100);
		m = advance(s);
		ck_assert_ptr_nonnull(row_of(m, 10, -100));
	}
	ck_assert_ptr_nonnull(row_of(m, 20, -100));
}
END_TEST

/* So many tasks that began in the interval, wrote a page and ended. */
static struct sample *sample_of_ended(unsigned tick, unsigned each)
{
	struct sample *s = sample_at(tick, SRC_TASKS | SRC_TASKIO);

	for (unsigned k = 0; k < each; k++) {
		struct sample_task *t = task(s, each * tick + k, each * tick + k, tick - 0.5);

		t->flags = TASK_ENDED;
		t->write_bytes = 4096;
	}
	return s;
}

static uint64_t bytes_written(const struct model *m)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < m->rows[ENTITY_TASK].n; i++)
		bytes += ((const struct task_counters *)m->rows[ENTITY_TASK].rows[i]->sum)->write;
	return bytes;
}

static uint64_t loss_total(const struct model *m, const char *name)
{
	for (size_t i = 0; i < m->nlosses; i++)
		if (!strcmp(m->losses[i].name, name))
			return m->losses[i].total;
	return 0;
}

/* A storm of them: the oldest go before their time, and what they did stays in the sum. */
START_TEST(ended_tasks_do_not_fill_the_memory)
{
	const unsigned ticks = 8, each = 20000;
	const struct model *m = NULL;

	advance(sample_at(0, SRC_TASKS | SRC_TASKIO));
	for (unsigned i = 1; i <= ticks; i++)
		m = advance(sample_of_ended(i, each));
	ck_assert_uint_le(m->rows[ENTITY_TASK].n, 4 * each);
	ck_assert_uint_ge(m->rows[ENTITY_TASK].n, 2 * each);
	ck_assert_uint_eq(bytes_written(m), 4096ULL * ticks * each);
	ck_assert_uint_gt(loss_total(m, "tasks.forgotten"), 0);
}
END_TEST

/* With -a they stay, but not any number of them. */
START_TEST(kept_tasks_do_not_fill_the_memory)
{
	const unsigned ticks = HISTORY_TICKS + 20, each = 5000, most = 250000;
	const struct model *m = NULL;

	engine_set_options(engine, &(struct engine_options){ .accumulated = true });
	advance(sample_at(0, SRC_TASKS | SRC_TASKIO));
	for (unsigned i = 1; i <= ticks; i++) {
		m = advance(sample_of_ended(i, each));
		if (i * each <= most) {
			ck_assert_uint_eq(m->rows[ENTITY_TASK].n, i * each);
			ck_assert_uint_eq(loss_total(m, "tasks.forgotten"), 0);
		}
	}
	/* One more for those that were forgotten. */
	ck_assert_uint_eq(m->rows[ENTITY_TASK].n, most + 1);
	ck_assert_uint_eq(loss_total(m, "tasks.forgotten"), ticks * each - most);
	ck_assert_uint_eq(bytes_written(m), 4096ULL * ticks * each);
}
END_TEST

START_TEST(dropped_threads_stay_in_their_process)
{
	const struct task_row *leader;
	const struct model *m;
	struct sample *s = sample_at(0, SRC_TASKS | SRC_TASKIO);

	task(s, 10, 10, -5);
	advance(s);
	s = sample_at(1, SRC_TASKS | SRC_TASKIO);
	task(s, 10, 10, -5);
	task(s, 10, 11, 0.5)->write_bytes = 4096;
	advance(s);
	for (unsigned i = 0; i < HISTORY_TICKS + 2; i++) {
		s = sample_at(2 + i, SRC_TASKS | SRC_TASKIO);
		task(s, 10, 10, -5);
		m = advance(s);
	}
	ck_assert_ptr_null(row_of(m, 11, 0.5));
	leader = row_of(m, 10, -5);
	ck_assert_ptr_nonnull(leader->process_gone);
	ck_assert_uint_eq(leader->process_gone->write, 4096);
}
END_TEST

static void short_thread(struct sample *s, uint32_t tid, double from, double process)
{
	struct sample_task *t = task(s, 10, tid, from);

	t->flags = TASK_ENDED;
	t->process = process ? (uint64_t)((1000 + process) * SEC) : 0;
	t->write_bytes = 4096;
	t->exit = t->id.start + SEC / 100;
}

START_TEST(short_threads_are_of_one_process)
{
	const struct model *m;
	struct sample *s;

	advance(sample_at(0, SRC_TASKS | SRC_TASKIO));
	s = sample_at(1, SRC_TASKS | SRC_TASKIO);
	/* Known or not, none of them runs when the next one starts; 14 is of a reused pid. */
	short_thread(s, 11, 0.2, 0.1);
	short_thread(s, 12, 0.4, 0);
	short_thread(s, 13, 0.6, 0.1);
	short_thread(s, 14, 0.8, 0.7);
	m = advance(s);
	ck_assert_uint_eq(row_of(m, 11, 0.2)->process, row_of(m, 12, 0.4)->process);
	ck_assert_uint_eq(row_of(m, 11, 0.2)->process, row_of(m, 13, 0.6)->process);
	ck_assert_uint_ne(row_of(m, 11, 0.2)->process, row_of(m, 14, 0.8)->process);
}
END_TEST

START_TEST(a_main_thread_stays_with_its_threads)
{
	const struct model *m = NULL;
	struct sample *s = sample_at(0, SRC_TASKS | SRC_TASKIO);

	task(s, 10, 10, -5);
	advance(s);
	s = sample_at(1, SRC_TASKS | SRC_TASKIO);
	task(s, 10, 10, -5)->flags = TASK_ENDED;
	short_thread(s, 11, 0.5, -5);
	m = advance(s);
	for (unsigned i = 0; i < HISTORY_TICKS; i++) {
		ck_assert_ptr_nonnull(row_of(m, 11, 0.5));
		ck_assert_ptr_nonnull(row_of(m, 10, -5));
		m = advance(sample_at(2 + i, SRC_TASKS | SRC_TASKIO));
	}
	for (unsigned i = 0; i < 2; i++)
		m = advance(sample_at(2 + HISTORY_TICKS + i, SRC_TASKS | SRC_TASKIO));
	ck_assert_ptr_null(row_of(m, 11, 0.5));
	ck_assert_ptr_null(row_of(m, 10, -5));
}
END_TEST

/* As long as its process lives it grows older; then it is as old as that became. */
START_TEST(a_main_thread_that_ended_is_a_zombie)
{
	const struct task_row *leader;
	struct sample_task *thread;
	struct sample *s;

	for (unsigned i = 0; i < 5; i++) {
		s = sample_at(i, SRC_TASKS | SRC_TASKIO);
		if (i < 2)
			task(s, 10, 10, -5)->flags = i ? TASK_ENDED : 0;
		if (i < 4)
			thread = task(s, 10, 11, -4);
		if (i == 3) {
			thread->flags = TASK_ENDED;
			thread->exit = thread->id.start + 6 * SEC + SEC / 2;
		}
		leader = row_of(advance(s), 10, -5);
		ck_assert_int_eq(leader->row.flags & ROW_ENDED, i ? ROW_ENDED : 0);
		if (i == 1 || i == 2)
			ck_assert_str_eq(leader->state, "Z");
		if (i > 2)
			ck_assert_ptr_null(leader->state);
		ck_assert_uint_eq(leader->age_ns, i > 2 ? 7 * SEC + SEC / 2 : (5 + i) * SEC);
	}
}
END_TEST

START_TEST(the_maps_outliving_a_row_bring_nothing_back)
{
	struct task_id dead = { 30, 30, 1000 * SEC };
	const struct model *m = NULL;
	struct sample_task *t;
	struct sample *s;

	advance(sample_at(0, SRC_TASKS | SRC_TASKIO | SRC_BLOCK));
	for (unsigned i = 1; i < HISTORY_TICKS + 10; i++) {
		s = sample_at(i, SRC_TASKS | SRC_TASKIO | SRC_BLOCK);
		disks(s);
		if (i == 1) {
			t = task(s, 30, 30, 0);
			t->flags = TASK_ENDED;
		}
		io(s, dead, dead, DISK_DEV, OP_READ, 40960);
		m = advance(s);
		ck_assert(m->totals.flows.read == (i == 1 ? 40960 : 0));
	}
	ck_assert_ptr_null(row_of(m, 30, 0));
}
END_TEST

/* What it left behind is written when its row is gone: it has a row again, but not for ever. */
START_TEST(who_is_written_for_late_ends_again)
{
	struct task_id dead = { 30, 30, 1000 * SEC }, worker = { 9, 9, 5 * SEC };
	const unsigned late = HISTORY_TICKS + 5;
	const struct model *m = NULL;
	struct sample *s;

	advance(sample_at(0, SRC_TASKS | SRC_TASKIO | SRC_BLOCK));
	for (unsigned i = 1; i < late + HISTORY_TICKS + 5; i++) {
		s = sample_at(i, SRC_TASKS | SRC_TASKIO | SRC_BLOCK);
		disks(s);
		if (i == 1)
			task(s, 30, 30, 0)->flags = TASK_ENDED;
		if (i == late) {
			io(s, dead, worker, DISK_DEV, OP_WRITE, 40960);
			*sample_add_row(s, OWNER, struct sample_owner) =
				(struct sample_owner){ .id = dead, .flags = TASK_ENDED };
		}
		m = advance(s);
		if (i == late)
			ck_assert_uint_eq(row_of(m, 30, 0)->row.flags & ROW_ENDED, ROW_ENDED);
	}
	ck_assert_ptr_null(row_of(m, 30, 0));
}
END_TEST

/* At a device that is not a lowest one: it has a link, no counters, and stays as long. */
START_TEST(who_wrote_to_a_stacked_disk_stays)
{
	struct task_id dead = { 30, 30, 1000 * SEC };

	advance(sample_at(0, SRC_TASKS | SRC_TASKIO | SRC_BLOCK));
	for (unsigned i = 1; i < HISTORY_TICKS + 5; i++) {
		struct sample *s = sample_at(i, SRC_TASKS | SRC_TASKIO | SRC_BLOCK);
		const struct task_row *row;

		disks(s);
		if (i == 1) {
			io(s, dead, dead, LOOP_DEV, OP_WRITE, 40960);
			*sample_add_row(s, OWNER, struct sample_owner) =
				(struct sample_owner){ .id = dead, .flags = TASK_ENDED };
		}
		row = row_of(advance(s), 30, 0);
		ck_assert_int_eq(!row, i > HISTORY_TICKS + 1);
		if (row)
			ck_assert_ptr_nonnull(row->caused);
	}
}
END_TEST

/* One task in a listing, whose end was told in the second sample: how it is in those after it. */
static const struct task_row *told_to_have_ended(uint32_t flags, uint32_t state)
{
	const struct model *m = NULL;

	for (unsigned i = 0; i < 4; i++) {
		struct sample *s = sample_at(i, SRC_TASKS | SRC_TASKIO);
		struct sample_task *t = task(s, 10, 10, -100);
		bool ended = i == 1 || (i && (flags || state == 'Z'));

		t->write_bytes = (1 << 20) + i;
		t->state = i > 1 ? state : 'S';
		t->flags |= i == 1 ? TASK_ENDED : i > 1 ? flags : 0;
		m = advance(s);
		ck_assert_int_eq(!!(row_of(m, 10, -100)->row.flags & ROW_ENDED), ended);
	}
	return row_of(m, 10, -100);
}

START_TEST(a_thread_goes_on_by_the_numbers_of_the_main_one)
{
	const struct task_row *row = told_to_have_ended(0, 'S');

	ck_assert_str_eq(row->state, "S");
	ck_assert_uint_eq(sum(row)->write, 3);
}
END_TEST

START_TEST(who_is_still_listed_at_its_end_does_not_live)
{
	told_to_have_ended(TASK_EXITING, 'S');
}
END_TEST

START_TEST(a_zombie_does_not_live)
{
	told_to_have_ended(0, 'Z');
}
END_TEST

UNIT_FIXTURE_MAIN("ended", samples_setup, samples_teardown, a_reused_pid_is_a_new_row,
		  a_task_between_two_samples_has_its_row, idle_ended_tasks_do_not_stay,
		  a_listing_goes_on_after_a_zombie_was_dropped,
		  ended_tasks_do_not_fill_the_memory, kept_tasks_do_not_fill_the_memory,
		  dropped_threads_stay_in_their_process, short_threads_are_of_one_process,
		  a_main_thread_stays_with_its_threads, a_main_thread_that_ended_is_a_zombie,
		  the_maps_outliving_a_row_bring_nothing_back, who_is_written_for_late_ends_again,
		  who_wrote_to_a_stacked_disk_stays,
		  a_thread_goes_on_by_the_numbers_of_the_main_one,
		  who_is_still_listed_at_its_end_does_not_live, a_zombie_does_not_live)
