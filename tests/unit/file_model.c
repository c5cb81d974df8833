// SPDX-License-Identifier: GPL-2.0-or-later
/* Files: whose I/O they have, at which disk it counts, what groups of them have in common. */
#include "data/file/file.h"
#include "data/disk/disk.h"
#include "data/histogram.h"
#include "tasks.h"
#include "view/view.h"

#define ON (SRC_TASKS | SRC_BLOCK | SRC_FILES | SRC_DISKS | SRC_CALLERS)
#define MIB (1u << 20)

static const struct task_id none = { .tid = RESIDUAL_UNATTRIBUTED };

static struct sample_file *file(struct sample *s, struct task_id cause, uint64_t ino,
				const char *path, uint64_t read, uint64_t write)
{
	struct sample_file *f = sample_add_row(s, FILE, struct sample_file);

	*f = (struct sample_file){
		.cause = cause, .ino = ino, .dev = DISK_DEV, .sdev = ino < 8 ? 0 : DISK_DEV,
		.path = path, .read = read, .write = write, .rios = read / 4096,
		.wios = write / 4096, .mount = path ? "/srv" : NULL, .fs = path ? "ext4" : NULL,
	};
	return f;
}

static const struct model *step(struct sample *s)
{
	return engine_advance(engine, s, ON | SRC_NAMES);
}

/* Two processes, the first of two threads. */
static struct sample *begin(double at)
{
	struct sample *s = sample_at(at, ON);

	disks(s);
	task(s, 10, 10, -50)->comm = "main";
	task(s, 10, 11, -40)->comm = "thread";
	task(s, 20, 20, -30)->comm = "other";
	return s;
}

static struct task_id id(uint32_t tgid, uint32_t tid, double started)
{
	return (struct task_id){ tgid, tid, (uint64_t)((1000 + started) * SEC) };
}

static void show(struct view *v, const struct model *m, enum group_by group, struct view_spec *spec)
{
	*spec = (struct view_spec){
		.entity = &entity_file, .entity_id = ENTITY_FILE, .group = group,
		.sort = entity_column(&entity_file, "total"), .descending = true,
	};
	view_init(v);
	view_build(v, m, spec);
}

static const char *text(const struct view *v, size_t i, const char *key)
{
	static char out[4][256];
	static unsigned turn_of;
	const struct column *col = entity_column(&entity_file, key);
	struct value value = view_value(v, i, col, &unit_texts);
	char *to = out[turn_of++ % 4];

	column_text(to, sizeof(out[0]), col, &value, &(struct unit_style){ 0 });
	return to;
}

static double number(const struct view *v, size_t i, const char *key)
{
	struct value value = view_value(v, i, entity_column(&entity_file, key), &unit_texts);
	double d = -1;

	ck_assert_msg(value_number(&value, &d), "%s of %zu is no number", key, i);
	return d;
}

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
	ck_assert_str_eq(text(&v, 1, "path"), "/srv/gone");
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

static struct sample_file *at_loop(struct sample_file *f)
{
	f->dev = LOOP_DEV;
	return f;
}

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
			ck_assert_ptr_null(((const struct file_row *)row)->disk);
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
	ck_assert_uint_eq(v.n, 2);
	ck_assert_double_eq(number(&v, 0, "rcalls"), 30);
	ck_assert_double_eq(number(&v, 0, "rcall_bytes"), 4 * MIB);
	ck_assert_double_eq(number(&v, 0, "wcall_bytes"), 2 * MIB);
	ck_assert_double_eq(number(&v, 0, "wcalls"), 5);
	ck_assert_double_eq(number(&v, 0, "opens"), 2);
	ck_assert_double_eq(number(&v, 0, "fsyncs"), 1);
	ck_assert_double_eq(number(&v, 0, "clat"), 1000);
	ck_assert_double_eq(number(&v, 0, "hit"), 75);
	ck_assert_double_eq(number(&v, 0, "amp"), 1.5);
	ck_assert_str_eq(text(&v, 1, "path"), "/srv/cached");
	ck_assert_double_eq(number(&v, 1, "hit"), 100);
	ck_assert_str_eq(text(&v, 1, "amp"), "-");
	view_release(&v);
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

UNIT_FIXTURE_MAIN("file_model", samples_setup, samples_teardown,
		  a_file_has_the_io_of_all_its_processes, names, stacked,
		  sums_outlive_the_counters, sums_stay_whole, latency, calls,
		  dirty_files)
