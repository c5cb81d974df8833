// SPDX-License-Identifier: GPL-2.0-or-later
/* Rows of two ranges that are compared: their order, and those that were only before. */
#include "data/compare.h"

#include <math.h>
#include <time.h>

#include "data/disk/disk.h"
#include "data/histogram.h"
#include "files.h"

#define SDA (8u << 20)
#define NTH_DISK(n) (SDA + 16 * (n))

/* Two ranges of four samples each: engines, and samples that take turns. */
static struct range {
	struct engine *engine;
	struct sample *samples[2];
	const struct model *model;
} before, after;

static void range_begin(struct range *r)
{
	static const struct engine_options accumulated = { .accumulated = true };

	r->engine = engine_new(&accumulated);
	r->samples[0] = sample_new();
	r->samples[1] = sample_new();
}

static void range_end(struct range *r)
{
	engine_free(r->engine);
	sample_free(r->samples[0]);
	sample_free(r->samples[1]);
}

static void ranges_begin(void)
{
	range_begin(&before);
	range_begin(&after);
}

static void ranges_end(void)
{
	range_end(&before);
	range_end(&after);
}

/* The next sample of a range, without rows. */
static struct sample *range_sample(struct range *r, unsigned number, unsigned on)
{
	engine = r->engine;
	samples[0] = r->samples[0];
	samples[1] = r->samples[1];
	turn = number;
	return sample_at(number, on);
}

static void add_disk(struct sample *s, uint32_t dev, const char *name, uint64_t sectors)
{
	struct sample_disk *d = sample_disk(s, dev, name);

	d->size = 1 << 30;
	d->whole = dev & ~15u;
	d->flags = dev == d->whole ? DISK_LOWEST : DISK_PARTITION;
	d->rd_sectors = sectors;
	d->rd_ios = sectors / 8 + 1;
}

/* So many sectors a second are read of sda and its partition, of sdb and of sdc. */
static void play_disks(struct range *r, const unsigned sectors[3])
{
	for (unsigned i = 0; i < 4; i++) {
		struct sample *s = range_sample(r, i, ON);

		add_disk(s, SDA, "sda", (uint64_t)i * sectors[0]);
		add_disk(s, SDA + 1, "sda1", (uint64_t)i * sectors[0]);
		add_disk(s, NTH_DISK(1), "sdb", (uint64_t)i * sectors[1]);
		add_disk(s, NTH_DISK(2), "sdc", (uint64_t)i * sectors[2]);
		r->model = step(s);
	}
}

/* What fell most changed most, in a tree as in a list. */
START_TEST(order_of_a_tree)
{
	static const unsigned then[] = { 200000, 100, 100 }, now_[] = { 0, 100, 120 };
	static const char *const names[] = { "sda", "sda1", "sdc", "sdb" };

	play_disks(&before, then);
	play_disks(&after, now_);
	model_compare(after.model, before.model);
	for (unsigned tree = 0; tree < 2; tree++) {
		struct view_spec spec = { .entity = &entity_disk, .entity_id = ENTITY_DISK,
					  .span = SPAN_MEAN, .tree = tree };
		struct view v;

		ck_assert_int_eq(view_set_columns(&spec, "disk,read", NULL), 0);
		ck_assert_int_eq(view_set_sort(&spec, "read", NULL), 0);
		view_compare(&spec);
		view_init(&v);
		view_build(&v, after.model, &spec);
		ck_assert_uint_eq(v.n, ARRAY_SIZE(names));
		for (size_t i = 0; i < v.n; i++)
			ck_assert_str_eq(v.rows[i].row->name, names[i]);
		view_release(&v);
	}
}
END_TEST

/* A task that writes a file, of which much is dirty, and a call that waits for its file system. */
static void add_work(struct sample *s, unsigned i)
{
	static uint64_t hist[HIST_BUCKETS] = { [20] = 3 };
	struct task_id writer = task(s, 7, 7, -5)->id;

	io(s, writer, writer, DISK_DEV, OP_WRITE, (i + 1) * MIB);
	file(s, writer, 100, "/srv/data", 0, (i + 1) * MIB);
	*sample_add_row(s, DIRTY, struct sample_dirty) = (struct sample_dirty){
		.cause = writer, .ino = 100, .sdev = DISK_DEV, .dev = DISK_DEV,
		.bytes = 100 * MIB, .comm = "worker",
	};
	for (uint32_t layer = LAYER_SYSCALL; layer <= LAYER_FS; layer++)
		*sample_add_row(s, LAYER, struct sample_layer) = (struct sample_layer){
			.dev = DISK_DEV, .layer = layer, .op = LAYER_READ, .fs = "ext4",
			.count = 3 * i, .total_ns = (4 - layer) * 1000000ull * i, .running = 2,
			.running_ns = 5, .hist = { hist, sizeof(hist) },
		};
}

static void play_work(struct range *r, bool working, unsigned without)
{
	for (unsigned i = 0; i < 4; i++) {
		unsigned on = (ON | SRC_LAYERS) & ~without;
		struct sample *s = range_sample(r, i, on);

		disks(s);
		if (working)
			add_work(s, i);
		r->model = engine_advance(r->engine, s, on | SRC_NAMES);
	}
}

static double compared(const struct row *row, const char *key)
{
	struct value v = column_value(entity_column(row->entity, key), row, after.model,
				      SPAN_MEAN, &unit_texts);
	double d = NAN;

	value_number(&v, &d);
	return d;
}

static const struct row *only_before(enum entity_id id)
{
	for (size_t i = 0; i < after.model->rows[id].n; i++)
		if (after.model->rows[id].rows[i]->flags & ROW_BEFORE)
			return after.model->rows[id].rows[i];
	ck_abort_msg("no row of %s was only before", entities[id]->name);
}

static void check_now(enum entity_id id, const char *key, const char *diff, double then)
{
	const struct row *row = only_before(id);

	ck_assert_msg(compared(row, key) == 0, "%s: %g", key, compared(row, key));
	ck_assert_msg(compared(row, diff) == -then, "%s: %g", diff, compared(row, diff));
}

/* What was not there did nothing, whatever its row says of how it was then. */
START_TEST(amounts_of_what_was_only_before)
{
	play_work(&before, true, 0);
	play_work(&after, false, 0);
	model_compare(after.model, before.model);
	check_now(ENTITY_TASK, "dirtynow", "dirtynow_diff", 100 * MIB);
	check_now(ENTITY_TASK, "write", "write_diff", MIB);
	check_now(ENTITY_FILE, "dirtynow", "dirtynow_diff", 100 * MIB);
	check_now(ENTITY_LAYER, "running", "running_diff", 2);
	ck_assert_double_eq(compared(only_before(ENTITY_TASK), "dirtynow_ratio"), 0);
	for (size_t id = 0; id < ENTITY_COUNT; id++) {
		const struct row *row;

		row_each(row, &after.model->rows[id]) {
			struct value v;
			double d;

			if (!(row->flags & ROW_BEFORE))
				continue;
			entity_each_column(row->entity, col) {
				v = column_value(col, row, after.model, SPAN_MEAN, &unit_texts);
				ck_assert_msg(v.kind != VAL_PAIRS, "%s", col->key);
				if (col->unit != UNIT_NONE && value_number(&v, &d))
					ck_assert_msg(d == 0, "%s: %g", col->key, d);
			}
		}
	}
}
END_TEST

/* Nobody tells of files in the range after: how much is dirty is not known. */
START_TEST(amounts_that_nobody_counts)
{
	play_work(&before, true, 0);
	play_work(&after, false, SRC_FILES);
	model_compare(after.model, before.model);
	ck_assert(isnan(compared(only_before(ENTITY_TASK), "dirtynow")));
	ck_assert(isnan(compared(only_before(ENTITY_TASK), "dirtynow_diff")));
	ck_assert_double_eq(compared(only_before(ENTITY_TASK), "write"), 0);
}
END_TEST

#define MANY 20000

/* Seconds that the process had a processor. */
static double processor(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / NSEC_PER_SEC;
}

/* Many tasks, two of each process; returns how long the engine took for one sample of them. */
static double play_many(struct range *r, uint32_t first)
{
	double began = 0;

	for (unsigned i = 0; i < 3; i++) {
		struct sample *s = range_sample(r, i, ON);

		disks(s);
		for (uint32_t k = first; k < first + MANY; k++) {
			struct task_id id = task(s, k & ~1u, k, -5)->id;

			io(s, id, id, DISK_DEV, OP_WRITE, 4096ull * (i + 1));
		}
		began = processor();
		r->model = step(s);
	}
	return processor() - began;
}

/* Tasks come and go: the process is that of the same number, without a walk for each of them. */
START_TEST(many_that_ended)
{
	double once, began;
	const struct task_row *t;
	size_t joined = 0;

	play_many(&before, 2);
	/* The last of the processes are there still, with other threads. */
	once = play_many(&after, 2 + MANY - 1);
	began = processor();
	model_compare(after.model, before.model);
	ck_assert_double_lt(processor() - began, 10 * once);
	row_each(t, &after.model->rows[ENTITY_TASK]) {
		const struct row *row = &t->row;

		if (!(row->flags & ROW_BEFORE))
			continue;
		joined += !(t->process >> 63);
		ck_assert_uint_eq(t->process >> 63, t->pid != MANY);
	}
	ck_assert_uint_eq(joined, 1);
	ck_assert_uint_eq(after.model->rows[ENTITY_TASK].n, 2 * MANY - 1);
}
END_TEST

UNIT_FIXTURE_MAIN("compare_rows", ranges_begin, ranges_end, order_of_a_tree,
		  amounts_of_what_was_only_before, amounts_that_nobody_counts, many_that_ended)
