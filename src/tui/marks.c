// SPDX-License-Identifier: GPL-2.0-or-later
/* Rows that are marked: what keys do to a row they do to all of these. */
#include <stdio.h>
#include <string.h>

#include "base/i18n.h"
#include "tui/actions.h"

/* What tells a row from others of its table, as far as it has that. */
static const char *const row_keys[] = {
	"path", "tid", "pid", "comm", "mount", "layer", "op", "fs", "disk", "sector", "state",
	"request_op", "request_disk", "cause", "waker_pid", "waker", "name", "who", NULL,
};

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

/* Of these rows those that pass the test; returns how many. The row itself passes, or all do. */
static size_t that_pass(const struct app *app, const char *test, const struct row *row,
			const struct row **rows, size_t n, struct arena *a)
{
	struct filter_budget budget = { .left = FILTER_TIME, .texts = a };
	enum span span = app->spec.span;
	struct filter *filter = NULL;
	size_t place, left = 0;
	struct err err;

	if (filter_parse(test, row->entity, &filter, &place, &err) < 0)
		return n;
	if (!filter_match(filter, row, app->model, span, &budget))
		left = n;
	for (size_t i = 0; left < n && i < n; i++)
		if (filter_match(filter, rows[i], app->model, span, &budget))
			rows[left++] = rows[i];
	filter_free(filter);
	return left;
}

/* Adds tests that this row passes, and none of the n others. False: there are no such. */
static bool add_tests(const struct app *app, const struct row *row, const struct row *const *others,
		      size_t n, struct buf *text)
{
	const char *group[] = { group_test_key(app->spec.group), NULL };
	const char *const *keys = group[0] ? group : row_keys;
	const struct row **rows;
	char test[PROMPT_MAX];
	size_t tests = 0;
	struct arena a;

	arena_init(&a);
	rows = arena_new(&a, const struct row *, n + 1);
	memcpy(rows, others, n * sizeof(*rows));
	for (; *keys && (n || !tests); keys++) {
		size_t left;

		if (!row_test(app, row, *keys, test, sizeof(test)))
			continue;
		left = that_pass(app, test, row, rows, n, &a);
		if (left == n && n)
			continue;
		buf_printf(text, "%s%s", tests++ ? " and " : text->len ? " or " : "", test);
		n = left;
	}
	arena_release(&a);
	return tests && !n;
}

/* A filter that shows these rows and no others. False: there is none. */
static bool filter_of(const struct app *app, const struct row *const *marked, size_t nmarked,
		      struct buf *text)
{
	const struct row_list *all = &app->view.all;
	bool found = nmarked > 0;
	const struct row **others;
	struct arena a;
	size_t n = 0;

	arena_init(&a);
	others = arena_new(&a, const struct row *, all->n + 1);
	for (size_t i = 0; i < all->n; i++)
		if (!tab_is_marked(app_tab(app), all->rows[i]->key))
			others[n++] = all->rows[i];
	for (size_t i = 0; found && i < nmarked; i++)
		found = add_tests(app, marked[i], others, n, text);
	arena_release(&a);
	/* The prompt changes it. */
	return found && text->len < PROMPT_MAX;
}

void act_filter_marked(struct app *app)
{
	const struct row *rows[TAB_MARKS];
	struct buf text = { 0 };
	struct err err;
	size_t place, n;

	if (!app_tab(app)->nmarked) {
		app_message(app, true,
			    _("no rows are marked: Space marks the one under the cursor"));
		return;
	}
	n = marks_rows(app, rows);
	if (!filter_of(app, rows, n, &text))
		app_message(app, true, _("no filter shows only the marked rows"));
	else if (tab_set_filter(app_tab(app), text.data, &place, &err) < 0)
		app_message(app, true, "%s", err.text);
	app->stale = true;
	buf_release(&text);
}
