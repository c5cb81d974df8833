// SPDX-License-Identifier: GPL-2.0-or-later
#include "unit.h"

#include <math.h>
#include <sqlite3.h>
#include <time.h>

#include "base/clock.h"
#include "out/list.h"
#include "out/out.h"
#include "thing.h"
#include "view/view.h"

/* What n reports of the things print; free() releases. */
static char *print(const struct out_options *opt, const struct view_spec *spec, unsigned n)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	struct out *o = out_open(f, opt);
	struct view v;

	view_init(&v);
	view_build(&v, &thing_model, spec);
	for (unsigned i = 0; i < n; i++)
		ck_assert_int_eq(out_report(o, &v), 0);
	view_release(&v);
	out_close(o);
	fclose(f);
	return text;
}

static struct view_spec spec_new(const char *columns)
{
	struct view_spec spec = { .entity = &thing_entity };

	ck_assert_int_eq(view_set_columns(&spec, columns, NULL), 0);
	ck_assert_int_eq(view_set_sort(&spec, "id:asc", NULL), 0);
	setenv("TZ", "UTC", 1);
	tzset();
	return spec;
}

static void expect(const struct out_options *opt, const struct view_spec *spec, unsigned n,
		   const char *want)
{
	char *got = print(opt, spec, n);

	ck_assert_str_eq(got, want);
	free(got);
}

START_TEST(csv)
{
	struct view_spec spec = spec_new("id,nice,bytes,graph,frames,hist,name");
	struct out_options opt = { .format = OUT_CSV };

	things_build();
	spec.rows = 5;
	things[1].name = "say \"hi\"";
	expect(&opt, &spec, 1,
	       "time,id,nice,bytes,frames,hist,name\n"
	       "2026-01-31T12:00:01.004+00:00,1,5,1000,main;vfs_read,1024:3;2048:4,ab\n"
	       "2026-01-31T12:00:01.004+00:00,2,6,2000,,,\"say \"\"hi\"\"\"\n"
	       "2026-01-31T12:00:01.004+00:00,3,7,5000000000,,,aa\n"
	       "2026-01-31T12:00:01.004+00:00,4,8,,,,\n"
	       "2026-01-31T12:00:01.004+00:00,5,9,1000,,,\"b\"\"x, y\"\n");
	spec = spec_new("id");
	spec.rows = 1;
	expect(&opt, &spec, 2,
	       "time,id\n2026-01-31T12:00:01.004+00:00,1\n2026-01-31T12:00:01.004+00:00,1\n");
	opt.quiet = 2;
	expect(&opt, &spec, 1, "2026-01-31T12:00:01.004+00:00,1\n");
	things_release();
}
END_TEST

START_TEST(json)
{
	static struct model_loss losses[] = { { "block.full", 3, 1 }, { "quiet", 0, 0 } };
	struct view_spec spec = spec_new("id,bytes,wait,graph,frames,hist,name");
	struct out_options opt = { .format = OUT_JSON, .screen = "things" };

	things_build();
	spec.rows = 2;
	things[1].name = "a\"\\\n\377\343\201\202";
	thing_model.interval = 1.5;
	thing_model.sources[0].state = SOURCE_ON;
	thing_model.sources[3].reason = "kernel.task_delayacct is 0";
	for (unsigned i = 0; i < SRC_COUNT; i++)
		thing_model.sources[i].watch.watched_ns = NSEC_PER_SEC / 2 * 3;
	thing_model.sources[5].watch.watched_ns = NSEC_PER_SEC / 10;
	thing_model.sources[5].state = SOURCE_PART;
	thing_model.sources[5].reason = "no \"probe\"";
	thing_model.losses = losses;
	thing_model.nlosses = 2;
	thing_model.totals = (struct model_totals){
		.flows = { .read = 0.1, .write = NAN, .disk_read = 1e20 },
		.dirty = 4096, .dirty_threshold = NAN, .tasks = 612, .active = 41, .ended = 7,
	};
	expect(&opt, &spec, 1,
	       "{\"time\":\"2026-01-31T12:00:01.004+00:00\",\"interval\":1.5,\"screen\":\"things\","
	       "\"host\":\"db1\","
	       "\"sources\":{\"block\":\"on\",\"delayacct\":\"off: kernel.task_delayacct is "
	       "0\",\"throttle\":\"part: no \\\"probe\\\"\"},"
	       "\"watched\":{\"block\":1.5,\"throttle\":0.1},"
	       "\"lost\":{\"block.full\":3},"
	       "\"findings\":[],"
	       "\"totals\":{\"read\":0.1,\"write\":null,\"disk_read\":1e+20,\"disk_write\":0,"
	       "\"swap_in\":0,\"swap_out\":0,"
	       "\"psi_some\":0,\"psi_full\":0,"
	       "\"refault_file\":0,\"refault_anon\":0,\"scan_direct\":0,\"steal_direct\":0,"
	       "\"psi_memory_some\":0,\"psi_memory_full\":0,\"dirty\":4096,\"writeback\":0,"
	       "\"dirty_threshold\":null,\"dirty_background_threshold\":0,"
	       "\"tasks\":612,\"active\":41,\"ended\":7,\"hits\":0,"
	       "\"misses\":0},"
	       "\"rows\":[{\"id\":1,\"bytes\":666.6666666666666,\"wait\":33.33333333333333,"
	       "\"frames\":[\"main\",\"vfs_read\"],"
	       "\"hist\":[[1024,3],[2048,4]],\"name\":\"ab\"},"
	       "{\"id\":2,\"bytes\":1333.3333333333333,\"wait\":null,\"frames\":null,\"hist\":null,"
	       "\"name\":\"a\\\"\\\\\\u000a\\ufffd\343\201\202\"}]}\n");
	things_release();
}
END_TEST

/* Another reader than our own expectations. */
START_TEST(json_is_valid)
{
	struct view_spec spec = spec_new("id,nice,big,bytes,wait,max,members,frames,hist,name");
	struct out_options opt = { .format = OUT_JSON, .screen = "things" };
	char every[256] = "";
	sqlite3_stmt *st;
	sqlite3 *db;
	char *text;

	for (int c = 1; c < 256; c++)
		every[c - 1] = (char)c;
	things_build();
	things[0].name = every;
	text = print(&opt, &spec, 1);
	ck_assert_int_eq(sqlite3_open(":memory:", &db), SQLITE_OK);
	ck_assert_int_eq(
		sqlite3_prepare_v2(db, "select json_valid(?1), json_array_length(?1, '$.rows')", -1,
				   &st, NULL),
		SQLITE_OK);
	sqlite3_bind_text(st, 1, text, -1, SQLITE_STATIC);
	ck_assert_int_eq(sqlite3_step(st), SQLITE_ROW);
	ck_assert_int_eq(sqlite3_column_int(st, 0), 1);
	ck_assert_int_eq(sqlite3_column_int(st, 1), 6);
	sqlite3_finalize(st);
	sqlite3_close(db);
	free(text);
	things_release();
}
END_TEST

START_TEST(text)
{
	struct view_spec spec = spec_new("id,bytes,max,graph,name");
	struct out_options opt = { .quiet = 1 };

	things_build();
	thing_model.totals = (struct model_totals){
		.flows = { .read = 1174405, .disk_read = NAN, .disk_write = 3e9 },
	};
	spec.rows = 1;
	expect(&opt, &spec, 2,
	       "Total DISK READ:       1146.88 K/s | Total DISK WRITE:          0.00 B/s\n"
	       "Current DISK READ:               - | Current DISK WRITE:        2.79 G/s\n"
	       "  ID  BYTES/s    MAX NAME\n"
	       "   1 0.98 KiB   10ns ab\n"
	       "Total DISK READ:       1146.88 K/s | Total DISK WRITE:          0.00 B/s\n"
	       "Current DISK READ:               - | Current DISK WRITE:        2.79 G/s\n"
	       "   1 0.98 KiB   10ns ab\n");
	/* With -a totals are sums as well. */
	thing_model.sums = (struct model_flows){ .read = 1174405, .disk_read = NAN };
	spec.span = SPAN_SUM;
	expect(&opt, &spec, 1,
	       "Total DISK READ:         1146.88 K | Total DISK WRITE:            0.00 B\n"
	       "Current DISK READ:               - | Current DISK WRITE:          0.00 B\n"
	       "  ID    BYTES    MAX NAME\n"
	       "   1 9.77 KiB   10ns ab\n");
	spec.span = SPAN_TICK;
	opt = (struct out_options){ .quiet = 3, .time = true, .units = { .ascii = 1 } };
	spec.rows = 0;
	expect(&opt, &spec, 1,
	       "12:00:01    1 0.98 KiB   10ns ab\n"
	       "12:00:01    2 1.95 KiB   30ns ac\n"
	       "12:00:01    3 4.66 GiB   20ns aa\n"
	       "12:00:01    4        -    0ns -\n"
	       "12:00:01    5 0.98 KiB    0ns b\"x, y\n"
	       "12:00:01    6      0 B    0ns b??\n");
	things_release();
}
END_TEST

/* The time of a report on another day than the first has its date. */
START_TEST(second_day)
{
	struct view_spec spec = spec_new("id");
	const struct out_options opt = { .quiet = 3, .time = true };
	uint64_t first;
	char *got = NULL;
	struct out *o;
	size_t size;
	struct view v;
	FILE *f = open_memstream(&got, &size);

	things_build();
	spec.rows = 1;
	view_init(&v);
	view_build(&v, &thing_model, &spec);
	o = out_open(f, &opt);
	first = thing_model.real_ns;
	for (unsigned day = 0; day < 3; day++) {
		thing_model.real_ns = first + day * 24 * 3600 * NSEC_PER_SEC;
		ck_assert_int_eq(out_report(o, &v), 0);
	}
	thing_model.real_ns = first;
	view_release(&v);
	out_close(o);
	fclose(f);
	ck_assert_str_eq(got, "12:00:01    1\n2026-02-01 12:00:01    1\n"
			       "2026-02-02 12:00:01    1\n");
	free(got);
	things_release();
}
END_TEST

START_TEST(full_disk)
{
	struct view_spec spec = spec_new("id");
	struct out_options opt = { .format = OUT_CSV };
	FILE *f = fopen("/dev/full", "w");
	struct out *o = out_open(f, &opt);
	struct view v;

	ck_assert_ptr_nonnull(f);
	things_build();
	view_init(&v);
	view_build(&v, &thing_model, &spec);
	ck_assert_int_eq(out_report(o, &v), -ENOSPC);
	view_release(&v);
	out_close(o);
	fclose(f);
	things_release();
}
END_TEST

START_TEST(lists)
{
	static const struct list_item items[] = {
		{ "a", "one" },
		{ "long-name", "words that are many enough to need another line because they do "
			       "not fit into eighty columns" },
		{ "a-name-that-is-longer-than-all-others", "two" },
		{ "none", NULL },
	};
	struct buf b = { 0 };

	list_print(&b, items, ARRAY_SIZE(items), 2);
	ck_assert_str_eq(b.data,
			 "  a          one\n"
			 "  long-name  words that are many enough to need another line because "
			 "they do not\n"
			 "             fit into eighty columns\n"
			 "  a-name-that-is-longer-than-all-others\n"
			 "             two\n"
			 "  none\n");
	buf_reset(&b);
	list_columns(&b, &thing_entity, 0);
	ck_assert_ptr_nonnull(strstr(b.data, "bytes\n"));
	buf_release(&b);
}
END_TEST

UNIT_MAIN("out", csv, json, json_is_valid, text, second_day, full_disk, lists)
