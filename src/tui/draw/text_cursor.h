/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A page of lines that scrolls: whoever writes it counts lines and need not know which are in
 * sight.
 */
#ifndef IOTOP_TUI_DRAW_TEXT_CURSOR_H
#define IOTOP_TUI_DRAW_TEXT_CURSOR_H

#include "tui/draw/canvas.h"

struct pen {
	struct canvas *c;
	struct rect area;
	int line;	/* the present one; 0 is the first in sight, negative: scrolled away */
};

struct pen pen_start(struct canvas *c, struct rect area, int top);
/*
 * At x of the present line, at most `columns` (negative: to the edge). Returns the columns used,
 * also of a line out of sight.
 */
int pen_text(struct pen *p, int x, int columns, enum style style, const char *text);
void pen_right(struct pen *p, int x, int columns, enum style style, const char *text);
void pen_number(struct pen *p, int x, int columns, enum style style, enum unit unit, double value,
		const char *suffix);
int pen_printf(struct pen *p, int x, int columns, enum style style, const char *fmt, ...)
	_printf_(5, 6);
void pen_next(struct pen *p);
/* Text over as many lines as it takes, ending behind the last. */
void pen_wrap(struct pen *p, int x, enum style style, const char *text);
/* The row of the canvas, -1 when the line is out of sight. */
int pen_y(const struct pen *p);
/* Lines written in all: what a detail returns. */
int pen_lines(const struct pen *p, int top);

#endif
