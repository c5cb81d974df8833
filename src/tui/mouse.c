// SPDX-License-Identifier: GPL-2.0-or-later
/* What a click means: where it is decides, by what was drawn there. */
#include "tui/actions.h"
#include "tui/page.h"

#define WHEEL_LINES 3

static void click_table(struct app *app, const struct mouse_event *event)
{
	const struct rect *area = &app->shown.area;
	struct tab *tab = app_tab(app);
	const struct column *col;
	size_t index = tab->top + event->y - area->y;

	if (event->y == app->shown.heading) {
		col = table_column_at(&app->shown.layout, event->x);
		if (col && col == app_built(app)->sort)
			act_reverse(app);
		else if (col && !(col->flags & COL_GRAPH))
			view_set_sort(&tab->spec, col->key, NULL);
		app->stale = true;
		return;
	}
	if (event->y < area->y || event->y >= area->y + area->height || index >= app->view.n)
		return;
	/* A second click on the row under the cursor opens it. */
	if (tab->pinned && tab->index == index)
		act_open(app);
	else
		nav_move(app, (long)index - (long)tab->index);
}

/* The key at this place of the key bar, KEY_NONE_: none. */
static int key_at(const struct app *app, const struct mouse_event *event)
{
	struct key_bar bar;

	if (event->y != app->shown.height - 1)
		return KEY_NONE_;
	bar = status_keys(app, app->shown.width);
	return key_bar_at(&bar, event->x);
}

/* The tab at this place of the top line, -1: none. */
static int tab_at(const struct app *app, const struct mouse_event *event)
{
	struct tab_bar bar;

	if (event->y != 0)
		return -1;
	bar = top_line(app);
	return tab_bar_at(&bar, app->shown.width, event->x);
}

static void click_page(struct app *app, const struct mouse_event *event)
{
	const struct rect *area = &app->shown.area;
	struct tab *tab = app_tab(app);

	switch (app_page(app)) {
	case PAGE_TABLE:
		click_table(app, event);
		break;
	case PAGE_ICICLE:
		app_refresh(app);
		icicle_click(tab->icicle, event->x, event->y);
		break;
	case PAGE_COLUMNS:
		if (event->y >= area->y)
			app->choice = MIN(event->y - area->y + chooser_top(app, area->height),
					  entity_column_count(tab->spec.entity) - 1);
		break;
	case PAGE_CHAIN:
	case PAGE_DETAIL:
	case PAGE_HELP:
		break;
	}
}

int mouse_event(struct app *app, const struct mouse_event *event)
{
	int tab, key;

	if (event->what != MOUSE_CLICK) {
		nav_move(app, event->what == MOUSE_WHEEL_UP ? -WHEEL_LINES : WHEEL_LINES);
		return KEY_NONE_;
	}
	tab = tab_at(app, event);
	if (tab >= 0) {
		if (tab == (int)app->current)
			act_back(app);
		nav_to_tab(app, tab);
		return KEY_NONE_;
	}
	key = key_at(app, event);
	if (key == KEY_NONE_)
		click_page(app, event);
	return key;
}
