// SPDX-License-Identifier: GPL-2.0-or-later
#include "tui/draw/text_cursor.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/i18n.h"
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
		return canvas_text_cut(tc->c, tc->area.x + x, text_y(tc), columns, style, text);
	utf8_fit(text, columns, &used);
	return used;
}

void text_right(struct text_cursor *tc, int x, int columns, enum style style, const char *text)
{
	if (text_y(tc) >= 0)
		canvas_text_right(tc->c, tc->area.x + x, text_y(tc), limit(tc, x, columns), style,
				  text);
}

void text_path(struct text_cursor *tc, int x, int columns, enum style style, const char *text,
	       const char *remark)
{
	if (remark)
		text = arena_printf(&tc->c->texts, "%s (%s)", text, _(remark));
	if (text_y(tc) >= 0)
		canvas_path(tc->c, tc->area.x + x, text_y(tc), limit(tc, x, columns), style, text);
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

void text_wrap_most(struct text_cursor *tc, int x, int lines, enum style style, const char *text)
{
	int columns = MAX(tc->area.width - x - 1, 2);

	do {
		size_t bytes = utf8_fit(text, columns, NULL), cut = bytes;
		char line[1024];

		if (text[bytes] && !--lines) {
			if (text_y(tc) >= 0)
				canvas_text_cut(tc->c, tc->area.x + x, text_y(tc), columns, style,
						text);
			text_next(tc);
			return;
		}

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

void text_wrap(struct text_cursor *tc, int x, enum style style, const char *text)
{
	text_wrap_most(tc, x, INT_MAX, style, text);
}

#define COLUMNS_MOST 3
#define SECTIONS_MOST 32
#define GAP 1	/* between columns */
#define OUT_OF_SIGHT (1 << 24)	/* lines */

/* write() is called twice: out of sight, to know how long the sections are, and to draw them. */
struct text_sections {
	int lines[SECTIONS_MOST];	/* of each */
	unsigned n, at;
	int begin;	/* line of the first section of each column */
	int end;	/* line behind the longest column so far */
	int most;	/* lines of a column; 0: the lengths are not known yet */
	int used;	/* lines of the present column */
};

void text_section(struct text_cursor *tc)
{
	struct text_sections *s = tc->sections;

	if (!s)
		return;
	if (!s->most) {
		if (s->n)
			s->lines[s->n - 1] = tc->line - s->begin;
		s->begin = tc->line;
		s->n = MIN(s->n + 1, SECTIONS_MOST);
		return;
	}
	if (s->used && s->at < s->n && s->used + s->lines[s->at] > s->most) {
		s->end = MAX(s->end, tc->line);
		tc->line = s->begin;
		tc->area.x += tc->area.width + GAP;
		s->used = 0;
	}
	s->used += s->at < s->n ? s->lines[s->at] : 0;
	s->at++;
}

static int columns_needed(const struct text_sections *s, int most)
{
	int n = 1, used = 0;

	for (unsigned i = 0; i < s->n; i++) {
		if (used && used + s->lines[i] > most) {
			n++;
			used = 0;
		}
		used += s->lines[i];
	}
	return n;
}

void text_columns(struct text_cursor *tc, int least,
		  void (*write)(struct text_cursor *tc, const void *arg), const void *arg)
{
	int n = MIN(tc->area.width / least, COLUMNS_MOST), total;
	struct text_sections s = { .begin = -OUT_OF_SIGHT };
	struct text_cursor column = *tc;

	if (n < 2 || tc->sections) {
		write(tc, arg);
		return;
	}
	column.area.width = (tc->area.width - GAP * (n - 1)) / n;
	column.sections = &s;
	column.line = -OUT_OF_SIGHT;
	write(&column, arg);
	text_section(&column);
	s.n--;
	total = column.line + OUT_OF_SIGHT;
	for (s.most = MAX(1, (total + n - 1) / n); columns_needed(&s, s.most) > n; s.most++)
		;
	s.begin = s.end = column.line = tc->line;
	write(&column, arg);
	tc->line = MAX(s.end, column.line);
}

int text_lines(const struct text_cursor *tc, int top)
{
	return tc->line + top;
}
