// SPDX-License-Identifier: GPL-2.0-or-later
/* The way of an operation as stacked bars: a line for the calls, below it what their time is of. */
#include "screens/layers.h"

#include <stdio.h>

#include "base/utf8.h"
#include "tui/draw/fields.h"

#define PIECES_MOST 16
#define TEXT 48
#define BEHIND 24	/* columns for the texts of pieces that are shorter than these */

/* The lines, top down. */
enum level {
	LEVEL_CALL,
	LEVEL_VFS,
	LEVEL_FS,
	LEVEL_STEPS,	/* of an fsync(), and waits for pages of the cache */
	LEVEL_DISK,
	LEVEL_COUNT,
};

struct level_pieces {
	const struct layer_row *rows[PIECES_MOST];
	unsigned n;
	uint64_t ns;
};

static enum level level_of(const struct layer_row *r)
{
	if (layer_is_of_disk(r->layer_id))
		return LEVEL_DISK;
	if (layer_is_call(r->layer_id, r->op_id))
		return LEVEL_CALL;
	if (r->layer_id == LAYER_CACHE || layer_is_step(r->layer_id, r->op_id))
		return LEVEL_STEPS;
	return r->layer_id == LAYER_VFS ? LEVEL_VFS : LEVEL_FS;
}

/* Beside its likes on a line a piece is called by what tells it from them. */
static void piece_text(char *out, size_t size, const struct layer_row *r, const struct view *v,
		       const struct canvas *c)
{
	bool step = layer_is_step(r->layer_id, r->op_id);
	char time[24];

	unit_format(time, sizeof(time), UNIT_NS,
		    canvas_count(c, (double)layer_shown(r, v)->time_ns), &c->units);
	snprintf(out, size, "%s%s%s %s", step ? "" : r->layer, step ? "" : " ", r->op, time);
}

/* As long as its share of the whole, with its text in it where that is not longer. */
static int draw_piece(struct text_cursor *tc, int x, int width, enum style style, const char *text)
{
	if (text_y(tc) < 0)
		return width;
	canvas_fill(tc->c, tc->area.x + x, text_y(tc), width, style, " ");
	if (utf8_width(text) <= width)
		text_put(tc, x, width, style, text);
	return width;
}

static void draw_level(struct text_cursor *tc, const struct view *v, const struct level_pieces *l,
		       uint64_t whole)
{
	static const enum style boxes[] = { STYLE_BOX1, STYLE_BOX2, STYLE_BOX3, STYLE_BOX4 };
	static const enum style words[] = { STYLE_ACCENT1, STYLE_ACCENT2, STYLE_ACCENT3,
					    STYLE_ACCENT4 };
	int room = tc->area.width - 2 - BEHIND, x = 1, widths[PIECES_MOST];
	uint64_t sum = 0;
	char text[TEXT];

	for (unsigned i = 0; i < l->n; i++) {
		int from = (int)((double)sum / (double)whole * room + 0.5);

		sum += layer_shown(l->rows[i], v)->time_ns;
		widths[i] = (int)((double)sum / (double)whole * room + 0.5) - from;
		piece_text(text, sizeof(text), l->rows[i], v, tc->c);
		x += draw_piece(tc, x, widths[i], boxes[i % ARRAY_SIZE(boxes)], text);
	}
	for (unsigned i = 0; i < l->n; i++) {
		piece_text(text, sizeof(text), l->rows[i], v, tc->c);
		if (utf8_width(text) <= widths[i])
			continue;
		x++;
		x += text_put(tc, x, -1, words[i % ARRAY_SIZE(words)], text);
	}
	text_next(tc);
}

void layers_draw_bars(struct text_cursor *tc, const struct view *v, const struct rows *rows)
{
	double scale = field_scale(tc, v->model, SRC_LAYERS, v->spec->span != SPAN_TICK);
	struct level_pieces levels[LEVEL_COUNT] = { 0 };
	uint64_t whole = 0;
	const struct layer_row *r;

	row_each(r, rows) {
		struct level_pieces *l = &levels[level_of(r)];

		if (!layer_shown(r, v)->time_ns || l->n == PIECES_MOST)
			continue;
		l->rows[l->n++] = r;
		l->ns += layer_shown(r, v)->time_ns;
		whole = MAX(whole, l->ns);
	}
	for (unsigned i = 0; i < LEVEL_COUNT && whole; i++)
		if (levels[i].n)
			draw_level(tc, v, &levels[i], whole);
	if (whole)
		text_next(tc);
	tc->c->scale = scale;
}
