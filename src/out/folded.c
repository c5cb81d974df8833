// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A path a line, for the tools that draw flame graphs: frames from the outermost on, separated by
 * semicolons, and the weight.
 */
#include <inttypes.h>

#include "out/formats.h"
#include "view/flame.h"

/* Separators inside a name would make two frames, or two lines, of it. */
static void put_frame(struct buf *b, const char *text)
{
	for (; *text; text++)
		buf_putc(b, *text == ';' ? ':' : *text == '\n' || *text == '\r' ? ' ' : *text);
}

/* The line of a node: of all its parents and itself. */
static void put_line(struct buf *b, const struct flame_node *n, const struct flame_node **up)
{
	size_t depth = 0;

	for (const struct flame_node *at = n; at->parent; at = at->parent)
		up[depth++] = at;
	while (depth--) {
		put_frame(b, up[depth]->text);
		buf_putc(b, depth ? ';' : ' ');
	}
	buf_printf(b, "%" PRIu64 "\n", n->self);
}

void out_folded(struct out *o, const struct view *v)
{
	const struct flame_node *n, **up;
	struct flame f;

	flame_init(&f);
	flame_build(&f, v, out_steps(o, v), o->opt.weight);
	up = arena_new(&f.arena, const struct flame_node *, f.depth + 1);
	for (n = f.root; n; n = flame_next(n))
		if (n->self && n->parent)
			put_line(&o->buf, n, up);
	flame_release(&f);
}
