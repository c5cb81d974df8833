// SPDX-License-Identifier: GPL-2.0-or-later
/* Rows that are marked: what keys do to a row they do to all of these. */
#include <stdio.h>

#include "base/i18n.h"
#include "data/task/task.h"
#include "tui/actions.h"

#define TEST_MOST 64	/* bytes of the test for one row */

void act_mark(struct app *app)
{
	struct tab *tab = app_tab(app);
	const struct row *row = app_row(app);

	if (!row)
		return;
	if (!tab_mark(tab, row->key, !tab_is_marked(tab, row->key))) {
		app_message(app, true, _("no more than %u rows can be marked"), TAB_MARKS);
		return;
	}
	nav_move(app, 1);
}

void act_unmark(struct app *app)
{
	if (!app_tab(app)->nmarked)
		app_message(app, true,
			    _("no rows are marked: Space marks the one under the cursor"));
	app_tab(app)->nmarked = 0;
}

size_t marks_rows(struct app *app, const struct row *rows[TAB_MARKS])
{
	const struct tab *tab = app_tab(app);
	bool detail = app_page(app) == PAGE_DETAIL;
	const struct row *row;
	size_t n = 0;

	app_refresh(app);
	/* Marked rows that are gone are not replaced by one that nobody chose. */
	if (detail || !tab->nmarked) {
		row = detail ? app_detail_row(app) : app_row(app);
		rows[0] = row;
		return row ? 1 : 0;
	}
	for (size_t i = 0; app->model && i < app->view.all.n; i++)
		if (n < TAB_MARKS && tab_is_marked(tab, app->view.all.rows[i]->key))
			rows[n++] = app->view.all.rows[i];
	return n;
}

void act_filter_marked(struct app *app)
{
	const struct row *rows[TAB_MARKS];
	size_t n = app_tab(app)->nmarked ? marks_rows(app, rows) : 0;
	struct buf text = { 0 };
	char test[TEST_MOST];
	struct err err;

	for (size_t i = 0; i < n; i++)
		if (row_test(app, rows[i], test, sizeof(test)))
			buf_printf(&text, "%s%s", text.len ? " or " : "", test);
	if (!text.len)
		app_message(app, true,
			    _("no rows are marked: Space marks the one under the cursor"));
	else if (tab_set_filter(app_tab(app), text.data, NULL, &err) < 0)
		app_message(app, true, "%s", err.text);
	app->stale = true;
	buf_release(&text);
}
