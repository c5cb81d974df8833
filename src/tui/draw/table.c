// SPDX-License-Identifier: GPL-2.0-or-later
#include "tui/draw/table.h"

#include <string.h>

#include "base/i18n.h"
#include "base/utf8.h"

#define CHANGE 2	/* a rate that changed by this factor is bold for a tick … */
#define CHANGE_FLOOR 65536	/* … when it was or is above so many bytes/s */

/*
 * Numbers align where their unit starts: a text whose unit is shorter than the widest of its kind
 * ("12 B", "1.20s", "980") is followed by blanks.
 */
static int unit_pad(const char *text, enum unit unit)
{
	size_t len = strlen(text), digits = len;

	while (digits && (text[digits - 1] < '0' || text[digits - 1] > '9'))
		digits--;
	if (!digits)
		return 0;
	switch (unit) {
	case UNIT_BYTES:
		return MAX(0, 3 - utf8_width(text + digits));
	case UNIT_NS:
		return MAX(0, 2 - utf8_width(text + digits));
	case UNIT_COUNT:
		return MAX(0, 1 - utf8_width(text + digits));
	case UNIT_NONE:
	case UNIT_PERCENT:
	case UNIT_RATIO:
	case UNIT_CLOCK:
		break;
	}
	return 0;
}

static void draw_heading(struct canvas *c, int y, const struct table_column *tc,
			 const struct view_spec *spec)
{
	const struct column *col = tc->col;
	bool sorted = col == spec->sort;
	enum style style = sorted ? STYLE_SORT : STYLE_HEAD;
	char text[COLUMN_HEAD + sizeof(c->per)];
	const char *head = col->scale ? _(col->scale) : column_head(text, col, spec->span),
		   *arrow = spec->descending ? "▾" : "▴";
	int width = utf8_width(head), x = tc->x;

	if (column_counts(col) && spec->span == SPAN_TICK &&
	    width + utf8_width(c->per) <= tc->width) {
		strcat(text, c->per);
		width += utf8_width(c->per);
	}
	/* The heading stands over the digits and their unit. */
	if (table_is_right(col) && width < tc->width)
		x += tc->width - width;
	canvas_text(c, x, y, tc->x + tc->width - x, style, head);
	if (sorted)
		canvas_text(c, MIN(x + width, tc->x + tc->width), y, 1, style, arrow);
}

void table_heading(struct canvas *c, int y, const struct table_layout *l,
		   const struct view_spec *spec)
{
	for (unsigned i = 0; i < l->n; i++)
		draw_heading(c, y, &l->columns[i], spec);
}

/* What the table says by style: unknown and zero are dim, a rate that changed much is bold. */
static bool changed(const struct row *row, const struct column *col)
{
	const struct history *h = row->history;
	float now, before;

	if (!h || h->n < 2 || !(col->flags & COL_RATE) || col->unit != UNIT_BYTES)
		return false;
	if (col->flags & COL_READ) {
		now = h->read[h->n - 1];
		before = h->read[h->n - 2];
	} else if (col->flags & COL_WRITE) {
		now = h->write[h->n - 1];
		before = h->write[h->n - 2];
	} else {
		return false;
	}
	return MAX(now, before) > CHANGE_FLOOR && (now > before * CHANGE || before > now * CHANGE);
}

static enum style cell_style(const struct row *row, const struct column *col,
			     const struct value *value)
{
	double number;

	if (value->kind == VAL_NONE || (row->flags & ROW_ENDED))
		return STYLE_DIM;
	if (value_number(value, &number)) {
		if (number == 0)
			return STYLE_DIM;
		if (col->flags & COL_WARN)
			return STYLE_WARN;
	}
	if (col->flags & COL_READ)
		return STYLE_READ;
	if (col->flags & COL_WRITE)
		return STYLE_WRITE;
	return STYLE_NORMAL;
}

/*
 * Branches before the text of a row in the tree: │ of ancestors that go on, then ├ or └. Returns
 * the columns used.
 */
static int draw_branches(struct canvas *c, int x, int y, int columns, const struct view *v,
			 size_t index)
{
	const struct view_row *row = &v->rows[index];
	int used = 0;

	for (unsigned depth = 1; depth < row->depth; depth++) {
		bool more = false;

		/*
		 * An ancestor at this depth has a sibling further down when one comes before
		 * something shallower.
		 */
		for (size_t i = index + 1; i < v->n && v->rows[i].depth >= depth && !more; i++)
			more = v->rows[i].depth == depth;
		used += canvas_text(c, x + used, y, columns - used, STYLE_DIM, more ? "│ " : "  ");
	}
	if (row->depth)
		used += canvas_text(c, x + used, y, columns - used, STYLE_DIM,
				    row->last ? "└─" : "├─");
	if (row->folded)
		used += canvas_text(c, x + used, y, columns - used, STYLE_KEY, "+");
	return used;
}

static bool is_tree_column(const struct table_layout *l, unsigned i)
{
	for (unsigned k = 0; k < l->n; k++)
		if (l->columns[k].col->flags & COL_TREE)
			return k == i;
	return l->columns[i].col->flags & COL_GROW;
}

static void draw_text(struct canvas *c, int x, int y, int columns, enum style style,
		      const char *text, bool ended)
{
	int width = utf8_width(text);

	canvas_text_cut(c, x, y, columns, style, text);
	/* As a whole or not: rows of ended tasks are dim in any case. */
	if (ended && width + 2 + utf8_width(_("(ended)")) <= columns)
		canvas_text(c, x + width + 2, y, -1, style, _("(ended)"));
}

/* A number too wide for its column is written in larger units: no digit is cut off. */
static void cell_text(char *out, size_t size, const struct table_column *tc,
		      const struct value *value, const struct unit_style *units)
{
	struct unit_style shorter = *units;

	column_text(out, size, tc->col, value, units);
	if (!units->kilobytes || !table_is_right(tc->col) || utf8_width(out) <= tc->width)
		return;
	shorter.kilobytes = 0;
	column_text(out, size, tc->col, value, &shorter);
}

/* The graph of a cell: a distribution, a share, or else the row's history. */
static void draw_graph(struct canvas *c, int y, const struct table_column *tc,
		       const struct row *row, const struct value *value,
		       const struct table_options *opt)
{
	if (!tc->col->get)
		plot_history(c, tc->x, y, tc->width, row->history, opt->graph);
	else if (value->kind == VAL_PAIRS)
		plot_spread(c, tc->x, y, tc->width, STYLE_ACCENT2, value->pairs,
			    value->n);
	else if (value->kind == VAL_F64)
		plot_bar(c, tc->x, y, tc->width, STYLE_ACCENT1, value->f64 / 100);
}

/* Whole numbers stay what they are where nothing is to be done. */
static struct value counted(const struct canvas *c, struct value value)
{
	double number;

	if (c->scale == 1 || !value_number(&value, &number))
		return value;
	return value_f64(canvas_count(c, number));
}

static void draw_cell(struct canvas *c, int y, const struct table_layout *l, unsigned i,
		      const struct view *v, size_t index, const struct table_options *opt)
{
	const struct table_column *tc = &l->columns[i];
	const struct row *row = v->rows[index].row;
	struct value value;
	enum style style;
	char text[4096];
	int used = 0;

	value = view_value(v, index, tc->col, &c->texts);
	if (tc->col->flags & COL_GRAPH) {
		draw_graph(c, y, tc, row, &value, opt);
		return;
	}
	style = cell_style(row, tc->col, &value);
	if (column_counts(tc->col) && v->spec->span == SPAN_TICK)
		value = counted(c, value);
	/*
	 * Words that are known to be none: the "-" is of the unknown, and a place to parse in other
	 * outputs.
	 */
	if (value.kind == VAL_LIST && !value.n && tc->col->flags & COL_WORDS)
		text[0] = 0;
	else
		cell_text(text, sizeof(text), tc, &value, &c->units);
	if (v->spec->tree && is_tree_column(l, i))
		used = draw_branches(c, tc->x, y, tc->width, v, index);
	if (table_is_right(tc->col))
		canvas_text_right(c, tc->x + used, y,
				  tc->width - used - unit_pad(text, tc->col->unit), style, text);
	else if (tc->col->flags & COL_PATH)
		canvas_path(c, tc->x + used, y, tc->width - used, style, text);
	else
		draw_text(c, tc->x + used, y, tc->width - used, style, text,
			  (row->flags & ROW_ENDED) && (tc->col->flags & COL_GROW));
	if (changed(row, tc->col) && v->spec->span == SPAN_TICK)
		canvas_embolden(c, tc->x, y, tc->width);
}

void table_rows(struct canvas *c, struct rect area, const struct table_layout *l,
		const struct view *v, size_t first, const struct table_options *opt)
{
	for (int line = 0; line < area.height && first + line < v->n; line++) {
		size_t index = first + line;

		if (opt->mark_ended && (v->rows[index].row->flags & ROW_ENDED))
			canvas_text(c, area.x, area.y + line, 1, STYLE_DIM, "x");
		for (unsigned i = 0; i < l->n; i++)
			draw_cell(c, area.y + line, l, i, v, index, opt);
	}
}
