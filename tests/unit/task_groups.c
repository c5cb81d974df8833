// SPDX-License-Identifier: GPL-2.0-or-later
/* What tasks that fold into a row have in common, and what they have of several disks. */
#include "data/disk/disk.h"
#include "tasks.h"
#include "view/view.h"

static void file(struct sample *s, struct task_id cause, uint64_t ino, const char *path,
		 uint64_t write)
{
	struct sample_file *f = sample_add_row(s, FILE, struct sample_file);

	*f = (struct sample_file){ .cause = cause,
				   .ino = ino,
				   .dev = DISK_DEV,
				   .sdev = DISK_DEV,
				   .path = path,
				   .write = write };
}

static struct value process_value(const struct model *m, const char *key)
{
	struct view_spec spec = { .entity = &entity_task,
				  .entity_id = ENTITY_TASK,
				  .group = GROUP_PROCESS };
	struct value value = value_none();
	struct view v;

	view_init(&v);
	view_build(&v, m, &spec);
	for (size_t i = 0; i < v.n; i++)
		if (((const struct task_row *)v.rows[i].row)->pid == 10)
			value = view_value(&v, i, entity_column(&entity_task, key), &unit_texts);
	view_release(&v);
	return value;
}

/* A column that was one entry: of a task, of a process, and of what is no task. */
START_TEST(nice_values)
{
	const struct column *nice = entity_column(&entity_task, "nice");
	struct sample *s = sample_at(0, SRC_TASKS | SRC_BLOCK);
	struct task_id journal = { .tid = RESIDUAL_JOURNAL };
	const struct model *m;
	size_t residuals = 0;
	struct value v;

	disks(s);
	task(s, 10, 10, -50)->nice = -5;
	task(s, 10, 11, -50)->nice = -5;
	io(s, journal, journal, DISK_DEV, OP_WRITE, 4096);
	m = advance(s);
	v = column_value(nice, &row_of(m, 11, -50)->row, m, SPAN_TICK, &unit_texts);
	ck_assert(v.kind == VAL_I64 && v.i64 == -5);
	v = process_value(m, "nice");
	ck_assert(v.kind == VAL_I64 && v.i64 == -5);
	s = sample_at(1, SRC_TASKS | SRC_BLOCK);
	disks(s);
	task(s, 10, 10, -50)->nice = -5;
	task(s, 10, 11, -50);
	io(s, journal, journal, DISK_DEV, OP_WRITE, 4096);
	m = advance(s);
	/* The threads do not agree; for what a process has of its leader that is no matter. */
	ck_assert_int_eq(process_value(m, "nice").kind, VAL_NONE);
	ck_assert_str_eq(process_value(m, "prio").str, "be/3");
	for (size_t i = 0; i < m->rows[ENTITY_TASK].n; i++) {
		const struct row *row = m->rows[ENTITY_TASK].rows[i];

		if (!(row->flags & ROW_RESIDUAL))
			continue;
		ck_assert_int_eq(column_value(nice, row, m, SPAN_TICK, &unit_texts).kind,
				 VAL_NONE);
		residuals++;
	}
	ck_assert_uint_eq(residuals, 1);
}
END_TEST

#define OTHER_DEV (8u << 20 | 16)

/* What a task has read of two disks since the start; sda is told of last. */
static const struct model *read_of_disks(double at, uint64_t sda, uint64_t sdb)
{
	struct sample *s = sample_at(at, SRC_TASKS | SRC_BLOCK);
	struct task_id id = task(s, 10, 10, -50)->id, other = task(s, 10, 11, -50)->id;

	disks(s);
	*sample_add_row(s, DISK, struct sample_disk) = (struct sample_disk){
		.dev = OTHER_DEV, .whole = OTHER_DEV, .flags = DISK_LOWEST, .name = "sdb"
	};
	io(s, id, id, OTHER_DEV, OP_READ, sdb);
	/* In two parts: it is their sum that counts. */
	io(s, id, id, DISK_DEV, OP_READ, sda / 2);
	io(s, id, id, DISK_DEV, OP_WRITE, sda / 2);
	io(s, other, other, OTHER_DEV, OP_READ, sdb ? 8192 : 0);
	return advance(s);
}

/* In the interval, or, where nothing was done in it, since the start; at any size. */
START_TEST(the_disk_with_most_io)
{
	static const uint64_t gib = 1ull << 30;
	struct view_spec spec = { .entity = &entity_task,
				  .entity_id = ENTITY_TASK,
				  .group = GROUP_PROCESS };
	const struct model *m;
	struct view v;

	read_of_disks(0, 0, 0);
	m = read_of_disks(1, 5 * gib, 3 * gib);
	ck_assert_str_eq(row_of(m, 10, -50)->disk, "sda");
	m = read_of_disks(2, 5 * gib, 3 * gib);
	ck_assert_str_eq(row_of(m, 10, -50)->disk, "sda");
	/* A little now goes before very much earlier. */
	m = read_of_disks(3, 5 * gib, 3 * gib + 4096);
	ck_assert_str_eq(row_of(m, 10, -50)->disk, "sdb");
	m = read_of_disks(4, 5 * gib, 9 * gib);
	ck_assert_str_eq(row_of(m, 10, -50)->disk, "sdb");
	m = read_of_disks(5, 5 * gib, 9 * gib);
	ck_assert_str_eq(row_of(m, 10, -50)->disk, "sdb");
	m = read_of_disks(6, 9 * gib + 4096, 9 * gib);
	m = read_of_disks(7, 9 * gib + 4096, 9 * gib);
	ck_assert_str_eq(row_of(m, 10, -50)->disk, "sda");
	/* Both threads together did more at the other one. */
	view_init(&v);
	view_build(&v, m, &spec);
	ck_assert_uint_eq(v.n, 1);
	ck_assert_str_eq(((const struct task_row *)v.rows[0].row)->disk, "sdb");
	view_release(&v);
}
END_TEST

START_TEST(files_of_a_group_are_those_of_all)
{
	struct sample *s = sample_at(0, SRC_TASKS | SRC_BLOCK | SRC_FILES);
	struct task_id first = task(s, 10, 10, -50)->id, second = task(s, 11, 11, -50)->id;
	struct view_spec spec = { .entity = &entity_task,
				  .entity_id = ENTITY_TASK,
				  .group = GROUP_COMM };
	const struct task_row *group;
	const struct model *m;
	struct view v;

	advance(s);
	s = sample_at(1, SRC_TASKS | SRC_BLOCK | SRC_FILES);
	task(s, 10, 10, -50);
	task(s, 11, 11, -50);
	io(s, first, first, DISK_DEV, OP_WRITE, 4096);
	io(s, second, second, DISK_DEV, OP_WRITE, 8192);
	file(s, first, 1, "/cool", 100);
	file(s, first, 2, "/shared", 3000);
	file(s, second, 2, "/shared", 4000);
	file(s, second, 3, "/warm", 2000);
	file(s, second, 4, NULL, 1000);
	m = advance(s);
	ck_assert_uint_eq(row_of(m, 10, -50)->nfiles, 2);
	view_init(&v);
	view_build(&v, m, &spec);
	ck_assert_uint_eq(v.n, 1);
	group = (const struct task_row *)v.rows[0].row;
	ck_assert_uint_eq(group->nfiles, 4);
	ck_assert_str_eq(group->file_texts[0], "/shared");
	ck_assert_str_eq(group->file_texts[1], "/warm");
	ck_assert_str_eq(group->file_texts[2], "[inode 4]");
	ck_assert_str_eq(group->file_texts[3], "/cool");
	view_release(&v);
}
END_TEST

/* On a disk as in its own row, whichever of its threads did something. */
START_TEST(a_process_has_the_name_of_its_main_thread)
{
	const struct disktask_row *r = NULL;
	const struct model *m = NULL;

	for (unsigned i = 0; i < 2; i++) {
		struct sample *s = sample_at(i, SRC_TASKS | SRC_BLOCK);
		struct task_id thread;

		disks(s);
		task(s, 10, 10, -50)->comm = "fio";
		task(s, 10, 11, -50)->comm = "iou-sqp-10";
		thread = (struct task_id){ 10, 11, 950 * SEC };
		io(s, thread, thread, DISK_DEV, OP_WRITE, 4096 * i);
		m = engine_advance(engine, s, WANTED | SRC_DISKS);
	}
	ck_assert_uint_eq(m->rows[ENTITY_DISKTASK].n, 1);
	r = (const struct disktask_row *)m->rows[ENTITY_DISKTASK].rows[0];
	ck_assert_str_eq(r->comm, "fio");
	ck_assert_uint_eq(r->pid, 10);
	ck_assert_str_eq(process_value(m, "comm").str, "fio");
}
END_TEST

static bool value_is_number(const struct column *col, const struct task_row *r,
			    const struct model *m, double *ret)
{
	struct value v = column_value(col, &r->row, m, SPAN_TICK, &unit_texts);

	return value_number(&v, ret);
}

/* I/Os on a loop device that a limit held back for some ms, and their requests below. */
static const struct model *held(double when, uint64_t n, uint64_t ms, uint64_t unseen)
{
	struct sample *s = sample_at(when, SRC_TASKS | SRC_TASKIO | SRC_BLOCK);
	struct task_id dd = task(s, 10, 10, 0)->id;
	struct sample_io *above;

	disks(s);
	io(s, dd, dd, DISK_DEV, OP_READ, n * 4096);
	above = io(s, dd, dd, LOOP_DEV, OP_READ, n * 4096);
	above->throttled_ns = n * ms * SEC / 1000;
	above->held_ns = 2 * above->throttled_ns;
	above->held_unseen = unseen;
	above->lat_ns += above->held_ns;
	above->max_ns = 2 * ms * SEC / 1000;
	return advance(s);
}

START_TEST(what_limits_hold_back)
{
	const struct column *col = entity_column(&entity_task, "throttled");
	const struct task_row *dd;
	const struct model *m;
	const struct row *at;
	double percent;

	held(0, 1, 100, 0);
	m = held(1, 6, 100, 0);
	dd = row_of(m, 10, 0);
	ck_assert_uint_eq(now(dd)->rios, 5);
	/* The time above belongs to the I/O, which is counted below. */
	ck_assert_uint_eq(now(dd)->lat_ns / now(dd)->done, 200 * SEC / 1000 + 1000);
	ck_assert_uint_eq(now(dd)->max_ns, 200 * SEC / 1000);
	ck_assert(value_is_number(col, dd, m, &percent));
	ck_assert_double_eq_tol(percent, 50, 1e-6);
	m = held(2, 11, 100, 1);
	dd = row_of(m, 10, 0);
	ck_assert(!value_is_number(col, dd, m, &percent));
	ck_assert(!value_is_number(entity_column(&entity_task, "lat"), dd, m, &percent));
	ck_assert(!value_is_number(entity_column(&entity_task, "max"), dd, m, &percent));
	/* At the disk below nothing held it back. */
	row_each(at, &m->rows[ENTITY_DISKTASK]) {
		const struct disktask_row *r = (const struct disktask_row *)at;

		for (unsigned k = 0; k < 2; k++)
			ck_assert_int_eq(column_value(entity_column(&entity_disktask,
								    k ? "avg" : "max"),
						      at, m, SPAN_TICK, &unit_texts).kind,
					 r->dev == LOOP_DEV ? VAL_NONE : VAL_U64);
	}
	ck_assert_uint_eq(m->rows[ENTITY_DISKTASK].n, 2);
}
END_TEST

UNIT_FIXTURE_MAIN("task_groups", samples_setup, samples_teardown, nice_values,
		  what_limits_hold_back,
		  a_process_has_the_name_of_its_main_thread,
		  the_disk_with_most_io, files_of_a_group_are_those_of_all)
