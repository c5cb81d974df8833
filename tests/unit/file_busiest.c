// SPDX-License-Identifier: GPL-2.0-or-later
/* Many more files than have rows: the busiest are exact, and the sums are whole. */
#include "files.h"

#define FILES 18000u
#define FIRST 100u	/* its inode */
#define MOST (8192 + 2)	/* rows: those that are kept, and the others of two processes */

struct sums {
	double read, write, asked, dirty;
};

static struct sums sums_of(const struct view *v)
{
	struct sums sums = { 0 };

	for (size_t i = 0; i < v->n; i++) {
		sums.read += number(v, i, "read");
		sums.write += number(v, i, "write");
		sums.asked += number(v, i, "wcall_bytes");
		sums.dirty += number(v, i, "dirtynow");
	}
	return sums;
}

static void asked(struct sample *s, uint64_t ino, uint64_t bytes)
{
	*sample_add_row(s, CALLER, struct sample_caller) = (struct sample_caller){
		.id = id(20, 20, -30), .ino = ino, .sdev = DISK_DEV, .layer = LAYER_SYSCALL,
		.op = LAYER_WRITE, .count = 1, .bytes = bytes,
	};
}

/*
 * Each file is read a little more than the one before, once; a third of them is written by calls of
 * another process and is dirty.
 */
static struct sums storm(struct sample *s, uint64_t first)
{
	struct sums sums = { 0 };

	for (unsigned i = 0; i < FILES; i++) {
		file(s, id(10, 11, -40), first + i, "/srv/many", 4096 + i, 0);
		sums.read += 4096 + i;
		if (i % 3)
			continue;
		asked(s, first + i, 100);
		*sample_add_row(s, DIRTY, struct sample_dirty) = (struct sample_dirty){
			.cause = id(20, 20, -30), .ino = first + i, .dev = DISK_DEV,
			.sdev = DISK_DEV, .bytes = 4096,
		};
		sums.asked += 100;
		sums.dirty += 4096;
	}
	return sums;
}

static void check_sums(const struct view *v, struct sums want)
{
	struct sums got = sums_of(v);

	ck_assert_double_eq(got.read, want.read);
	ck_assert_double_eq(got.write, want.write);
	ck_assert_double_eq(got.asked, want.asked);
	ck_assert_double_eq(got.dirty, want.dirty);
}

/* The row of an inode. */
static size_t of_inode(const struct view *v, uint64_t ino)
{
	for (size_t i = 0; i < v->n; i++) {
		const struct value value =
			view_value(v, i, entity_column(&entity_file, "inode"), &unit_texts);

		if (value.kind == VAL_U64 && value.u64 == ino)
			return i;
	}
	ck_abort_msg("no row of inode %llu", (unsigned long long)ino);
}

START_TEST(a_storm)
{
	struct view_spec spec;
	struct sums want;
	struct sample *s;
	struct view v;

	step(begin(0));
	s = begin(1);
	want = storm(s, FIRST);
	show(&v, step(s), GROUP_NONE, &spec);
	ck_assert_uint_le(v.n, MOST);
	check_sums(&v, want);
	/* The one that was read most, which the sample has last. */
	ck_assert_double_eq(number(&v, of_inode(&v, FIRST + FILES - 1), "read"),
			    4096 + FILES - 1);
	view_release(&v);

	/* Others come: the busiest of these have rows now. */
	s = begin(2);
	want = storm(s, FIRST + FILES);
	show(&v, step(s), GROUP_NONE, &spec);
	ck_assert_uint_le(v.n, MOST);
	check_sums(&v, want);
	ck_assert_double_eq(number(&v, of_inode(&v, FIRST + 2 * FILES - 1), "read"),
			    4096 + FILES - 1);
	view_release(&v);

	/* It is over. Since the start there was all of it. */
	show(&v, step(begin(3)), GROUP_NONE, &spec);
	check_sums(&v, (struct sums){ 0 });
	spec.span = SPAN_SUM;
	view_release(&v);
	view_init(&v);
	view_build(&v, step(begin(4)), &spec);
	ck_assert_double_eq(sums_of(&v).read, 2 * want.read);
	ck_assert_double_eq(sums_of(&v).asked, 2 * want.asked);
	view_release(&v);
}
END_TEST

static void open_many(struct sample *s, uint64_t first)
{
	for (unsigned i = 0; i < 4000; i++)
		*sample_add_row(s, CALLER, struct sample_caller) = (struct sample_caller){
			.id = id(20, 20, -30), .ino = first + i, .sdev = DISK_DEV,
			.layer = LAYER_SYSCALL, .op = LAYER_OPEN, .count = 1,
		};
}

/* With -a what had most since the start has a row, whatever was merely opened since. */
START_TEST(sums_of_what_is_over)
{
	struct view_spec spec;
	struct sample *s;
	struct view v;

	options.accumulated = true;
	engine_set_options(engine, &options);
	step(begin(0));
	s = begin(1);
	file(s, id(10, 11, -40), FIRST, "/srv/many", 1 << 20, 0);
	step(s);
	for (unsigned t = 2; t < 8; t++) {
		s = begin(t);
		open_many(s, 4000 * t);
		step(s);
	}
	show(&v, step(begin(8)), GROUP_NONE, &spec);
	spec.span = SPAN_SUM;
	view_build(&v, v.model, &spec);
	ck_assert_uint_le(v.n, MOST);
	ck_assert_double_eq(number(&v, of_inode(&v, FIRST), "read"), 1 << 20);
	view_release(&v);
}
END_TEST

/*
 * What goes on slowly has one as well, beside more files that had more, from the interval on in
 * which it was among the busiest: not in the first one.
 */
START_TEST(sums_that_grow)
{
	struct view_spec spec;
	struct sample *s;
	struct view v;

	options.accumulated = true;
	engine_set_options(engine, &options);
	step(begin(0));
	for (unsigned t = 1; t < 8; t++) {
		s = begin(t);
		if (t == 1)
			for (unsigned i = 1; i < 10000; i++)
				file(s, id(10, 11, -40), FIRST + i, "/srv/many", 1 << 20, 0);
		else
			open_many(s, 100000 + 4000 * t);
		file(s, id(10, 11, -40), FIRST, "/srv/log", 4096 * t, 0);
		step(s);
	}
	s = begin(8);
	file(s, id(10, 11, -40), FIRST, "/srv/log", 4096 * 8, 0);
	show(&v, step(s), GROUP_NONE, &spec);
	spec.span = SPAN_SUM;
	view_build(&v, v.model, &spec);
	ck_assert_double_eq(number(&v, of_inode(&v, FIRST), "read"), 4096 * 7);
	view_release(&v);
}
END_TEST

UNIT_FIXTURE_MAIN("file_busiest", samples_setup, samples_teardown, a_storm, sums_of_what_is_over,
		  sums_that_grow)
