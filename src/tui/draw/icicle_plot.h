/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Paths as an icicle: the root on top, below it what it calls, each as wide as its share. A run of
 * frames that all goes the same way is one box, its names one after the other.
 */
#ifndef IOTOP_TUI_DRAW_ICICLE_PLOT_H
#define IOTOP_TUI_DRAW_ICICLE_PLOT_H

#include "tui/draw/canvas.h"
#include "view/flame.h"

struct icicle_plot {
	const struct flame_node *top;	/* fills the width; NULL: there is nothing to draw */
	const struct flame_node *cursor, *root;
	const struct flame_node *lit;	/* the way to it stands out; NULL: all alike */
	enum weight by;			/* what a width is */
	const char *find;		/* frames with this text are highlighted; "": none */
	struct unit_style units;
	bool compared;			/* both widths of a comparison are shown */
};

/*
 * The first line in sight: as before (first), or so far from it that the cursor's box is in sight
 * and no line is scrolled away without need.
 */
int icicle_plot_scroll(const struct icicle_plot *plot, struct rect area, int first);
/* Lines that the frames take in all in an area as wide as this. */
int icicle_plot_lines(const struct icicle_plot *plot, struct rect area);
void icicle_plot_draw(struct canvas *c, struct rect area, const struct icicle_plot *plot,
		      int first);
/* The frame at a place of the canvas, NULL: none. */
const struct flame_node *icicle_plot_at(const struct icicle_plot *plot, struct rect area, int first,
					int x, int y);
/* The only node below n when all of n's weight goes there: both are in one box. NULL: none. */
const struct flame_node *icicle_same_way(const struct flame_node *n);

#endif
