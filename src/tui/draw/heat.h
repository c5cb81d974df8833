/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A heat map: columns of time, lines of bands, shade and colour by count. It reads the same in
 * monochrome and in ASCII.
 */
#ifndef IOTOP_TUI_DRAW_HEAT_H
#define IOTOP_TUI_DRAW_HEAT_H

#include <stdbool.h>
#include <stdint.h>

#include "tui/draw/canvas.h"

struct heat {
	unsigned first, n;	/* columns drawn, oldest first */
	int cell;		/* of the canvas, a column is wide */
	uint64_t (*count)(const void *arg, unsigned column, unsigned band);
	bool (*unknown)(const void *arg, unsigned column);
	const void *arg;
	uint64_t max;		/* the darkest shade */
};

/* One band. cursor: the column under the cursor, -1: none in this band. */
void heat_line(struct canvas *c, int x, int y, const struct heat *h, unsigned band, int cursor);

#endif
