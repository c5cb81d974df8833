// SPDX-License-Identifier: GPL-2.0-or-later
/* The page of "iotop serve": what is wrong, what is off and why, what was lost, what it costs. */
#include "finding_seconds.h"
#include "out/status_page.h"

static const struct second calm = { .busy = 20, .depth = 1, .wait = 5 };
static const struct second bad = { .busy = 100, .depth = 30, .wait = 60 };
static struct buf page;

static void end(void)
{
	buf_release(&page);
	samples_teardown();
}

static void write_page(const struct model *m, const struct metrics *x)
{
	static const struct metrics_process costs[] = {
		{ .name = "main", .cpu_ns = 1500000000, .resident = 3 << 20 },
		{ .name = "opener <1>", .cpu_ns = 2000000, .resident = 1 << 20 },
	};

	buf_reset(&page);
	status_page(&page, m, x, costs, ARRAY_SIZE(costs));
}

static void expect(const char *part, bool there)
{
	if (!strstr(page.data, part) == there)
		ck_abort_msg("%s:\n%s\nin:\n%s", there ? "missing" : "there", part, page.data);
}

START_TEST(nothing_is_wrong)
{
	play(&calm);
	write_page(play(&calm), NULL);
	expect("<h2>What is wrong</h2>\n<table>\n<tr><th>nothing</th>", true);
	expect("<tr><th>block</th><td>on</td></tr>", true);
	/* What nobody asked for is no source that failed. */
	expect("<th>layers</th>", false);
	expect("<h2>Lost</h2>\n<table>\n</table>", true);
	expect("<tr><th>main</th><td>1.50s of processor time, 3.00 MiB of memory</td></tr>", true);
	expect("<th>series</th>", false);
}
END_TEST

START_TEST(somebody_waits)
{
	const struct model *m;

	play(&calm);
	for (unsigned i = 0; i < 3; i++)
		play(&bad);
	m = play(&bad);
	ck_assert_ptr_nonnull(found(m, "disk-saturated"));
	write_page(m, NULL);
	expect("<tr><th>disk-saturated</th><td>sda is saturated: worker 30 waits 60.0 % of its "
	       "time behind ba\"ckup 20,", true);
	expect("<th>nothing</th>", false);
}
END_TEST

/* Names are of others: no text becomes HTML. */
START_TEST(what_html_reads)
{
	static const struct second off = { .busy = 20, .depth = 1, .off = SRC_BLOCK,
					   .why = "<script> & co" };

	play(&off);
	write_page(play(&off), NULL);
	expect("<tr><th>block</th><td>&lt;script&gt; &amp; co</td></tr>", true);
	expect("<tr><th>opener &lt;1&gt;</th>", true);
	expect("<script>", false);
}
END_TEST

START_TEST(what_was_lost)
{
	struct metrics *x = metrics_new(0, SOURCES);
	const struct model *m;
	struct sample *s;
	char series[64];

	engine_advance(engine, sample_at(0, SOURCES), SOURCES);
	s = sample_at(1, SOURCES);
	sample_lose(s, "block.owners-full", 3);
	m = engine_advance(engine, s, SOURCES);
	metrics_update(x, m);
	write_page(m, x);
	expect("<tr><th>block.owners-full</th><td>3 ", true);
	snprintf(series, sizeof(series), "<tr><th>series</th><td>%zu</td></tr>", metrics_count(x));
	expect(series, true);
	metrics_free(x);
}
END_TEST

UNIT_FIXTURE_MAIN("status_page", begin, end, nothing_is_wrong, somebody_waits, what_html_reads,
		  what_was_lost)
