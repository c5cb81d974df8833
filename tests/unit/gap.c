/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where nobody recorded: nothing of that is in a rate or a sum, and sums go on behind it. */
#include "tasks.h"

#define SOURCES (SRC_TASKS | SRC_TASKIO | SRC_BLOCK | SRC_DISKS)

/*
 * Two tasks have written so much by then, one of them to a disk. The second one started in the gap.
 */
static const struct model *at(double seconds, uint64_t bytes, bool gap)
{
	struct sample *s = sample_at(seconds, SOURCES);
	struct task_id id = task(s, 10, 10, -50)->id;

	if (seconds > 3)
		task(s, 20, 20, 50)->read_bytes = bytes;
	io(s, id, id, DISK_DEV, OP_WRITE, bytes);
	disks(s);
	((struct sample_disk *)s->tables[TABLE_DISK].rows)->wr_sectors = bytes / 512;
	s->gap = gap;
	return engine_advance(engine, s, WANTED | SRC_DISKS);
}

static void assert_sums(const struct model *m, uint64_t bytes, double elapsed)
{
	ck_assert_uint_eq(sum(row_of(m, 10, -50))->write, bytes);
	ck_assert(m->sums.disk_write == (double)bytes);
	ck_assert(m->elapsed == elapsed);
}

START_TEST(nothing_of_a_gap_counts)
{
	const struct model *m;

	at(0, 1 << 20, false);
	m = at(1, 2 << 20, false);
	assert_sums(m, 1 << 20, 1);
	m = at(100, 90 << 20, true);
	ck_assert(m->interval == 0);
	ck_assert_uint_eq(now(row_of(m, 10, -50))->write, 0);
	assert_sums(m, 1 << 20, 1);
	m = at(102, 96 << 20, false);
	ck_assert(m->interval == 2);
	ck_assert(m->totals.flows.write == (3 << 20));
	ck_assert(m->totals.flows.disk_write == (3 << 20));
	ck_assert_uint_eq(now(row_of(m, 10, -50))->write, 6 << 20);
	ck_assert(!row_of(m, 20, 50)->row.sum || !sum(row_of(m, 20, 50))->dirty);
	assert_sums(m, 7 << 20, 3);
}
END_TEST

/* The machine was started again: its clocks and its counters begin anew. */
START_TEST(another_boot)
{
	const struct model *m;

	at(100, 1 << 20, false);
	at(101, 90 << 20, false);
	m = at(0, 1 << 20, true);
	ck_assert(m->interval == 0);
	assert_sums(m, 89 << 20, 1);
	m = at(2, 3 << 20, false);
	ck_assert(m->totals.flows.disk_write == (1 << 20));
	assert_sums(m, 91 << 20, 3);
}
END_TEST

UNIT_FIXTURE_MAIN("gap", samples_setup, samples_teardown, nothing_of_a_gap_counts, another_boot)
