// SPDX-License-Identifier: GPL-2.0-or-later
/* Cursor, paging, tabs, opening and closing details. */
#include <stdlib.h>
#include <string.h>

#include "base/i18n.h"
#include "tui/actions.h"

#define ICICLE_STEPS 4096	/* deeper than any path */

static void scroll(int *top, long lines, int total, int height)
{
	long to = *top + lines;

	*top = MAX(0, MIN(to, (long)total - height));
}

static void move_cursor(struct app *app, long index)
{
	struct tab *tab = app_tab(app);

	tab->index = MAX(0, MIN(index, (long)app->view.n - 1));
	tab->cursor = app->view.rows[tab->index].row->key;
	tab->pinned = true;
}

void nav_move(struct app *app, long lines)
{
	struct tab *tab = app_tab(app);
	long index = (long)tab->index + lines;

	switch (app_page(app)) {
	case PAGE_HELP:
		scroll(&app->help_top, lines, app->shown.detail_lines, app->shown.area.height);
		return;
	case PAGE_DETAIL:
		scroll(&tab->detail_top, lines, app->shown.detail_lines, app->shown.area.height);
		return;
	case PAGE_COLUMNS:
		index = (long)app->choice + lines;
		app->choice = MAX(0, MIN(index, (long)entity_column_count(tab->spec.entity) - 1));
		return;
	case PAGE_ICICLE:
		app_refresh(app);
		for (long i = 0; i < labs(lines) && i < ICICLE_STEPS; i++)
			icicle_move(tab->icicle, lines < 0 ? ICICLE_UP : ICICLE_DOWN);
		return;
	case PAGE_CHAIN:
		scroll(&tab->alternative_top, lines, app->shown.detail_lines,
		       app->shown.area.height);
		return;
	case PAGE_TABLE:
		break;
	}
	app_refresh(app);
	if (!app->view.n) {
		if (tab->screen->preview)
			scroll(&tab->detail_top, lines, app->shown.detail_lines,
			       app->shown.area.height);
		return;
	}
	move_cursor(app, index);
}

static void open_detail(struct tab *tab, const struct row *row)
{
	tab->detail_key = row->key;
	tab->detail = true;
	tab->detail_top = 0;
	tab->detail_state = (struct detail_state){ 0 };
	tab_title(tab, tab->detail_name, sizeof(tab->detail_name), row);
}

static void beside(struct app *app, int by)
{
	struct tab *tab = app_tab(app);
	long from;

	app_refresh(app);
	if (!app->view.n)
		return;
	/* The order may have changed since the detail was opened. */
	from = tab->over ? view_find(&app->view, tab->detail_key) : -1;
	move_cursor(app, (from < 0 ? (long)tab->index : from) + by);
	tab->alternative_top = 0;
	/* The detail that one came from goes along. */
	if (tab->over)
		open_detail(tab, app->view.rows[tab->index].row);
}

void act_row_before(struct app *app)
{
	beside(app, -1);
}

void act_row_after(struct app *app)
{
	beside(app, 1);
}

void act_up(struct app *app)
{
	nav_move(app, -1);
}

void act_down(struct app *app)
{
	nav_move(app, 1);
}

static long page_lines(const struct app *app)
{
	return MAX(1, app->shown.area.height - 1);
}

void act_page_up(struct app *app)
{
	nav_move(app, -page_lines(app));
}

void act_page_down(struct app *app)
{
	nav_move(app, page_lines(app));
}

void act_half_up(struct app *app)
{
	nav_move(app, -(page_lines(app) + 1) / 2);
}

void act_half_down(struct app *app)
{
	nav_move(app, (page_lines(app) + 1) / 2);
}

void act_home(struct app *app)
{
	nav_move(app, -(long)INT32_MAX);
	if (app_page(app) == PAGE_TABLE)
		app_tab(app)->pinned = tab_is_log(app_tab(app));
}

void act_end(struct app *app)
{
	nav_move(app, INT32_MAX);
	if (app_page(app) == PAGE_TABLE && tab_is_log(app_tab(app)))
		app_tab(app)->pinned = false;
}

static void show_tab(struct app *app, unsigned index)
{
	app->help = app->chooser = false;
	if (index == app->current)
		return;
	app->current = index;
	app->stale = true;
}

void nav_to_tab(struct app *app, unsigned index)
{
	if (index >= app->ntabs)
		return;
	trail_clear(&app->trail);
	show_tab(app, index);
}

void act_next_tab(struct app *app)
{
	unsigned n = app_tabs_shown(app);

	nav_to_tab(app, app->current < n ? (app->current + 1) % n : 0);
}

void act_previous_tab(struct app *app)
{
	unsigned n = app_tabs_shown(app);

	nav_to_tab(app, app->current && app->current < n ? app->current - 1 : n - 1);
}

void act_tab(struct app *app)
{
	nav_to_tab(app, (unsigned)(app->key - KEY_F1_));
}

void nav_lead(struct app *app, unsigned index, const char *title)
{
	trail_add(&app->trail, app->current, index, &app->tabs[index], title);
	show_tab(app, index);
}

/* Back to where a key or a row led from; the tab is again as it was before. */
static void back_on_trail(struct app *app)
{
	struct trail_step *step = trail_last(&app->trail);
	unsigned from = step->from;

	trail_undo(&app->trail, &app->tabs[step->to]);
	show_tab(app, from);
	app->stale = true;
}

static unsigned find_tab(const struct app *app, const char *screen)
{
	unsigned i = 0;

	while (i < app->ntabs && strcmp(app->tabs[i].home->name, screen))
		i++;
	return i;
}

void act_why(struct app *app)
{
	unsigned why = find_tab(app, "why");

	if (why == app->ntabs)
		return;
	if (app->current != why)
		nav_lead(app, why, "");
	else if (trail_last(&app->trail))
		back_on_trail(app);
	else
		nav_to_tab(app, 0);
}

/* To the rows that a row is about, all others filtered out. */
static void follow(struct app *app, const struct row *row)
{
	const char *screen, *filter;
	bool all_waits = false;
	struct err err;
	size_t place;
	unsigned to;

	if (!app_tab(app)->screen->follow(row, &screen, &filter, &all_waits))
		return;
	to = find_tab(app, screen);
	if (to == app->ntabs)
		return;
	nav_lead(app, to, row->name);
	if (tab_set_filter(&app->tabs[to], filter, &place, &err) < 0)
		app_message(app, true, "%s", err.text);
	app->tabs[to].detail = app->tabs[to].pinned = false;
	if (all_waits && !app->every_block)
		act_every_block(app);
}

void act_open(struct app *app)
{
	struct tab *tab = app_tab(app);
	const struct row *row = app_row_shown(app);

	if (!row)
		app_message(app, true, "%s", tab->screen->follow
			    ? _("nothing is wrong that a key could lead to")
			    : _("there is nothing under the cursor"));
	else if (tab->screen->follow)
		follow(app, row);
	else if (row && !tab->screen->detail && !tab->screen->explore)
		app_message(app, true, _("the row says all there is"));
	if (!row || (!tab->screen->detail && !tab->screen->explore))
		return;
	open_detail(tab, row);
	tab->over = false;
}

void act_back(struct app *app)
{
	if (app->help)
		app->help = false;
	else if (app->chooser)
		app->chooser = false;
	else if (app_tab(app)->over)
		app_tab(app)->over = app_tab(app)->alternative = false;
	else if (app_tab(app)->detail_state.open)
		app_tab(app)->detail_state.open = false;
	else if (app_tab(app)->detail)
		app_tab(app)->detail = false;
	else if (app_tab(app)->alternative)
		app_tab(app)->alternative = false;
	else if (trail_last(&app->trail))
		back_on_trail(app);
	else if (app->current >= app_tabs_shown(app))
		nav_to_tab(app, 0);
}
