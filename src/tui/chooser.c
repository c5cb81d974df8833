// SPDX-License-Identifier: GPL-2.0-or-later
/* The list of columns: which are shown, in which order. */
#include <stdio.h>

#include "base/i18n.h"
#include "base/utf8.h"
#include "tui/actions.h"
#include "tui/page.h"

#define HEAD_WIDTH 10	/* of heading and key, at least */

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

void chooser_widths(const struct entity *e, int *ret_head, int *ret_key)
{
	*ret_head = *ret_key = HEAD_WIDTH;
	entity_each_column(e, col) {
		*ret_head = MAX(*ret_head, utf8_width(*col->head ? _(col->head) : "") + 1);
		*ret_key = MAX(*ret_key, utf8_width(col->key) + 1);
	}
}

void chooser_draw(struct canvas *c, struct rect area, const struct app *app)
{
	const struct view_spec *spec = &app_tab(app)->spec;
	unsigned top = chooser_top(app, area.height);
	int head, key;

	chooser_widths(spec->entity, &head, &key);
	for (int y = 0; y < area.height; y++) {
		const struct column *col = choice_at(spec, top + y);
		bool shown = top + y < spec->ncolumns;
		enum style style = shown ? STYLE_NORMAL : STYLE_DIM;
		int x = area.x + 1;

		if (!col)
			break;
		x += canvas_text(c, x, area.y + y, 3, shown ? STYLE_KEY : STYLE_DIM,
				 shown ? "[x]" : "[ ]") + 1;
		canvas_text(c, x, area.y + y, head - 1, style, *col->head ? _(col->head) : "");
		canvas_text(c, x + head, area.y + y, key - 1, style, col->key);
		x += head + key;
		canvas_text_cut(c, x, area.y + y, area.x + area.width - x, style, _(col->help));
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
	/* It is on another line now: again it would be another column. */
	for (unsigned line = 0; choice_at(spec, line); line++)
		if (choice_at(spec, line) == col)
			app->choice = line;
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
