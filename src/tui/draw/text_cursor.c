// SPDX-License-Identifier: GPL-2.0-or-later
#include "tui/draw/text_cursor.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

struct pen pen_start(struct canvas *c, struct rect area, int top)
{
	return (struct pen){ .c = c, .area = area, .line = -top };
}

int pen_y(const struct pen *p)
{
	return p->line >= 0 && p->line < p->area.height ? p->area.y + p->line : -1;
}

static int limit(const struct pen *p, int x, int columns)
{
	int room = MAX(p->area.width - x, 0);

	return columns < 0 ? room : MIN(columns, room);
}

int pen_text(struct pen *p, int x, int columns, enum style style, const char *text)
{
	int used;

	columns = limit(p, x, columns);
	if (pen_y(p) >= 0)
		return canvas_text(p->c, p->area.x + x, pen_y(p), columns, style, text);
	utf8_fit(text, columns, &used);
	return used;
}

void pen_right(struct pen *p, int x, int columns, enum style style, const char *text)
{
	if (pen_y(p) >= 0)
		canvas_text_right(p->c, p->area.x + x, pen_y(p), limit(p, x, columns), style, text);
}

void pen_number(struct pen *p, int x, int columns, enum style style, enum unit unit, double value,
		const char *suffix)
{
	if (pen_y(p) >= 0)
		canvas_number(p->c, p->area.x + x, pen_y(p), limit(p, x, columns), style, unit,
			      value, suffix);
}

int pen_printf(struct pen *p, int x, int columns, enum style style, const char *fmt, ...)
{
	char text[512];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	return pen_text(p, x, columns, style, text);
}

void pen_next(struct pen *p)
{
	p->line++;
}

void pen_wrap(struct pen *p, int x, enum style style, const char *text)
{
	int columns = MAX(p->area.width - x - 1, 2);

	do {
		size_t bytes = utf8_fit(text, columns, NULL), cut = bytes;
		char line[1024];

		/* Between words where there is one in the second half of the line. */
		while (text[bytes] && cut > bytes / 2 && text[cut - 1] != ' ')
			cut--;
		if (text[bytes] && cut > bytes / 2)
			bytes = cut;
		bytes = MIN(bytes, sizeof(line) - 1);
		memcpy(line, text, bytes);
		line[bytes] = 0;
		pen_text(p, x, -1, style, line);
		pen_next(p);
		if (!bytes)
			break;
		text += bytes;
	} while (*text);
}

int pen_lines(const struct pen *p, int top)
{
	return p->line + top;
}
