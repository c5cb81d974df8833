// SPDX-License-Identifier: GPL-2.0-or-later
/* A disk against its own past. */
#include "disk_samples.h"

/* The cumulative counters of a disk. */
static struct sample_diskop ops[2];
static struct sample_diskload load;
static unsigned seconds;

static void begin(void)
{
	samples_setup();
	memset(ops, 0, sizeof(ops));
	memset(&load, 0, sizeof(load));
	seconds = 0;
}

/* So many I/Os of bytes each, us at the device, with depth in flight while it is busy. */
static void did(uint32_t op, uint64_t ios, uint64_t bytes, uint64_t us, unsigned depth)
{
	struct sample_diskop *o = &ops[op];

	o->dev = load.dev = SDA;
	o->op = op;
	o->ios += ios;
	o->bytes += ios * bytes;
	o->lat_ns += ios * us * 1000;
	o->device_ns += ios * us * 1000;
	load.depth_ns += ios * us * 1000;
	load.busy_ns += ios * us * 1000 / depth;
}

static const struct model *step(void)
{
	struct sample *s = sample_at(seconds++, WANTED & ~(unsigned)SRC_TASKS);

	disk(s, SDA, "sda", NULL);
	for (unsigned op = OP_READ; op <= OP_WRITE; op++)
		if (ops[op].ios)
			*sample_add_row(s, DISKOP, struct sample_diskop) = ops[op];
	if (load.dev)
		*sample_add_row(s, DISKLOAD, struct sample_diskload) = load;
	return advance(s);
}

static const struct model *healthy(unsigned intervals)
{
	const struct model *m = step();

	for (unsigned i = 0; i < intervals; i++) {
		did(OP_READ, 100, 4096, 200 + i % 3 * 10, 4);
		m = step();
	}
	return m;
}

/* Buckets are 6.25 % wide. */
static bool is_about(double value, double of)
{
	return fabs(value - of) <= of * 0.1;
}

START_TEST(slower)
{
	const struct model *m = healthy(10);

	check_none(m, "sda", "usual slow");
	did(OP_READ, 100, 4096, 630, 4);
	m = step();
	ck_assert(is_about(number(m, "sda", "usual"), 210000));
	ck_assert(is_about(number(m, "sda", "slow"), 3));
	ck_assert_int_eq(column_value(entity_column(&entity_disk, "slow"),
				      &row_of(m, "sda")->row, m, SPAN_SUM, &unit_texts).kind,
			 VAL_NONE);
	/* Nothing done, nothing to compare. */
	m = step();
	check_none(m, "sda", "usual slow");
	/* A few slow intervals are not the rule. */
	for (int i = 0; i < 4; i++) {
		did(OP_READ, 100, 4096, 630, 4);
		m = step();
		ck_assert(is_about(number(m, "sda", "slow"), 3));
	}
	for (int i = 0; i < 20; i++) {
		did(OP_READ, 100, 4096, 630, 4);
		m = step();
	}
	ck_assert(is_about(number(m, "sda", "slow"), 1));
}
END_TEST

/* Only of the same kind: larger ones, writes and deeper queues take longer, and rightly. */
START_TEST(other_classes)
{
	const struct model *m = healthy(20);

	ck_assert(is_about(number(m, "sda", "slow"), 1));
	did(OP_READ, 100, 65536, 630, 4);
	check_none(step(), "sda", "usual slow");
	did(OP_READ, 100, 4096, 630, 16);
	check_none(step(), "sda", "usual slow");
	did(OP_WRITE, 100, 4096, 630, 4);
	check_none(step(), "sda", "usual slow");
	did(OP_READ, 7, 4096, 630, 4);
	check_none(step(), "sda", "usual slow");
	/* Of two kinds the one that is known. */
	did(OP_READ, 100, 4096, 420, 4);
	did(OP_WRITE, 1000, 4096, 5000, 4);
	m = step();
	ck_assert(is_about(number(m, "sda", "slow"), 2));
	ck_assert(is_about(number(m, "sda", "usual"), 210000));
}
END_TEST

/* I/Os whose parts are not known are no measure of the device. */
START_TEST(unsplit)
{
	healthy(20);
	did(OP_READ, 100, 4096, 210, 4);
	ops[OP_READ].unsplit += 50;
	ops[OP_READ].device_ns -= 50 * 210000;
	ck_assert(is_about(number(step(), "sda", "slow"), 1));
}
END_TEST

/* Another disk under the number has a past of its own. */
START_TEST(another_disk)
{
	struct sample *s;

	healthy(20);
	s = sample_at(seconds++, WANTED & ~(unsigned)SRC_TASKS);
	disk(s, SDB, "sdb", NULL);
	advance(s);
	step();
	did(OP_READ, 100, 4096, 630, 4);
	check_none(step(), "sda", "usual slow");
}
END_TEST

UNIT_FIXTURE_MAIN("disk_past", begin, samples_teardown, slower, other_classes, unsplit,
		  another_disk)
