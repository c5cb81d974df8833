// SPDX-License-Identifier: GPL-2.0-or-later
/* Cursor, paging, tabs, opening and closing details, mouse clicks. */
#include <stdio.h>
#include <stdlib.h>

#include "data/task/task.h"
#include "tui/state.h"

#define WHEEL_LINES 3
#define ICICLE_STEPS 4096	/* deeper than any path */

static void scroll(int *top, long lines, int total, int height)
{
	long to = *top + lines;

	*top = MAX(0, MIN(to, (long)total - height));
}

static void nav_move(struct app *app, long lines)
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
	case PAGE_TABLE:
		break;
	}
	app_refresh(app);
	if (!app->view.n)
		return;
	tab->index = MAX(0, MIN(index, (long)app->view.n - 1));
	tab->cursor = app->view.rows[tab->index].row->key;
	tab->pinned = true;
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

void act_home(struct app *app)
{
	nav_move(app, -(long)INT32_MAX);
	if (app_page(app) == PAGE_TABLE)
		app_tab(app)->pinned = false;
}

void act_end(struct app *app)
{
	nav_move(app, INT32_MAX);
}

static void nav_to_tab(struct app *app, unsigned index)
{
	if (index >= app->ntabs)
		return;
	app->help = app->chooser = false;
	if (index == app->current)
		return;
	app->current = index;
	app->stale = true;
}

void act_next_tab(struct app *app)
{
	nav_to_tab(app, (app->current + 1) % app->ntabs);
}

void act_previous_tab(struct app *app)
{
	nav_to_tab(app, (app->current + app->ntabs - 1) % app->ntabs);
}

void act_tab(struct app *app)
{
	nav_to_tab(app, app->key - KEY_F1_);
}

void nav_title(char *out, size_t size, const struct tab *tab, const struct row *row)
{
	const struct task_row *task = (const struct task_row *)row;

	if (row->entity == &entity_task && tab->spec.group <= GROUP_PROCESS && task->tid)
		snprintf(out, size, "%s %llu", row->name, (unsigned long long)task->tid);
	else
		snprintf(out, size, "%s", row->name ? row->name : "");
}

static void nav_open(struct app *app)
{
	struct tab *tab = app_tab(app);
	const struct row *row = app_row(app);

	if (!row || (!tab->screen->detail && !tab->screen->explore))
		return;
	tab->cursor = tab->detail_key = row->key;
	tab->pinned = true;
	tab->detail = true;
	tab->over = false;
	tab->detail_top = 0;
	tab->detail_state = (struct detail_state){ 0 };
	nav_title(tab->detail_name, sizeof(tab->detail_name), tab, row);
}

void nav_back(struct app *app)
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
	else
		app_tab(app)->alternative = false;
}

struct detail_state *app_detail_state(struct app *app)
{
	return &app_tab(app)->detail_state;
}

void act_open(struct app *app)
{
	nav_open(app);
}

void act_back(struct app *app)
{
	nav_back(app);
}

static void click_table(struct app *app, const struct mouse_event *event)
{
	const struct rect *area = &app->shown.area;
	struct tab *tab = app_tab(app);
	const struct column *col;
	size_t index = tab->top + event->y - area->y;

	if (event->y == app->shown.heading) {
		col = table_column_at(&app->shown.layout, event->x);
		if (col && col == tab->spec.sort)
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
		nav_open(app);
	else
		nav_move(app, (long)index - (long)tab->index);
}

void nav_click(struct app *app, const struct mouse_event *event)
{
	int tab = -1, key = KEY_NONE_;

	if (event->what != MOUSE_CLICK) {
		nav_move(app, event->what == MOUSE_WHEEL_UP ? -WHEEL_LINES : WHEEL_LINES);
		return;
	}
	if (event->y == 0) {
		struct tab_bar tabs = top_line(app);

		tab = tab_bar_at(&tabs, app->shown.width, event->x);
	}
	if (tab >= 0) {
		if (tab == (int)app->current)
			nav_back(app);
		nav_to_tab(app, tab);
		return;
	}
	if (event->y == app->shown.height - 1) {
		struct key_bar keys = status_keys(app, app->shown.width);

		key = key_bar_at(&keys, event->x);
	}
	if (key != KEY_NONE_)
		app_key(app, key);
	else if (app_page(app) == PAGE_TABLE)
		click_table(app, event);
	else if (app_page(app) == PAGE_ICICLE)
		flow_click(app, event);
	else if (app_page(app) == PAGE_COLUMNS && event->y >= app->shown.area.y)
		app->choice =
			MIN(event->y - app->shown.area.y + chooser_top(app, app->shown.area.height),
			    entity_column_count(app_tab(app)->spec.entity) - 1);
}
