// SPDX-License-Identifier: GPL-2.0-or-later
/* One row a task, whatever the sources say of it. */
#include "unit.h"

#include <stdint.h>
#include <string.h>

#include "base/clock.h"
#include "collect/delayacct.h"
#include "collect/merge.h"
#include "collect/proc/proc.h"

#define SEC NSEC_PER_SEC
#define MSEC (NSEC_PER_SEC / 1000)

static struct merge *m;
static struct sample *s;

static void setup(void)
{
	m = merge_new();
	s = sample_new();
	s->boot = s->mono = 1000 * SEC;
}

static void teardown(void)
{
	merge_free(m);
	sample_free(s);
}

static void next(void)
{
	uint64_t boot = s->boot;

	sample_reset(s);
	s->boot = s->mono = boot + SEC;
}

static struct sample_task *add(uint32_t tgid, uint32_t tid, uint64_t start, uint32_t flags)
{
	struct sample_task *t = sample_add_row(s, TASK, struct sample_task);

	t->id = (struct task_id){ tgid, tid, start };
	t->flags = flags;
	t->comm = "x";
	t->state = flags & TASK_ENDED ? 0 : 'S';
	t->have = SRC_TASKS;
	return t;
}

static struct sample_task *row(size_t i)
{
	ck_assert_uint_lt(i, s->tables[TABLE_TASK].n);
	return (struct sample_task *)s->tables[TABLE_TASK].rows + i;
}

static size_t count(void)
{
	return s->tables[TABLE_TASK].n;
}

/*
 * The accounting's estimate of a start becomes that of the listing before, and what it does not
 * tell is taken from there.
 */
START_TEST(ended_was_listed)
{
	struct sample_task *t = add(10, 11, 500 * SEC, TASK_LISTED);

	t->cgroup = 77;
	t->ioprio = 1 << 13;
	merge_tasks(m, s, false);
	next();
	add(10, 10, 500 * SEC, TASK_LISTED);
	t = add(0, 11, 500 * SEC + 3 * MSEC, TASK_ENDED);
	t->read_bytes = 4096;
	merge_tasks(m, s, false);
	ck_assert_uint_eq(count(), 2);
	ck_assert_uint_eq(row(1)->id.tgid, 10);
	ck_assert_uint_eq(row(1)->id.start, 500 * SEC);
	ck_assert_uint_eq(row(1)->cgroup, 77);
	ck_assert_uint_eq(row(1)->ioprio, 1 << 13);
	ck_assert_uint_eq(row(1)->read_bytes, 4096);
}
END_TEST

/* Never listed and without I/O at a disk, but it called: the layers know the task exactly. */
START_TEST(ended_called)
{
	struct sample_caller *c = sample_add_row(s, CALLER, struct sample_caller);

	c->id = (struct task_id){ 20, 21, 900 * SEC + 123 };
	add(0, 21, 900 * SEC - 5 * MSEC, TASK_ENDED);
	merge_tasks(m, s, false);
	ck_assert_uint_eq(count(), 1);
	ck_assert_mem_eq(&row(0)->id, &c->id, sizeof(c->id));
}
END_TEST

/* A tid that another task had before: too far apart to be the same. */
START_TEST(reused_tid)
{
	add(11, 11, 500 * SEC, TASK_LISTED);
	merge_tasks(m, s, false);
	next();
	add(11, 11, 999 * SEC, TASK_ENDED);
	merge_tasks(m, s, false);
	ck_assert_uint_eq(count(), 1);
	ck_assert_uint_eq(row(0)->id.start, 999 * SEC);
}
END_TEST

/* Never listed, but the block maps know the task exactly. */
START_TEST(ended_did_io)
{
	struct sample_io *io = sample_add_row(s, IO, struct sample_io);

	io->cause = (struct task_id){ 20, 21, 900 * SEC + 123 };
	add(0, 21, 900 * SEC - 5 * MSEC, TASK_ENDED);
	merge_tasks(m, s, false);
	ck_assert_uint_eq(count(), 1);
	ck_assert_mem_eq(&row(0)->id, &io->cause, sizeof(io->cause));
	/* A residual is no task, whatever its number. */
	next();
	io = sample_add_row(s, IO, struct sample_io);
	io->cause = (struct task_id){ 0, 2, 0 };
	add(0, 2, 500 * MSEC, TASK_ENDED);
	merge_tasks(m, s, false);
	ck_assert_uint_eq(row(0)->id.start, 500 * MSEC);
	ck_assert_uint_eq(row(0)->id.tgid, 2);
}
END_TEST

/* Two sources tell of one end: one row with all that both know; counters only grow. */
START_TEST(told_twice)
{
	struct sample_task *t = add(30, 30, 900 * SEC, TASK_ENDED);

	t->have = SRC_TASKS | SRC_EXITS | SRC_TASKIO;
	t->read_bytes = 100;
	t->write_bytes = 7;
	t = add(0, 30, 900 * SEC + 2 * MSEC, TASK_ENDED);
	t->have = SRC_TASKIO | SRC_DELAYS;
	t->read_bytes = 90;
	t->write_bytes = 8;
	t->blkio_ns = 5;
	merge_tasks(m, s, false);
	ck_assert_uint_eq(count(), 1);
	ck_assert_uint_eq(row(0)->id.start, 900 * SEC);
	ck_assert_uint_eq(row(0)->have, SRC_TASKS | SRC_EXITS | SRC_TASKIO | SRC_DELAYS);
	ck_assert_uint_eq(row(0)->read_bytes, 100);
	ck_assert_uint_eq(row(0)->write_bytes, 8);
	ck_assert_uint_eq(row(0)->blkio_ns, 5);
	/* … and again in the next sample: not a second time. */
	next();
	add(30, 30, 900 * SEC + 1, TASK_ENDED);
	merge_tasks(m, s, false);
	ck_assert_uint_eq(count(), 0);
	/* Much later the same number is another task. */
	next();
	add(30, 30, 950 * SEC, TASK_ENDED);
	merge_tasks(m, s, false);
	ck_assert_uint_eq(count(), 1);
}
END_TEST

/* Listed and told to have ended in the same sample: one row; as a zombie it does not come back. */
START_TEST(zombie)
{
	struct sample_task *t = add(40, 40, 900 * SEC, TASK_LISTED);

	t->read_bytes = 5;
	t = add(40, 40, 900 * SEC, TASK_ENDED);
	t->read_bytes = 9;
	t->exit = 999 * SEC;
	merge_tasks(m, s, false);
	ck_assert_uint_eq(count(), 1);
	ck_assert_uint_eq(row(0)->flags, TASK_LISTED | TASK_ENDED);
	ck_assert_uint_eq(row(0)->read_bytes, 9);
	ck_assert_uint_eq(row(0)->exit, 999 * SEC);
	for (int i = 0; i < 20; i++) {
		next();
		add(40, 40, 900 * SEC, TASK_LISTED)->state = 'Z';
		add(41, 41, 900 * SEC, TASK_LISTED)->state = 'Z';
		merge_tasks(m, s, false);
		ck_assert_uint_eq(count(), 1);
		ck_assert_uint_eq(row(0)->id.tid, 41);
	}
}
END_TEST

/* Where starts are known to clock ticks only, all tables agree on them. */
START_TEST(ticks)
{
	uint64_t tick = proc_tick_ns(), exact = 900 * SEC + tick / 2;
	struct sample_io *io = sample_add_row(s, IO, struct sample_io);
	struct sample_owner *o = sample_add_row(s, OWNER, struct sample_owner);
	struct sample_caller *c = sample_add_row(s, CALLER, struct sample_caller);
	struct sample_stackio *path = sample_add_row(s, STACKIO, struct sample_stackio);
	struct sample_offcpu *b = sample_add_row(s, OFFCPU, struct sample_offcpu);

	c->id = path->cause = path->submitter = b->id = b->waker =
		(struct task_id){ 50, 50, exact };
	io->cause = (struct task_id){ 50, 50, exact };
	io->submitter = (struct task_id){ 0, RESIDUAL_SWAP, 0 };
	o->id = (struct task_id){ 50, 50, exact };
	add(50, 50, 900 * SEC, TASK_LISTED);
	merge_tasks(m, s, true);
	ck_assert_uint_eq(io->cause.start, 900 * SEC);
	ck_assert_uint_eq(o->id.start, 900 * SEC);
	ck_assert_uint_eq(io->submitter.start, 0);
	ck_assert_uint_eq(c->id.start, 900 * SEC);
	ck_assert_uint_eq(path->cause.start, 900 * SEC);
	ck_assert_uint_eq(path->submitter.start, 900 * SEC);
	ck_assert_uint_eq(b->id.start, 900 * SEC);
	ck_assert_uint_eq(b->waker.start, 900 * SEC);
	next();
	io = sample_add_row(s, IO, struct sample_io);
	io->cause = (struct task_id){ 50, 50, exact };
	merge_tasks(m, s, false);
	ck_assert_uint_eq(io->cause.start, exact);
}
END_TEST

/* As the accounting tells it: a start from an age. */
static struct sample_task *message(uint32_t tgid, uint32_t tid, uint64_t start)
{
	struct sample_task *t = add(tgid, tid, start, TASK_ENDED);

	t->have = SRC_TASKIO | SRC_DELAYS | SRC_EXITS;
	return t;
}

/* The machine slept for 400 s: the message's age knows nothing of it. */
START_TEST(suspended)
{
	s->mono -= 400 * SEC;
	add(60, 60, 100 * SEC, TASK_LISTED);
	merge_tasks(m, s, false);
	next();
	s->mono -= 400 * SEC;
	message(60, 60, 500 * SEC)->exit = s->boot - SEC / 2;
	merge_tasks(m, s, false);
	ck_assert_uint_eq(count(), 1);
	ck_assert_uint_eq(row(0)->id.start, 100 * SEC);
	/* The message comes after what BPF told: once is enough. */
	next();
	s->mono -= 400 * SEC;
	message(60, 60, 500 * SEC);
	merge_tasks(m, s, false);
	ck_assert_uint_eq(count(), 0);
	/*
	 * Another process' thread, and one that started before the task: however long the machine
	 * slept.
	 */
	next();
	s->mono -= 400 * SEC;
	message(61, 60, 500 * SEC);
	message(60, 60, 90 * SEC);
	merge_tasks(m, s, false);
	ck_assert_uint_eq(count(), 2);
}
END_TEST

/* The machine slept once, long ago; the tid is used again and again. */
START_TEST(reused_after_suspend)
{
	s->mono -= 400 * SEC;
	add(70, 70, 900 * SEC, TASK_LISTED);
	merge_tasks(m, s, false);
	for (int i = 0; i < 5; i++) {
		next();
		next();
		s->mono -= 400 * SEC;
		message(70, 70, s->boot - 2 * SEC / 10)->exit = s->boot - SEC / 10;
		merge_tasks(m, s, false);
		ck_assert_uint_eq(count(), 1);
		ck_assert_uint_eq(row(0)->id.start, s->boot - 2 * SEC / 10);
	}
	/* While it slept in this very interval, it may have been the one of before. */
	next();
	add(71, 71, 900 * SEC, TASK_LISTED);
	s->mono -= 400 * SEC;
	merge_tasks(m, s, false);
	next();
	s->mono -= 500 * SEC;
	message(71, 71, s->boot - SEC / 10);
	merge_tasks(m, s, false);
	ck_assert_uint_eq(row(0)->id.start, 900 * SEC);
}
END_TEST

START_TEST(many)
{
	for (uint32_t i = 1; i <= 20000; i++)
		add(i, i, 100 * SEC, TASK_LISTED);
	merge_tasks(m, s, false);
	ck_assert_uint_eq(count(), 20000);
	next();
	for (uint32_t i = 1; i <= 20000; i += 2)
		add(i, i, 100 * SEC, TASK_LISTED);
	for (uint32_t i = 20000; i > 0; i -= 2)
		add(0, i, 100 * SEC + MSEC, TASK_ENDED);
	merge_tasks(m, s, false);
	ck_assert_uint_eq(count(), 20000);
	for (size_t i = 0; i < count(); i++) {
		ck_assert_uint_eq(row(i)->id.start, 100 * SEC);
		ck_assert_uint_eq(row(i)->id.tgid, row(i)->id.tid);
		ck_assert_int_eq(row(i)->id.tid % 2 == 0, !!(row(i)->flags & TASK_ENDED));
	}
}
END_TEST

UNIT_FIXTURE_MAIN("merge", setup, teardown, ended_was_listed, reused_tid, ended_did_io,
		  ended_called, told_twice, zombie, ticks, suspended, reused_after_suspend, many)
