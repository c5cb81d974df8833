// SPDX-License-Identifier: GPL-2.0-or-later
#include "tui/draw/verdict.h"

#include <stdio.h>

#include "base/clock.h"
#include "base/i18n.h"
#include "base/utf8.h"
#include "data/finding/finding.h"
#include "tui/draw/text_cursor.h"

/* The key that leads to all of it, and how much more there is. */
static int draw_more(struct canvas *c, int y, size_t more)
{
	char text[64];
	int width;

	if (more)
		snprintf(text, sizeof(text), _("! and %zu more"), more);
	else
		snprintf(text, sizeof(text), _("! why"));
	width = utf8_width(text);
	if (c->width < 2 * width)
		return 0;
	canvas_text(c, c->width - width - 1, y, -1, STYLE_KEY, text);
	return width + 2;
}

#define SINCE_ALWAYS 100	/* columns from which on the time is worth the end of a sentence */

/* Nobody looks, and nothing says that it goes on. */
static bool is_old(const struct finding_row *f, const struct model *m)
{
	return !f->holds && finding_is_unseen(f, m);
}

/* Since when, and where nobody looks any more when it was seen. */
static void put_since(const struct finding_row *f, const struct model *m, char *text, size_t size)
{
	bool unseen = is_old(f, m);
	char time[16];

	clock_hms(time, sizeof(time), unseen ? f->seen_ns : f->since_ns);
	snprintf(text, size,
		 unseen		     ? _("last seen %s")
		 : f->since_before ? _("since before %s")
				     : _("since %s"),
		 time);
}

/* Left of x, where there is room; returns where it begins, else x. */
static int draw_since(struct canvas *c, int y, int x, int sentence, const struct finding_row *f,
		      const struct model *m)
{
	char text[64];
	int width;

	put_since(f, m, text, sizeof(text));
	width = utf8_width(text);
	if (c->width < SINCE_ALWAYS && !is_old(f, m) && sentence + 5 + width > x)
		return x;
	x -= width + 2;
	canvas_text(c, x, y, -1, STYLE_BOLD, text);
	return x;
}

int verdict_draw(struct canvas *c, int y, int lines, struct verdict_wide *wide,
		 const struct model *m)
{
	const struct finding_row *f = model_verdict(m);
	size_t n = m->rows[ENTITY_FINDING].n;
	enum style style = STYLE_DIM;
	struct rect area = { .x = 3, .y = y, .height = lines };
	struct text_cursor tc;
	char text[512];
	int right;

	if (!(m->interval > 0))
		return 1;
	if (!f) {
		finding_nothing(m, &c->units, text, sizeof(text));
		canvas_text_cut(c, 1, y, c->width - 1, STYLE_DIM, text);
		return 1;
	}
	if (f->severity == SEVERITY_WRONG)
		style = STYLE_WARN;
	else if (f->severity == SEVERITY_WARNING)
		style = STYLE_BOLD;
	right = draw_more(c, y, n - 1);
	canvas_text(c, 1, y, -1, style, c->glyphs == GLYPHS_ASCII ? "!" : "▲");
	finding_sentence(f, &c->units, text, sizeof(text));
	right = c->width - draw_since(c, y, c->width - right, utf8_width(text), f, m);
	area.width = c->width - area.x - right;
	tc = text_start(c, area, 0);
	text_wrap_most(&tc, 0, lines, style, text);
	if (text_lines(&tc, 0) > 1)
		*wide = (struct verdict_wide){ f->row.key, c->width };
	return wide->key == f->row.key && wide->width == c->width ? lines : 1;
}
