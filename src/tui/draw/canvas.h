/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A canvas: a grid of styled cells. Screens draw on it and know no terminal; curses.c copies it to
 * one, tests print it. Everything is clipped: drawing outside is no error, so 1×1 needs no special
 * case.
 */
#ifndef IOTOP_TUI_DRAW_CANVAS_H
#define IOTOP_TUI_DRAW_CANVAS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/macro.h"
#include "base/units.h"

/*
 * One accent per meaning. The theme decides what each looks like; in monochrome it is bold, dim,
 * reverse.
 */
enum style {
	STYLE_NORMAL,
	STYLE_DIM,		/* zero, unknown, ended */
	STYLE_BOLD,		/* changed much */
	STYLE_HEAD,		/* headings */
	STYLE_SORT,		/* the sorted heading */
	STYLE_READ,
	STYLE_WRITE,
	STYLE_WARN,		/* what is wrong, nowhere else */
	STYLE_TAB,
	STYLE_TAB_ACTIVE,
	STYLE_CURSOR,		/* the cursor's row */
	STYLE_KEY,		/* a key in the key bar */
	STYLE_BAR,		/* what it does */
	STYLE_STATUS,
	STYLE_ACCENT1,		/* categories of graphs: kernel, user, file system, block */
	STYLE_ACCENT2,
	STYLE_ACCENT3,
	STYLE_ACCENT4,
	STYLE_HEAT1,		/* shades, least to most */
	STYLE_HEAT2,
	STYLE_HEAT3,
	STYLE_HEAT4,
	STYLE_BOX1,		/* the same categories as boxes: filled, with text in them */
	STYLE_BOX2,
	STYLE_BOX3,
	STYLE_BOX4,
	STYLE_BOX5,		/* what is no code */
	STYLE_BOX6,		/* like the second category, but not it */
	STYLE_BOX7,
	STYLE_COUNT,
};

struct cell_glyph {
	char text[12];		/* one base character and its combining marks; "" is the right
				 * half of a wide one */
	uint8_t style;
	bool reverse;		/* under the cursor */
	bool bold;		/* on top of the style: changed much */
};

enum glyphs {
	GLYPHS_ASCII,
	GLYPHS_BLOCK,		/* ▁▂▃▄▅▆▇█ */
	GLYPHS_BRAILLE,
};

/* By this part of it an interval may be missed before its counts are scaled. */
#define CANVAS_ON_TIME 0.05

struct canvas {
	int width, height;
	struct cell_glyph *cells;	/* width * height, row by row */
	enum glyphs glyphs;		/* GLYPHS_ASCII: every other character is replaced,
					 * frames and arrows by look-alikes */
	struct unit_style units;
	char per[16];			/* behind counts of the interval that is shown: "/s",
					 * "/5s"; "" behind sums */
	double scale;			/* times which these are per that: the interval that was
					 * asked for is not always met */
	/* Of tests, else NULL: is told of each text that had no room; marked: by an ellipsis. */
	void (*on_cut)(const struct canvas *c, const char *text, bool marked);
	/* Likewise: of a text before it is drawn. */
	void (*on_text)(const struct canvas *c, int x, int y, int columns, const char *text);
	struct arena texts;		/* for what is computed while drawing; emptied by
					 * canvas_clear() */
};

struct rect {
	int x, y, width, height;
};

/* Blank, with block glyphs; sizes below 0 count as 0. */
void canvas_init(struct canvas *c, int width, int height);
/* Also clears. */
void canvas_resize(struct canvas *c, int width, int height);
void canvas_release(struct canvas *c);
void canvas_clear(struct canvas *c);

/* A count of the interval as it is shown, with c->per behind it. */
static inline double canvas_count(const struct canvas *c, double count)
{
	return count * c->scale;
}

/* Clean text at x, y, at most `columns` wide (negative: to the edge). Returns the columns used. */
int canvas_text(struct canvas *c, int x, int y, int columns, enum style style, const char *text);
/* The same; what is cut ends with an ellipsis: half a number would be another one. */
int canvas_text_cut(struct canvas *c, int x, int y, int columns, enum style style,
		    const char *text);
/* Right-aligned in `columns`. */
int canvas_text_right(struct canvas *c, int x, int y, int columns, enum style style,
		      const char *text);
/* A path: of a long one the end, which tells more, from a folder on. */
void canvas_path(struct canvas *c, int x, int y, int columns, enum style style, const char *text);
/*
 * A number as c->units says, right-aligned, with a suffix such as "/s". One that is too wide is
 * written in larger units: no digit is cut off.
 */
int canvas_number(struct canvas *c, int x, int y, int columns, enum style style, enum unit unit,
		  double value, const char *suffix);
void canvas_fill(struct canvas *c, int x, int y, int columns, enum style style, const char *glyph);
/* The whole row in reverse, as a cursor. */
void canvas_highlight(struct canvas *c, int y);
/* A part of it, as the cursor of what is no table. */
void canvas_reverse(struct canvas *c, int x, int y, int columns);
/* What stands there becomes bold. */
void canvas_embolden(struct canvas *c, int x, int y, int columns);
const struct cell_glyph *canvas_cell(const struct canvas *c, int x, int y);

#endif
