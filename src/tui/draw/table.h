/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A view as a table: columns of fixed width, headings, rows. */
#ifndef IOTOP_TUI_DRAW_TABLE_H
#define IOTOP_TUI_DRAW_TABLE_H

#include "tui/draw/canvas.h"
#include "tui/draw/plot.h"
#include "view/view.h"

struct table_column {
	const struct column *col;
	int x, width;
	int head;		/* columns of its heading */
	bool sorted;		/* an arrow stands behind the heading */
};

/*
 * Which columns fit, and where. Depends on spec, width and units only: nothing moves from tick to
 * tick.
 */
struct table_layout {
	struct table_column columns[VIEW_COLUMNS_MAX];
	unsigned n;
	bool spare;		/* there is more room than the columns need */
};

struct table_options {
	enum graph_source graph;
	bool mark_ended;	/* an x before ended rows */
};

static inline bool table_is_right(const struct column *col)
{
	return !column_is_left(col) && !(col->flags & COL_GRAPH);
}

/* c: how wide, and in which units. */
void table_layout(struct table_layout *l, const struct view_spec *spec, const struct canvas *c);
void table_heading(struct canvas *c, int y, const struct table_layout *l,
		   const struct view_spec *spec);
/* Rows first … of the view into area. */
void table_rows(struct canvas *c, struct rect area, const struct table_layout *l,
		const struct view *v, size_t first, const struct table_options *opt);
/* The column at x, NULL between columns and beside them. */
const struct column *table_column_at(const struct table_layout *l, int x);

#endif
