// SPDX-License-Identifier: GPL-2.0-or-later
/* Files: what calls asked of them, what of that the page cache had, and what is dirty. */
#include <math.h>

#include "files.h"

static void call(struct sample *s, struct task_id id, uint64_t ino, uint32_t op, uint64_t count,
		 uint64_t bytes)
{
	*sample_add_row(s, CALLER, struct sample_caller) = (struct sample_caller){
		.id = id, .ino = ino, .sdev = DISK_DEV, .dev = DISK_DEV, .layer = LAYER_SYSCALL,
		.op = op, .comm = "x", .path = ino == 101 ? "/srv/cached" : NULL, .count = count,
		.total_ns = count * 1000, .bytes = bytes,
	};
}

/* What calls asked, beside what of it came from the disk; whose calls reached no disk, too. */
START_TEST(calls)
{
	struct view_spec spec;
	struct sample *s;
	struct view v;

	step(begin(0));
	s = begin(1);
	file(s, id(10, 10, -50), 100, "/srv/a", MIB, 3 * MIB);
	call(s, id(10, 10, -50), 100, LAYER_READ, 20, 3 * MIB);
	call(s, id(10, 11, -40), 100, LAYER_READ, 10, MIB);
	call(s, id(10, 10, -50), 100, LAYER_WRITE, 5, 2 * MIB);
	call(s, id(10, 10, -50), 100, LAYER_OPEN, 2, 0);
	call(s, id(10, 10, -50), 100, LAYER_FSYNC, 1, 0);
	/* Of no column, and of no file. */
	call(s, id(10, 10, -50), 100, LAYER_RANGE, 7, 0);
	call(s, id(10, 10, -50), 0, LAYER_READ, 7, MIB);
	call(s, id(20, 20, -30), 101, LAYER_READ, 1, MIB);
	show(&v, step(s), GROUP_FILE, &spec);
	ck_assert_uint_eq(v.n, 3);
	ck_assert_double_eq(number(&v, named(&v, "[other files]"), "rcalls"), 7);
	ck_assert_double_eq(number(&v, 0, "rcalls"), 30);
	ck_assert_double_eq(number(&v, 0, "rcall_bytes"), 4 * MIB);
	ck_assert_double_eq(number(&v, 0, "wcall_bytes"), 2 * MIB);
	ck_assert_double_eq(number(&v, 0, "wcalls"), 5);
	ck_assert_double_eq(number(&v, 0, "opens"), 2);
	ck_assert_double_eq(number(&v, 0, "fsyncs"), 1);
	ck_assert_double_eq(number(&v, 0, "clat"), 1000);
	ck_assert_double_eq(number(&v, 0, "hit"), 75);
	ck_assert_double_eq(number(&v, 0, "amp"), 1.5);
	ck_assert_double_eq(number(&v, named(&v, "/srv/cached"), "hit"), 100);
	ck_assert_str_eq(text(&v, named(&v, "/srv/cached"), "amp"), "-");
	view_release(&v);
}
END_TEST

/*
 * What only a stacked disk has of a file, and what calls and dirty pages say of it, is one row of
 * its process; a path that one process has is that of the others.
 */
START_TEST(one_row_each)
{
	struct view_spec spec;
	struct sample *s;
	struct view v;

	step(begin(0));
	s = begin(1);
	at_loop(file(s, id(10, 10, -50), 100, "/srv/above", MIB, MIB));
	call(s, id(10, 10, -50), 100, LAYER_READ, 4, 4 * MIB);
	call(s, id(20, 20, -30), 100, LAYER_READ, 1, MIB);
	show(&v, step(s), GROUP_NONE, &spec);
	ck_assert_uint_eq(v.n, 2);
	ck_assert_double_eq(number(&v, 0, "read"), MIB);
	ck_assert_double_eq(number(&v, 0, "rcalls"), 4);
	ck_assert_double_eq(number(&v, 0, "hit"), 75);
	ck_assert_str_eq(text(&v, 0, "mount"), "/srv");
	ck_assert_str_eq(text(&v, 1, "path"), "/srv/above");
	ck_assert_str_eq(text(&v, 1, "mount"), "/srv");
	view_release(&v);
}
END_TEST

static uint64_t asked(const struct model *m, bool hits)
{
	const struct task_counters *n =
		(const struct task_counters *)row_of(m, 10, -50)->row.now;

	return hits ? n->hits : n->misses;
}

/* The sample of a step in which so many MiB were read from the disk, since the begin. */
static struct sample *read_so_far(unsigned i, uint64_t mib)
{
	struct sample *s = begin(i + 1);

	file(s, id(10, 10, -50), 100, "/srv/a", mib * MIB, 0);
	return s;
}

static struct sample_caller *read_call(struct sample *s, uint64_t mib)
{
	const struct sample_rows *rows = &s->tables[TABLE_CALLER];

	call(s, id(10, 10, -50), 100, LAYER_READ, mib, mib * MIB);
	return &((struct sample_caller *)rows->rows)[rows->n - 1];
}

/* MiB of the interval that ends with this step. */
static void expect(unsigned i, const struct model *m, uint64_t hits, uint64_t misses)
{
	ck_assert_msg(asked(m, true) == hits * MIB && asked(m, false) == misses * MIB,
		      "%u: %g hits, %g misses", i, (double)asked(m, true) / MIB,
		      (double)asked(m, false) / MIB);
}

/*
 * Read ahead in one interval and asked for in the next; and no later than that. The same of the
 * task, of the machine and of the file.
 */
START_TEST(hits_and_misses)
{
	static const struct {
		uint64_t read, returned, hits, misses;	/* cumulative, and of the interval */
	} steps[] = {
		{ 4, 2, 0, 2 }, { 4, 4, 0, 2 }, { 4, 9, 5, 0 }, { 12, 9, 0, 0 },
		{ 12, 9, 0, 0 }, { 12, 10, 1, 0 }, { 14, 13, 1, 2 },
	};
	struct view_spec spec;
	const struct model *m;
	struct sample *s;
	struct view v;

	step(begin(0));
	for (unsigned i = 0; i < ARRAY_SIZE(steps); i++) {
		s = read_so_far(i, steps[i].read);
		read_call(s, steps[i].returned);
		m = step(s);
		expect(i, m, steps[i].hits, steps[i].misses);
		ck_assert(m->totals.flows.hits == (double)steps[i].hits * MIB);
		ck_assert(m->totals.flows.misses == (double)steps[i].misses * MIB);
		if (!steps[i].hits && !steps[i].misses)
			continue;
		show(&v, m, GROUP_FILE, &spec);
		ck_assert_double_eq_tol(number(&v, 0, "hit"), 100.0 * (double)steps[i].hits /
				(double)(steps[i].hits + steps[i].misses), 1e-9);
		view_release(&v);
	}
}
END_TEST

/*
 * A call that takes several intervals was read for in one of them, and in which its task is in no
 * call that ended; so were those that are in flight beside it. What was read ahead is forgotten.
 */
START_TEST(long_calls)
{
	static const struct {
		uint64_t read, returned, seconds, hits, misses;
	} steps[] = {
		/* Submitted in the first, and returned in the fourth. */
		{ 8, 0, 0, 0, 0 }, { 8, 0, 0, 0, 0 }, { 8, 0, 0, 0, 0 }, { 8, 8, 3, 0, 8 },
		/* Two in flight at a time, each for two intervals and a half. */
		{ 10, 8, 0, 0, 0 }, { 10, 8, 0, 0, 0 }, { 10, 9, 2, 0, 1 }, { 10, 10, 3, 0, 1 },
		/* Short ones: of the cache, although something was read ahead long before. */
		{ 15, 10, 0, 0, 0 }, { 15, 10, 0, 0, 0 }, { 15, 12, 0, 2, 0 },
		/* Nor is it there for a long one that had other reads. */
		{ 15, 12, 0, 0, 0 }, { 15, 13, 2, 1, 0 },
	};
	struct sample *s;

	step(begin(0));
	for (unsigned i = 0; i < ARRAY_SIZE(steps); i++) {
		s = read_so_far(i, steps[i].read);
		/* The programs forget who does nothing for so long. */
		if (steps[i].returned)
			read_call(s, steps[i].returned)->max_ns = steps[i].seconds * SEC + 1;
		expect(i, step(s), steps[i].hits, steps[i].misses);
	}
}
END_TEST

/*
 * What a call returned that began before reads were counted was found nowhere, and what was read
 * meanwhile may have been for it.
 */
START_TEST(calls_that_began_before)
{
	static const struct {
		uint64_t read, returned, before, hits, misses;
	} steps[] = {
		/* It had read all of it before; others after it, which are known. */
		{ 0, 1, 1, 0, 0 }, { 3, 3, 1, 0, 2 }, { 5, 6, 1, 0, 3 },
		/* Once more: two MiB of others may be of the four, and two of the three after them;
		 * one was in the cache in any case. */
		{ 9, 16, 9, 0, 0 }, { 9, 19, 9, 1, 0 }, { 9, 20, 9, 1, 0 },
	};
	struct sample *s;

	step(begin(0));
	for (unsigned i = 0; i < ARRAY_SIZE(steps); i++) {
		s = read_so_far(i, steps[i].read);
		read_call(s, steps[i].returned)->before_bytes = steps[i].before * MIB;
		expect(i, step(s), steps[i].hits, steps[i].misses);
	}
}
END_TEST

/*
 * What calls asked of a file before reads of the disk were counted was not found in the cache for
 * that: nothing is said of that interval, and counts of a part of it are scaled.
 */
START_TEST(disks_watched_later_than_calls)
{
	const struct model *m;
	struct view_spec spec;
	struct sample *s;
	struct view v;

	step(begin(0));
	s = begin(1);
	sample_opened(s, SRC_FILES, 0.5);
	file(s, id(10, 10, -50), 100, "/srv/a", MIB, 0);
	call(s, id(10, 10, -50), 100, LAYER_READ, 2, 2 * MIB);
	m = step(s);
	ck_assert_double_eq(model_scale(m, SRC_FILES, false), 2);
	ck_assert_double_eq(model_scale(m, SRC_CALLERS, false), 1);
	ck_assert_double_eq(model_scale(m, SRC_FILES, true), 1);
	show(&v, m, GROUP_FILE, &spec);
	ck_assert_str_eq(text(&v, 0, "hit"), "-");
	view_release(&v);
	s = begin(2);
	sample_opened(s, SRC_FILES, 0.5);
	file(s, id(10, 10, -50), 100, "/srv/a", 2 * MIB, 0);
	call(s, id(10, 10, -50), 100, LAYER_READ, 3, 3 * MIB);
	m = step(s);
	show(&v, m, GROUP_FILE, &spec);
	ck_assert_double_eq(number(&v, 0, "hit"), 0);
	ck_assert_uint_eq(asked(m, true), 0);
	ck_assert_uint_eq(asked(m, false), MIB);
	view_release(&v);
	s = begin(3);
	sample_opened(s, SRC_FILES, 2.95);
	ck_assert(isnan(model_scale(step(s), SRC_FILES, false)));
}
END_TEST

/* No ratio to the disk of calls that were watched for a shorter time. */
START_TEST(calls_watched_later_than_disks)
{
	const struct column *amp = entity_column(&entity_file, "amp");
	struct view_spec spec;
	const struct model *m;
	struct value since;
	struct sample *s;
	struct view v;

	step(begin(0));
	for (unsigned i = 1; i <= 2; i++) {
		s = begin(i);
		sample_opened(s, SRC_CALLERS, 0.5);
		file(s, id(10, 10, -50), 100, "/srv/a", 0, i * 4 * MIB);
		call(s, id(10, 10, -50), 100, LAYER_WRITE, i, i * 2 * MIB);
		m = step(s);
	}
	show(&v, m, GROUP_FILE, &spec);
	ck_assert_double_eq(number(&v, 0, "amp"), 2);
	since = column_value(amp, v.rows[0].row, m, SPAN_MEAN, &unit_texts);
	ck_assert_int_eq(since.kind, VAL_NONE);
	view_release(&v);
}
END_TEST

/* Files that are disks: their I/O is of no file. */
START_TEST(disks_as_files)
{
	struct view_spec spec;
	const struct model *m;
	struct sample *s;
	struct view v;

	step(begin(0));
	s = begin(1);
	file(s, id(10, 10, -50), NO_FILE, NULL, 3 * MIB, 0);
	file(s, id(10, 10, -50), NO_FILE_METADATA, NULL, 3 * MIB, 0);
	call(s, id(10, 10, -50), 101, LAYER_READ, 1, 4 * MIB);
	((struct sample_caller *)s->tables[TABLE_CALLER].rows)[0].is_block = 1;
	m = step(s);
	ck_assert_uint_eq(asked(m, true), MIB);
	ck_assert_uint_eq(asked(m, false), 3 * MIB);
	show(&v, m, GROUP_FILE, &spec);
	ck_assert_double_eq(number(&v, named(&v, "/srv/cached"), "hit"), 25);
	view_release(&v);
}
END_TEST

static double meta(const struct model *m)
{
	return (double)((const struct task_counters *)row_of(m, 10, -50)->row.now)->meta;
}

/* Metadata is counted once: where the disk below knows it, there; else where it is known. */
START_TEST(metadata)
{
	const struct model *m;
	struct sample *s;

	step(begin(0));
	s = begin(1);
	file(s, id(10, 10, -50), NO_FILE_METADATA, NULL, 3 * MIB, MIB);
	file(s, id(10, 10, -50), NO_FILE, NULL, 3 * MIB, MIB);
	file(s, id(10, 10, -50), 100, "/srv/a", MIB, MIB);
	at_loop(file(s, id(10, 10, -50), NO_FILE_METADATA, NULL, 3 * MIB, 0));
	m = step(s);
	ck_assert_double_eq(meta(m), 4 * MIB);
	s = begin(2);
	file(s, id(10, 10, -50), NO_FILE_METADATA, NULL, 3 * MIB, MIB);
	at_loop(file(s, id(10, 10, -50), NO_FILE_METADATA, NULL, 5 * MIB, 0));
	m = step(s);
	ck_assert_double_eq(meta(m), 2 * MIB);
	s = begin(3);
	file(s, id(10, 10, -50), NO_FILE_METADATA, NULL, 3 * MIB, MIB);
	ck_assert_double_eq(meta(step(s)), 0);
}
END_TEST

static void dirty(struct sample *s, struct task_id cause, uint64_t ino, uint64_t bytes)
{
	*sample_add_row(s, DIRTY, struct sample_dirty) = (struct sample_dirty){
		.cause = cause, .ino = ino, .sdev = DISK_DEV, .dev = DISK_DEV, .path = "/srv/d",
		.comm = "gone", .bytes = bytes,
	};
}

/* What is dirty has a row although nothing of it was written, as long as it is dirty. */
START_TEST(dirty_files)
{
	struct view_spec spec;
	const struct model *m;
	struct sample *s;
	struct view v;

	step(begin(0));
	s = begin(1);
	file(s, id(10, 10, -50), 100, "/srv/a", 0, MIB);
	dirty(s, id(10, 11, -40), 100, 2 * MIB);
	dirty(s, id(20, 20, -30), 101, 3 * MIB);
	/* Who dirtied that is in no list any more. */
	dirty(s, id(99, 99, -10), 102, MIB);
	m = step(s);
	show(&v, m, GROUP_FILE, &spec);
	ck_assert_uint_eq(v.n, 3);
	ck_assert_double_eq(number(&v, 0, "dirtynow"), 2 * MIB);
	view_release(&v);
	show(&v, m, GROUP_MOUNT, &spec);
	view_release(&v);
	ck_assert_uint_eq(row_of(m, 11, -40)->dirty_now, 2 * MIB);
	ck_assert(!row_is_still(&row_of(m, 11, -40)->row, SPAN_TICK));
	ck_assert_uint_eq(row_of(m, 20, -30)->dirty_now, 3 * MIB);
	s = begin(2);
	file(s, id(10, 10, -50), 100, "/srv/a", 0, MIB);
	dirty(s, id(20, 20, -30), 101, MIB);
	m = step(s);
	show(&v, m, GROUP_FILE, &spec);
	ck_assert_uint_eq(v.n, 2);
	ck_assert_double_eq(number(&v, 0, "write"), 0);
	ck_assert_double_eq(number(&v, 0, "dirtynow") + number(&v, 1, "dirtynow"), MIB);
	view_release(&v);
	ck_assert_uint_eq(row_of(m, 11, -40)->dirty_now, 0);
}
END_TEST

/*
 * Who writes to a file that reached no disk yet is named before whoever dirtied what was dirty
 * already; what any of them knows of the file is so. It comes before a file nobody is at.
 */
START_TEST(written_later)
{
	struct view_spec spec;
	struct sample *s;
	struct view v;

	step(begin(0));
	s = begin(1);
	dirty(s, (struct task_id){ .tid = RESIDUAL_UNATTRIBUTED }, 101, MIB);
	dirty(s, id(20, 20, -30), 100, 4096);
	((struct sample_dirty *)s->tables[TABLE_DIRTY].rows)->flags = FILE_DELETED;
	call(s, id(10, 10, -50), 101, LAYER_WRITE, 5, MIB);
	show(&v, step(s), GROUP_FILE, &spec);
	ck_assert_uint_eq(v.n, 2);
	ck_assert_str_eq(text(&v, 0, "path"), "/srv/cached (deleted)");
	ck_assert_str_eq(text(&v, 0, "who"), "main 10");
	ck_assert_str_eq(text(&v, 0, "state"), "deleted");
	ck_assert_str_eq(text(&v, 1, "state"), "-");
	view_release(&v);
}
END_TEST

UNIT_FIXTURE_MAIN("file_calls", samples_setup, samples_teardown, calls, one_row_each,
		  hits_and_misses, long_calls, calls_that_began_before,
		  disks_watched_later_than_calls, calls_watched_later_than_disks,
		  disks_as_files, metadata, dirty_files, written_later)
