/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is said while nothing is found: who is the busiest. */
#include <string.h>

#include "data/finding/finding.h"
#include "tasks.h"

#define THREADED 20
#define SINGLE 30

static void add_io(struct sample *s, const struct sample_task *t, uint64_t bytes)
{
	io(s, t->id, t->id, DISK_DEV, OP_READ, bytes);
}

/* So many seconds after the first: three threads of one process, another, and a residual. */
static const struct model *second(unsigned n)
{
	struct sample *s = sample_at(n, WANTED | SRC_DISKS | SRC_SYSTEM);
	const struct task_id kernel = { 40, 40, 0 };
	uint64_t each = n * (300ULL << 10);

	disks(s);
	for (uint32_t tid = THREADED; tid < THREADED + 3; tid++) {
		struct sample_task *t = task(s, THREADED, tid, -50);

		t->comm = tid == THREADED ? "threaded" : "helper";
		add_io(s, t, each);
	}
	add_io(s, task(s, SINGLE, SINGLE, -50), n * (500ULL << 10));
	io(s, (struct task_id){ 0, RESIDUAL_JOURNAL, 0 }, kernel, DISK_DEV, OP_WRITE,
	   n * (200ULL << 10));
	io(s, (struct task_id){ 0, RESIDUAL_METADATA, 0 }, kernel, DISK_DEV, OP_WRITE,
	   n * (100ULL << 10));
	return engine_advance(engine, s, WANTED | SRC_DISKS | SRC_SYSTEM);
}

/* Threads of a process are one, residuals are none. */
START_TEST(processes)
{
	char text[300];

	second(0);
	second(1);
	finding_nothing(second(2), &(struct unit_style){ 0 }, text, sizeof(text));
	ck_assert_ptr_nonnull(strstr(text, "; busiest: threaded 20 900 KiB/s, worker 30 500 KiB/s, "
					   "[journal] 200 KiB/s"));
}
END_TEST

UNIT_FIXTURE_MAIN("finding_calm", samples_setup, samples_teardown, processes)
