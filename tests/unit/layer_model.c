// SPDX-License-Identifier: GPL-2.0-or-later
/* Layers from hand-written samples: what ended, what runs, shares. */
#include "layers.h"

#include <math.h>
#include <string.h>

#include "data/layer/layer_parts.h"

static const struct layer_row *row(const struct model *m, uint32_t layer, uint32_t op)
{
	for (size_t i = 0; i < m->rows[ENTITY_LAYER].n; i++) {
		const struct layer_row *r = (const struct layer_row *)m->rows[ENTITY_LAYER].rows[i];

		if (r->layer_id == layer && r->op_id == op)
			return r;
	}
	return NULL;
}

static const struct model *advance(struct sample *s)
{
	return engine_advance(engine, s, SRC_LAYERS);
}

START_TEST(differences)
{
	struct sample *s = at(1);
	const struct layer_row *r;

	add(s, LAYER_SYSCALL, LAYER_READ, 10, 100 * MS);
	ck_assert_uint_eq(advance(s)->rows[ENTITY_LAYER].n, 0);
	s = at(2);
	add(s, LAYER_SYSCALL, LAYER_READ, 14, 140 * MS);
	add(s, LAYER_SYSCALL, LAYER_WRITE, 3, 3 * MS);
	advance(s);
	r = row(advance(s), LAYER_SYSCALL, LAYER_READ);
	ck_assert_ptr_nonnull(r);
	ck_assert_uint_eq(r->sum->count, 4);
	ck_assert_uint_eq(r->sum->lat_ns, 40 * MS);
	ck_assert_uint_eq(hist_total(r->hist[1]), 4);
	ck_assert_str_eq(r->fs, "ext4");
	/* What appears later began to count after the first sample. */
	ck_assert_uint_eq(row(advance(s), LAYER_SYSCALL, LAYER_WRITE)->sum->count, 3);
}
END_TEST

START_TEST(running)
{
	struct sample_layer *l;
	struct sample *s;
	const struct layer_row *r;

	advance(at(1));
	s = at(2);
	l = add(s, LAYER_SYSCALL, LAYER_FSYNC, 0, 0);
	l->running = 1;
	l->running_ns = l->max_ns = 700 * MS;
	r = row(advance(s), LAYER_SYSCALL, LAYER_FSYNC);
	ck_assert_ptr_nonnull(r);
	ck_assert_uint_eq(r->now->count, 0);
	ck_assert_uint_eq(r->now->time_ns, 700 * MS);
	ck_assert_uint_eq(r->now->max_ns, 700 * MS);
	ck_assert_uint_eq(r->running, 1);
	/* It ends: its time counts once. */
	s = at(3);
	add(s, LAYER_SYSCALL, LAYER_FSYNC, 1, 1200 * MS);
	r = row(advance(s), LAYER_SYSCALL, LAYER_FSYNC);
	ck_assert_uint_eq(r->now->count, 1);
	ck_assert_uint_eq(r->now->lat_ns, 1200 * MS);
	ck_assert_uint_eq(r->now->time_ns, 500 * MS);
	ck_assert_uint_eq(r->sum->time_ns, 1200 * MS);
	ck_assert_uint_eq(r->running, 0);
	/* A sample in which what ended is still among what runs takes nothing away later. */
	s = at(4);
	l = add(s, LAYER_SYSCALL, LAYER_FSYNC, 2, 1300 * MS);
	l->running = 1;
	l->running_ns = 100 * MS;
	advance(s);
	s = at(5);
	add(s, LAYER_SYSCALL, LAYER_FSYNC, 2, 1300 * MS);
	r = row(advance(s), LAYER_SYSCALL, LAYER_FSYNC);
	ck_assert_uint_eq(r->now->time_ns, 0);
	ck_assert_uint_eq(r->sum->time_ns, 1400 * MS);
}
END_TEST

/* The sample after an empty one. */
static struct sample *next_to_nothing(void)
{
	advance(at(1));
	return at(2);
}

START_TEST(shares)
{
	struct sample *s = next_to_nothing();
	const struct model *m;

	add(s, LAYER_SYSCALL, LAYER_FSYNC, 10, 1000 * MS);
	add(s, LAYER_FS, LAYER_FSYNC, 10, 900 * MS);
	add(s, LAYER_FS, LAYER_JOURNAL, 10, 450 * MS);
	add(s, LAYER_DEVICE, LAYER_FLUSH, 20, 250 * MS);
	add(s, LAYER_DEVICE, LAYER_READ, 20, 250 * MS);
	m = advance(s);
	ck_assert_double_eq_tol(row(m, LAYER_FS, LAYER_FSYNC)->share[0], 90, 1e-9);
	ck_assert_double_eq_tol(row(m, LAYER_FS, LAYER_JOURNAL)->share[0], 50, 1e-9);
	ck_assert_double_eq_tol(row(m, LAYER_DEVICE, LAYER_FLUSH)->share[0], 25, 1e-9);
	ck_assert(isnan(row(m, LAYER_DEVICE, LAYER_READ)->share[0]));
	ck_assert(isnan(row(m, LAYER_SYSCALL, LAYER_FSYNC)->share[0]));
	ck_assert_ptr_eq(row(m, LAYER_FS, LAYER_JOURNAL)->row.parent,
			 row(m, LAYER_FS, LAYER_FSYNC));
	ck_assert_ptr_eq(row(m, LAYER_FS, LAYER_FSYNC)->row.parent,
			 row(m, LAYER_SYSCALL, LAYER_FSYNC));
	ck_assert_ptr_null(row(m, LAYER_DEVICE, LAYER_FLUSH)->row.parent);
}
END_TEST

/*
 * An fsync() that began before the interval and ended in it: its steps are told at its end, all of
 * them.
 */
START_TEST(steps)
{
	struct sample *s = next_to_nothing();
	struct sample_layer *l = add(s, LAYER_FS, LAYER_FSYNC, 0, 0);
	const struct model *m;

	l->running = 1;
	l->running_ns = 600 * MS;
	advance(s);
	s = at(3);
	add(s, LAYER_FS, LAYER_FSYNC, 1, 1000 * MS);
	add(s, LAYER_FS, LAYER_DATA, 1, 100 * MS);
	add(s, LAYER_FS, LAYER_JOURNAL, 1, 900 * MS);
	m = advance(s);
	ck_assert_uint_eq(row(m, LAYER_FS, LAYER_FSYNC)->now->time_ns, 400 * MS);
	ck_assert_double_eq_tol(row(m, LAYER_FS, LAYER_DATA)->share[0], 10, 1e-9);
	ck_assert_double_eq_tol(row(m, LAYER_FS, LAYER_JOURNAL)->share[0], 90, 1e-9);
}
END_TEST

/* The tab was closed for a while: counters begin again at zero. */
START_TEST(again)
{
	struct sample *s;

	advance(at(1));
	s = at(2);
	add(s, LAYER_SYSCALL, LAYER_READ, 100, 100 * MS);
	advance(s);
	/* Not built while nobody wants it. */
	engine_advance(engine, at(3), 0);
	engine_advance(engine, at(4), 0);
	s = at(5);
	sample_opened(s, SRC_LAYERS, 4.5);
	add(s, LAYER_SYSCALL, LAYER_READ, 7, 7 * MS);
	ck_assert_uint_eq(row(advance(s), LAYER_SYSCALL, LAYER_READ)->now->count, 7);
}
END_TEST

/* By process, not by thread, and by file, whoever reads it; one that comes back begins at zero. */
START_TEST(callers)
{
	struct sample *s = at(1);
	const struct layer_row *r;

	add(s, LAYER_SYSCALL, LAYER_READ, 10, 10 * MS);
	add_caller(s, 7, 7, 12, "/a", 10);
	advance(s);
	s = at(2);
	add(s, LAYER_SYSCALL, LAYER_READ, 20, 20 * MS);
	add_caller(s, 7, 7, 12, "/a", 11);
	add_caller(s, 7, 8, 13, NULL, 5);
	add_caller(s, 9, 9, 12, "/a", 4);
	r = row(advance(s), LAYER_SYSCALL, LAYER_READ);
	check_shares(&r->tasks[0], "main 7", 6, "main 9", 4);
	check_shares(&r->files[0], "/a", 5, "[inode 13]", 5);
	s = at(3);
	add(s, LAYER_SYSCALL, LAYER_READ, 22, 22 * MS);
	add_caller(s, 9, 9, 12, "/a", 6);
	r = row(advance(s), LAYER_SYSCALL, LAYER_READ);
	check_shares(&r->tasks[0], "main 9", 2, NULL, 0);
	check_shares(&r->tasks[1], "main 7", 6, "main 9", 6);
	s = at(4);
	add(s, LAYER_SYSCALL, LAYER_READ, 25, 25 * MS);
	add_caller(s, 7, 7, 12, "/a", 3);
	r = row(advance(s), LAYER_SYSCALL, LAYER_READ);
	check_shares(&r->tasks[0], "main 7", 3, NULL, 0);
	check_shares(&r->tasks[1], "main 7", 9, "main 9", 6);
}
END_TEST

/* Threads are known by their exact identity: an earlier thread of that tid is another. */
START_TEST(sums_of_threads)
{
	struct task_id ids[] = { { 7, 7, 7 }, { 7, 8, 8 }, { 9, 9, 10 } };
	struct sample *s = next_to_nothing();
	struct layer_sums sums;
	const struct model *m;

	add(s, LAYER_SYSCALL, LAYER_READ, 20, 20 * MS);
	add_caller(s, 7, 7, 12, "/a", 6);
	add_caller(s, 7, 8, 13, NULL, 5);
	add_caller(s, 9, 9, 12, "/a", 4);
	m = advance(s);
	layer_sums_of(m, ids, 3, false, &sums);
	ck_assert_uint_eq(sums.at[LAYER_SYSCALL][LAYER_READ].count, 11);
	ck_assert_uint_eq(sums.at[LAYER_SYSCALL][LAYER_READ].time_ns, 11 * MS);
	ids[2].start = 9;
	layer_sums_of(m, ids, 3, true, &sums);
	ck_assert_uint_eq(sums.at[LAYER_SYSCALL][LAYER_READ].count, 15);
	layer_sums_of(m, ids, 0, true, &sums);
	ck_assert_uint_eq(sums.at[LAYER_SYSCALL][LAYER_READ].count, 0);
}
END_TEST

/* Nobody calls for it: what a page fault waits for is a call of its own. */
START_TEST(faults)
{
	struct sample *s = next_to_nothing();
	const struct layer_row *r;
	const struct model *m;

	add(s, LAYER_CACHE, LAYER_FAULT, 10, 40 * MS);
	add(s, LAYER_DEVICE, LAYER_READ, 10, 30 * MS);
	m = advance(s);
	r = row(m, LAYER_CACHE, LAYER_FAULT);
	ck_assert_ptr_nonnull(r);
	ck_assert_str_eq(r->op, "fault");
	ck_assert_ptr_null(r->row.parent);
	ck_assert(isnan(r->share[0]));
	ck_assert_double_eq(row(m, LAYER_DEVICE, LAYER_READ)->share[0], 75);
}
END_TEST

static size_t shown_at(const struct model *m, uint32_t layer, uint32_t dev)
{
	size_t n = 0;

	for (size_t i = 0; i < m->rows[ENTITY_LAYER].n; i++) {
		const struct layer_row *r = (const struct layer_row *)m->rows[ENTITY_LAYER].rows[i];

		n += r->layer_id == layer && r->dev == dev;
	}
	return n;
}

/*
 * With one kind of file system, the disks are shown that it lies on: of a partition, below a
 * volume, or seen at calls only.
 */
START_TEST(one_kind)
{
	enum { SDB = SDA + 16, SDC = SDA + 32, SDD = SDA + 48, DM = 253 << 20 };
	static const uint32_t disks[] = { SDA, SDB, SDC, SDD, DM };
	static const char *const names[] = { "sda", "sdb", "sdc", "sdd", "dm-0" };
	const struct model *m = NULL;

	engine_set_options(engine, &(struct engine_options){ .fs = "xfs" });
	for (unsigned tick = 1; tick < 3; tick++) {
		struct sample *s = sample_at(tick, SRC_LAYERS | SRC_DISKS);
		struct sample_disk *part;

		for (size_t i = 0; i < ARRAY_SIZE(disks); i++) {
			sample_disk(s, disks[i], names[i]);
			add(s, LAYER_DEVICE, LAYER_READ, tick, tick * MS)->dev = disks[i];
		}
		part = sample_disk(s, SDB + 1, "sdb1");
		part->whole = SDB;
		part->kinds = "ext4\nxfs";
		((struct sample_disk *)s->tables[TABLE_DISK].rows)[4].kinds = "xfs";
		((struct sample_disk *)s->tables[TABLE_DISK].rows)[4].below = "sdc";
		((struct sample_disk *)s->tables[TABLE_DISK].rows)[0].kinds = "ext4\nnotxfs";
		add(s, LAYER_SYSCALL, LAYER_READ, tick, tick * MS);
		*add(s, LAYER_SYSCALL, LAYER_READ, tick, tick * MS) = (struct sample_layer){
			.dev = SDD,
			.fs = "xfs",
			.layer = LAYER_SYSCALL,
			.op = LAYER_READ,
			.count = tick,
			.total_ns = tick * MS,
		};
		m = advance(s);
	}
	ck_assert_uint_eq(shown_at(m, LAYER_SYSCALL, SDA), 0);
	ck_assert_uint_eq(shown_at(m, LAYER_SYSCALL, SDD), 1);
	ck_assert_uint_eq(shown_at(m, LAYER_DEVICE, SDA), 0);
	for (size_t i = 1; i < ARRAY_SIZE(disks); i++)
		ck_assert_uint_eq(shown_at(m, LAYER_DEVICE, disks[i]), 1);
}
END_TEST

/* A histogram of another size is none. */
START_TEST(damaged)
{
	struct sample *s;

	advance(at(1));
	s = at(2);
	add(s, LAYER_SYSCALL, LAYER_READ, 100, 100 * MS)->hist.len = 8;
	ck_assert_uint_eq(hist_total(row(advance(s), LAYER_SYSCALL, LAYER_READ)->hist[0]), 0);
}
END_TEST

UNIT_FIXTURE_MAIN("layer_model", samples_setup, samples_teardown, differences, running, shares,
		  steps, again, callers, sums_of_threads, faults, one_kind, damaged)
