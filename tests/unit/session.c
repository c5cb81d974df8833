// SPDX-License-Identifier: GPL-2.0-or-later
/* A step of a session, taken from a recording: what is called, in which order, and what it sees. */
#include "session.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../golden/scene.h"
#include "data/stack/stack.h"
#include "data/task/task.h"
#include "unit.h"

#define TICKS 4

static char path[] = "/tmp/iotop-session-XXXXXX";
static struct session session;
static struct view_spec spec;
static struct view view;
static char calls[64];	/* s: show, y: yield */

static void record_scene(void)
{
	static const struct scene scene = { .stacks = true };
	struct sample *s = sample_new();	/* with late rows as well */
	struct recorder *r;
	struct err err;

	ck_assert_int_eq(recorder_open(path, &r, &err), 0);
	for (unsigned tick = 0; tick < TICKS; tick++) {
		sample_reset(s);
		scene_sample(&scene, s, tick);
		sample_each(s, TASK, const struct sample_task, t)
			if (tick == 2 && t->id.tid == t->id.tgid && t->id.start)
				scene_command(&scene, s, &t->id);
		ck_assert_int_eq(recorder_write(r, s, s, &err), 0);
	}
	ck_assert_int_eq(recorder_close(r, &err), 0);
	sample_free(s);
}

static void setup(void)
{
	struct session_options opt = { .replay = path, .stop_fd = -1 };
	struct err err;
	int fd = mkstemp(path);

	ck_assert_int_ge(fd, 0);
	close(fd);
	unlink(path);
	record_scene();
	ck_assert_msg(session_open(&session, &opt, &err) == 0, "%s", err.text);
	spec = (struct view_spec){ .entity = &entity_task, .entity_id = ENTITY_TASK };
	view_init(&view);
	calls[0] = '\0';
}

static void teardown(void)
{
	struct err err;

	view_release(&view);
	ck_assert_int_eq(session_close(&session, &err), 0);
	unlink(path);
	memcpy(path + sizeof(path) - 7, "XXXXXX", 6);
}

static void show(_unused_ void *arg, const struct model *m)
{
	strcat(calls, "s");
	view_build(&view, m, &spec);
}

static const struct view_spec *the_spec(_unused_ void *arg)
{
	return &spec;
}

static const struct row *row(_unused_ void *arg, size_t i)
{
	return i < view.n ? view.rows[i].row : NULL;
}

/* The model is shown whenever somebody may look. */
static void yield(_unused_ void *arg)
{
	strcat(calls, "y");
	ck_assert(!session.looked_at || view.model == session.model);
}

static const struct session_viewer viewer = {
	.show = show, .spec = the_spec, .row = row, .yield = yield,
};

static int step(const struct session_viewer *v)
{
	struct err err = { "" };

	return session_step(&session, SRC_TASKS | SRC_CMDLINE | SRC_STACKS, v, &err);
}

/* The command of the first row that has one, NULL: none has. */
static const char *command(void)
{
	for (size_t i = 0; i < view.n; i++) {
		const struct task_row *t = (const struct task_row *)view.rows[i].row;

		if (t->command && *t->command && !(t->row.flags & ROW_KTHREAD))
			return *t->command;
	}
	return NULL;
}

START_TEST(steps_to_the_end)
{
	for (int i = 0; i < TICKS; i++) {
		ck_assert_int_eq(step(&viewer), 1);
		ck_assert_ptr_nonnull(session.model);
		ck_assert(session.model->cur->sealed);
		/* They come with the third sample, and stay. */
		ck_assert_int_eq(command() != NULL, i >= 2);
	}
	ck_assert_int_eq(step(&viewer), 0);
}
END_TEST

START_TEST(whoever_yields_sees_the_model)
{
	/* Nobody looks: the view is built once, when all names are there. */
	ck_assert_int_eq(step(&viewer), 1);
	ck_assert_str_eq(calls, "ys");
	session.looked_at = true;
	calls[0] = '\0';
	ck_assert_int_eq(step(&viewer), 1);
	ck_assert_str_eq(calls, "sy");
}
END_TEST

START_TEST(a_step_without_a_viewer)
{
	static const struct session_viewer nobody;
	const struct row_list *stacks;
	const struct stack_row *r;

	ck_assert_int_eq(step(&nobody), 1);
	ck_assert_int_eq(step(&nobody), 1);
	ck_assert_str_eq(calls, "");
	stacks = &session.model->rows[ENTITY_STACK];
	ck_assert_uint_gt(stacks->n, 0);
	r = (const struct stack_row *)stacks->rows[0];
	/* Names that are recorded beside the sample are in its rows. */
	ck_assert(r->path || !(r->kstack_id || r->ustack_id));
}
END_TEST

/* One report over all of it: at the end the newest interval is still there. */
START_TEST(one_report_at_the_end)
{
	static const struct session_viewer nobody;
	double interval;

	session.once = true;
	for (int i = 0; i < TICKS; i++)
		ck_assert_int_eq(step(&nobody), 1);
	interval = session.model->interval;
	ck_assert_double_gt(interval, 0);
	ck_assert_int_eq(step(&nobody), 0);
	ck_assert_double_eq(session.model->interval, interval);
}
END_TEST

/* A source that was not recorded is off, and says so, when somebody asks for it. */
START_TEST(what_was_not_recorded)
{
	static const struct session_viewer nobody;
	struct err err = { "" };
	const struct model *m;

	ck_assert_int_eq(session_step(&session, SRC_TASKS | SRC_LAYERS, &nobody, &err), 1);
	m = session.model;
	ck_assert(!(m->have & SRC_LAYERS));
	ck_assert_str_eq(m->sources[__builtin_ctz(SRC_LAYERS)].reason, source_unrecorded);
	ck_assert_ptr_null(m->sources[__builtin_ctz(SRC_OFFCPU)].reason);
	ck_assert_ptr_null(m->sources[__builtin_ctz(SRC_TASKS)].reason);
}
END_TEST

UNIT_FIXTURE_MAIN("session", setup, teardown, what_was_not_recorded, steps_to_the_end,
		  whoever_yields_sees_the_model, a_step_without_a_viewer, one_report_at_the_end)
