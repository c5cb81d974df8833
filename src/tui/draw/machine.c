// SPDX-License-Identifier: GPL-2.0-or-later
#include "tui/draw/machine.h"

#include <math.h>
#include <stdio.h>

#include "base/clock.h"
#include "base/i18n.h"
#include "base/utf8.h"
#include "data/total_row.h"
#include "tui/draw/plot.h"

#define NUMBER 10	/* "1.12 MiB/s" */
#define NUMBER_KB 15	/* "178257.92 KiB/s" */
#define SPARK 8
#define WIDE	  110 /* columns from which on graphs become longer … */
#define MAXIMUM	  120 /* … and have a scale of their own, which is told */

static const char *suffix_of(enum span span)
{
	return span == SPAN_SUM ? "" : "/s";
}

static void bytes_text(char out[static 32], const struct canvas *c, double bytes, enum span span)
{
	int n = unit_format(out, 32, UNIT_BYTES, bytes, &c->units);

	if (!isnan(bytes))
		snprintf(out + n, 32 - n, "%s", suffix_of(span));
}

/* As wide for any number: what fits beside it must not change from interval to interval. */
static void percent_text(char out[static 16], const struct canvas *c, double percent)
{
	char text[16];

	unit_format(text, sizeof(text), UNIT_PERCENT, percent, &c->units);
	if (isnan(percent))
		snprintf(out, 16, "%s", text);
	else
		snprintf(out, 16, "%4.8s %%", text);
}

static int spark_width(const struct canvas *c)
{
	int least = c->width < MAXIMUM ? WIDE : MAXIMUM;

	return c->width < WIDE ? SPARK : MIN(SPARK + (c->width - least) / 3, HISTORY_TICKS);
}

struct flow_graph {
	const float *history;
	unsigned n;
	float max;
};

/*
 * READ or WRITE: of the rows (of the disks where nobody counts those), its graph, at the disks.
 * Returns where the rest of the line begins.
 */
static int draw_flow(struct canvas *c, int y, enum style style, const char *name, double rows,
		     double disks, const char *suffix, const struct flow_graph *graph)
{
	int spark = spark_width(c), number = c->units.kilobytes ? NUMBER_KB : NUMBER, x = 1;
	bool instead = isnan(rows) && !isnan(disks);
	double shown = instead ? disks : rows;

	canvas_text(c, x, y, -1, style, name);
	/* Both lines have their numbers in the same columns, in any language. */
	x += MAX(MAX(utf8_width(C_("machine", "READ")), utf8_width(C_("machine", "WRITE"))) + 1, 6);
	x += canvas_number(c, x, y, number, shown > 0 ? style : STYLE_DIM, UNIT_BYTES, shown,
			   suffix) +
	     1;
	plot_line(c, x, y, spark, style, graph->history, graph->n, graph->max);
	x += spark + 2;
	if (c->width >= MAXIMUM) {
		x += canvas_text(c, x - 1, y, -1, STYLE_DIM, _("max"));
		x += canvas_number(c, x, y, number, STYLE_DIM, UNIT_BYTES, graph->max, "/s") + 3;
	}
	if (x + 6 + number > c->width)
		return x;
	/* Their rate stands before the graph: nobody counts that of the rows. */
	if (instead)
		return x + 3 +
		       canvas_text(c, x, y, -1, STYLE_DIM,
				   _("(disks)"));
	x += canvas_text(c, x, y, -1, STYLE_DIM, _("disks")) +
	     1;
	return x +
	       canvas_number(c, x, y, number, disks > 0 ? style : STYLE_DIM, UNIT_BYTES, disks,
			     suffix) +
	       3;
}

/* A text only where it fits whole. Returns the columns used with the space behind it. */
static int draw_whole(struct canvas *c, int x, int y, enum style style, const char *text)
{
	if (x + utf8_width(text) > c->width)
		return 0;
	return canvas_text(c, x, y, -1, style, text) + 3;
}

static void draw_pressure(struct canvas *c, int x, int y, const struct model_totals *t,
			  enum span span)
{
	const struct model_flows flows = t->flows;
	char some[16], full[16], in[32], out[32], text[128];
	int used;

	percent_text(some, c, t->psi_some);
	percent_text(full, c, t->psi_full);
	snprintf(text, sizeof(text),
		 t->psi_idle ? _("IO pressure  some %s  full %s (iowait without I/O)")
			     : _("IO pressure  some %s  full %s"), some, full);
	used = draw_whole(c, x, y, STYLE_NORMAL, text);
	if (!used) {
		snprintf(text, sizeof(text), t->psi_idle ? _("IO pressure some %s (no I/O)")
							 : _("IO pressure some %s full %s"),
			 some, full);
		used = draw_whole(c, x, y, STYLE_NORMAL, text);
	}
	if (!used) {
		snprintf(text, sizeof(text), t->psi_idle ? _("pressure %s (no I/O)")
							 : _("pressure %s"), some);
		used = draw_whole(c, x, y, STYLE_NORMAL, text);
	}
	bytes_text(in, c, flows.swap_in, span);
	bytes_text(out, c, flows.swap_out, span);
	snprintf(text, sizeof(text), _("swap in %s  out %s"), in, out);
	draw_whole(c, x + used, y,
		   flows.swap_in + flows.swap_out > 0 ? STYLE_NORMAL : STYLE_DIM, text);
}

#define COUNT_FORMS 3

/*
 * The longest text that leaves room for so many columns, or else the longest that has room. Returns
 * the columns used with the space behind it.
 */
static int draw_longest(struct canvas *c, int x, int y, char texts[COUNT_FORMS][128], int beside)
{
	for (int pass = 0; pass < 2; pass++, beside = 0)
		for (int i = 0; i < COUNT_FORMS; i++)
			if (x + utf8_width(texts[i]) + beside <= c->width)
				return draw_whole(c, x, y, STYLE_NORMAL, texts[i]);
	return 0;
}

/* beside: columns of what comes behind it. Returns the columns used with the space behind it. */
static int draw_counts(struct canvas *c, int x, int y, const struct model_totals *t, int beside)
{
	/* The system counts those that are there now; who ended was active, too. */
	unsigned long long all = t->tasks + t->ended, active = t->active, ended = t->ended;
	char texts[COUNT_FORMS][128], text[128];

	/* How many there are the system tells, who does I/O the tasks. */
	if (isnan(t->load[0])) {
		snprintf(text, sizeof(text),
			 ngettext("%llu task active, %llu ended", "%llu tasks active, %llu ended",
				  active),
			 active, ended);
		return isnan(t->flows.read) ? 0 : draw_whole(c, x, y, STYLE_NORMAL, text);
	}
	/* Tasks are not counted while the screen does not need them. */
	if (isnan(t->flows.read)) {
		snprintf(text, sizeof(text), ngettext("%llu task", "%llu tasks", t->tasks),
			 (unsigned long long)t->tasks);
		return draw_whole(c, x, y, STYLE_NORMAL, text);
	}
	snprintf(texts[0], sizeof(texts[0]),
		 ngettext("%llu of %llu task active, %llu ended",
			  "%llu of %llu tasks active, %llu ended", all),
		 active, all, ended);
	snprintf(texts[1], sizeof(texts[1]),
		 ngettext("%llu of %llu task, %llu ended", "%llu of %llu tasks, %llu ended", all),
		 active, all, ended);
	snprintf(texts[2], sizeof(texts[2]),
		 ngettext("%llu of %llu task", "%llu of %llu tasks", all), active, all);
	return draw_longest(c, x, y, texts, beside);
}

#define SOON 600	/* seconds in which a limit is reached that it is worth to say so */

/* Seconds until the next limit is reached if it goes on like that; NaN: it is far, or none. */
static double dirty_left(const struct model_totals *t)
{
	double left = t->dirty < t->dirty_background_threshold
			      ? t->dirty_background_threshold - t->dirty
			      : t->dirty_threshold - t->dirty - t->writeback;
	double seconds = t->dirty_growth > 0 ? MAX(left, 0) / t->dirty_growth : NAN;

	return seconds <= SOON ? seconds : NAN;
}

#define DIRTY_SPACE 3	/* columns before it */

/* What is dirty or being written, and where the kernel holds writers back; "" where unknown. */
static void dirty_text(char out[static 96], const struct canvas *c, const struct model_totals *t)
{
	char dirty[32], high[32];

	out[0] = '\0';
	if (isnan(t->dirty) || isnan(t->dirty_threshold))
		return;
	bytes_text(dirty, c, t->dirty + t->writeback, SPAN_SUM);
	bytes_text(high, c, t->dirty_threshold, SPAN_SUM);
	snprintf(out, 96, _("dirty %s of %s"), dirty, high);
}

/*
 * Below the middle between the two limits nobody who writes has to wait (dirty_freerun_ceiling() of
 * the kernel): above the lower one only the kernel writes by itself.
 */
static bool may_throttle(const struct model_totals *t)
{
	return t->dirty > (t->dirty_background_threshold + t->dirty_threshold) / 2;
}

/* The same, or where there is room also the limit above which the kernel writes by itself. */
static void draw_dirty(struct canvas *c, int x, int y, const struct model_totals *t,
		       const char *brief)
{
	enum style style = may_throttle(t) ? STYLE_WARN : STYLE_NORMAL;
	char dirty[32], writeback[32], low[32], high[32], time[32], text[160];
	double left = dirty_left(t);
	int used;

	if (!*brief)
		return;
	bytes_text(dirty, c, t->dirty, SPAN_SUM);
	bytes_text(writeback, c, t->writeback, SPAN_SUM);
	bytes_text(low, c, t->dirty_background_threshold, SPAN_SUM);
	bytes_text(high, c, t->dirty_threshold, SPAN_SUM);
	snprintf(text, sizeof(text), _("dirty %s  writeback %s  limits %s, %s"), dirty, writeback,
		 low, high);
	used = draw_whole(c, x, y, style, text);
	if (!used)
		used = draw_whole(c, x, y, style, brief);
	if (!used || isnan(left))
		return;
	unit_format(time, sizeof(time), UNIT_NS, left * NSEC_PER_SEC, &c->units);
	snprintf(text, sizeof(text), _("reached in %s"), time);
	draw_whole(c, x + used - 1, y, style, text);
}

int machine_header(struct canvas *c, int y, const struct model *m, enum span span)
{
	const struct total_row total = total_row(m, span);
	const struct model_flows flows = total.totals.flows;
	const struct history *h = &m->totals.disks;
	float read = plot_max(h->read, h->n), write = plot_max(h->write, h->n),
	      both = MAX(read, write);
	/* Without its maximum beside it a graph is compared with the other one. */
	bool apart = c->width >= MAXIMUM;
	struct flow_graph reads = { h->read, h->n, apart ? read : both },
			  writes = { h->write, h->n, apart ? write : both };
	char dirty[96];
	int x;

	x = draw_flow(c, y, STYLE_READ, C_("machine", "READ"), flows.read, flows.disk_read,
		      suffix_of(span), &reads);
	draw_pressure(c, x, y, &total.totals, span);
	x = draw_flow(c, y + 1, STYLE_WRITE, C_("machine", "WRITE"), flows.write, flows.disk_write,
		      suffix_of(span), &writes);
	dirty_text(dirty, c, &total.totals);
	x += draw_counts(c, x, y + 1, &total.totals, DIRTY_SPACE + utf8_width(dirty));
	draw_dirty(c, x, y + 1, &total.totals, dirty);
	return 2;
}
