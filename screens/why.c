// SPDX-License-Identifier: GPL-2.0-or-later
/* The page of findings: what is wrong, and why. */
#include <stdio.h>

#include "base/clock.h"
#include "base/i18n.h"
#include "data/changes.h"
#include "data/finding/finding.h"
#include "tui/binding.h"
#include "tui/draw/fields.h"
#include "tui/screen.h"
#include "view/view.h"

static bool follow(const struct row *row, const char **screen, const char **filter, bool *all_waits)
{
	const struct finding_row *f = (const struct finding_row *)row;

	*screen = f->screen;
	*filter = f->filter;
	*all_waits = f->kind->all_waits;
	return true;
}

static void draw_number(struct text_cursor *tc, const struct finding_number *n)
{
	const char *suffix = n->unit == UNIT_PERCENT ? " %" : n->rate ? "/s" : "";

	text_put(tc, 1, FIELD_LABEL, STYLE_DIM, n->key);
	text_number(tc, FIELD_LABEL + 2, 10, STYLE_NORMAL, n->unit, n->value, suffix);
	text_next(tc);
}

#define CHECK_TITLE 44	/* columns */

static void draw_check(struct text_cursor *tc, const struct model *m, size_t kind)
{
	struct finding_checked c = finding_check(m, kind);
	char time[16];

	text_put(tc, 1, CHECK_TITLE - 2, STYLE_NORMAL, _(finding_kinds[kind]->title));
	switch (c.state) {
	case CHECK_WATCHED:
		text_put(tc, CHECK_TITLE, -1, STYLE_DIM, _("not seen"));
		break;
	case CHECK_LOOKED:
		clock_hms(time, sizeof(time), c.began_ns);
		text_printf(tc, CHECK_TITLE, -1, STYLE_DIM, _("not seen in %.0f s from %s on"),
			    (double)(c.ended_ns - c.began_ns) / NSEC_PER_SEC, time);
		break;
	case CHECK_LATER:
		text_put(tc, CHECK_TITLE, -1, STYLE_DIM, _("looked for when somebody waits"));
		break;
	case CHECK_OFF:
		text_printf(tc, CHECK_TITLE, -1, STYLE_DIM, _("not known: %s: %s"),
			    source_name(c.source), _(c.reason));
		break;
	case CHECK_ABSENT:
		text_put(tc, CHECK_TITLE, -1, STYLE_DIM, _("nothing here that tells of it"));
		break;
	case CHECK_IGNORED:
		text_put(tc, CHECK_TITLE, -1, STYLE_DIM, _("not looked for (--ignore)"));
		break;
	}
	text_next(tc);
}

static bool is_found(const struct model *m, size_t kind)
{
	const struct finding_row *f;

	row_each(f, &m->rows[ENTITY_FINDING])
		if (f->kind == finding_kinds[kind])
			return true;
	return false;
}

/* What was looked for and not found. */
static void draw_checks(struct text_cursor *tc, const struct model *m)
{
	text_next(tc);
	for (size_t i = 0; i < FINDING_KINDS; i++)
		if (!is_found(m, i))
			draw_check(tc, m, i);
}

/* Nothing is wrong: what that means. */
static int draw_nothing(struct canvas *c, struct rect area, int top, const struct view *v)
{
	struct text_cursor tc = text_start(c, area, top);
	char text[512];

	finding_nothing(v->model, &c->units, text, sizeof(text));
	text_wrap(&tc, 1, STYLE_BOLD, text);
	draw_checks(&tc, v->model);
	return text_lines(&tc, top);
}

/* The whole sentence, the numbers that prove it, and where Enter leads. */
static int preview(struct canvas *c, struct rect area, int top, const struct view *v,
		   const struct row *row)
{
	const struct finding_row *f = (const struct finding_row *)row;
	struct text_cursor tc = text_start(c, area, top);
	char text[512], line[600];

	if (!row)
		return draw_nothing(c, area, top, v);
	finding_sentence(f, &c->units, text, sizeof(text));
	text_wrap(&tc, 1, STYLE_BOLD, text);
	text_wrap(&tc, 1, STYLE_DIM, _(f->kind->help));
	finding_since(f, v->model, &c->units, text, sizeof(text));
	field_text(&tc, _("lasts"), text);
	text_next(&tc);
	for (size_t i = 0; i < f->nnumbers; i++)
		draw_number(&tc, &f->numbers[i]);
	text_next(&tc);
	text_printf(&tc, 1, -1, STYLE_NORMAL, _("Enter: the screen %s, filter %s"), f->screen,
		    *f->filter ? f->filter : "-");
	if (finding_looked(v->model, text, sizeof(text))) {
		text_next(&tc);
		snprintf(line, sizeof(line), _("looked at: %s"), text);
		text_wrap(&tc, 1, STYLE_DIM, line);
	}
	text_next(&tc);
	draw_checks(&tc, v->model);
	return text_lines(&tc, top);
}

/* Of a comparison also what changed most. */
static int header(struct canvas *c, int y, const struct model *m, _unused_ enum span span)
{
	struct change changes[CHANGES_MAX];
	int lines = 0, most = c->height / 3;
	struct arena texts;
	char text[256];
	size_t n;

	if (!m->before)
		return lines;
	arena_init(&texts);
	n = changes_find(m, &texts, changes);
	if (!n)
		canvas_text(c, 1, y + lines++, -1, STYLE_DIM, _("nothing changed much"));
	for (size_t i = 0; i < n && most > 0; i++, most--) {
		change_text(&changes[i], &c->units, text, sizeof(text));
		canvas_text_cut(c, 1, y + lines++, c->width - 2,
				changes[i].now > changes[i].before ? STYLE_ACCENT1 : STYLE_ACCENT4,
				text);
	}
	arena_release(&texts);
	return lines;
}

static const struct binding keys[] = {
	{ '\r', "Enter", N_("rows"), N_("the screen and the rows that prove it"), act_open },
	{ 0 },
};

const struct screen screen_why = {
	.name = "why",
	.title = N_("Why"),
	.tab = NC_("tab", "Why"),
	.help = N_("what is wrong, who is held up by it, and what proves it"),
	.entity = ENTITY_FINDING,
	.columns = "rank,severity,title,who,share,began,lasted,what",
	.sort = "rank:asc",
	.needs = FINDING_NEEDS,
	.header = header,
	.follow = follow,
	.keys = keys,
	.preview = preview,
	.apart = true,
};
