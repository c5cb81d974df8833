// SPDX-License-Identifier: GPL-2.0-or-later
/* The names that stay with a sample are those of what is in it, as they were told last. */
#include "data/late.h"

#include "unit.h"

static const struct task_id TASK = { 10, 10, 5 }, GONE = { 11, 11, 5 }, REUSED = { 10, 10, 6 };

static void command(struct sample *late, struct task_id id, const char *args)
{
	*sample_add_row(late, CMDLINE, struct sample_cmdline) =
		(struct sample_cmdline){ .id = id, .args = args };
}

static void frames(struct sample *late, uint64_t id, const char *text)
{
	*sample_add_row(late, FRAMES, struct sample_frames) =
		(struct sample_frames){ .id = id, .text = text };
}

START_TEST(keeps)
{
	struct sample *late = sample_new(), *cur = sample_new(), *to = sample_new();
	const struct sample_cmdline *c;
	const struct sample_frames *f;

	command(late, GONE, "gone");
	command(late, TASK, "before exec");
	command(late, REUSED, "of another task with its id");
	command(late, TASK, "after exec");
	frames(late, 3, "kernel");
	frames(late, 4, "of nobody");
	frames(late, 7, "waker");
	frames(late, 5, "user");
	sample_add_row(cur, TASK, struct sample_task)->id = TASK;
	*sample_add_row(cur, STACKIO, struct sample_stackio) =
		(struct sample_stackio){ .kstack = 3, .ustack = 5 };
	*sample_add_row(cur, OFFCPU, struct sample_offcpu) =
		(struct sample_offcpu){ .kstack = 3, .waker_ustack = 7 };
	late_keep(to, late, cur);
	/* What is told later does not reach into it. */
	sample_free(late);

	ck_assert_uint_eq(to->tables[TABLE_CMDLINE].n, 1);
	c = to->tables[TABLE_CMDLINE].rows;
	ck_assert_int_eq(memcmp(&c->id, &TASK, sizeof(TASK)), 0);
	ck_assert_str_eq(c->args, "after exec");
	ck_assert_uint_eq(to->tables[TABLE_FRAMES].n, 3);
	f = to->tables[TABLE_FRAMES].rows;
	ck_assert_str_eq(f[0].text, "kernel");
	ck_assert_str_eq(f[1].text, "waker");
	ck_assert_str_eq(f[2].text, "user");
	sample_free(cur);
	sample_free(to);
}
END_TEST

UNIT_MAIN("late", keeps)
