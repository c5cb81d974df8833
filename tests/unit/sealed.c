// SPDX-License-Identifier: GPL-2.0-or-later
/* A sample that was collected and a model that was built stay as they are. */
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "data/task/task.h"
#include "samples.h"
#include "tasks.h"

/* Whether a child that does this is ended for it. */
static bool is_fatal(void (*break_rule)(void *arg), void *arg)
{
	pid_t child = fork();
	int status;

	ck_assert_int_ge(child, 0);
	if (!child) {
		setrlimit(RLIMIT_CORE, &(struct rlimit){ 0 });
		break_rule(arg);
		_exit(0);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	return status != 0;
}

static void add_row(void *arg)
{
	sample_add_row((struct sample *)arg, CMDLINE, struct sample_cmdline);
}

static void add_loss(void *arg)
{
	sample_lose(arg, "tasks.lost", 1);
}

static void write_byte(void *arg)
{
	*(volatile char *)arg = 'x';
}

static void allocate(void *arg)
{
	arena_alloc(arg, 2 << 20);
}

static void *writable(const void *p)
{
	return (void *)(uintptr_t)p;
}

START_TEST(nothing_is_added_to_a_sealed_sample)
{
	struct sample *s = sample_at(0, SRC_TASKS);

	task(s, 10, 10, -1);
	ck_assert(!is_fatal(add_row, s));
	sample_seal(s);
	ck_assert(is_fatal(add_row, s));
	ck_assert(is_fatal(add_loss, s));
	ck_assert(is_fatal(allocate, &s->arena));
	sample_reset(s);
	ck_assert(!is_fatal(add_row, s));
}
END_TEST

START_TEST(nothing_is_allocated_in_a_model)
{
	struct sample *s = sample_at(0, SRC_TASKS);
	const struct model *m;

	task(s, 10, 10, -1);
	m = advance(s);
	ck_assert(is_fatal(allocate, writable(&m->arena)));
}
END_TEST

/* Rows and texts are read-only memory in debug builds only. */
#ifdef IOTOP_DEBUG
START_TEST(what_is_sealed_is_not_written)
{
	struct sample *s = sample_at(0, SRC_TASKS);
	struct sample_task *t = task(s, 10, 10, -1);
	const struct model *m;

	t->comm = sample_str(s, "cat", 3);
	ck_assert(!is_fatal(write_byte, t));
	ck_assert(!is_fatal(write_byte, writable(t->comm)));
	sample_seal(s);
	ck_assert(is_fatal(write_byte, t));
	ck_assert(is_fatal(write_byte, writable(t->comm)));
	m = advance(s);
	ck_assert(is_fatal(write_byte, writable(row_of(m, 10, -1))));
	/* The model after that is built in the same memory. */
	s = sample_at(1, SRC_TASKS);
	task(s, 10, 10, -1);
	m = advance(s);
	ck_assert(is_fatal(write_byte, writable(row_of(m, 10, -1))));
}
END_TEST
#else
START_TEST(what_is_sealed_is_not_written)
{
	(void)write_byte;
}
END_TEST
#endif

/* A command line that comes later is seen through the row, which stays the same. */
START_TEST(late_names_change_no_row)
{
	struct sample *s = sample_at(0, SRC_TASKS), *late = sample_new();
	const struct task_row *r;
	struct sample_cmdline *c;
	struct task_row before;

	task(s, 10, 10, -1)->comm = "cat";
	sample_seal(s);
	r = row_of(advance(s), 10, -1);
	before = *r;
	ck_assert_str_eq(task_command(r), "cat");
	c = sample_add_row(late, CMDLINE, struct sample_cmdline);
	c->id = r->id;
	c->args = "cat /etc/passwd";
	engine_late(engine, late);
	ck_assert_str_eq(task_command(r), "cat /etc/passwd");
	ck_assert_mem_eq(r, &before, sizeof(before));
	sample_free(late);
}
END_TEST

UNIT_FIXTURE_MAIN("sealed", samples_setup, samples_teardown, nothing_is_added_to_a_sealed_sample,
		  nothing_is_allocated_in_a_model, what_is_sealed_is_not_written,
		  late_names_change_no_row)
