// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Blocked tasks from hand-written samples: rows, what goes on, dropped counters, folding, the
 * steps.
 */
#include <string.h>

#include "data/selection.h"
#include "offcpu_rows.h"

static const struct offcpu_counters *now(size_t i)
{
	return (const struct offcpu_counters *)row(i)->row.now;
}

static const struct offcpu_counters *sum(size_t i)
{
	return (const struct offcpu_counters *)row(i)->row.sum;
}

START_TEST(threads_fold)
{
	struct sample *s;

	advance(at(0));
	s = at(1);
	block(s, 10, 300, 3, 150);
	block(s, 11, 200, 1, 200);
	frames(s, 1, "schedule\nio_schedule\nfilemap_update_page\nvfs_read");
	frames(s, 2, "try_to_wake_up\nbio_endio\nasm_common_interrupt");
	advance(s);
	ck_assert_uint_eq(view.n, 1);
	ck_assert_uint_eq(now(0)->blocked_ns, 500 * MS);
	ck_assert_uint_eq(now(0)->count, 4);
	ck_assert_uint_eq(now(0)->max_ns, 200 * MS);
	ck_assert_uint_eq(row(0)->pid, 10);
	ck_assert_int_eq(view_value(&view, 0, entity_column(&entity_offcpu, "tid"),
				    &unit_texts).kind, VAL_NONE);
	ck_assert_str_eq(row(0)->woken.str, "irq (sda)");
	ck_assert_str_eq(text_of("cause"), "page of a file");
	ck_assert_str_eq(text_of("request_op"), "read");
	ck_assert_str_eq(text_of("request_disk"), "sda");
	ck_assert_str_eq(text_of("request_avg"), "2.00ms");
	ck_assert_str_eq(row(0)->stacks[OFFCPU_KERNEL]->items[2], "filemap_update_page");
	spec.group = GROUP_NONE;
	view_build(&view, engine_advance(engine, at(2), SRC_OFFCPU), &spec);
	ck_assert_uint_eq(view.n, 0);
}
END_TEST

/*
 * What the first sample has is a baseline; a counter that is dropped and comes back counts from
 * zero.
 */
/* The same stack, with the kernel's word that memory was short: two rows. */
START_TEST(refault)
{
	struct sample *s;

	advance(at(0));
	s = at(1);
	block(s, 10, 300, 3, 150);
	block(s, 11, 900, 3, 400)->memstall = 1;
	frames(s, 1, "schedule\nio_schedule\nfilemap_update_page\nvfs_read");
	advance(s);
	ck_assert_uint_eq(view.n, 2);
	ck_assert_uint_eq(now(0)->blocked_ns, 900 * MS);
	ck_assert_str_eq(text_of("cause"), "refault");
	ck_assert_str_eq(row(1)->reason, "page of a file");
}
END_TEST

/* The same stack, and a limit held the request back for most of it. */
START_TEST(limited)
{
	struct sample *s;

	advance(at(0));
	s = at(1);
	block(s, 10, 300, 3, 150);
	block(s, 11, 900, 3, 400)->limited = 1;
	frames(s, 1, "schedule\nio_schedule\nfilemap_update_page\nvfs_read");
	advance(s);
	ck_assert_uint_eq(view.n, 2);
	ck_assert_str_eq(text_of("cause"), "limit");
	ck_assert_str_eq(row(1)->reason, "page of a file");
}
END_TEST

/* Python is python, whatever it runs: a word is looked for in the command line, too. */
START_TEST(found_by_command)
{
	const unsigned on = SRC_OFFCPU | SRC_TASKS | SRC_CMDLINE;
	struct sample *s;
	struct filter *filter;
	struct task_id id;
	struct err err;
	size_t place;

	engine_advance(engine, sample_at(0, on), on);
	s = sample_at(1, on);
	*sample_add_row(s, TASK, struct sample_task) = (struct sample_task){
		.id = { 10, 10, 5 }, .process = 5, .comm = "reader", .flags = TASK_LISTED,
		.have = SRC_TASKS,
	};
	block(s, 10, 300, 3, 150)->dev = 0;
	ck_assert_int_eq(filter_parse("backup", &entity_offcpu, &filter, &place, &err), 0);
	spec.filter = filter;
	view_build(&view, engine_advance(engine, s, on), &spec);
	ck_assert_uint_eq(view.n, 0);
	ck_assert_uint_eq(view_selects(&spec) & SRC_CMDLINE, SRC_CMDLINE);
	ck_assert(entity_offcpu.wants_command(view.model->rows[ENTITY_OFFCPU].rows[0], &id));
	ck_assert_uint_eq(id.tgid, 10);
	*sample_add_row(s, CMDLINE, struct sample_cmdline) =
		(struct sample_cmdline){ .id = id, .args = "/srv/backup.py --all" };
	engine_late(engine, s);
	view_build(&view, view.model, &spec);
	ck_assert_uint_eq(view.n, 1);
	ck_assert_str_eq(text_of("command"), "/srv/backup.py --all");
	ck_assert(!entity_offcpu.wants_command(view.rows[0].row, &id));
	filter_free(filter);
}
END_TEST

START_TEST(counters)
{
	struct sample *s = at(0);

	spec.group = GROUP_NONE;
	block(s, 10, 5000, 50, 100);
	advance(s);
	ck_assert_uint_eq(view.n, 0);
	s = at(1);
	block(s, 10, 5100, 51, 100);
	advance(s);
	ck_assert_uint_eq(view.n, 1);
	ck_assert_uint_eq(now(0)->blocked_ns, 100 * MS);
	ck_assert_uint_eq(now(0)->count, 1);
	advance(at(2));
	ck_assert_uint_eq(view.n, 0);
	s = at(3);
	block(s, 10, 40, 2, 30);
	advance(s);
	ck_assert_uint_eq(now(0)->blocked_ns, 40 * MS);
	ck_assert_uint_eq(sum(0)->blocked_ns, 140 * MS);
	ck_assert_uint_eq(sum(0)->max_ns, 100 * MS);
	/* Nothing more: the longest time of an old interval says nothing on this one. */
	s = at(4);
	block(s, 10, 40, 2, 30);
	advance(s);
	ck_assert_uint_eq(view.n, 0);
}
END_TEST

START_TEST(goes_on)
{
	spec.group = GROUP_NONE;
	advance(at(0));
	for (int i = 1; i <= 3; i++) {
		struct sample *s = at(i);
		struct sample_offcpu *b =
			block(s, 10, 1000 * (uint64_t)i, (uint64_t)i, 1000 * (uint64_t)i);

		b->waker_kind = WAKER_NONE;
		b->dev = b->io_ns = b->waker_kstack = 0;
		advance(s);
		ck_assert_uint_eq(now(0)->blocked_ns, 1000 * MS);
		ck_assert_uint_eq(now(0)->count, 1);
		ck_assert_uint_eq(now(0)->max_ns, 1000 * MS * (uint64_t)i);
		ck_assert_str_eq(row(0)->woken.str, "still waiting");
		ck_assert_int_eq(
			view_value(&view, 0, entity_column(&entity_offcpu, "waker_kind"),
				   &unit_texts).kind,
			VAL_NONE);
	}
}
END_TEST

/* Two processes of one name: the name is left. */
START_TEST(wakers_of_one_name)
{
	struct sample *s = at(1);

	advance(at(0));
	for (uint32_t i = 0; i < 2; i++) {
		struct sample_offcpu *b = block(s, 10, 300, 3, 150);

		b->dev = 0;
		b->waker_kind = WAKER_TASK;
		b->waker = (struct task_id){ 20 + i, 20 + i, 5 };
		b->waker_comm = "writer";
	}
	advance(s);
	ck_assert_uint_eq(view.n, 2);
	ck_assert_str_eq(text_of("waker"), "writer");
	ck_assert_ptr_eq(strstr(text_of("woken"), "writer 2"), text_of("woken"));
	spec.group = GROUP_COMM;
	view_build(&view, view.model, &spec);
	ck_assert_uint_eq(view.n, 1);
	ck_assert_str_eq(text_of("waker"), "writer");
	ck_assert_str_eq(text_of("woken"), "writer");
	ck_assert_str_eq(text_of("waker_pid"), "-");
	ck_assert_str_eq(text_of("pid"), "10");
}
END_TEST

/* What an interrupt woke that no request has ended: a timer. There is no request then. */
START_TEST(timers)
{
	struct sample *s = at(1);
	struct sample_offcpu *b;

	advance(at(0));
	b = block(s, 10, 300, 3, 150);
	b->dev = 0;
	frames(s, 1, "schedule\nhrtimer_nanosleep");
	frames(s, 2, "try_to_wake_up\nhrtimer_wakeup");
	advance(s);
	ck_assert_str_eq(text_of("cause"), "sleep");
	ck_assert_str_eq(text_of("woken"), "irq (timer)");
	ck_assert_str_eq(text_of("request_op"), "-");
	ck_assert_str_eq(text_of("request_disk"), "-");
	ck_assert_str_eq(text_of("request_avg"), "-");
}
END_TEST

/* The target's code down to where it waits, then the waker's from where it wakes up. */
START_TEST(steps_meet)
{
	static const char *const want[] = { "reader", "vfs_read", "schedule", "--",
					    "try_to_wake_up", "bio_endio", "irq (sda)" };
	const struct step *steps;
	struct sample *s;
	struct arena a;
	size_t n;

	advance(at(0));
	s = at(1);
	block(s, 10, 300, 3, 150);
	frames(s, 1, "schedule\nvfs_read");
	frames(s, 2, "try_to_wake_up\nbio_endio");
	advance(s);
	arena_init(&a);
	n = entity_offcpu.steps(&row(0)->row, 0, &a, &steps);
	ck_assert_uint_eq(n, ARRAY_SIZE(want));
	for (size_t i = 0; i < n; i++)
		ck_assert_str_eq(steps[i].text, want[i]);
	ck_assert_uint_eq(entity_offcpu.weight(row(0)->row.now, WEIGHT_BYTES), 300000);
	arena_release(&a);
}
END_TEST

START_TEST(unresolved)
{
	struct sample *s;
	const struct model *m;
	uint64_t ids[ROW_STACKS];

	advance(at(0));
	s = at(1);
	block(s, 10, 300, 3, 150);
	m = advance(s);
	ck_assert_uint_eq(entity_offcpu.wants_stacks(m->rows[ENTITY_OFFCPU].rows[0], ids), 2);
	frames(s, 1, "schedule");
	engine_late(engine, s);
	ck_assert_uint_eq(entity_offcpu.wants_stacks(m->rows[ENTITY_OFFCPU].rows[0], ids), 1);
	ck_assert_uint_eq(ids[0], 2);
}
END_TEST

/* New threads for hours, and sums of them: rows are bounded, the time is all there. */
START_TEST(hours_of_new_threads)
{
	const struct model *m = advance(at(0));

	options.accumulated = true;
	engine_set_options(engine, &options);
	for (unsigned t = 1; t <= 16; t++) {
		struct sample *s = at(t);
		uint64_t blocked = 0, longest = 0;

		block(s, 1, 7, 1, 7);
		for (uint32_t i = 0; i < 1500; i++)
			block(s, 10000 * t + i, 5, 1, t == 1 && !i ? 5000 : 5);
		m = advance(s);
		for (size_t i = 0; i < m->rows[ENTITY_OFFCPU].n; i++) {
			const struct offcpu_counters *c =
				(const struct offcpu_counters *)m->rows[ENTITY_OFFCPU].rows[i]->sum;

			blocked += c->blocked_ns;
			longest = MAX(longest, c->max_ns);
		}
		ck_assert_uint_eq(blocked, (1500 * 5 * t + 7) * MS);
		ck_assert_uint_eq(longest, 5000 * MS);
		ck_assert_uint_le(m->rows[ENTITY_OFFCPU].n, 16384);
	}
}
END_TEST

/* However many wakers a process has, none is left out, and each is there once. */
START_TEST(every_waker)
{
	struct offcpu_wakers wakers;
	struct row_index index;
	struct arena a;
	struct sample *s = at(1);

	engine_advance(engine, s, SRC_OFFCPU);
	s = at(2);
	for (uint32_t i = 0; i < 200; i++) {
		struct sample_offcpu *b = block(s, 10 + i % 2, i + 1, 1, i + 1);

		b->dev = 0;
		b->waker_kind = WAKER_TASK;
		b->waker = (struct task_id){ 1000 + i / 2, 1000 + i / 2, 3 };
		b->waker_comm = "writer";
	}
	block(s, 77, 5, 1, 5)->id.tgid = 11;
	arena_init(&a);
	index = offcpu_by_process(engine_advance(engine, s, SRC_OFFCPU), &a);
	wakers = offcpu_wakers(&index, 10, false, &a);
	ck_assert_uint_eq(wakers.n, 100);
	ck_assert_uint_eq(wakers.ns, 200 * 201 / 2 * MS);
	for (size_t i = 0; i < wakers.n; i++) {
		/* The last two blocks had the longest time. */
		ck_assert_uint_eq(wakers.items[i].ns, (2 * (100 - i) * 2 - 1) * MS);
		ck_assert_uint_eq(wakers.items[i].row->waker_id.tgid, 1099 - i);
		ck_assert_uint_eq(wakers.items[i].row->id.tid, 11);
	}
	wakers = offcpu_wakers(&index, 11, true, &a);
	ck_assert_uint_eq(wakers.n, 1);
	ck_assert_uint_eq(offcpu_wakers(&index, 12, true, &a).n, 0);
	arena_release(&a);
}
END_TEST

/* Rows of tasks that are not selected are in no view and in no total, but in the model. */
START_TEST(selected)
{
	static uint32_t numbers[] = { 7 };
	static const struct number_set uids = { numbers, ARRAY_SIZE(numbers) };
	static const struct selection selection = { .uids = &uids };
	const struct model *m = NULL;

	engine_set_options(engine, &(struct engine_options){ .selection = &selection });
	for (unsigned tick = 0; tick < 2; tick++) {
		struct sample *s = at(tick);
		struct sample_offcpu *b = block(s, 10, 30 * tick, tick, 1);

		b->uid = 7;
		b->cgroup = 1;
		block(s, 11, 500 * tick, tick, 1)->cgroup = 1;
		/* Without a control group its user is not known either. */
		block(s, 12, 500 * tick, tick, 1)->uid = 7;
		m = advance(s);
	}
	ck_assert_uint_eq(m->rows[ENTITY_OFFCPU].n, 3);
	ck_assert_uint_eq(offcpu_totals(m).blocked_ns, 30 * MS);
	view_build(&view, m, &spec);
	ck_assert_uint_eq(view.n, 1);
	ck_assert_uint_eq(((const struct offcpu_counters *)view.rows[0].row->now)->blocked_ns,
			  30 * MS);
}
END_TEST

UNIT_FIXTURE_MAIN("offcpu_model", setup, teardown, threads_fold, refault, limited,
		  found_by_command, counters, goes_on, steps_meet, unresolved, wakers_of_one_name,
		  timers, every_waker, hours_of_new_threads, selected)
