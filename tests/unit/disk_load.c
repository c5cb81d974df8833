/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How busy disks are, from hand-written samples: never a number of two measures, nor of an interval
 * that was seen in part.
 */
#include "disk_samples.h"

#define ON (SRC_DISKS | SRC_BLOCK | SRC_HIST)

static double in_all(const struct model *m, const char *key)
{
	struct value v =
		column_value(entity_column(&entity_disk, key), &row_of(m, "sda")->row, m, SPAN_SUM,
			     &unit_texts);
	double d = NAN;

	ck_assert_msg(value_number(&v, &d), "%s in all is no number", key);
	return d;
}

static void load(struct sample *s, uint64_t busy_ms, uint64_t depth_ms, uint64_t in_flight)
{
	*sample_add_row(s, DISKLOAD, struct sample_diskload) =
		(struct sample_diskload){ .dev = SDA,
					  .busy_ns = busy_ms * MS,
					  .depth_ns = depth_ms * MS,
					  .in_flight = in_flight };
}

/* 100 reads a second; the kernel counts a tick of its clock for each. */
static struct sample *second(unsigned i, unsigned on)
{
	struct sample *s = sample_at(i, on);
	struct sample_disk *d = disk(s, SDA, "sda", NULL);

	d->rd_ios = 100 * i;
	d->rd_ms = 20 * i;
	d->io_ms = 579 * i;
	d->weighted_ms = 40 * i;
	return s;
}

/* The programs are loaded for this tab; the one before did without them. */
START_TEST(two_measures_never_meet)
{
	const struct model *m;
	struct sample *s;

	advance(second(0, SRC_DISKS));
	m = advance(second(1, SRC_DISKS));
	ck_assert_double_eq_tol(number(m, "sda", "util"), 57.9, 1e-9);
	ck_assert_double_eq_tol(number(m, "sda", "depth"), 0.04, 1e-9);
	s = second(2, ON);
	diskop(s, SDA, OP_READ, 1, 1);
	load(s, 1, 1, 0);
	m = advance(s);
	ck_assert(number(m, "sda", "riops") == 100);
	check_none(m, "sda", "util depth rp99 rmax queue");
	for (unsigned i = 3; i < 6; i++) {
		s = second(i, ON);
		diskop(s, SDA, OP_READ, 1 + 100 * (i - 2), 1);
		load(s, 1 + 20 * (i - 2), 1 + 30 * (i - 2), 0);
		m = advance(s);
		ck_assert_double_eq_tol(number(m, "sda", "util"), 2, 1e-9);
		ck_assert_double_eq_tol(in_all(m, "util"), 2, 1e-9);
		ck_assert_double_eq_tol(number(m, "sda", "depth"), 0.03, 1e-9);
		ck_assert_double_eq_tol(in_all(m, "depth"), 0.03, 1e-9);
		ck_assert(in_all(m, "queue") == MS / 4.0);
	}
	/* Somebody looks at another tab for a second. */
	m = advance(second(6, SRC_DISKS));
	ck_assert(is_none(m, "sda", "util"));
	for (unsigned i = 0; i < 5; i++)
		ck_assert(disk_heat_tick(row_of(m, "sda")->heat, i)->unknown == (i == 0 || i == 4));
	ck_assert_double_eq_tol(in_all(m, "util"), 2, 1e-9);
}
END_TEST

/*
 * The programs know of a request that the kernel knows to be done: they have not seen its end, and
 * the disk was not busy with it.
 */
START_TEST(ends_that_were_missed)
{
	const struct model *m;
	struct sample *s = second(0, ON);

	diskop(s, SDA, OP_READ, 10, 1);
	load(s, 0, 0, 0);
	advance(s);
	s = second(1, ON);
	diskop(s, SDA, OP_READ, 109, 1);
	load(s, 420, 20, 1);
	m = advance(s);
	ck_assert_double_eq_tol(number(m, "sda", "util"), 2, 1e-9);
	ck_assert(number(m, "sda", "inflight") == 0);
	/* Long requests do keep a disk busy whose time comes with their end. */
	s = second(2, ON);
	((struct sample_disk *)s->tables[TABLE_DISK].rows)->in_flight = 1;
	diskop(s, SDA, OP_READ, 209, 1);
	load(s, 1420, 40, 2);
	m = advance(s);
	ck_assert_double_eq_tol(number(m, "sda", "util"), 100, 1e-9);
	ck_assert(number(m, "sda", "inflight") == 1);
	ck_assert_double_eq_tol(in_all(m, "util"), 51, 1e-9);
}
END_TEST

/* iostats=0: the kernel does not count requests in flight either. */
START_TEST(requests_the_kernel_does_not_count)
{
	const struct model *m = NULL;

	for (unsigned i = 0; i < 4; i++) {
		struct sample *s = sample_at(i, ON);

		disk(s, SDA, "sda", NULL)->rd_ios = 7;
		diskop(s, SDA, OP_READ, 10 + 10 * i, 1);
		load(s, 900 * i, 10 * i, 1);
		m = advance(s);
	}
	ck_assert_double_eq_tol(number(m, "sda", "util"), 90, 1e-9);
	ck_assert(number(m, "sda", "inflight") == 1);
}
END_TEST

/* The average of a part of the time is that of the requests whose parts are known. */
START_TEST(parts_of_some)
{
	const struct model *m;
	struct sample_diskop *o;
	struct sample *s = second(0, ON);

	diskop(s, SDA, OP_READ, 0, 4);
	advance(s);
	s = second(1, ON);
	o = diskop(s, SDA, OP_READ, 100, 4);
	o->unsplit = 75;
	o->queue_ns /= 4;
	o->device_ns /= 4;
	m = advance(s);
	ck_assert(number(m, "sda", "rlat") == 4 * MS);
	ck_assert(number(m, "sda", "queue") == 1 * MS);
	ck_assert(number(m, "sda", "device") == 3 * MS);
}
END_TEST

START_TEST(a_partition_is_measured_by_the_kernel)
{
	const struct model *m = NULL;

	for (unsigned i = 0; i < 3; i++) {
		struct sample *s = sample_at(i, i ? ON : SRC_DISKS);
		struct sample_disk *d;

		disk(s, SDA, "sda", NULL);
		d = partition(s, SDA1, SDA, "sda1");
		d->rd_ios = 10 * i;
		d->io_ms = 30 * i;
		m = advance(s);
	}
	ck_assert_double_eq_tol(number(m, "sda1", "util"), 3, 1e-9);
	ck_assert_double_eq_tol(number(m, "sda", "util"), 0, 1e-9);
}
END_TEST

START_TEST(programs_that_come_later)
{
	const struct model *m;
	struct sample *s = sample_at(0, SRC_DISKS);

	disk(s, SDA, "sda", NULL)->rd_ios = 1000;
	advance(s);
	s = sample_at(1, SRC_DISKS | SRC_BLOCK);	/* their maps begin at 0 */
	disk(s, SDA, "sda", NULL)->rd_ios = 1100;
	diskop(s, SDA, OP_READ, 90, 1);
	m = advance(s);
	ck_assert(number(m, "sda", "riops") == 100);
	/* They did not see all of this interval. */
	ck_assert(is_none(m, "sda", "rlat"));
	s = sample_at(2, SRC_DISKS);
	disk(s, SDA, "sda", NULL)->rd_ios = 1150;
	m = advance(s);
	ck_assert(number(m, "sda", "riops") == 50);
	s = sample_at(3, SRC_DISKS | SRC_BLOCK);
	disk(s, SDA, "sda", NULL)->rd_ios = 1400;
	diskop(s, SDA, OP_READ, 240, 1);
	m = advance(s);
	ck_assert(number(m, "sda", "riops") == 250);
	ck_assert(is_none(m, "sda", "rlat"));
	s = sample_at(4, SRC_DISKS | SRC_BLOCK);
	disk(s, SDA, "sda", NULL)->rd_ios = 1500;
	diskop(s, SDA, OP_READ, 340, 1);
	m = advance(s);
	ck_assert(number(m, "sda", "riops") == 100);
	ck_assert(number(m, "sda", "rlat") == MS);
}
END_TEST

/* Without a scheduler nothing is in one, be the parts of some requests not known. */
START_TEST(no_scheduler)
{
	const struct model *m = NULL;

	for (unsigned i = 0; i < 3; i++) {
		struct sample *s = sample_at(i, ON);
		struct sample_diskop *o;

		disk(s, SDA, "sda", NULL)->sched = "none 64";
		disk(s, SDB, "sdb", NULL)->sched = "mq-deadline 64";
		for (unsigned k = 0; k < 2; k++) {
			o = diskop(s, k ? SDB : SDA, OP_READ, 10 * i, 1);
			o->timed = o->ios;
			o->unsplit = i;
		}
		m = advance(s);
	}
	ck_assert(number(m, "sda", "insched") == 0);
	ck_assert(is_none(m, "sdb", "insched"));
}
END_TEST

UNIT_FIXTURE_MAIN("disk_load", samples_setup, samples_teardown, two_measures_never_meet,
		  ends_that_were_missed, requests_the_kernel_does_not_count,
		  programs_that_come_later, parts_of_some, a_partition_is_measured_by_the_kernel,
		  no_scheduler)
