/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Disks from hand-written samples: what is counted. */
#include "disk_samples.h"

START_TEST(statistics_of_the_kernel_alone)
{
	const struct model *m;
	struct sample_disk *d;
	struct sample *s = sample_at(0, SRC_DISKS);

	d = disk(s, SDA, "sda", NULL);
	d->rd_ios = 1000;
	d->rd_sectors = 1000000;
	m = advance(s);
	ck_assert_uint_eq(m->rows[ENTITY_DISK].n, 1);
	ck_assert(is_none(m, "sda", "read"));
	s = sample_at(2, SRC_DISKS);
	d = disk(s, SDA, "sda", NULL);
	d->rd_ios = 1200;
	d->rd_sectors = 1000000 + 1600;
	d->rd_ms = 400;
	d->rd_merges = 10;
	d->fl_ios = 4;
	d->dc_sectors = 8;
	d->io_ms = 500;
	d->weighted_ms = 3000;
	d->in_flight = 3;
	m = advance(s);
	ck_assert(number(m, "sda", "read") == 1600 * 512 / 2);
	ck_assert(number(m, "sda", "riops") == 100);
	ck_assert(number(m, "sda", "rlat") == 2 * MS);
	ck_assert(number(m, "sda", "write") == 0);
	ck_assert(number(m, "sda", "merges") == 5);
	ck_assert(number(m, "sda", "flush") == 2);
	ck_assert(number(m, "sda", "discard") == 2048);
	ck_assert(number(m, "sda", "util") == 25);
	ck_assert(number(m, "sda", "depth") == 1.5);
	ck_assert(number(m, "sda", "inflight") == 3);
	/* What only the block programs know. */
	check_none(m, "sda", "wlat rp99 rmax queue errors");
}
END_TEST

/* Times and discards by the programs, reads and writes by who can miss none. */
START_TEST(both_count)
{
	unsigned on = SRC_DISKS | SRC_BLOCK | SRC_HIST;
	struct sample_disk *d;
	const struct model *m;
	struct sample *s = sample_at(0, on);

	disk(s, SDA, "sda", NULL);
	diskop(s, SDA, OP_READ, 50, 3);
	advance(s);
	s = sample_at(1, on);
	d = disk(s, SDA, "sda", NULL);
	d->rd_ios = 101;
	d->rd_sectors = 101 * 8;
	d->in_flight = 2;
	diskop(s, SDA, OP_READ, 150, 3)->errors = 2;
	diskop(s, SDA, OP_FLUSH, 5, 1);
	*sample_add_row(s, DISKLOAD, struct sample_diskload) = (struct sample_diskload){
		.dev = SDA, .busy_ns = 250 * MS, .depth_ns = 500 * MS, .in_flight = 3
	};
	m = advance(s);
	ck_assert(number(m, "sda", "riops") == 101);
	ck_assert(number(m, "sda", "read") == 101 * 4096);
	ck_assert(number(m, "sda", "rlat") == 3 * MS);
	ck_assert(number(m, "sda", "queue") == 3 * MS / 4.0);
	ck_assert(number(m, "sda", "device") == 3 * MS / 4.0 * 3);
	ck_assert(number(m, "sda", "flush") == 5);
	ck_assert(number(m, "sda", "errors") == 2);
	ck_assert(number(m, "sda", "rmax") == 3 * MS);
	ck_assert(fabs(number(m, "sda", "rp99") - 3 * MS) < 0.2 * 3 * MS);
	ck_assert(is_none(m, "sda", "wp99"));
	ck_assert(number(m, "sda", "util") == 25);
	ck_assert(number(m, "sda", "depth") == 0.5);
	ck_assert(number(m, "sda", "inflight") == 2);
	ck_assert_uint_eq(cell(m, "sda", "rhist").n, 1);
	ck_assert_uint_eq(cell(m, "sda", "rhist").pairs[0][1], 100);
}
END_TEST

/*
 * Bios go to the driver without requests: no queue, no device; and below a millisecond the kernel's
 * statistics measure nothing.
 */
START_TEST(times_that_nobody_measured)
{
	unsigned on = SRC_DISKS | SRC_BLOCK | SRC_HIST;
	struct sample_diskop *op;
	struct sample_disk *d;
	const struct model *m;
	struct sample *s = sample_at(0, on);

	disk(s, SDA, "sda", NULL);
	disk(s, SDB, "sdb", NULL);
	diskop(s, SDA, OP_READ, 50, 3);
	advance(s);
	s = sample_at(1, on);
	disk(s, SDA, "sda", NULL)->rd_ios = 100;
	d = disk(s, SDB, "sdb", NULL);
	d->rd_ios = 100;
	op = diskop(s, SDA, OP_READ, 150, 3);
	op->queue_ns = op->device_ns = 0;
	m = advance(s);
	ck_assert(number(m, "sda", "rlat") == 3 * MS);
	ck_assert(is_none(m, "sda", "queue"));
	ck_assert(is_none(m, "sda", "device"));
	ck_assert(is_none(m, "sdb", "rlat"));
}
END_TEST

/* iostats=0: what the programs see is believed from the second time on, and nothing is left out. */
START_TEST(statistics_that_stand_still)
{
	static const double want[] = { 0, 0, 20, 10, 7 };
	unsigned on = SRC_DISKS | SRC_BLOCK | SRC_HIST;
	const struct model *m = NULL;
	struct sample *s;

	for (unsigned i = 0; i < 5; i++) {
		s = sample_at(i, on);
		disk(s, SDA, "sda", NULL)->rd_ios = 1000 + (i == 4 ? 7 : 0);
		diskop(s, SDA, OP_READ, 50 + i * 10, 3);
		m = advance(s);
		if (i)
			ck_assert(number(m, "sda", "riops") == want[i]);
	}
	ck_assert_uint_eq(
		((const struct disk_counters *)row_of(m, "sda")->row.sum)->op[OP_READ].ios, 37);
}
END_TEST

START_TEST(a_disk_the_programs_do_not_see)
{
	const struct model *m;
	struct sample *s = sample_at(0, SRC_DISKS | SRC_BLOCK);

	disk(s, SDA, "sda", NULL);
	disk(s, SDB, "sdb", NULL);
	advance(s);
	s = sample_at(1, SRC_DISKS | SRC_BLOCK);
	disk(s, SDA, "sda", NULL)->rd_ios = 30;
	disk(s, SDB, "sdb", NULL);
	m = advance(s);
	ck_assert(number(m, "sda", "riops") == 30);
	ck_assert(is_none(m, "sda", "errors"));
	ck_assert(number(m, "sdb", "errors") == 0);
}
END_TEST

START_TEST(disks_come_and_go)
{
	const struct model *m;
	struct sample *s = sample_at(0, SRC_DISKS);
	uint64_t key;

	disk(s, SDA, "sda", NULL);
	advance(s);
	s = sample_at(1, SRC_DISKS);
	disk(s, SDA, "sda", NULL);
	disk(s, SDB, "sdb", NULL)->rd_ios = 40;	/* plugged in: all it did was done since */
	m = advance(s);
	ck_assert(number(m, "sdb", "riops") == 40);
	ck_assert(row_of(m, "sdb")->row.flags & ROW_NEW);
	key = row_of(m, "sdb")->row.key;
	s = sample_at(2, SRC_DISKS);
	disk(s, SDA, "sda", NULL);
	m = advance(s);
	ck_assert(row_of(m, "sdb")->row.flags & ROW_ENDED);
	ck_assert_uint_eq(row_of(m, "sdb")->row.key, key);
	s = sample_at(3, SRC_DISKS);
	disk(s, SDA, "sda", NULL);
	disk(s, SDB, "sdc", NULL)->rd_ios = 5;	/* the number again, another disk */
	m = advance(s);
	ck_assert_ptr_null(row_of(m, "sdb"));
	ck_assert(number(m, "sdc", "riops") == 5);
	ck_assert_uint_ne(row_of(m, "sdc")->row.key, key);
	for (unsigned i = 0; i <= HISTORY_TICKS; i++) {
		s = sample_at(4 + i, SRC_DISKS);
		disk(s, SDA, "sda", NULL);
		m = advance(s);
		ck_assert(!row_of(m, "sdc") == (i == HISTORY_TICKS));
	}
}
END_TEST

/*
 * What a disk did before it was listed is no I/O of now; neither is what it did before it was away,
 * or while it was.
 */
START_TEST(the_header_has_no_spike_of_disks_that_come)
{
	static const bool listed[] = { false, true, true, false, true, true };
	static const uint64_t sectors[] = { 0, 1 << 24,	       (1 << 24) + 8,
					    0, (1 << 24) + 16, (1 << 24) + 24 };
	static const double bytes[] = { 0, 0, 4096, 0, 0, 4096 };

	for (unsigned i = 0; i < ARRAY_SIZE(listed); i++) {
		struct sample *s = sample_at(i, SRC_DISKS | SRC_SYSTEM);
		const struct model *m;

		disk(s, SDA, "sda", NULL);
		if (listed[i]) {
			struct sample_disk *d = disk(s, SDB, "sdb", NULL);

			d->rd_sectors = d->wr_sectors = sectors[i];
		}
		m = advance(s);
		if (!i)
			continue;
		ck_assert_double_eq(m->totals.flows.disk_read, bytes[i]);
		ck_assert_double_eq(m->totals.flows.disk_write, bytes[i]);
	}
}
END_TEST

/*
 * A loop device lies on a disk; detached, it lies on nothing. What it read until then was read from
 * the disk.
 */
START_TEST(the_header_has_no_spike_of_disks_that_are_detached)
{
	static const bool attached[] = { true, true, false, false, true, false };
	static const uint64_t loop[] = { 1 << 20, 1 << 21,	   1 << 22,
					 1 << 22, (1 << 22) + 800, (1 << 22) + 1600 };
	static const uint64_t below[] = { 0, 8, 16, 24, 32, 40 };

	for (unsigned i = 0; i < ARRAY_SIZE(attached); i++) {
		struct sample *s = sample_at(i, SRC_DISKS | SRC_SYSTEM);
		struct sample_disk *d = disk(s, SDA, "sda", NULL);
		const struct model *m;

		d->rd_sectors = d->wr_sectors = below[i];
		d = disk(s, DEV(7, 0), "loop0", attached[i] ? "sda" : NULL);
		d->rd_sectors = d->wr_sectors = loop[i];
		m = advance(s);
		if (!i)
			continue;
		ck_assert_double_eq(m->totals.flows.disk_read, 4096);
		ck_assert_double_eq(m->totals.flows.disk_write, 4096);
	}
}
END_TEST

START_TEST(maps_outlive_a_disk)
{
	const struct model *m;
	struct sample *s;

	for (unsigned i = 0; i < HISTORY_TICKS + 10; i++) {
		s = sample_at(i, SRC_DISKS | SRC_BLOCK);
		disk(s, SDA, "sda", NULL);
		if (i < 2)
			disk(s, SDB, "sdb", NULL);
		diskop(s, SDB, OP_READ, i ? 100 : 0, 1);
		m = advance(s);
		if (row_of(m, "sdb") && i != 1)
			ck_assert_uint_eq(((const struct disk_counters *)row_of(m, "sdb")->row.now)
						  ->op[OP_READ]
						  .ios,
					  0);
	}
	ck_assert_ptr_null(row_of(m, "sdb"));
}
END_TEST

START_TEST(a_closed_tab_makes_no_spike)
{
	const struct model *m;
	struct sample *s = sample_at(0, SRC_DISKS);

	disk(s, SDA, "sda", NULL);
	advance(s);
	engine_advance(engine, sample_at(1, 0), SRC_TASKS);
	engine_advance(engine, sample_at(2, 0), SRC_TASKS);
	s = sample_at(3, SRC_DISKS);
	disk(s, SDA, "sda", NULL)->rd_ios = 3000;
	m = advance(s);
	ck_assert(is_none(m, "sda", "riops"));
	s = sample_at(4, SRC_DISKS);
	disk(s, SDA, "sda", NULL)->rd_ios = 3010;
	m = advance(s);
	ck_assert(number(m, "sda", "riops") == 10);
	ck_assert_uint_eq(
		((const struct disk_counters *)row_of(m, "sda")->row.sum)->op[OP_READ].ios, 3010);
}
END_TEST

START_TEST(times_of_the_kernel_wrap)
{
	const struct model *m;
	struct sample *s = sample_at(0, SRC_DISKS);

	disk(s, SDA, "sda", NULL)->weighted_ms = UINT32_MAX - 99;
	advance(s);
	s = sample_at(1, SRC_DISKS);
	disk(s, SDA, "sda", NULL)->weighted_ms = 400;
	m = advance(s);
	ck_assert(number(m, "sda", "depth") == 0.5);
}
END_TEST

START_TEST(unused_loop_devices_are_quiet)
{
	const struct model *m;
	struct sample *s = sample_at(0, SRC_DISKS);

	disk(s, DEV(7, 1), "loop1", NULL)->size = 0;
	disk(s, DEV(7, 2), "loop2", NULL);
	disk(s, SDA, "sda", NULL);
	advance(s);
	s = sample_at(1, SRC_DISKS);
	disk(s, DEV(7, 1), "loop1", NULL)->size = 0;
	disk(s, DEV(7, 2), "loop2", NULL)->rd_ios = 1;
	disk(s, SDA, "sda", NULL);
	m = advance(s);
	ck_assert(row_of(m, "loop1")->row.flags & ROW_UNASKED);
	ck_assert(!(row_of(m, "loop2")->row.flags & ROW_UNASKED));
	ck_assert(!(row_of(m, "sda")->row.flags & ROW_UNASKED));
}
END_TEST

START_TEST(every_column_of_an_idle_and_a_new_disk)
{
	const struct model *m;
	struct sample *s = sample_at(0, SRC_DISKS | SRC_BLOCK);

	disk(s, SDA, "sda", NULL);
	for (unsigned tick = 0; tick < 2; tick++) {
		m = advance(s);
		entity_each_column(&entity_disk, col) {
			struct value v = column_value(col, &row_of(m, "sda")->row, m,
						      tick ? SPAN_SUM : SPAN_TICK, &unit_texts);
			char text[256];

			column_text(text, sizeof(text), col, &v, NULL);
			ck_assert(*text || col->flags & COL_GRAPH);
		}
		s = sample_at(1, SRC_DISKS);
		disk(s, SDA, "sda", NULL);
	}
}
END_TEST

/*
 * Shown alone they bring what takes the time of issue, and are there without it: most requests
 * carry that time.
 */
START_TEST(waits_before_the_device)
{
	struct sample_diskop *o;
	const struct model *m;
	struct sample *s;

	for (unsigned i = 0; i < 3; i++) {
		s = sample_at(i, SRC_DISKS | SRC_BLOCK | SRC_HIST);
		disk(s, SDA, "sda", NULL)->sched = i < 2 ? "mq-deadline 256" : NULL;
		o = diskop(s, SDA, OP_READ, 10 * i, 1);
		o->held_ns = i * 400 * MS;
		o->held_unseen = i == 2;
		o->timed = i < 2 ? o->ios : 0;
		o->tag_ns = i * 2 * MS;
		o->queue_ns = i * 12 * MS;
		o->unsplit = 0;
		*sample_add_row(s, DISKLOAD, struct sample_diskload) = (struct sample_diskload){
			.dev = SDA, .tag_waits = i * 3, .tags_told = i < 2, .timeouts = i };
		m = advance(s);
		if (i != 1)
			continue;
		ck_assert_double_eq(number(m, "sda", "throttled"), 40 * MS);
		ck_assert_double_eq(number(m, "sda", "tagwait"), MS / 5);
		ck_assert_str_eq(cell(m, "sda", "sched").str, "mq-deadline 256");
		ck_assert_double_eq(number(m, "sda", "insched"), MS);
		ck_assert_double_eq(number(m, "sda", "tagwaits"), 3);
		ck_assert_double_eq(number(m, "sda", "timeouts"), 1);
	}
	check_none(m, "sda", "throttled tagwait insched tagwaits sched");
}
END_TEST

START_TEST(the_parts_of_the_time_alone)
{
	for (size_t i = 0; i < 2; i++) {
		const struct column *c = entity_column(&entity_disk, i ? "queue" : "device");
		ck_assert_uint_eq(c->needs, SRC_BLOCK);
		ck_assert_uint_eq(c->either, SRC_BLOCK | SRC_HIST);
	}
}
END_TEST

UNIT_FIXTURE_MAIN("disk_model", samples_setup, samples_teardown, statistics_of_the_kernel_alone,
		  both_count, times_that_nobody_measured, statistics_that_stand_still,
		  a_disk_the_programs_do_not_see, disks_come_and_go,
		  the_header_has_no_spike_of_disks_that_come,
		  the_header_has_no_spike_of_disks_that_are_detached, maps_outlive_a_disk,
		  a_closed_tab_makes_no_spike, times_of_the_kernel_wrap,
		  unused_loop_devices_are_quiet, every_column_of_an_idle_and_a_new_disk,
		  waits_before_the_device, the_parts_of_the_time_alone)
