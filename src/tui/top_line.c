// SPDX-License-Identifier: GPL-2.0-or-later
/* The top line: where one is, what the numbers mean, when. */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/i18n.h"
#include "base/utf8.h"
#include "tui/state.h"

#define LEFT 1		/* of the name */
#define PIECES 9
#define SPACE 3		/* at least so much between tabs and the right part */

/*
 * "1 Tasks", with brackets around the open one: seen without colours, too. Where there is no room
 * the others are only numbers.
 */
static int tab_text(char *out, size_t size, const struct app *app, unsigned i, bool narrow)
{
	const char *title = _(app->tabs[i].screen->title);

	if (i == app->current)
		snprintf(out, size, "[%u %s]", i + 1, title);
	else if (narrow)
		snprintf(out, size, " %u ", i + 1);
	else
		snprintf(out, size, " %u %s ", i + 1, title);
	return utf8_width(out);
}

static int tabs_width(const struct app *app, bool narrow)
{
	char text[64];
	int width = 0;

	for (unsigned i = 0; i < app->ntabs; i++)
		width += tab_text(text, sizeof(text), app, i, narrow);
	return width;
}

struct piece {
	enum style style;
	char text[64];
};

static bool is_sort_shown(const struct view_spec *spec)
{
	for (unsigned i = 0; i < spec->ncolumns; i++)
		if (spec->columns[i] == spec->sort)
			return true;
	return !spec->sort;
}

/* What changes the meaning of the numbers is never hidden state. Most important first. */
static unsigned right_pieces(struct piece *pieces, const struct app *app)
{
	static const char *const groups[GROUP_COUNT] = {
		[GROUP_PROCESS] = N_("processes"),
		[GROUP_COMM] = N_("by name"),
		[GROUP_USER] = N_("by user"),
		[GROUP_CGROUP] = N_("by cgroup"),
	};
	const struct view_spec *spec = &app_tab(app)->spec;
	unsigned n = 0;

	snprintf(pieces[n].text, sizeof(pieces[n].text), _("%g s"), app->delay);
	pieces[n++].style = STYLE_DIM;
	if (app->frozen) {
		snprintf(pieces[n].text, sizeof(pieces[n].text), "%s", _("frozen"));
		pieces[n++].style = STYLE_WARN;
	}
	if (app->clock && app->model) {
		clock_hms(pieces[n].text, sizeof(pieces[n].text), app->model->real_ns);
		pieces[n++].style = STYLE_NORMAL;
	}
	if (spec->span != SPAN_TICK) {
		snprintf(pieces[n].text, sizeof(pieces[n].text), "%s",
			 spec->span == SPAN_SUM ? _("sums") : _("averages"));
		pieces[n++].style = STYLE_KEY;
	}
	if (spec->group != app_tab(app)->home->group && groups[spec->group]) {
		snprintf(pieces[n].text, sizeof(pieces[n].text), "%s", _(groups[spec->group]));
		pieces[n++].style = STYLE_KEY;
	}
	if (spec->only_active) {
		snprintf(pieces[n].text, sizeof(pieces[n].text), "%s", _("active"));
		pieces[n++].style = STYLE_KEY;
	}
	if (!is_sort_shown(spec)) {
		snprintf(pieces[n].text, sizeof(pieces[n].text), "%s%s", _(spec->sort->head),
			 spec->descending ? "▾" : "▴");
		pieces[n++].style = STYLE_SORT;
	}
	if (app->submitter) {
		snprintf(pieces[n].text, sizeof(pieces[n].text), "%s", _("by submitter"));
		pieces[n++].style = STYLE_KEY;
	}
	if (app->model && app->model->host) {
		snprintf(pieces[n].text, sizeof(pieces[n].text), "%s", app->model->host);
		pieces[n++].style = STYLE_DIM;
	}
	return n;
}

/* What they take, the host's name aside: that gives way first. */
static int meaning_width(const struct app *app)
{
	struct piece pieces[PIECES];
	unsigned n = right_pieces(pieces, app);
	int width = SPACE;

	for (unsigned i = 0; i < n; i++)
		if (!app->model || strcmp(pieces[i].text, app->model->host))
			width += utf8_width(pieces[i].text) + (i ? 2 : 1);
	return width;
}

/*
 * Where the tabs begin: on a narrow screen the program's name gives way, then the names of the
 * other tabs.
 */
static int tabs_left(const struct canvas *c, const struct app *app, bool *ret_narrow)
{
	int name = LEFT + (int)sizeof(PACKAGE_NAME), meaning = meaning_width(app);

	*ret_narrow = name + tabs_width(app, false) + meaning > c->width;
	return name + tabs_width(app, *ret_narrow) <= c->width ? name : 0;
}

int tabs_at(const struct canvas *c, const struct app *app, int x)
{
	bool narrow;
	int left = tabs_left(c, app, &narrow);
	char text[64];

	for (unsigned i = 0; i < app->ntabs; i++) {
		int width = tab_text(text, sizeof(text), app, i, narrow);

		if (x >= left && x < left + width)
			return i;
		left += width;
	}
	return -1;
}

void tabs_draw(struct canvas *c, const struct app *app)
{
	struct piece pieces[PIECES];
	unsigned n = right_pieces(pieces, app);
	bool narrow;
	int x = tabs_left(c, app, &narrow), right = c->width - 1;
	char text[64];

	if (x)
		canvas_text(c, LEFT, 0, -1, STYLE_BOLD, PACKAGE_NAME);
	for (unsigned i = 0; i < app->ntabs; i++) {
		tab_text(text, sizeof(text), app, i, narrow);
		x += canvas_text(c, x, 0, -1, i == app->current ? STYLE_TAB_ACTIVE : STYLE_TAB,
				 text);
	}
	for (unsigned i = 0; i < n; i++) {
		int width = utf8_width(pieces[i].text);

		if (right - width < x + SPACE)
			break;
		right -= width;
		canvas_text(c, right, 0, width, pieces[i].style, pieces[i].text);
		right -= 2;
	}
}
