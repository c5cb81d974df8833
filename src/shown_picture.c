// SPDX-License-Identifier: GPL-2.0-or-later
#include "shown_picture.h"

#include <string.h>

#include "base/macro.h"
#include "out/svg.h"
#include "tui/draw/theme.h"

/* Of a cell, in tenths of a pixel where it is no whole number. */
#define CELL_WIDTH 84
#define CELL_HEIGHT 17
#define BASELINE 13
#define BACK 0x16181d
#define FORE 0xd8dbe2

/* The first eight colours are the terminal's own: these are what ours has. */
static unsigned rgb(int32_t color, unsigned otherwise)
{
	static const unsigned own[] = { 0x3b4048, 0xe06c75, 0x98c379, 0xe5c07b,
					0x61afef, 0xc678dd, 0x56b6c2, 0xd8dbe2 };

	if (color < 0)
		return otherwise;
	return (size_t)color < ARRAY_SIZE(own) ? own[color] : (unsigned)color;
}

static struct look look_of(const struct cell_glyph *cell)
{
	struct look look = theme_look(THEME_DARK, DEPTH_DIRECT, cell->style, cell->reverse);
	unsigned fore = rgb(look.fg, FORE), back = rgb(look.bg, BACK);

	look.fg = (int32_t)(look.attrs & LOOK_REVERSE ? back : fore);
	look.bg = (int32_t)(look.attrs & LOOK_REVERSE ? fore : back);
	if (cell->bold)
		look.attrs |= LOOK_BOLD;
	return look;
}

static bool looks_alike(const struct look *a, const struct look *b)
{
	return a->fg == b->fg && a->bg == b->bg && a->attrs == b->attrs;
}

/* "75.6" */
static void put_x(struct buf *b, const char *name, int cells)
{
	int tenths = cells * CELL_WIDTH;

	buf_printf(b, " %s=\"%d.%d\"", name, tenths / 10, tenths % 10);
}

/* Cells from x on that look alike: their background, and their text where it has any. */
static void put_run(struct buf *b, const struct canvas *c, int x, int y, int cells,
		    const struct look *look)
{
	_cleanup_(buf_release) struct buf text = { 0 };

	for (int i = x; i < x + cells; i++)
		buf_puts(&text, canvas_cell(c, i, y)->text);
	if (look->bg != BACK) {
		buf_puts(b, "<rect");
		put_x(b, "x", x);
		buf_printf(b, " y=\"%d\"", y * CELL_HEIGHT);
		put_x(b, "width", cells);
		buf_printf(b, " height=\"%d\" fill=\"#%06x\"/>\n", CELL_HEIGHT, (unsigned)look->bg);
	}
	if (!text.len || strspn(text.data, " ") == text.len)
		return;
	buf_puts(b, "<text");
	put_x(b, "x", x);
	buf_printf(b, " y=\"%d\"", y * CELL_HEIGHT + BASELINE);
	put_x(b, "textLength", cells);
	buf_printf(b, " fill=\"#%06x\" xml:space=\"preserve\"%s%s%s>", (unsigned)look->fg,
		   look->attrs & LOOK_BOLD ? " font-weight=\"bold\"" : "",
		   look->attrs & LOOK_DIM ? " opacity=\"0.65\"" : "",
		   look->attrs & LOOK_UNDERLINE ? " text-decoration=\"underline\"" : "");
	svg_text(b, text.data);
	buf_puts(b, "</text>\n");
}

void shown_picture(struct buf *ret, const struct canvas *c)
{
	int width = c->width * CELL_WIDTH / 10 + 16, height = c->height * CELL_HEIGHT + 16;

	buf_printf(ret, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
		   "viewBox=\"-8 -8 %d %d\" font-family=\"monospace\" font-size=\"14\">\n"
		   "<title>iotop</title>\n<rect x=\"-8\" y=\"-8\" width=\"100%%\" height=\"100%%\" "
		   "rx=\"6\" fill=\"#%06x\"/>\n", width, height, width, height, BACK);
	for (int y = 0; y < c->height; y++) {
		for (int x = 0, end; x < c->width; x = end) {
			struct look look = look_of(canvas_cell(c, x, y)), next = look;

			for (end = x + 1; end < c->width; end++) {
				next = look_of(canvas_cell(c, end, y));
				/* The right half of a wide character goes with it. */
				if (canvas_cell(c, end, y)->text[0] && !looks_alike(&look, &next))
					break;
			}
			put_run(ret, c, x, y, end - x, &look);
		}
	}
	buf_puts(ret, "</svg>\n");
}
