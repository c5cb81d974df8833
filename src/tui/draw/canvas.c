// SPDX-License-Identifier: GPL-2.0-or-later
#include "tui/draw/canvas.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

void canvas_init(struct canvas *c, int width, int height)
{
	*c = (struct canvas){ .glyphs = GLYPHS_BLOCK, .scale = 1 };
	arena_init(&c->texts);
	canvas_resize(c, width, height);
}

void canvas_resize(struct canvas *c, int width, int height)
{
	c->width = MAX(width, 0);
	c->height = MAX(height, 0);
	c->cells = mem_realloc(c->cells, sizeof(*c->cells) * ((size_t)c->width * c->height + 1));
	canvas_clear(c);
}

void canvas_release(struct canvas *c)
{
	arena_release(&c->texts);
	free(c->cells);
	c->cells = NULL;
	c->width = c->height = 0;
}

void canvas_clear(struct canvas *c)
{
	size_t n = (size_t)c->width * c->height;

	arena_reset(&c->texts);
	for (size_t i = 0; i < n; i++)
		c->cells[i] = (struct cell_glyph){ .text = " " };
}

static struct cell_glyph *cell_at(const struct canvas *c, int x, int y)
{
	if (x < 0 || y < 0 || x >= c->width || y >= c->height)
		return NULL;
	return &c->cells[(size_t)y * c->width + x];
}

const struct cell_glyph *canvas_cell(const struct canvas *c, int x, int y)
{
	return cell_at(c, x, y);
}

/* Where half of a wide character is overwritten, the other half becomes a blank. */
static void split_wide(struct canvas *c, int x, int y)
{
	struct cell_glyph *here = cell_at(c, x, y);
	struct cell_glyph *left = cell_at(c, x - 1, y), *right = cell_at(c, x + 1, y);

	if (!here)
		return;
	if (!here->text[0] && left)
		strcpy(left->text, " ");
	if (right && !right->text[0])
		strcpy(right->text, " ");
}

static void put_point(struct canvas *c, int x, int y, int width, enum style style, const char *text,
		      int len)
{
	struct cell_glyph *cell = cell_at(c, x, y), *right = cell_at(c, x + 1, y);

	if (width == 2 && !right) {
		text = " ";
		len = width = 1;
	}
	split_wide(c, x, y);
	if (width == 2)
		split_wide(c, x + 1, y);
	if (!cell)
		return;
	*cell = (struct cell_glyph){ .style = style };
	memcpy(cell->text, text, len);
	if (width == 2 && right)
		*right = (struct cell_glyph){ .style = style };
}

/* A combining mark joins the character left of x, where its cell has room. */
static void put_mark(struct canvas *c, int x, int y, const char *text, int len)
{
	struct cell_glyph *cell = cell_at(c, x - 1, y);

	if (cell && !cell->text[0])
		cell = cell_at(c, x - 2, y);
	if (cell && strlen(cell->text) + len < sizeof(cell->text))
		strncat(cell->text, text, len);
}

static int put_text(struct canvas *c, int x, int y, int columns, enum style style,
		    const char *text, bool marked)
{
	int start = x, end = columns < 0 ? c->width : MIN(c->width, x + columns);
	const char *whole = text;

	if (c->on_text)
		c->on_text(c, x, y, end - x, text);
	while (*text) {
		uint32_t point;
		int len = utf8_next(text, &point), width = utf8_width_point(point);

		if (x + width > end)
			break;
		if (c->glyphs == GLYPHS_ASCII && point >= 0x80) {
			char ascii = utf8_ascii(point);

			for (int i = 0; i < width; i++)
				put_point(c, x + i, y, 1, style, &ascii, 1);
		} else if (width == 0) {
			if (x > start)
				put_mark(c, x, y, text, len);
		} else {
			put_point(c, x, y, width, style, text, len);
		}
		x += width;
		text += len;
	}
	if (*text && c->on_cut && y >= 0 && y < c->height)
		c->on_cut(c, whole, marked);
	return x - start;
}

int canvas_text(struct canvas *c, int x, int y, int columns, enum style style, const char *text)
{
	return put_text(c, x, y, columns, style, text, false);
}

int canvas_text_cut(struct canvas *c, int x, int y, int columns, enum style style,
		    const char *text)
{
	int used;

	if (columns < 0)
		columns = c->width - x;
	used = put_text(c, x, y, columns, style, text, true);
	if (utf8_width(text) > columns && columns > 1)
		canvas_text(c, x + columns - 1, y, 1, style, "…");
	return used;
}

int canvas_text_right(struct canvas *c, int x, int y, int columns, enum style style,
		      const char *text)
{
	int width = utf8_width(text), pad = MAX(columns - width, 0);

	return pad + canvas_text(c, x + pad, y, columns - pad, style, text);
}

/* Of a path that is too long the end, from a folder on where there is one. */
static const char *path_end(const char *text, int columns)
{
	const char *end = text, *folder;
	uint32_t point;

	while (*end && utf8_width(end) > columns)
		end += utf8_next(end, &point);
	folder = strchr(end, '/');
	return folder && folder[1] ? folder : end;
}

void canvas_path(struct canvas *c, int x, int y, int columns, enum style style, const char *text)
{
	int cut = columns > 1 && utf8_width(text) > columns
			  ? canvas_text(c, x, y, 1, style, "…")
			  : 0;

	canvas_text(c, x + cut, y, columns - cut, style, cut ? path_end(text, columns - 1) : text);
}

int canvas_number(struct canvas *c, int x, int y, int columns, enum style style, enum unit unit,
		  double value, const char *suffix)
{
	struct unit_style units = c->units;
	char text[64];

	for (int attempt = 0; attempt < 2; attempt++, units.kilobytes = 0) {
		int n = unit_format(text, sizeof(text), unit, value, &units);

		if (value >= 0)
			snprintf(text + n, sizeof(text) - n, "%s", suffix);
		if (utf8_width(text) <= columns)
			break;
	}
	return canvas_text_right(c, x, y, columns, style, text);
}

void canvas_fill(struct canvas *c, int x, int y, int columns, enum style style, const char *glyph)
{
	int end = columns < 0 ? c->width : MIN(c->width, x + columns);

	for (x = MAX(x, 0); x < end; x++)
		canvas_text(c, x, y, 1, style, glyph);
}

void canvas_highlight(struct canvas *c, int y)
{
	struct cell_glyph *cell = cell_at(c, 0, y);

	for (int x = 0; cell && x < c->width; x++)
		cell[x].reverse = true;
}

void canvas_reverse(struct canvas *c, int x, int y, int columns)
{
	for (int i = 0; i < columns; i++) {
		struct cell_glyph *cell = cell_at(c, x + i, y);

		if (cell)
			cell->reverse = true;
	}
}

void canvas_embolden(struct canvas *c, int x, int y, int columns)
{
	for (int i = 0; i < columns; i++) {
		struct cell_glyph *cell = cell_at(c, x + i, y);

		if (cell)
			cell->bold = true;
	}
}
