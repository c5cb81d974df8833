// SPDX-License-Identifier: GPL-2.0-or-later
/* Rows of two ranges that are compared: their order, and those that were only before. */
#include "data/compare.h"

#include "data/disk/disk.h"
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
static struct sample *range_sample(struct range *r, unsigned number)
{
	engine = r->engine;
	samples[0] = r->samples[0];
	samples[1] = r->samples[1];
	turn = number;
	return sample_at(number, ON);
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
		struct sample *s = range_sample(r, i);

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

UNIT_FIXTURE_MAIN("compare_rows", ranges_begin, ranges_end, order_of_a_tree)
