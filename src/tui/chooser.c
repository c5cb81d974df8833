// SPDX-License-Identifier: GPL-2.0-or-later
/* The list of columns: which are shown, in which order. */
#include <stdio.h>

#include "base/i18n.h"
#include "tui/actions.h"
#include "tui/page.h"

#define MARK_WIDTH 4
#define HEAD_WIDTH 10

/* The list: the columns that are shown, in their order, then the others of the entity. */
static const struct column *choice_at(const struct view_spec *spec, unsigned line)
{
	if (line < spec->ncolumns)
		return spec->columns[line];
	line -= spec->ncolumns;
	entity_each_column(spec->entity, col) {
		bool shown = false;

		for (unsigned k = 0; k < spec->ncolumns && !shown; k++)
			shown = spec->columns[k] == col;
		if (!shown && !line--)
			return col;
	}
	return NULL;
}

void chooser_draw(struct canvas *c, struct rect area, const struct app *app)
{
	const struct view_spec *spec = &app_tab(app)->spec;
	unsigned top = chooser_top(app, area.height);

	for (int y = 0; y < area.height; y++) {
		const struct column *col = choice_at(spec, top + y);
		bool shown = top + y < spec->ncolumns;
		enum style style = shown ? STYLE_NORMAL : STYLE_DIM;

		if (!col)
			break;
		canvas_text(c, area.x + 1, area.y + y, 3, shown ? STYLE_KEY : STYLE_DIM,
			    shown ? "[x]" : "[ ]");
		canvas_text(c, area.x + 1 + MARK_WIDTH, area.y + y, HEAD_WIDTH - 1, style,
			    *col->head ? _(col->head) : "");
		canvas_text(c, area.x + 1 + MARK_WIDTH + HEAD_WIDTH, area.y + y, HEAD_WIDTH - 1,
			    style, col->key);
		canvas_text_cut(c, area.x + 1 + MARK_WIDTH + 2 * HEAD_WIDTH, area.y + y,
				area.width - MARK_WIDTH - 2 * HEAD_WIDTH - 1, style, _(col->help));
		if (top + y == app->choice)
			canvas_highlight(c, area.y + y);
	}
}

unsigned chooser_top(const struct app *app, int height)
{
	return app->choice >= (unsigned)height ? app->choice - height + 1 : 0;
}

void act_choose(struct app *app)
{
	struct view_spec *spec = &app_tab(app)->spec;
	const struct column *col = choice_at(spec, app->choice);
	char change[64];
	struct err err;

	if (!col)
		return;
	snprintf(change, sizeof(change), "%c%s", app->choice < spec->ncolumns ? '-' : '+',
		 col->key);
	if (view_set_columns(spec, change, &err))
		app_message(app, true, "%s", err.text);
	app->stale = true;
}

static void move_choice(struct app *app, int step)
{
	struct view_spec *spec = &app_tab(app)->spec;
	long from = app->choice, to = from + step;
	const struct column *col;

	if (from >= (long)spec->ncolumns || to < 0 || to >= (long)spec->ncolumns)
		return;
	col = spec->columns[from];
	spec->columns[from] = spec->columns[to];
	spec->columns[to] = col;
	app->choice = to;
	app->stale = true;
}

void act_choose_earlier(struct app *app)
{
	move_choice(app, -1);
}

void act_choose_later(struct app *app)
{
	move_choice(app, 1);
}

void act_choose_default(struct app *app)
{
	struct tab *tab = app_tab(app);

	view_set_columns(&tab->spec, tab->screen->columns, NULL);
	tab_set_group(tab, tab->spec.group);
	app->stale = true;
}
