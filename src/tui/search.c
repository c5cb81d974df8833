// SPDX-License-Identifier: GPL-2.0-or-later
/* Search: the cursor goes to rows that match, and nothing is hidden. */
#include <stdio.h>

#include "base/i18n.h"
#include "tui/actions.h"
#include "tui/hints.h"

/* Places, in the view, of the rows that match; in the caller's memory. */
static size_t find_all(struct app *app, struct arena *a, size_t **ret)
{
	const struct view *v = &app->view;
	struct filter_budget budget = { .left = FILTER_TIME, .texts = a };
	const struct filter *search = app_tab(app)->search;
	size_t n = 0;

	*ret = arena_new(a, size_t, MAX(v->n, 1));
	for (size_t i = 0; search && i < v->n; i++)
		if (filter_match(search, v->rows[i].row, v->model, v->spec->span, &budget))
			(*ret)[n++] = i;
	return n;
}

/* The first match at or behind a row of the view (back: at or before), else from the other end. */
static bool go_to_match(struct app *app, size_t from, bool back)
{
	struct tab *tab = app_tab(app);
	size_t *places, n, k = 0;
	struct arena a;

	app_refresh(app);
	arena_init(&a);
	n = find_all(app, &a, &places);
	while (k < n && (back ? places[k] <= from : places[k] < from))
		k++;
	if (back)
		k = k ? k - 1 : n - 1;
	else if (k == n)
		k = 0;
	if (n) {
		tab->index = places[k];
		tab->cursor = app->view.rows[places[k]].row->key;
		tab->pinned = true;
		app_message(app, false,
			    ngettext("%zu of %zu row with %s", "%zu of %zu rows with %s", n),
			    k + 1, n, filter_text(tab->search));
	}
	arena_release(&a);
	return n > 0;
}

static void search_cancel(struct app *app, struct prompt *p)
{
	tab_set_search(app_tab(app), app->filter_before, NULL, NULL);
	nav_move(app, (long)app->search_from - (long)app_tab(app)->index);
	app->message[0] = 0;
}

static void search_changed(struct app *app, struct prompt *p)
{
	p->place = SIZE_MAX;
	/* Nothing is left of what was typed: as if it had not been. */
	if (!p->text[0]) {
		search_cancel(app, p);
		return;
	}
	if (tab_set_search(app_tab(app), p->text, &p->place, &p->error))
		return;
	p->error.text[0] = 0;
	if (!go_to_match(app, app->search_from, false))
		err_set(&p->error, 0, _("no row matches"));
}

void act_search(struct app *app)
{
	const struct filter *search = app_tab(app)->search;
	struct prompt *p;

	app_refresh(app);
	app->search_from = app_tab(app)->index;
	snprintf(app->filter_before, sizeof(app->filter_before), "%s",
		 search ? filter_text(search) : "");
	p = app_prompt(app, _("search:"), "", NULL);
	p->changed = search_changed;
	p->cancel = search_cancel;
	p->hint = hint_whole_filter;
	p->history = &app->filters;
}

static void search_on(struct app *app, bool back)
{
	const struct tab *tab = app_tab(app);
	size_t from;

	app_refresh(app);
	if (!tab->search) {
		app_message(app, true, _("nothing is searched for: * does"));
		return;
	}
	from = back ? tab->index - !!tab->index : tab->index + 1;
	if (back && !tab->index)
		from = app->view.n;
	if (!go_to_match(app, from, back))
		app_message(app, true, _("no row matches %s"), filter_text(tab->search));
}

void act_search_next(struct app *app)
{
	search_on(app, false);
}

void act_search_previous(struct app *app)
{
	search_on(app, true);
}
