// SPDX-License-Identifier: GPL-2.0-or-later
#include "tui/draw/text_cursor.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

struct text_cursor text_start(struct canvas *c, struct rect area, int top)
{
	return (struct text_cursor){ .c = c, .area = area, .line = -top };
}

int text_y(const struct text_cursor *tc)
{
	return tc->line >= 0 && tc->line < tc->area.height ? tc->area.y + tc->line : -1;
}

static int limit(const struct text_cursor *tc, int x, int columns)
{
	int room = MAX(tc->area.width - x, 0);

	return columns < 0 ? room : MIN(columns, room);
}

int text_put(struct text_cursor *tc, int x, int columns, enum style style, const char *text)
{
	int used;

	columns = limit(tc, x, columns);
	if (text_y(tc) >= 0)
		return canvas_text(tc->c, tc->area.x + x, text_y(tc), columns, style, text);
	utf8_fit(text, columns, &used);
	return used;
}

void text_right(struct text_cursor *tc, int x, int columns, enum style style, const char *text)
{
	if (text_y(tc) >= 0)
		canvas_text_right(tc->c, tc->area.x + x, text_y(tc), limit(tc, x, columns), style,
				  text);
}

void text_number(struct text_cursor *tc, int x, int columns, enum style style, enum unit unit,
		 double value, const char *suffix)
{
	if (text_y(tc) >= 0)
		canvas_number(tc->c, tc->area.x + x, text_y(tc), limit(tc, x, columns), style, unit,
			      value, suffix);
}

int text_printf(struct text_cursor *tc, int x, int columns, enum style style, const char *fmt, ...)
{
	char text[512];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	return text_put(tc, x, columns, style, text);
}

void text_next(struct text_cursor *tc)
{
	tc->line++;
}

void text_wrap(struct text_cursor *tc, int x, enum style style, const char *text)
{
	int columns = MAX(tc->area.width - x - 1, 2);

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
		text_put(tc, x, -1, style, line);
		text_next(tc);
		if (!bytes)
			break;
		text += bytes;
	} while (*text);
}

int text_lines(const struct text_cursor *tc, int top)
{
	return tc->line + top;
}
