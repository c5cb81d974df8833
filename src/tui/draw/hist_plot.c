// SPDX-License-Identifier: GPL-2.0-or-later
#include "tui/draw/hist_plot.h"

#include <stdio.h>

#include "base/i18n.h"
#include "tui/draw/plot.h"

#define LABEL 6		/* "1.02ms" */
#define COUNT 5		/* "12.3k" */

/* Bands of so many buckets; those below the first doubling are one. */
static unsigned band_of(unsigned bucket, unsigned buckets)
{
	return bucket ? (bucket - 1) / buckets + 1 : 0;
}

static uint64_t band_lower(unsigned band, unsigned buckets)
{
	return band ? hist_lower(1 + (band - 1) * buckets) : 0;
}

void hist_plot_init(struct hist_plot *h, const uint64_t *reads, const uint64_t *writes,
		    unsigned fine, unsigned max_rows)
{
	unsigned first = HIST_PLOT_ROWS, last = 0, step = 1, buckets = HIST_SUB / fine;

	*h = (struct hist_plot){ 0 };
	for (unsigned i = 0; i < HIST_BUCKETS; i++) {
		if (!reads[i] && !writes[i])
			continue;
		first = MIN(first, band_of(i, buckets));
		last = band_of(i, buckets);
	}
	if (first > last || !max_rows)
		return;
	while ((last - first) / step + 1 > max_rows)
		step++;
	h->n = (last - first) / step + 1;
	for (unsigned i = 0; i < h->n; i++)
		h->rows[i].lower = band_lower(first + i * step, buckets);
	for (unsigned i = 0; i < HIST_BUCKETS; i++) {
		if (!reads[i] && !writes[i])
			continue;
		h->rows[(band_of(i, buckets) - first) / step].counts[0] += reads[i];
		h->rows[(band_of(i, buckets) - first) / step].counts[1] += writes[i];
	}
	for (unsigned i = 0; i < h->n; i++)
		h->max = MAX(h->max, MAX(h->rows[i].counts[0], h->rows[i].counts[1]));
}

/* The column of the line between reads and writes. */
static int middle(int columns)
{
	return LABEL + 1 + (columns - LABEL - 2) / 2;
}

void hist_plot_heading(struct canvas *c, int x, int y, int columns)
{
	int mid = middle(columns);
	char text[64];

	canvas_text(c, x, y, LABEL, STYLE_HEAD, _("from"));
	snprintf(text, sizeof(text), "%s%s", _("reads"), c->per);
	canvas_text_right(c, x + LABEL, y, mid - LABEL - 1, STYLE_READ, text);
	canvas_text(c, x + mid, y, 1, STYLE_DIM, "│");
	snprintf(text, sizeof(text), "%s%s", _("writes"), c->per);
	canvas_text(c, x + mid + 2, y, columns - mid - 2, STYLE_WRITE, text);
}

/* A bar that grows to the left; blocks have only halves for that direction. */
static void bar_left(struct canvas *c, int x, int y, int columns, double share)
{
	int parts = c->glyphs == GLYPHS_ASCII ? 1 : 2;
	int units = share > 0 ? MAX(1, (int)(share * columns * parts + 0.5)) : 0;

	for (int i = columns - 1; i >= 0 && units > 0; i--, units -= parts)
		canvas_text(c, x + i, y, 1, STYLE_READ, parts == 1 ? "#" : units == 1 ? "▐" : "█");
}

void hist_plot_line(struct canvas *c, int x, int y, int columns, const struct hist_plot *h,
		    unsigned row)
{
	int mid = middle(columns), left = mid - LABEL - COUNT - 3,
	    right = columns - mid - COUNT - 3;
	char text[2][24], label[24];

	if (row >= h->n)
		return;
	unit_format(label, sizeof(label), UNIT_NS, (double)h->rows[row].lower, &c->units);
	canvas_text_right(c, x, y, LABEL, STYLE_NORMAL, label);
	for (int i = 0; i < 2; i++)
		unit_format(text[i], sizeof(text[i]), UNIT_COUNT,
			    canvas_count(c, (double)h->rows[row].counts[i]), &c->units);
	if (left > 0)
		bar_left(c, x + LABEL + 1, y, left,
			 (double)h->rows[row].counts[0] / (double)h->max);
	canvas_text_right(c, x + mid - COUNT - 1, y, COUNT,
			  h->rows[row].counts[0] ? STYLE_NORMAL : STYLE_DIM, text[0]);
	canvas_text(c, x + mid, y, 1, STYLE_DIM, "│");
	canvas_text(c, x + mid + 2, y, COUNT, h->rows[row].counts[1] ? STYLE_NORMAL : STYLE_DIM,
		    text[1]);
	if (right > 0)
		plot_bar(c, x + mid + 2 + COUNT + 1, y, right, STYLE_WRITE,
			 (double)h->rows[row].counts[1] / (double)h->max);
}
