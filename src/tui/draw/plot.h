/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Small graphs on a canvas, in the glyphs it was given: ASCII, blocks or braille. */
#ifndef IOTOP_TUI_DRAW_PLOT_H
#define IOTOP_TUI_DRAW_PLOT_H

#include "data/entity.h"
#include "tui/draw/canvas.h"

enum graph_source {
	GRAPH_BOTH,	/* read and write together, in the colour of the larger */
	GRAPH_READ,
	GRAPH_WRITE,
	GRAPH_COUNT,
};

/*
 * n values, oldest first, in one line that ends at x + columns; what does not fit is left away.
 * max: full height.
 */
void plot_line(struct canvas *c, int x, int y, int columns, enum style style, const float *values,
	       unsigned n, float max);
/* A row's history, scaled to its own highest. h may be NULL. */
void plot_history(struct canvas *c, int x, int y, int columns, const struct history *h,
		  enum graph_source source);
/* A bar of share (0 … 1) of the columns, in eighths of one where the glyphs allow. */
void plot_bar(struct canvas *c, int x, int y, int columns, enum style style, double share);
/*
 * Counts by time ([upper bound ns, count], ascending): a cell twice as long as the one before, from
 * below 1 µs to the last, for all longer.
 */
void plot_spread(struct canvas *c, int x, int y, int columns, enum style style,
		 const uint64_t (*items)[2], size_t n);
float plot_max(const float *values, unsigned n);

#endif
