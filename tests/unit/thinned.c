// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Fewer samples tell the same: whatever comes and goes, each sum is to the byte what it was with
 * all of them, at every sample that is left. Tasks that lived between two of these are there.
 */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "data/disk/disk.h"
#include "data/entity.h"
#include "data/model.h"
#include "data/task/task.h"
#include "record/thinner.h"
#include "unit.h"

#define SAMPLES	  600
#define TASKS	  24
#define PATHS	  12
#define DISK_TIME (offsetof(struct disk_counters, load.time_ns) / sizeof(uint64_t))
#define SUM(row, i) ((row) ? (unsigned long long)((const uint64_t *)(row)->sum)[i] : 0)

static uint64_t seed;

static uint64_t dice(uint64_t sides)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (seed >> 20) % sides;
}

/* What the machine does. A task of pid 0 is not there. */
static struct world {
	struct sample_task tasks[TASKS];
	struct sample_io io[TASKS][2];
	struct sample_stackio paths[PATHS];
	bool path_there[PATHS], task_ended[TASKS], taskio_off[TASKS];
	struct sample_disk disks[3];
	bool disk_there[3];
	uint64_t boot, real, sources_since;
	uint32_t pid;
	bool no_stacks;
} world;

static void begin_task(unsigned i, bool old)
{
	struct sample_task *t = &world.tasks[i];

	*t = (struct sample_task){
		.id = { ++world.pid, world.pid, world.boot - (old ? 5 * NSEC_PER_SEC : 1000) },
		.flags = TASK_LISTED,
		.comm = "someone",
		.state = 'S',
		.have = SRC_TASKS | SRC_TASKIO | SRC_WAITS | SRC_DELAYS,
		.read_bytes = old ? dice(100000) : 0,
	};
	t->process = t->id.start;
	for (uint32_t op = 0; op < 2; op++)
		world.io[i][op] = (struct sample_io){
			.cause = t->id, .submitter = t->id, .dev = 8u << 20 | (i % 2), .op = op
		};
	world.task_ended[i] = false;
}

static void begin_disk(unsigned i)
{
	static const char *const names[] = { "sda", "sdb", "loop0" };

	world.disks[i] = (struct sample_disk){ .dev = 8u << 20 | i,
					       .whole = 8u << 20 | i,
					       .flags = DISK_LOWEST,
					       .name = names[i],
					       .type = "disk",
					       .below = "",
					       .rd_ios = i == 2 ? dice(50) : 0 };
	world.disk_there[i] = true;
}

static void act(unsigned i)
{
	struct sample_task *t = &world.tasks[i];
	uint64_t bytes = dice(1000) * 512;
	unsigned op = (unsigned)dice(2);

	t->read_bytes += dice(2000);
	t->write_bytes += bytes;
	/* It deletes what it has not yet written. */
	if (!dice(8))
		t->cancelled_bytes += dice(t->write_bytes - t->cancelled_bytes + 1);
	t->wait_ns += dice(1000);
	t->iowait_ns += dice(1000);
	t->blkio_ns += dice(1000);
	t->flags = TASK_LISTED | (dice(200) ? 0 : TASK_DOUBT);
	world.io[i][op].ios++;
	world.io[i][op].bytes += bytes;
	world.io[i][op].done++;
	world.io[i][op].lat_ns += dice(100000);
	world.io[i][op].max_ns = dice(100000);
	world.disks[i % 2].wr_ios++;
	world.disks[i % 2].wr_sectors += bytes / 512;
}

static void live(unsigned i)
{
	struct sample_task *t = &world.tasks[i];

	if (world.task_ended[i])
		t->id.tgid = 0;
	if (!t->id.tgid && !dice(6))
		begin_task(i, !dice(20));
	if (!t->id.tgid)
		return;
	if (dice(3))
		act(i);
	world.taskio_off[i] = !dice(100);
	if (!dice(12)) {
		world.task_ended[i] = true;
		t->flags = dice(4) ? TASK_ENDED : 0; /* or nobody tells of it */
		t->exit = world.boot;
	}
}

/* The kernel forgets a path that nobody takes, and counts it from zero after that. */
static void take_paths(void)
{
	for (unsigned i = 0; i < PATHS; i++) {
		struct sample_stackio *p = &world.paths[i];

		if (world.path_there[i] && !dice(6)) {
			world.path_there[i] = false;
		} else if (!world.path_there[i] && !dice(4)) {
			*p = (struct sample_stackio){ .cause = { 7, 7, 1 },
						      .submitter = { 7, 7, 1 },
						      .dev = 8u << 20,
						      .kstack = i + 1,
						      .comm = "path" };
			world.path_there[i] = true;
		}
		p->ios += dice(5);
		p->bytes += dice(5000);
	}
}

static void change_disks(void)
{
	if (!dice(20) && world.disk_there[2])
		world.disk_there[2] = false;
	else if (!dice(20))
		begin_disk(2);
	world.disks[2].rd_ios += dice(3);
	world.disks[2].rd_sectors += dice(30);
	if (!dice(150)) /* it fell: a counter of 32 bits is full */
		world.disks[0].wr_sectors = dice(10);
}

static void put_sources(struct sample *s)
{
	for (unsigned i = 0; i < SRC_COUNT; i++) {
		struct sample_source *row = sample_add(s, TABLE_SOURCE);
		bool off = world.no_stacks && 1u << i == SRC_STACKS;

		row->source = 1u << i;
		row->state = off ? SOURCE_OFF : SOURCE_ON;
		row->since = off ? 0 : 1u << i == SRC_STACKS ? world.sources_since : 1000;
	}
}

static void put_tasks(struct sample *s)
{
	for (unsigned i = 0; i < TASKS; i++) {
		struct sample_task *t = &world.tasks[i];

		if (!t->id.tgid)
			continue;
		if (!world.task_ended[i] || t->flags & TASK_ENDED)
			*(struct sample_task *)sample_add(s, TABLE_TASK) = *t;
		if (world.taskio_off[i] && s->tables[TABLE_TASK].n)
			((struct sample_task *)s->tables[TABLE_TASK].rows)[0].have &=
				~(unsigned)SRC_TASKIO;
		for (unsigned op = 0; op < 2; op++)
			if (world.io[i][op].ios)
				*(struct sample_io *)sample_add(s, TABLE_IO) = world.io[i][op];
	}
}

static void next_sample(struct sample *s, unsigned number)
{
	uint64_t step = NSEC_PER_SEC + dice(1000000);

	world.boot += step;
	world.real += step;
	if (!dice(150)) {
		world.no_stacks = !world.no_stacks;
		world.sources_since = world.boot - 1000;
		memset(world.path_there, 0, sizeof(world.path_there));
	}
	for (unsigned i = 0; i < TASKS; i++)
		live(i);
	if (!world.no_stacks)
		take_paths();
	change_disks();
	sample_reset(s);
	s->gap = number && !dice(200);
	s->mono = s->boot = world.boot;
	s->real = world.real;
	put_sources(s);
	put_tasks(s);
	for (unsigned i = 0; i < PATHS; i++)
		if (world.path_there[i] && !world.no_stacks)
			*(struct sample_stackio *)sample_add(s, TABLE_STACKIO) = world.paths[i];
	for (unsigned i = 0; i < 3; i++)
		if (world.disk_there[i])
			*(struct sample_disk *)sample_add(s, TABLE_DISK) = world.disks[i];
}

static void make_all(struct sample **all)
{
	memset(&world, 0, sizeof(world));
	world.boot = 100 * NSEC_PER_SEC;
	world.real = 1000000 * NSEC_PER_SEC;
	world.sources_since = 1000;
	begin_disk(0);
	begin_disk(1);
	for (unsigned i = 0; i < SAMPLES; i++) {
		all[i] = sample_new();
		next_sample(all[i], i);
	}
}

static struct sample *left[SAMPLES];
static unsigned marks[SAMPLES];
static size_t nleft;

static int keep(void *arg, const struct sample *s, unsigned mark, struct err *err)
{
	ck_assert_uint_lt(nleft, SAMPLES);
	left[nleft] = sample_new();
	sample_copy(left[nleft], s);
	marks[nleft++] = mark;
	return 0;
}

static void thin(struct sample **all, size_t n, uint64_t interval)
{
	struct thinner *m = thinner_new(&(struct thinner_options){ interval, keep, NULL });
	struct err err = { "" };

	nleft = 0;
	for (size_t i = 0; i < n; i++)
		ck_assert_int_eq(thinner_add(m, all[i], i == 77, &err), 0);
	ck_assert_int_eq(thinner_end(m, &err), 0);
	thinner_free(m);
}

/* Often it is at the same place. */
static const struct row *find(const struct model *m, enum entity_id e, size_t place, uint64_t key)
{
	size_t n = m->rows[e].n;

	for (size_t i = 0; i < n; i++)
		if (m->rows[e].rows[(place + i) % n]->key == key)
			return m->rows[e].rows[(place + i) % n];
	return NULL;
}

static void assert_same_row(const struct row *a, const struct row *b, unsigned counter, size_t at)
{
	ck_assert_msg(SUM(a, counter) == SUM(b, counter),
		      "sample %zu, %s %s: counter %u is %llu, not %llu", at,
		      (a ? a : b)->entity->name, (a ? a : b)->name ? (a ? a : b)->name : "",
		      counter, SUM(b, counter), SUM(a, counter));
}

/* Each row of one of the models is in the other, or it counted nothing. */
static uint64_t assert_same_sums(const struct model *a, const struct model *b, enum entity_id e,
				 size_t at)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < a->rows[e].n + b->rows[e].n; i++) {
		const struct row *x = i < a->rows[e].n ? a->rows[e].rows[i] : NULL,
				 *y = x ? find(b, e, i, x->key) : b->rows[e].rows[i - a->rows[e].n];

		if (!x)
			x = find(a, e, i - a->rows[e].n, y->key);
		for (unsigned c = 0; c < (x ? x : y)->entity->nsum; c++)
			/* How long a disk was there is known to an interval. */
			if (e != ENTITY_DISK || c != DISK_TIME)
				assert_same_row(x, y, c, at);
		sum += SUM(x, 0) + SUM(x, 1);
	}
	return sum;
}

static void assert_same_models(struct sample **all)
{
	static const struct engine_options options = { .accumulated = true, .whole = true };
	struct engine *a = engine_new(&options), *b = engine_new(&options);
	const struct model *x = NULL, *y;
	size_t at = 0;

	for (size_t i = 0; i < nleft; i++) {
		do
			x = engine_advance(a, all[at], ~0u);
		while (all[at++]->real != left[i]->real);
		y = engine_advance(b, left[i], ~0u);
		ck_assert_int_eq(x->gap, y->gap);
		if (i % 5 && i + 1 < nleft)
			continue;
		ck_assert(assert_same_sums(x, y, ENTITY_TASK, i) || i < 10);
		assert_same_sums(x, y, ENTITY_DISK, i);
		assert_same_sums(x, y, ENTITY_STACK, i);
	}
	engine_free(a);
	engine_free(b);
}

static void free_all(struct sample **all, size_t n)
{
	for (size_t i = 0; i < n; i++)
		sample_free(all[i]);
}

START_TEST(same_sums)
{
	struct sample *all[SAMPLES], *ten[SAMPLES];
	size_t n;

	seed = 1000 + (uint64_t)_i;
	make_all(all);
	thin(all, SAMPLES, 10 * NSEC_PER_SEC);
	assert_same_models(all);
	/* Of those again. */
	n = nleft;
	memcpy(ten, left, sizeof(left));
	thin(ten, n, 60 * NSEC_PER_SEC);
	assert_same_models(all);
	free_all(left, nleft);
	free_all(ten, n);
	free_all(all, SAMPLES);
}
END_TEST

/* Where nothing odd happens: as many as there are intervals, and who was there for once. */
START_TEST(fewer)
{
	struct sample *all[SAMPLES];
	bool there = false, ended = false;
	unsigned marked = 0;

	for (unsigned i = 0; i < SAMPLES; i++) {
		struct sample_task *t;

		all[i] = sample_new();
		all[i]->mono = all[i]->boot = (i + 1000) * NSEC_PER_SEC;
		all[i]->real = (6000 + i + 1) * NSEC_PER_SEC;
		t = sample_add(all[i], TABLE_TASK);
		t->id = (struct task_id){ 1, 1, 1 };
		t->comm = "init";
		t->write_bytes = i * 1000;
		if (i != 304)
			continue;
		t = sample_add(all[i], TABLE_TASK);
		t->id = (struct task_id){ 9, 9, all[i]->boot - NSEC_PER_SEC / 2 };
		t->comm = "brief";
		t->flags = TASK_ENDED;
		t->write_bytes = 12345;
		((struct sample_cgroup *)sample_add(all[i], TABLE_CGROUP))->limit = "io.max";
		((struct sample_cmdline *)sample_add(all[i], TABLE_CMDLINE))->args = "brief --now";
	}
	thin(all, SAMPLES, 60 * NSEC_PER_SEC);
	/* The first is one of its own. */
	ck_assert_uint_eq(nleft, 11);
	for (size_t i = 0; i < nleft; i++) {
		marked += marks[i];
		sample_each(left[i], TASK, const struct sample_task, t)
		{
			there |= t->write_bytes == 12345 && !strcmp(t->comm, "brief");
			ended |= t->id.tgid == 9 && t->flags & TASK_ENDED;
		}
	}
	ck_assert(there && ended && marked == 1);
	ck_assert_str_eq(((struct sample_cgroup *)left[6]->tables[TABLE_CGROUP].rows)->limit,
			 "io.max");
	ck_assert_str_eq(((struct sample_cmdline *)left[6]->tables[TABLE_CMDLINE].rows)->args,
			 "brief --now");
	free_all(left, nleft);
	free_all(all, SAMPLES);
}
END_TEST

int main(void)
{
	TCase *tcase = unit_case("thinned", NULL, NULL);

	/* A busy machine is no failure; a round takes most of a minute under a sanitizer. */
	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(tcase, same_sums, 0, UNIT_SANITIZED ? 1 : 4);
	tcase_add_test(tcase, fewer);
	return unit_run();
}
