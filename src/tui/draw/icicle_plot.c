// SPDX-License-Identifier: GPL-2.0-or-later
#include "tui/draw/icicle_plot.h"

#include <stdio.h>
#include <string.h>

#include "base/i18n.h"
#include "base/utf8.h"

const struct flame_node *icicle_same_way(const struct flame_node *n)
{
	return n->child && !n->child->next && !n->self && n->child->weight == n->weight ? n->child
											: NULL;
}

struct drawing {
	struct canvas *c;
	struct rect area;
	const struct icicle_plot *plot;
	int first;		/* lines scrolled out of sight */
	bool dry;		/* nothing is drawn: only lines, cursor and hit are found */
	int cursor_y, cursor_last;	/* line of the cursor; last line of its box */
	int lines;		/* in all */
	int hit_x, hit_y;	/* the node at this place becomes hit */
	const struct flame_node *hit;
};

/* Of a comparison what grew or shrank, by at least a hundredth of it. */
static int change(const struct flame_node *n)
{
	uint64_t most = MAX(n->now, n->before), least = MIN(n->now, n->before);

	if (most - least <= most / 100)
		return 0;
	return n->now > n->before ? 1 : -1;
}

static enum style change_style(int change)
{
	return change > 0 ? STYLE_ACCENT1 : change < 0 ? STYLE_ACCENT4 : STYLE_NORMAL;
}

static enum style node_style(const struct icicle_plot *plot, const struct flame_node *n)
{
	static const enum style styles[] = {
		[FLAME_OTHER] = STYLE_BOLD,	 [FLAME_USER] = STYLE_ACCENT2,
		[FLAME_LIBRARY] = STYLE_ACCENT2, [FLAME_SCRIPT] = STYLE_ACCENT2,
		[FLAME_KERNEL] = STYLE_ACCENT1,	 [FLAME_FS] = STYLE_ACCENT3,
		[FLAME_BLOCK] = STYLE_ACCENT4,
	};

	if (plot->compared && n->depth)
		return change_style(change(n));
	return n->kind == STEP_MARK ? STYLE_DIM : styles[flame_class(n)];
}

static bool is_lit(const struct icicle_plot *plot, const struct flame_node *n)
{
	const struct flame_node *up = plot->lit;

	while (up && up->depth > n->depth)
		up = up->parent;
	return !plot->lit || up == n;
}

/* Of a box: its text stands on the colour. */
static enum style box_style(const struct icicle_plot *plot, const struct flame_node *n)
{
	static const enum style styles[] = {
		[FLAME_OTHER] = STYLE_BOX5,   [FLAME_USER] = STYLE_BOX2,
		[FLAME_LIBRARY] = STYLE_BOX6, [FLAME_SCRIPT] = STYLE_BOX7,
		[FLAME_KERNEL] = STYLE_BOX1,  [FLAME_FS] = STYLE_BOX3,
		[FLAME_BLOCK] = STYLE_BOX4,
	};

	if (plot->compared)
		return node_style(plot, n);
	return is_lit(plot, n) ? styles[flame_class(n)] : STYLE_DIM;
}

static void put(const struct drawing *d, int x, int y, int columns, enum style style,
		const char *text)
{
	y -= d->first;
	if (!d->dry && y >= 0 && y < d->area.height && columns > 0)
		canvas_text(d->c, d->area.x + x, d->area.y + y, columns, style, text);
}

/* The rest of a line, up to the box's edge. */
static void rule(const struct drawing *d, int x, int y, int end, enum style style)
{
	y -= d->first;
	if (!d->dry && y >= 0 && y < d->area.height && end > x)
		canvas_fill(d->c, d->area.x + x, d->area.y + y, end - x, style, "─");
}

static void mark(const struct drawing *d, int x, int y, int columns)
{
	y -= d->first;
	if (!d->dry && y >= 0 && y < d->area.height)
		canvas_reverse(d->c, d->area.x + x, d->area.y + y, columns);
}

static void weight_text(const struct drawing *d, uint64_t weight, char out[static 32])
{
	static const enum unit units[] = {
		[WEIGHT_BYTES] = UNIT_BYTES, [WEIGHT_IOS] = UNIT_COUNT, [WEIGHT_LATENCY] = UNIT_NS
	};
	double scale = d->plot->by == WEIGHT_LATENCY ? 1000 : 1,
	       value = (double)weight * scale;

	unit_format(out, 32, units[d->plot->by], d->c ? canvas_count(d->c, value) : value,
		    &d->plot->units);
	if (d->c)
		strncat(out, d->c->per, 31 - strlen(out));
}

/* What a box holds; of a comparison now, and how much more or less than before. */
static void box_text(const struct drawing *d, const struct flame_node *n, char *out, size_t size)
{
	char now[32], more[32];

	if (!d->plot->compared) {
		weight_text(d, n->weight, now);
		snprintf(out, size, " %s", now);
		return;
	}
	weight_text(d, n->now, now);
	weight_text(d, MAX(n->now, n->before) - MIN(n->now, n->before), more);
	snprintf(out, size, " %s %s%s", now, change(n) > 0 ? "+" : change(n) < 0 ? "-" : "=",
		 change(n) ? more : "");
}

/*
 * Both widths of a comparison in a line of their own below a box: what both ranges have, and what
 * one of them has more.
 */
static void put_widths(const struct drawing *d, const struct flame_node *n, int x, int y, int width)
{
	double scale = (double)width / (double)n->weight;
	int both = (int)((double)MIN(n->now, n->before) * scale + 0.5),
	    most = (int)((double)MAX(n->now, n->before) * scale + 0.5);

	y -= d->first;
	if (d->dry || y < 0 || y >= d->area.height)
		return;
	canvas_fill(d->c, d->area.x + x, d->area.y + y, both, STYLE_DIM, "=");
	canvas_fill(d->c, d->area.x + x + both, d->area.y + y, most - both,
		    change_style(n->now > n->before ? 1 : -1), n->now > n->before ? "+" : "-");
}

/* What is drawn between the texts of a box. */
static enum style box_rule(const struct icicle_plot *plot, const struct flame_node *n)
{
	return plot->compared ? STYLE_DIM : box_style(plot, n);
}

/* The top is no frame. */
static const char *node_name(const struct flame_node *n)
{
	return n->depth ? n->text : _("all");
}

/*
 * One frame of a box; *x and *y move on, to a new line where it does not fit. Returns its last
 * column.
 */
static void put_frame(struct drawing *d, const struct flame_node *n, int left, int end, int *x,
		      int *y, bool first)
{
	int width = utf8_width(node_name(n)), room;
	bool found = flame_matches(n, d->plot->find);

	if (!first && *x + 3 + width > end) {
		rule(d, *x, *y, end, box_rule(d->plot, n->parent));
		(*y)++;
		*x = left;
		first = true;
	}
	/* Its edge is of what begins the line. */
	if (first)
		put(d, left - 1, *y, 1, box_rule(d->plot, n), "│");
	if (!first) {
		put(d, *x, *y, 3, box_rule(d->plot, n), " › ");
		*x += 3;
	}
	room = MIN(width, end - *x);
	if (d->hit_y == *y && d->hit_x >= *x && d->hit_x < *x + MAX(room, 1))
		d->hit = n;
	put(d, *x, *y, room, found ? STYLE_SORT : box_style(d->plot, n), node_name(n));
	if (n == d->plot->cursor) {
		d->cursor_y = *y;
		mark(d, *x, *y, MAX(room, 1));
	}
	*x += room;
}

/* The box that begins with n. Returns the last node in it; *y becomes its last line. */
static const struct flame_node *put_box(struct drawing *d, const struct flame_node *n, int x,
					int *y, int width)
{
	int left = x + 1, end = x + width, at = left;
	const struct flame_node *next;
	bool holds_cursor = n == d->plot->cursor;

	put_frame(d, n, left, end, &at, y, true);
	if (n->depth == 0 || n->kind == STEP_DISK || n->kind == STEP_TASK) {
		char text[80];

		box_text(d, n, text, sizeof(text));
		if (at + utf8_width(text) <= end) {
			put(d, at, *y, end - at,
			    d->plot->compared ? STYLE_NORMAL : box_style(d->plot, n), text);
			at += utf8_width(text);
		}
	}
	while ((next = icicle_same_way(n))) {
		n = next;
		holds_cursor |= n == d->plot->cursor;
		put_frame(d, n, left, end, &at, y, false);
	}
	rule(d, at, *y, end, box_rule(d->plot, n));
	if (d->plot->compared)
		put_widths(d, n, x, ++*y, width);
	if (holds_cursor)
		d->cursor_last = *y;
	return n;
}

/* A box and what is below it. A box of one column is its edge only; narrower ones are not seen. */
static void put_tree(struct drawing *d, const struct flame_node *n, int x, int y, int width)
{
	uint64_t before = 0;

	if (d->hit_y == y && d->hit_x >= x && d->hit_x < x + width)
		d->hit = n;
	n = put_box(d, n, x, &y, width);
	d->lines = MAX(d->lines, y + 1);
	for (const struct flame_node *child = n->child; child; child = child->next) {
		int from = x + (int)((double)before / (double)n->weight * width + 0.5), to;

		before += child->weight;
		to = x + (int)((double)before / (double)n->weight * width + 0.5);
		if (to > from)
			put_tree(d, child, from, y + 1, to - from);
		else if (child == d->plot->cursor)
			d->cursor_y = d->cursor_last = y + 1;
	}
}

/* The same of a comparison: what it was, what it is, and the difference. */
static void put_change(struct drawing *d, const struct flame_node *n, int x, int y)
{
	char before[32], now[32], more[32], text[160];

	weight_text(d, n->before, before);
	weight_text(d, n->now, now);
	weight_text(d, MAX(n->now, n->before) - MIN(n->now, n->before), more);
	x += canvas_text(d->c, x, y, -1, node_style(d->plot, n), node_name(n)) + 2;
	snprintf(text, sizeof(text), _("before %s  now %s  %s%s"), before, now,
		 n->now < n->before ? "-" : "+", more);
	canvas_text(d->c, x, y, -1, change_style(change(n)), text);
}

/*
 * What the colours are, at the right end of a line whose first x columns are taken: as many as
 * there is room for.
 */
static void put_legend(const struct drawing *d, int x, int y)
{
	static const struct {
		enum style style;
		const char *name;
	} kinds[] = {
		{ STYLE_BOX2, N_("program") },
		{ STYLE_BOX1, N_("kernel") },
		{ STYLE_BOX3, N_("file system") },
		{ STYLE_BOX4, N_("block layer") },
		{ STYLE_BOX6, N_("library") },
		{ STYLE_BOX7, N_("interpreter") },
	};
	int at = d->area.x + d->area.width;
	size_t n = 0;
	char text[64];

	while (n < ARRAY_SIZE(kinds) && at - utf8_width(_(kinds[n].name)) - 3 >= x)
		at -= utf8_width(_(kinds[n++].name)) + 3;
	for (size_t i = 0; i < n; i++) {
		snprintf(text, sizeof(text), " %s ", _(kinds[i].name));
		at += canvas_text(d->c, at, y, -1, kinds[i].style, text) + 1;
	}
}

/* The frame under the cursor in words: its name, its weight, its share. */
static void put_summary(struct drawing *d, const struct flame_node *top)
{
	const struct flame_node *n = d->plot->cursor, *root = d->plot->root;
	int y = d->area.y + d->area.height, x = d->area.x + 1;
	char weight[32], share[128];
	enum style style = node_style(d->plot, n);

	if (d->plot->compared) {
		put_change(d, n, x, y);
		return;
	}
	weight_text(d, n->weight, weight);
	x += canvas_text(d->c, x, y, -1, style, node_name(n)) + 2;
	snprintf(share, sizeof(share), _("%s  %.1f %% of all"), weight,
		 root->weight ? 100.0 * n->weight / root->weight : 0);
	x += canvas_text(d->c, x, y, -1, STYLE_NORMAL, share) + 2;
	if (top != root && n != top) {
		snprintf(share, sizeof(share), _("%.1f %% of what is shown"),
			 100.0 * n->weight / top->weight);
		x += canvas_text(d->c, x, y, -1, STYLE_NORMAL, share) + 2;
	}
	if (d->plot->find[0] && root->weight) {
		snprintf(share, sizeof(share), _("with \"%s\": %.1f %%"), d->plot->find,
			 100.0 * flame_match(root, d->plot->find) / root->weight);
		x += canvas_text(d->c, x, y, -1, STYLE_SORT, share) + 2;
	}
	put_legend(d, x, y);
}

/* The line at the bottom is the summary, where there is room for one. */
static struct rect frames_area(struct rect area)
{
	if (area.height > 2)
		area.height--;
	return area;
}

int icicle_plot_lines(const struct icicle_plot *plot, struct rect area)
{
	struct drawing d = { .plot = plot, .area = frames_area(area), .dry = true, .hit_y = -1 };

	if (area.height < 1 || area.width < 1 || !plot->top || !plot->top->weight)
		return 0;
	put_tree(&d, plot->top, 0, 0, area.width);
	return d.lines;
}

int icicle_plot_scroll(const struct icicle_plot *plot, struct rect area, int first)
{
	struct drawing d = { .plot = plot, .area = frames_area(area), .dry = true, .hit_y = -1 };

	if (area.height < 1 || area.width < 1 || !plot->top || !plot->top->weight)
		return first;
	put_tree(&d, plot->top, 0, 0, area.width);
	first = MIN(first, MAX(0, d.lines - d.area.height));
	if (d.cursor_y < first)
		first = d.cursor_y;
	if (d.cursor_y >= first + d.area.height)
		first = d.cursor_y - d.area.height + 1;
	return first;
}

void icicle_plot_draw(struct canvas *c, struct rect area, const struct icicle_plot *plot, int first)
{
	struct drawing d = {
		.c = c, .plot = plot, .area = frames_area(area), .first = first, .hit_y = -1
	};

	if (area.height < 1 || area.width < 1)
		return;
	if (!plot->top || !plot->top->weight) {
		canvas_text(c, area.x + 1, area.y, -1, STYLE_DIM, _("nothing to show yet"));
		return;
	}
	put_tree(&d, plot->top, 0, 0, area.width);
	if (area.height > 2)
		put_summary(&d, plot->top);
}

const struct flame_node *icicle_plot_at(const struct icicle_plot *plot, struct rect area, int first,
					int x, int y)
{
	struct drawing d = { .plot = plot, .area = frames_area(area), .dry = true };

	if (!plot->top || !plot->top->weight || y < d.area.y || y >= d.area.y + d.area.height)
		return NULL;
	d.hit_x = x - area.x;
	d.hit_y = y - area.y + first;
	put_tree(&d, plot->top, 0, 0, area.width);
	return d.hit;
}
