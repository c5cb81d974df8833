// SPDX-License-Identifier: GPL-2.0-or-later
/* What tasks dirtied: by the block programs, else by the kernel's count. */
#include "tasks.h"

/*
 * The kernel counts direct writes among the bytes that a task dirtied (sample_task.write_bytes);
 * the programs count pages.
 */
START_TEST(direct_writes_dirty_nothing)
{
	static const struct {
		uint64_t counted, cancelled, dirtied, shown;
	} steps[] = {
		{ 5 << 20, 0, 1 << 20, 0 },
		{ 95 << 20, 0, (1 << 20) + 4096, 4096 },
		{ 95 << 20, 4096, (1 << 20) + 8192, 0 },
		{ 96 << 20, 4096, (1 << 20) + 16384, 8192 },
		{ 99 << 20, 4096, (1 << 20) + 16384, 0 },
	};
	const struct model *m;

	for (unsigned i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		struct sample *s = sample_at(i, SRC_TASKS | SRC_TASKIO | SRC_BLOCK);
		struct sample_task *t = task(s, 10, 10, -1);
		struct sample_owner *o = sample_add_row(s, OWNER, struct sample_owner);

		t->write_bytes = steps[i].counted;
		t->cancelled_bytes = steps[i].cancelled;
		*o = (struct sample_owner){ .id = t->id, .comm = "x", .flags = TASK_DIRTIED,
					    .dirtied = steps[i].dirtied };
		/* A task that came later is counted from its beginning on. */
		if (i == 1) {
			o = sample_add_row(s, OWNER, struct sample_owner);
			*o = (struct sample_owner){ .id = task(s, 11, 11, 0.5)->id, .comm = "y",
						    .flags = TASK_DIRTIED, .dirtied = 12288 };
		}
		m = advance(s);
		if (i)
			ck_assert_uint_eq(now(row_of(m, 10, -1))->dirty, steps[i].shown);
		if (i == 1)
			ck_assert_uint_eq(sum(row_of(m, 11, 0.5))->dirty, 12288);
	}
	ck_assert_uint_eq(sum(row_of(m, 10, -1))->dirty, 12288);
}
END_TEST

/* Without the programs the kernel's count is all there is. */
START_TEST(by_the_kernel)
{
	const struct model *m = NULL;

	for (unsigned i = 0; i < 2; i++) {
		struct sample *s = sample_at(i, SRC_TASKS | SRC_TASKIO | SRC_BLOCK);
		struct sample_task *t = task(s, 10, 10, -1);

		t->write_bytes = 4096 * i;
		*(struct sample_owner *)sample_add_row(s, OWNER, struct sample_owner) =
			(struct sample_owner){ .id = t->id, .comm = "x" };
		m = advance(s);
	}
	ck_assert_uint_eq(now(row_of(m, 10, -1))->dirty, 4096);
}
END_TEST

UNIT_FIXTURE_MAIN("dirtied", samples_setup, samples_teardown, direct_writes_dirty_nothing,
		  by_the_kernel)
