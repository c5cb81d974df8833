// SPDX-License-Identifier: GPL-2.0-or-later
#include "tui/time_bar.h"

#include <stdio.h>

#include "base/clock.h"
#include "base/i18n.h"
#include "base/units.h"
#include "base/utf8.h"
#include "data/finding/finding.h"

/* The greatest mark of the part of the time that a cell stands for. */
static uint8_t mark_of(const struct app_time *t, int cell, int cells)
{
	int from = cell * APP_TIME_MARKS / cells, to = (cell + 1) * APP_TIME_MARKS / cells;
	uint8_t mark = 0;

	for (int i = from; i < MAX(to, from + 1); i++)
		mark = MAX(mark, t->marks[i]);
	return mark;
}

static void draw_cell(struct canvas *c, int x, int y, uint8_t mark)
{
	static const struct {
		enum style style;
		const char *text, *ascii;
	} cells[] = {
		[APP_NOTHING] = { STYLE_DIM, "·", "." },
		[APP_SAMPLES] = { STYLE_DIM, "─", "-" },
		[APP_SOURCES] = { STYLE_DIM, "┬", "|" },
		[APP_FINDING + SEVERITY_NOTE] = { STYLE_NORMAL, "▴", "~" },
		[APP_FINDING + SEVERITY_WARNING] = { STYLE_BOLD, "▲", "!" },
		[APP_FINDING + SEVERITY_WRONG] = { STYLE_WARN, "▲", "X" },
		[APP_TRIGGER] = { STYLE_WARN, "◆", "T" },
	};

	canvas_text(c, x, y, 1, cells[mark].style,
		    c->glyphs == GLYPHS_ASCII ? cells[mark].ascii : cells[mark].text);
}

static int cell_of(const struct app_time *t, uint64_t real, int cells)
{
	uint64_t from = real > t->first ? real - t->first : 0;

	return (int)(from * (uint64_t)(cells - 1) / MAX(t->last - t->first, 1));
}

void time_bar_draw(struct canvas *c, int x, int y, int columns, const struct app_time *t)
{
	char first[16], begin[16], last[16], ago[64], number[32];
	int end, at;

	clock_hms(first, sizeof(first), t->first);
	clock_hms(begin, sizeof(begin), t->begin);
	clock_hms(last, sizeof(last), t->last);
	unit_format(number, sizeof(number), UNIT_NS,
		    (double)(t->begin ? t->at - t->begin : t->last - t->at), &c->units);
	if (t->begin)
		snprintf(ago, sizeof(ago), _("%s from %s"), number, begin);
	else
		snprintf(ago, sizeof(ago), _("%s ago"), number);
	x += canvas_text(c, x, y, -1, STYLE_KEY, ago) + 1;
	x += canvas_text(c, x, y, -1, STYLE_DIM, first) + 1;
	end = columns - utf8_width(last) - 2;
	if (end - x < 8)
		return;
	for (int i = x; i < end; i++)
		draw_cell(c, i, y, mark_of(t, i - x, end - x));
	at = cell_of(t, t->at, end - x) + x;
	for (int i = t->begin ? x + cell_of(t, t->begin, end - x) : at; i < at; i++)
		canvas_text(c, i, y, 1, STYLE_KEY, c->glyphs == GLYPHS_ASCII ? "=" : "━");
	canvas_text(c, at, y, 1, STYLE_KEY, c->glyphs == GLYPHS_ASCII ? "O" : "●");
	canvas_text(c, end + 1, y, -1, STYLE_DIM, last);
}
