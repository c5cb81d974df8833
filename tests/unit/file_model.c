// SPDX-License-Identifier: GPL-2.0-or-later
/* Files: whose I/O they have, at which disk it counts, what groups of them have in common. */
#include "data/disk/disk.h"
#include "data/histogram.h"
#include "files.h"

static const struct task_id none = { .tid = RESIDUAL_UNATTRIBUTED };

START_TEST(a_file_has_the_io_of_all_its_processes)
{
	struct view_spec spec;
	const struct model *m;
	struct sample *s;
	struct view v;

	step(begin(0));
	s = begin(1);
	file(s, id(10, 10, -50), 100, "/srv/a.db", MIB, 0);
	file(s, id(10, 11, -40), 100, "/srv/a.db", MIB, 2 * MIB);
	file(s, id(20, 20, -30), 100, "/srv/a.db", 0, 8 * MIB);
	file(s, id(20, 20, -30), 101, "/srv/b.log", 0, MIB);
	m = step(s);
	show(&v, m, GROUP_FILE, &spec);
	ck_assert_uint_eq(v.n, 2);
	ck_assert_str_eq(text(&v, 0, "path"), "/srv/a.db");
	ck_assert_double_eq(number(&v, 0, "read"), 2 * MIB);
	ck_assert_double_eq(number(&v, 0, "write"), 10 * MIB);
	ck_assert_double_eq(number(&v, 0, "wiops"), 10 * MIB / 4096);
	ck_assert_double_eq(number(&v, 0, "procs"), 2);
	ck_assert_str_eq(text(&v, 0, "who"), "other (2)");
	ck_assert_str_eq(text(&v, 1, "who"), "other 20");
	ck_assert_str_eq(text(&v, 1, "ext"), "log");
	view_release(&v);
	/* Threads are their process. */
	show(&v, m, GROUP_NONE, &spec);
	ck_assert_uint_eq(v.n, 3);
	ck_assert_str_eq(text(&v, 1, "who"), "main 10");
	ck_assert_double_eq(number(&v, 1, "total"), 4 * MIB);
	view_release(&v);
	show(&v, m, GROUP_PROCESS, &spec);
	ck_assert_uint_eq(v.n, 2);
	ck_assert_str_eq(text(&v, 0, "path"), "other 20");
	ck_assert_double_eq(number(&v, 0, "files"), 2);
	ck_assert_double_eq(number(&v, 0, "write"), 9 * MIB);
	view_release(&v);
	show(&v, m, GROUP_FOLDER, &spec);
	ck_assert_uint_eq(v.n, 1);
	ck_assert_str_eq(text(&v, 0, "path"), "/srv");
	ck_assert_double_eq(number(&v, 0, "total"), 13 * MIB);
	view_release(&v);
}
END_TEST

/* What has no name has a number, and what is no file says what it is instead. */
START_TEST(names)
{
	struct task_id journal = { .tid = RESIDUAL_JOURNAL };
	struct view_spec spec;
	const struct model *m;
	struct sample *s;
	struct view v;

	step(begin(0));
	s = begin(1);
	file(s, id(10, 10, -50), 100, NULL, 9 * MIB, 0);
	file(s, id(20, 20, -30), 101, "/srv/gone", 8 * MIB, 0)->flags = FILE_DELETED;
	file(s, journal, NO_FILE_METADATA, NULL, 0, 7 * MIB);
	file(s, id(20, 20, -30), NO_FILE_METADATA, NULL, 0, 6 * MIB);
	file(s, id(10, 10, -50), NO_FILE_METADATA, NULL, 0, 3 * MIB / 2);
	file(s, none, NO_FILE_OTHER, NULL, 0, 5 * MIB);
	/* Nobody knows any more whose that was. */
	file(s, (struct task_id){ .tid = 4711 }, NO_FILE, NULL, 0, 4 * MIB);
	m = step(s);
	show(&v, m, GROUP_FILE, &spec);
	ck_assert_uint_eq(v.n, 6);
	ck_assert_str_eq(text(&v, 0, "path"), "sda:100");
	ck_assert_str_eq(text(&v, 0, "state"), "-");
	ck_assert_str_eq(text(&v, 1, "path"), "/srv/gone (deleted)");
	ck_assert_str_eq(text(&v, 1, "state"), "deleted");
	ck_assert_str_eq(text(&v, 2, "path"), "[metadata]");
	ck_assert_str_eq(text(&v, 2, "inode"), "-");
	ck_assert_str_eq(text(&v, 3, "path"), "[journal]");
	ck_assert_str_eq(text(&v, 3, "who"), "[journal]");
	ck_assert_str_eq(text(&v, 4, "path"), "[other files]");
	ck_assert_str_eq(text(&v, 5, "path"), "[no file]");
	ck_assert_str_eq(text(&v, 5, "who"), "[unattributed]");
	view_release(&v);
	/* What is of no process is of no control group: it stands for itself. */
	show(&v, m, GROUP_CGROUP, &spec);
	ck_assert_str_eq(text(&v, v.n - 1, "path"), "[journal]");
	view_release(&v);
}
END_TEST

/*
 * A byte counts at the lowest disk that knows its file; where only the stacked one does, there, and
 * the disk below has it as what it is there.
 */
START_TEST(stacked)
{
	struct view_spec spec;
	const struct model *m;
	struct sample *s;
	struct view v;

	step(begin(0));
	s = begin(1);
	at_loop(file(s, id(10, 10, -50), 100, "/srv/both", 0, 8 * MIB));
	file(s, id(10, 10, -50), 100, "/srv/both", 0, 8 * MIB);
	at_loop(file(s, id(10, 10, -50), 101, "/srv/above", 0, 4 * MIB));
	file(s, id(10, 10, -50), NO_FILE_BELOW, NULL, 0, 2 * MIB);
	m = step(s);
	show(&v, m, GROUP_FILE, &spec);
	ck_assert_uint_eq(v.n, 3);
	ck_assert_double_eq(number(&v, 0, "write"), 8 * MIB);
	ck_assert_str_eq(text(&v, 0, "disk"), "sda");
	ck_assert_str_eq(text(&v, 1, "path"), "/srv/above");
	ck_assert_str_eq(text(&v, 1, "disk"), "loop0");
	ck_assert_str_eq(text(&v, 2, "path"), "[stacked disks]");
	ck_assert_str_eq(text(&v, 2, "disk"), "sda");
	view_release(&v);
}
END_TEST

/* The kernel forgets what stands still: the sums go on, and nothing is counted twice. */
START_TEST(sums_outlive_the_counters)
{
	const struct file_counters *c;
	const struct model *m = NULL;
	struct sample *s;

	step(begin(0));
	for (unsigned i = 1; i < 5; i++) {
		s = begin(i);
		if (i != 3)
			file(s, id(10, 10, -50), 100, "/srv/a", 0, (i > 3 ? 1 : i) * MIB);
		m = step(s);
	}
	ck_assert_uint_eq(m->rows[ENTITY_FILE].n, 1);
	c = (const struct file_counters *)m->rows[ENTITY_FILE].rows[0]->sum;
	ck_assert_uint_eq(c->write, 3 * MIB);
	c = (const struct file_counters *)m->rows[ENTITY_FILE].rows[0]->now;
	ck_assert_uint_eq(c->write, MIB);
}
END_TEST

/* More files than are kept: what goes has its sum in [other files]. */
START_TEST(sums_stay_whole)
{
	uint64_t sum = 0, other = 0;
	const struct model *m = NULL;
	struct sample *s;

	options.accumulated = true;
	engine_set_options(engine, &options);
	step(begin(0));
	for (unsigned i = 1; i < 6; i++) {
		s = begin(i);
		for (unsigned k = 0; k < 3000; k++)
			file(s, id(10, 10, -50), 100 + i * 3000 + k, NULL, 0, 4096);
		m = step(s);
	}
	for (size_t i = 0; i < m->rows[ENTITY_FILE].n; i++) {
		const struct row *row = m->rows[ENTITY_FILE].rows[i];
		uint64_t bytes = ((const struct file_counters *)row->sum)->write;

		sum += bytes;
		if (!strcmp(((const struct file_row *)row)->path, "[other files]")) {
			other += bytes;
			ck_assert_str_eq(((const struct file_row *)row)->disk, "sda");
		}
	}
	ck_assert_uint_eq(sum, 5ull * 3000 * 4096);
	ck_assert_uint_gt(other, 0);
	ck_assert_uint_le(m->rows[ENTITY_FILE].n, 8193);
}
END_TEST

START_TEST(latency)
{
	uint64_t hist[FILE_BUCKETS] = { 0 };
	struct view_spec spec;
	struct sample_file *f;
	struct sample *s;
	struct view v;

	/* 90 requests from 1 to 1.5 µs, 10 from 16 to 24 µs. */
	hist[1] = 90;
	hist[1 + 2 * 4] = 10;
	step(begin(0));
	s = begin(1);
	f = file(s, id(10, 10, -50), 100, "/srv/a", MIB, 0);
	f->done = 100;
	f->lat_ns = 100 * 5000;
	f->max_ns = 24000;
	/* Zeroes at the end are not there. */
	f->hist = (struct blob){ hist, 10 * sizeof(*hist) };
	f = file(s, id(20, 20, -30), 100, "/srv/a", MIB, 0);
	f->done = 100;
	f->lat_ns = 100 * 1000;
	f->max_ns = 1500;
	show(&v, step(s), GROUP_FILE, &spec);
	ck_assert_double_eq(number(&v, 0, "lat"), 3000);
	ck_assert_double_eq(number(&v, 0, "max"), 24000);
	ck_assert_double_gt(number(&v, 0, "p99"), 16384 * 1.4);
	ck_assert_double_le(number(&v, 0, "p99"), 24000);
	view_release(&v);
	ck_assert_uint_eq(file_percentile(hist, 50), 1024 + 512 * 50 / 90 * 100 / 100);
}
END_TEST

/* Where a limit held one of its requests back for a time that is not known, that took longest. */
START_TEST(latency_of_what_was_held_back)
{
	uint64_t hist[FILE_BUCKETS] = { [1] = 10 };
	struct view_spec spec;
	struct sample_file *f;
	struct sample *s;
	struct view v;

	step(begin(0));
	for (unsigned i = 1; i <= 2; i++) {
		s = begin(i);
		f = file(s, id(10, 10, -50), 100, "/srv/a", i * MIB, 0);
		f->done = 10 * i;
		f->lat_ns = 10 * i * 1200;
		f->max_ns = 1500;
		f->untimed = i == 2;
		hist[1] = 10 * i;
		f->hist = (struct blob){ hist, 2 * sizeof(*hist) };
		show(&v, step(s), GROUP_FILE, &spec);
		for (unsigned k = 0; k < 3; k++) {
			static const char *const keys[] = { "lat", "max", "p99" };

			ck_assert_int_eq(!strcmp(text(&v, 0, keys[k]), "-"), i == 2);
		}
		view_release(&v);
	}
}
END_TEST

/* Where its file system is mounted, of a file that no disk was asked for, and once that moved. */
START_TEST(where_it_is_mounted)
{
	static const char *const points[] = { "/srv", "/mnt/data" };
	struct view_spec spec;
	struct view v;

	step(begin(0));
	for (unsigned i = 0; i < ARRAY_SIZE(points); i++) {
		struct sample *s = begin(i + 1);

		*sample_add_row(s, CALLER, struct sample_caller) = (struct sample_caller){
			.id = id(20, 20, -30), .ino = 101, .sdev = DISK_DEV, .dev = DISK_DEV,
			.layer = LAYER_SYSCALL, .op = LAYER_OPEN, .comm = "x", .count = i + 1,
			.mount = points[i], .fs = "ext4",
		};
		show(&v, step(s), GROUP_MOUNT, &spec);
		ck_assert_uint_eq(v.n, 1);
		ck_assert_str_eq(text(&v, 0, "mount"), points[i]);
		ck_assert_str_eq(text(&v, 0, "fs"), "ext4");
		view_release(&v);
	}
}
END_TEST

UNIT_FIXTURE_MAIN("file_model", samples_setup, samples_teardown,
		  a_file_has_the_io_of_all_its_processes, names, stacked,
		  sums_outlive_the_counters, sums_stay_whole, latency,
		  latency_of_what_was_held_back, where_it_is_mounted)
