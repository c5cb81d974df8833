// SPDX-License-Identifier: GPL-2.0-or-later
#include "tui/icicle.h"

#include "base/i18n.h"

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

static unsigned steps_flags(const struct icicle *ic, const struct view *v)
{
	return orders[ic->order].flags |
	       (v->spec->group == GROUP_PROCESS ? (unsigned)STEPS_PROCESSES : 0);
}

void icicle_build(struct icicle *ic, const struct view *v)
{
	ic->weights = v->spec->entity->weights;
	ic->by = entity_weight(v->spec->entity, ic->by);
	flame_build(&ic->flame, v, steps_flags(ic, v), ic->by);
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
	struct icicle_plot plot = icicle_plot_of(ic);
	const struct flame_node *n = icicle_plot_at(&plot, ic->area, ic->first, x, y);

	if (n)
		ic->cursor = n->key;
}

void icicle_zoom(struct icicle *ic)
{
	const struct flame_node *n = cursor_node(ic);

	if (!n)
		return;
	ic->zoom = ic->cursor = n->key;
	ic->first = 0;
}

bool icicle_unzoom(struct icicle *ic)
{
	const struct flame_node *n = top_node(ic);

	if (!n || !n->parent) {
		ic->zoom = 0;
		return false;
	}
	/* To where the picture changes: past the frames that go the same way. */
	for (n = n->parent; n->parent && icicle_same_way(n); n = n->parent)
		;
	ic->zoom = n->key;
	return true;
}

const char *icicle_next_order(struct icicle *ic)
{
	ic->order = (ic->order + 1) % ARRAY_SIZE(orders);
	ic->zoom = ic->cursor = 0;
	ic->first = 0;
	return _(orders[ic->order].name);
}

const char *icicle_next_weight(struct icicle *ic)
{
	do {
		ic->by = (ic->by + 1) % WEIGHT_COUNT;
	} while (ic->weights && !(ic->weights & 1u << ic->by));
	return _(weights[ic->by]);
}

struct icicle_plot icicle_plot_of(const struct icicle *ic)
{
	return (struct icicle_plot){
		.top = top_node(ic),
		.cursor = cursor_node(ic),
		.root = ic->flame.root,
		.by = ic->by,
		.find = ic->find,
		.units = ic->units,
		.compared = ic->flame.compared,
	};
}

struct icicle_plot icicle_plot_lit(struct icicle *ic, const struct view *v, const struct row *row)
{
	struct icicle_plot plot = icicle_plot_of(ic);

	plot.top = plot.cursor = plot.root;
	if (row)
		plot.cursor = plot.lit = flame_leaf(&ic->flame, row, steps_flags(ic, v));
	return plot;
}
