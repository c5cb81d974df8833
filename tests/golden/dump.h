/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A canvas as text. */
#ifndef IOTOP_TESTS_DUMP_H
#define IOTOP_TESTS_DUMP_H

#include <string.h>

#include "base/buf.h"
#include "tui/draw/canvas.h"

static const char style_letters[STYLE_COUNT] = {
	[STYLE_NORMAL] = '.',	  [STYLE_DIM] = 'd',	 [STYLE_BOLD] = 'b',
	[STYLE_HEAD] = 'h',	  [STYLE_SORT] = 's',	 [STYLE_READ] = 'r',
	[STYLE_WRITE] = 'w',	  [STYLE_WARN] = '!',	 [STYLE_TAB] = 't',
	[STYLE_TAB_ACTIVE] = 'T', [STYLE_CURSOR] = 'c',	 [STYLE_KEY] = 'k',
	[STYLE_BAR] = 'a',	  [STYLE_STATUS] = 'u',	 [STYLE_ACCENT1] = 'A',
	[STYLE_ACCENT2] = 'B',	  [STYLE_ACCENT3] = 'C', [STYLE_ACCENT4] = 'D',
	[STYLE_HEAT1] = '1',	  [STYLE_HEAT2] = '2',	 [STYLE_HEAT3] = '3',
	[STYLE_HEAT4] = '4',	  [STYLE_BOX1] = 'E',	 [STYLE_BOX2] = 'F',
	[STYLE_BOX3] = 'G',	  [STYLE_BOX4] = 'H',
	[STYLE_BOX5] = 'I',	  [STYLE_BOX6] = 'J',	 [STYLE_BOX7] = 'K',
};

static inline bool is_blank(const struct cell_glyph *cell)
{
	return !strcmp(cell->text, " ");
}

static inline void dump_text(const struct cell_glyph *row, int width, struct buf *out)
{
	while (width > 0 && is_blank(&row[width - 1]))
		width--;
	for (int x = 0; x < width; x++)
		buf_puts(out, row[x].text);
	buf_putc(out, '\n');
}

/* Letters of blanks are left away where nothing but the style NORMAL follows. */
static inline void dump_styles(const struct cell_glyph *row, int width, struct buf *out)
{
	bool marks = false;

	for (int x = 0; x < width; x++)
		marks |= row[x].bold || row[x].reverse;
	while (width > 0 && is_blank(&row[width - 1]) && row[width - 1].style == STYLE_NORMAL &&
	       !row[width - 1].reverse)
		width--;
	for (int x = 0; x < width; x++)
		buf_putc(out, style_letters[row[x].style]);
	buf_putc(out, '\n');
	if (!marks)
		return;
	while (width > 0 && !row[width - 1].bold && !row[width - 1].reverse)
		width--;
	for (int x = 0; x < width; x++)
		buf_putc(out, row[x].reverse ? (row[x].bold ? '@' : '=') : row[x].bold ? '*' : ' ');
	buf_putc(out, '\n');
}

/*
 * Lines of text without trailing blanks; with styles, each line is followed by a line of style
 * letters, and bold and cursor are marked by a further line where there are any.
 */
static inline void canvas_dump(const struct canvas *c, struct buf *out, bool styles)
{
	for (int y = 0; y < c->height; y++) {
		const struct cell_glyph *row = &c->cells[(size_t)y * c->width];

		dump_text(row, c->width, out);
		if (styles)
			dump_styles(row, c->width, out);
	}
}

#endif
