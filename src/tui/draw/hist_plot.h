/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Two latency histograms back to back: reads to the left, writes to the right, a line a band. */
#ifndef IOTOP_TUI_DRAW_HIST_PLOT_H
#define IOTOP_TUI_DRAW_HIST_PLOT_H

#include "data/histogram.h"
#include "tui/draw/canvas.h"

#define HIST_PLOT_ROWS HIST_BUCKETS
#define HIST_PLOT_LEAST 30	/* columns below which it is not worth drawing */

struct hist_plot {
	struct {
		uint64_t lower;	/* ns: where the band begins */
		uint64_t counts[2];
	} rows[HIST_PLOT_ROWS];
	unsigned n;		/* 0: both are empty */
	uint64_t max;
};

/*
 * Bands from the first to the last that is not empty, `fine' (1, 2, 4 … HIST_SUB) for each doubling
 * of the time, widened until there are no more than max_rows. Counts as in histogram.h.
 */
void hist_plot_init(struct hist_plot *h, const uint64_t *reads, const uint64_t *writes,
		    unsigned fine, unsigned max_rows);
void hist_plot_heading(struct canvas *c, int x, int y, int columns);
void hist_plot_line(struct canvas *c, int x, int y, int columns, const struct hist_plot *h,
		    unsigned row);

#endif
