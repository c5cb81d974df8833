// SPDX-License-Identifier: GPL-2.0-or-later
#include "tui/draw/icicle.h"

#include <stdio.h>
#include <string.h>

#include "base/i18n.h"
#include "base/utf8.h"

static const struct {
	unsigned flags;		/* enum steps_flag */
	const char *name;
} orders[] = {
	{ 0, N_("disk, process, frames from the outermost") },
	{ STEPS_REVERSED, N_("seen from the disk: disk, frames from the innermost, process") },
	{ STEPS_TASK_FIRST, N_("process, frames from the outermost, disk") },
};

static const char *const weights[] = {
	[WEIGHT_BYTES] = N_("width by bytes"),
	[WEIGHT_IOS] = N_("width by I/Os"),
	[WEIGHT_LATENCY] = N_("width by latency"),
};

void icicle_init(struct icicle *ic)
{
	*ic = (struct icicle){ .by = WEIGHT_BYTES };
	flame_init(&ic->flame);
}

void icicle_release(struct icicle *ic)
{
	flame_release(&ic->flame);
}

void icicle_build(struct icicle *ic, const struct view *v)
{
	unsigned processes = v->spec->group == GROUP_PROCESS ? STEPS_PROCESSES : 0;

	flame_build(&ic->flame, v, orders[ic->order].flags | processes, ic->by);
}

/* What is gone for now is waited for: the whole is shown meanwhile. */
static const struct flame_node *top_node(const struct icicle *ic)
{
	const struct flame_node *n = ic->zoom ? flame_find(&ic->flame, ic->zoom) : NULL;

	return n ? n : ic->flame.root;
}

static const struct flame_node *cursor_node(const struct icicle *ic)
{
	const struct flame_node *top = top_node(ic),
				*n = ic->cursor ? flame_find(&ic->flame, ic->cursor) : NULL;

	for (const struct flame_node *up = n; up; up = up->parent)
		if (up == top)
			return n;
	return top;
}

/* All of it goes on into one other: drawn in one box. */
static const struct flame_node *same_way(const struct flame_node *n)
{
	return n->child && !n->child->next && !n->self && n->child->weight == n->weight ? n->child
											: NULL;
}

struct drawing {
	struct canvas *c;
	struct rect area;
	const struct icicle *ic;
	const struct flame_node *cursor;
	int top;		/* lines scrolled away */
	bool dry;		/* only finds where the cursor is, and how deep it goes */
	int cursor_y, cursor_last;	/* its line; the last line of its box */
	int lines;		/* in all */
	int hit_x, hit_y;	/* looked for in a dry run: the node there becomes hit */
	const struct flame_node *hit;
};

static enum style node_style(const struct flame_node *n)
{
	static const enum style styles[] = {
		[FLAME_OTHER] = STYLE_BOLD,	[FLAME_USER] = STYLE_ACCENT2,
		[FLAME_KERNEL] = STYLE_ACCENT1, [FLAME_FS] = STYLE_ACCENT3,
		[FLAME_BLOCK] = STYLE_ACCENT4,
	};

	return n->kind == STEP_MARK ? STYLE_DIM : styles[flame_class(n)];
}

static void put(const struct drawing *d, int x, int y, int columns, enum style style,
		const char *text)
{
	y -= d->top;
	if (!d->dry && y >= 0 && y < d->area.height && columns > 0)
		canvas_text(d->c, d->area.x + x, d->area.y + y, columns, style, text);
}

/* The rest of a line, up to the box's edge. */
static void rule(const struct drawing *d, int x, int y, int end, enum style style)
{
	y -= d->top;
	if (!d->dry && y >= 0 && y < d->area.height && end > x)
		canvas_fill(d->c, d->area.x + x, d->area.y + y, end - x, style, "─");
}

static void mark(const struct drawing *d, int x, int y, int columns)
{
	y -= d->top;
	if (!d->dry && y >= 0 && y < d->area.height)
		canvas_reverse(d->c, d->area.x + x, d->area.y + y, columns);
}

static void weight_text(const struct drawing *d, uint64_t weight, char out[static 32])
{
	static const enum unit units[] = {
		[WEIGHT_BYTES] = UNIT_BYTES, [WEIGHT_IOS] = UNIT_COUNT, [WEIGHT_LATENCY] = UNIT_NS
	};
	double scale = d->ic->by == WEIGHT_LATENCY ? 1000 : 1;

	unit_format(out, 32, units[d->ic->by], (double)weight * scale, &d->ic->units);
}

/*
 * One frame of a box; *x and *y move on, to a new line where it does not fit. Returns its last
 * column.
 */
static void put_frame(struct drawing *d, const struct flame_node *n, int left, int end, int *x,
		      int *y, bool first)
{
	int width = utf8_width(n->text), room;
	bool found = flame_matches(n, d->ic->find);

	if (!first && *x + 3 + width > end) {
		rule(d, *x, *y, end, STYLE_DIM);
		(*y)++;
		*x = left;
		first = true;
	}
	if (!first) {
		put(d, *x, *y, 3, STYLE_DIM, " › ");
		*x += 3;
	}
	room = MIN(width, end - *x);
	if (d->hit_y == *y && d->hit_x >= *x && d->hit_x < *x + MAX(room, 1))
		d->hit = n;
	put(d, *x, *y, room, found ? STYLE_SORT : node_style(n), n->text);
	if (n == d->cursor) {
		d->cursor_y = *y;
		mark(d, *x, *y, MAX(room, 1));
	}
	*x += room;
}

/* The box that begins with n. Returns the last node in it; *y becomes its last line. */
static const struct flame_node *put_box(struct drawing *d, const struct flame_node *n, int x,
					int *y, int width)
{
	int left = x + 1, end = x + width, at = left, first_y = *y;
	const struct flame_node *next;
	bool holds_cursor = n == d->cursor;

	put_frame(d, n, left, end, &at, y, true);
	if (n->depth == 0 || n->kind == STEP_DISK || n->kind == STEP_TASK) {
		char text[34] = " ";

		weight_text(d, n->weight, text + 1);
		if (at + utf8_width(text) <= end) {
			put(d, at, *y, -1 + end - at + 1, STYLE_NORMAL, text);
			at += utf8_width(text);
		}
	}
	while ((next = same_way(n))) {
		n = next;
		holds_cursor |= n == d->cursor;
		put_frame(d, n, left, end, &at, y, false);
	}
	rule(d, at, *y, end, STYLE_DIM);
	for (int line = first_y; line <= *y; line++)
		put(d, x, line, 1, STYLE_DIM, "│");
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
		else if (child == d->cursor)
			d->cursor_y = d->cursor_last = y + 1;
	}
}

/* What is above the top, and the frame under the cursor in words. */
static void put_summary(struct drawing *d, const struct flame_node *top)
{
	const struct flame_node *n = d->cursor, *root = d->ic->flame.root;
	int y = d->area.y + d->area.height, x = d->area.x + 1;
	char weight[32], share[128];
	enum style style = node_style(n);

	weight_text(d, n->weight, weight);
	x += canvas_text(d->c, x, y, -1, style, n->depth ? n->text : _("all")) + 2;
	snprintf(share, sizeof(share), _("%s  %.1f %% of all"), weight,
		 root->weight ? 100.0 * n->weight / root->weight : 0);
	x += canvas_text(d->c, x, y, -1, STYLE_NORMAL, share) + 2;
	if (top != root && n != top) {
		snprintf(share, sizeof(share), _("%.1f %% of what is shown"),
			 100.0 * n->weight / top->weight);
		x += canvas_text(d->c, x, y, -1, STYLE_NORMAL, share) + 2;
	}
	if (d->ic->find[0] && root->weight) {
		snprintf(share, sizeof(share), _("with \"%s\": %.1f %%"), d->ic->find,
			 100.0 * flame_match(root, d->ic->find) / root->weight);
		canvas_text(d->c, x, y, -1, STYLE_SORT, share);
	}
}

void icicle_draw(struct canvas *c, struct rect area, struct icicle *ic)
{
	const struct flame_node *top = top_node(ic);
	struct drawing d = {
		.c = c, .area = area, .ic = ic, .cursor = cursor_node(ic), .dry = true, .hit_y = -1
	};

	if (area.height < 1 || area.width < 1)
		return;
	if (!top || !top->weight) {
		canvas_text(c, area.x + 1, area.y, -1, STYLE_DIM, _("nothing to show yet"));
		return;
	}
	if (area.height > 2)
		d.area.height--;
	ic->area = d.area;
	ic->units = c->units;
	put_tree(&d, top, 0, 0, area.width);
	/* The cursor's box stays in sight, and no line is scrolled away without need. */
	ic->top = MIN(ic->top, MAX(0, d.lines - d.area.height));
	if (d.cursor_y < ic->top)
		ic->top = d.cursor_y;
	if (d.cursor_y >= ic->top + d.area.height)
		ic->top = d.cursor_y - d.area.height + 1;
	d.top = ic->top;
	d.dry = false;
	put_tree(&d, top, 0, 0, area.width);
	if (area.height > 2)
		put_summary(&d, top);
}

/* The node beside n on its line: a sibling, or that of a parent. */
static const struct flame_node *beside(const struct flame_node *n, const struct flame_node *top,
				       bool right)
{
	for (; n != top; n = n->parent) {
		const struct flame_node *before = NULL, *at = n->parent->child;

		if (right && n->next)
			return n->next;
		for (; !right && at != n; at = at->next)
			before = at;
		if (before)
			return before;
	}
	return NULL;
}

void icicle_move(struct icicle *ic, enum icicle_move move)
{
	const struct flame_node *n = cursor_node(ic), *top = top_node(ic), *to = NULL;

	if (!n)
		return;
	switch (move) {
	case ICICLE_UP:
		to = n != top ? n->parent : NULL;
		break;
	case ICICLE_DOWN:
		to = n->child;
		break;
	case ICICLE_LEFT:
		to = beside(n, top, false);
		break;
	case ICICLE_RIGHT:
		to = beside(n, top, true);
		break;
	}
	if (to)
		ic->cursor = to->key;
}

void icicle_click(struct icicle *ic, int x, int y)
{
	struct drawing d = {
		.ic = ic, .dry = true, .hit_x = x - ic->area.x, .hit_y = y - ic->area.y + ic->top,
	};
	const struct flame_node *top = top_node(ic);

	if (!top || !top->weight || y < ic->area.y || y >= ic->area.y + ic->area.height)
		return;
	d.cursor = top;
	put_tree(&d, top, 0, 0, ic->area.width);
	if (d.hit)
		ic->cursor = d.hit->key;
}

void icicle_zoom(struct icicle *ic)
{
	const struct flame_node *n = cursor_node(ic);

	if (!n)
		return;
	ic->zoom = ic->cursor = n->key;
	ic->top = 0;
}

bool icicle_unzoom(struct icicle *ic)
{
	const struct flame_node *n = top_node(ic);

	if (!n || !n->parent) {
		ic->zoom = 0;
		return false;
	}
	/* To where the picture changes: past the frames that go the same way. */
	for (n = n->parent; n->parent && same_way(n); n = n->parent)
		;
	ic->zoom = n->key;
	return true;
}

const char *icicle_next_order(struct icicle *ic)
{
	ic->order = (ic->order + 1) % ARRAY_SIZE(orders);
	ic->zoom = ic->cursor = 0;
	ic->top = 0;
	return _(orders[ic->order].name);
}

const char *icicle_next_weight(struct icicle *ic)
{
	ic->by = (ic->by + 1) % WEIGHT_COUNT;
	return _(weights[ic->by]);
}
