/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The icicle of a tab: where one is in the paths, and how they are arranged. */
#ifndef IOTOP_TUI_ICICLE_H
#define IOTOP_TUI_ICICLE_H

#include "tui/draw/icicle_plot.h"
#include "view/view.h"

#define ICICLE_FIND_MAX 1024	/* as a prompt takes */

struct icicle {
	struct flame flame;
	unsigned order;		/* which steps come first: index of icicle_orders */
	enum weight by;
	unsigned weights;	/* 1 << enum weight that the rows have */
	uint64_t zoom;		/* key of the node that is the top; 0: the root */
	uint64_t cursor;	/* key; 0: the top */
	/* Of the last drawing. */
	int first;		/* line in sight */
	struct rect area;
	struct unit_style units;
	char find[ICICLE_FIND_MAX];	/* frames with this are highlighted */
};

enum icicle_move {
	ICICLE_UP,
	ICICLE_DOWN,
	ICICLE_LEFT,
	ICICLE_RIGHT,
};

void icicle_init(struct icicle *ic);
void icicle_release(struct icicle *ic);
/* The view has changed. */
void icicle_build(struct icicle *ic, const struct view *v);
/* All of it, the way of a row (NULL: of none) before the others. */
struct icicle_plot icicle_plot_lit(struct icicle *ic, const struct view *v, const struct row *row);
/* As it is to be drawn; borrows from ic. */
struct icicle_plot icicle_plot_of(const struct icicle *ic);
void icicle_move(struct icicle *ic, enum icicle_move move);
/* To the frame at this place of the last drawing. */
void icicle_click(struct icicle *ic, int x, int y);
/* The frame under the cursor becomes the top. */
void icicle_zoom(struct icicle *ic);
/* Up again by one; false: it shows all already. */
bool icicle_unzoom(struct icicle *ic);
/* The next order, the next weight that the rows have; what it is now, translated. */
const char *icicle_next_order(struct icicle *ic);
const char *icicle_next_weight(struct icicle *ic);

#endif
