/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A text cursor writes a page of lines that scrolls: the writer counts lines and does not know
 * which of them are in sight.
 */
#ifndef IOTOP_TUI_DRAW_TEXT_CURSOR_H
#define IOTOP_TUI_DRAW_TEXT_CURSOR_H

#include "tui/draw/canvas.h"

struct text_sections;

struct text_cursor {
	struct canvas *c;
	struct rect area;
	int line;	/* the current line; 0 is the first in sight, negative ones are above it */
	struct text_sections *sections;	/* while text_columns() writes; NULL: one column */
};

/* At the first line of a page whose first `top` lines are scrolled out of sight. */
struct text_cursor text_start(struct canvas *c, struct rect area, int top);
/*
 * At x of the present line, at most `columns` (negative: to the edge). Returns the columns used,
 * also of a line out of sight.
 */
int text_put(struct text_cursor *tc, int x, int columns, enum style style, const char *text);
void text_right(struct text_cursor *tc, int x, int columns, enum style style, const char *text);
/* Of a path that is too long the end. remark: N_() word behind it in parentheses; NULL: none. */
void text_path(struct text_cursor *tc, int x, int columns, enum style style, const char *text,
	       const char *remark);
void text_number(struct text_cursor *tc, int x, int columns, enum style style, enum unit unit,
		 double value, const char *suffix);
int text_printf(struct text_cursor *tc, int x, int columns, enum style style, const char *fmt, ...)
	_printf_(5, 6);
void text_next(struct text_cursor *tc);
/* Text over as many lines as it takes, ending behind the last. */
void text_wrap(struct text_cursor *tc, int x, enum style style, const char *text);
/* The same in at most so many lines; that there is more is marked. */
void text_wrap_most(struct text_cursor *tc, int x, int lines, enum style style, const char *text);
/* The row of the canvas, -1 when the line is out of sight. */
int text_y(const struct text_cursor *tc);
/*
 * What write() writes as one column or, from twice `least` columns of the canvas on, as two or
 * three beside each other, about equally long. A section stays in one piece: write() calls
 * text_section() before each.
 */
void text_columns(struct text_cursor *tc, int least,
		  void (*write)(struct text_cursor *tc, const void *arg), const void *arg);
void text_section(struct text_cursor *tc);
/* Lines written in all: what a detail returns. */
int text_lines(const struct text_cursor *tc, int top);

#endif
