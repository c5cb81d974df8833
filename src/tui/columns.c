// SPDX-License-Identifier: GPL-2.0-or-later
/* Keys that change the columns of a table, its order and its groups, which bring columns along. */
#include <string.h>

#include "base/i18n.h"
#include "data/compare.h"
#include "tui/actions.h"

/* Of a comparison the order of a number is that of its difference. */
static bool can_sort(const struct app *app, const struct column *col)
{
	return !(col->flags & COL_GRAPH) &&
	       !(app->model && app->model->before &&
		 compare_column(app_tab(app)->spec.entity, col, COMPARED_DIFFERENCE));
}

/* Sorts by the next column in this direction that can be sorted by. */
static void move_sort(struct app *app, int step)
{
	const struct view_spec *built;
	long i = -1, n;

	app_refresh(app);
	built = app_built(app);
	n = built->ncolumns;
	for (long k = 0; k < n; k++)
		if (built->columns[k] == built->sort)
			i = k;
	/* Sorted by a column that is not shown: begin at an end. */
	if (i < 0 && step < 0)
		i = n;
	do {
		i += step;
	} while (i >= 0 && i < n && !can_sort(app, built->columns[i]));
	if (i < 0 || i >= n)
		return;
	view_set_sort(&app_tab(app)->spec, built->columns[i]->key, NULL);
	app->stale = true;
}

void act_sort_left(struct app *app)
{
	move_sort(app, -1);
}

void act_sort_right(struct app *app)
{
	move_sort(app, 1);
}

void act_reverse(struct app *app)
{
	app_tab(app)->spec.descending = !app_tab(app)->spec.descending;
	app->stale = true;
}

static bool shows(const struct view_spec *spec, const char *key)
{
	for (unsigned i = 0; i < spec->ncolumns; i++)
		if (!strcmp(spec->columns[i]->key, key))
			return true;
	return false;
}

void act_dirty(struct app *app)
{
	const struct screen *screen = app_tab(app)->screen;
	struct view_spec *spec = &app_tab(app)->spec, own = *spec;
	const struct column *dirty = entity_column(spec->entity, "dirtynow");

	if (!dirty) {
		app_message(app, true, _("%s does nothing here"), "w");
		return;
	}
	if (spec->sort != dirty) {
		view_set_columns(spec, "+dirtynow", NULL);
		view_set_sort(spec, dirty->key, NULL);
	} else {
		/* It goes where it is not one of the screen's own. */
		if (!view_set_columns(&own, screen->columns, NULL) && !shows(&own, dirty->key))
			view_set_columns(spec, "-dirtynow", NULL);
		view_set_sort(spec, screen->sort, NULL);
	}
	app->stale = true;
}

void act_processes(struct app *app)
{
	struct tab *tab = app_tab(app);
	/* What is no list of tasks at first: by process, too, and what it was. */
	enum group_by by = tab->home->group == GROUP_FILE ? GROUP_NONE : GROUP_PROCESS,
		      other = tab->home->group == GROUP_FILE ? GROUP_FILE : GROUP_NONE,
		      to = tab->spec.group == by ? other : by;

	if (!tab_can_group(tab, to) || to == tab->spec.group) {
		app_message(app, true, _("%s does nothing here"), "p");
		return;
	}
	tab_set_group(tab, to);
	app->stale = true;
}

void act_group(struct app *app)
{
	struct tab *tab = app_tab(app);
	unsigned group = tab->spec.group;

	do {
		group = (group + 1) % GROUP_COUNT;
	} while (group != tab->spec.group && !tab_can_group(tab, group));
	if (group == tab->spec.group)
		app_message(app, true, _("%s does nothing here"), "G");
	tab_set_group(tab, group);
	app->stale = true;
}

void act_command(struct app *app)
{
	struct tab *tab = app_tab(app);

	if (!view_replace_column(&tab->spec, "command", "comm") &&
	    !view_replace_column(&tab->spec, "comm", "command"))
		app_message(app, true, _("%s does nothing here"), "c");
	app->stale = true;
}

/*
 * The columns that digits count are the screen's own: switching one off does not renumber the
 * others.
 */
void act_digit(struct app *app)
{
	unsigned wanted = app->key == '0' ? 9 : app->key - '1', at = 0;
	struct tab *tab = app_tab(app);
	struct view_spec own = tab->spec;
	char head[COLUMN_HEAD];

	if (view_set_columns(&own, tab->screen->columns, NULL))
		return;
	/* As the group has them: a process is called by its pid. */
	view_name_group(&own);
	if (wanted >= own.ncolumns)
		return;
	for (unsigned i = 0; i < tab->spec.ncolumns; i++) {
		if (tab->spec.columns[i] != own.columns[wanted])
			continue;
		if (tab->spec.ncolumns > 1) {
			memmove(&tab->spec.columns[i], &tab->spec.columns[i + 1],
				(tab->spec.ncolumns - i - 1) * sizeof(tab->spec.columns[0]));
			tab->spec.ncolumns--;
		}
		app->stale = true;
		app_message(app, false, _("%s is hidden: %c shows it again; tabs have F1 to F%u"),
			    column_head(head, own.columns[wanted], app_span(app)), (int)app->key,
			    app_tabs_shown(app));
		return;
	}
	if (tab->spec.ncolumns == VIEW_COLUMNS_MAX)
		return;
	/* Back in its place: behind the last of the columns that precede it. */
	for (unsigned k = 0; k < wanted; k++)
		for (unsigned i = 0; i < tab->spec.ncolumns; i++)
			if (tab->spec.columns[i] == own.columns[k])
				at = MAX(at, i + 1);
	memmove(&tab->spec.columns[at + 1], &tab->spec.columns[at],
		(tab->spec.ncolumns - at) * sizeof(tab->spec.columns[0]));
	tab->spec.columns[at] = own.columns[wanted];
	tab->spec.ncolumns++;
	app->stale = true;
}

void act_calls(struct app *app)
{
	struct view_spec *spec = &app_tab(app)->spec;
	bool shown = shows(spec, "result");

	/* What a column needs is looked for while it is shown. */
	view_set_columns(spec, shown ? "-result" : "+result", NULL);
	app_message(app, false, "%s", shown ? _("requests only") : _("calls, too"));
	app->stale = true;
}
