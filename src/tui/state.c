// SPDX-License-Identifier: GPL-2.0-or-later
/* What the app remembers. Nothing here knows of keys or of what is drawn. */
#include "tui/state.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/i18n.h"
#include "base/utf8.h"
#include "data/finding/finding.h"

static int apply_options(struct app *app, const struct app_options *opt, struct err *err)
{
	struct tab *tab = app_tab(app);
	size_t place;
	int r = 0;

	/* --group on other tabs than the chosen one: only where the same entity can be grouped. */
	for (unsigned i = 0; i < app->ntabs && opt->group >= 0; i++)
		if (i == app->current ? tab_can_group(tab, opt->group)
				      : app->tabs[i].spec.entity->groups & 1u << opt->group)
			tab_set_group(&app->tabs[i], opt->group);
	if (opt->columns)
		r = view_set_columns(&tab->spec, opt->columns, err);
	if (!r && opt->full_command)
		view_replace_column(&tab->spec, "comm", "command");
	if (!r && opt->sort)
		r = view_set_sort(&tab->spec, opt->sort, err);
	if (!r && opt->filter)
		r = tab_set_filter(tab, opt->filter, &place, err);
	return r;
}

/* The name of a file or of a store, without its folder. */
static char *clean_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return utf8_clean_dup(slash && slash[1] ? slash + 1 : path);
}

struct app *app_new(const struct app_options *opt, struct err *err)
{
	const struct screen *const *tabs = opt->screens ? opt->screens : screens;
	struct app *app = mem_alloc(sizeof(*app));
	bool found = !opt->screen;

	*app = (struct app){
		.best_glyphs = opt->glyphs,
		.glyphs = opt->glyphs,
		.units = opt->units,
		.system = opt->system,
		.system_arg = opt->system_arg,
		.secure = opt->secure,
		.store = opt->store,
		.replay = opt->replay ? clean_name(opt->replay) : NULL,
		.mouse = opt->mouse,
		.attribute = opt->attribute,
		.stacks = opt->stacks,
		.theme = opt->theme,
		.keys = opt->keys ? *opt->keys : (struct key_map){ 0 },
		.clock = true,
		.delay = opt->delay,
		.stale = true,
	};
	view_init(&app->view);
	while (tabs[app->ntabs])
		app->ntabs++;
	app->tabs = mem_alloc(sizeof(*app->tabs) * app->ntabs);
	memset(app->tabs, 0, sizeof(*app->tabs) * app->ntabs);
	for (unsigned i = 0; i < app->ntabs; i++) {
		if (tab_init(&app->tabs[i], tabs[i], opt, err))
			goto fail;
		if (opt->screen && !strcmp(tabs[i]->name, opt->screen)) {
			app->current = i;
			found = true;
		}
	}
	if (!found) {
		err_set(err, EINVAL, _("there is no screen \"%s\""), opt->screen);
		goto fail;
	}
	if (apply_options(app, opt, err))
		goto fail;
	return app;
fail:
	app_free(app);
	return NULL;
}

void app_free(struct app *app)
{
	if (!app)
		return;
	trail_clear(&app->trail);
	for (unsigned i = 0; i < app->ntabs; i++)
		tab_release(&app->tabs[i]);
	view_release(&app->view);
	free(app->tabs);
	free(app->replay);
	buf_release(&app->copied);
	history_release(&app->filters);
	history_release(&app->commands);
	free(app);
}

unsigned app_tabs_shown(const struct app *app)
{
	unsigned n = app->ntabs;

	while (n && app->tabs[n - 1].home->apart)
		n--;
	return n;
}

void app_model(struct app *app, const struct model *m)
{
	app->model = m;
	app->stale = true;
}

void app_time(struct app *app, const struct app_time *time)
{
	/* Of a range rates are those over all of it. */
	for (unsigned i = 0; i < app->ntabs && !app->time.begin != !time->begin; i++)
		app->tabs[i].range_span = SPAN_MEAN;
	app->stale |= !app->time.begin != !time->begin;
	app->time = *time;
}

bool app_frozen(const struct app *app)
{
	return app->frozen;
}

bool app_accumulated(const struct app *app)
{
	for (unsigned i = 0; i < app->ntabs; i++)
		if (app->tabs[i].spec.span == SPAN_SUM)
			return true;
	return false;
}

enum page app_page(const struct app *app)
{
	return app->help ? PAGE_HELP : app_page_below(app);
}

enum page app_page_below(const struct app *app)
{
	if (app->chooser)
		return PAGE_COLUMNS;
	if (app_tab(app)->detail && !app_tab(app)->over)
		return PAGE_DETAIL;
	if (tab_is_icicle(app_tab(app)))
		return PAGE_ICICLE;
	return app_tab(app)->alternative && app_tab(app)->screen->alternative ? PAGE_CHAIN
									      : PAGE_TABLE;
}

void app_set_everywhere(struct app *app, const char *text)
{
	if (text != app->everywhere)
		snprintf(app->everywhere, sizeof(app->everywhere), "%s", text);
	app->everywhere_serial++;
	app->stale = true;
}

/* An order of a comparison outlives it. */
static void end_comparison(struct view_spec *spec, const struct screen *screen)
{
	if (!spec->sort || !spec->sort->compared)
		return;
	if (spec->sort->of)
		spec->sort = spec->sort->of;
	else
		view_set_sort(spec, screen->sort, NULL);
}

void app_refresh(struct app *app)
{
	struct tab *tab = app_tab(app);
	long index = -1;

	tab_set_everywhere(tab, app->everywhere, app->everywhere_serial);
	if (!app->model || !app->stale)
		return;
	app->spec = tab->spec;
	app->spec.span = app_span(app);
	app->spec.tree &= tab_has_tree(tab);
	if (app->model->before)
		view_compare(&app->spec);
	else
		end_comparison(&app->spec, tab->screen);
	view_build(&app->view, app->model, &app->spec);
	app->stale = false;
	tab->icicle_built = false;
	if (tab_is_icicle(tab))
		tab_build_icicle(tab, &app->view);
	if (!tab->pinned)
		tab->index = tab_is_log(tab) && app->view.n ? app->view.n - 1 : 0;
	else
		index = view_find(&app->view, tab->cursor);
	/* Of a log rows go at its begin: what is looked at stands still. */
	if (index >= 0 && tab_is_log(tab) && tab->top + (size_t)index >= tab->index)
		tab->top += (size_t)index - tab->index;
	/*
	 * A row that is gone leaves the cursor where it was; should it come back, so does the
	 * cursor.
	 */
	if (index >= 0)
		tab->index = index;
	if (tab->index >= app->view.n)
		tab->index = app->view.n ? app->view.n - 1 : 0;
}

const struct row *app_row(struct app *app)
{
	app_refresh(app);
	if (!app->model || app_tab(app)->index >= app->view.n)
		return NULL;
	return app->view.rows[app_tab(app)->index].row;
}

const struct row *app_detail_row(struct app *app)
{
	const struct tab *tab = app_tab(app);

	app_refresh(app);
	/* Filtered out, idle: it is still there. */
	return app->model ? view_any(&app->view, tab->detail_key) : NULL;
}

const struct row *app_row_shown(struct app *app)
{
	/* The other view of a detail is of its row, wherever that is in the table now. */
	return app_page(app) == PAGE_DETAIL || app_tab(app)->over ? app_detail_row(app)
								  : app_row(app);
}

unsigned app_shows(const struct app *app)
{
	const struct tab *tab = app_tab(app);

	return view_needs(&tab->spec) | tab->screen->needs |
	       (tab->detail ? tab->screen->detail_needs : 0);
}

unsigned app_needs(const struct app *app)
{
	unsigned always = finding_sources();

	for (unsigned i = 0; i < app->ntabs; i++)
		if (app->tabs[i].home->all_there)
			always |= view_needs(&app->tabs[i].spec) | app->tabs[i].home->needs;
	return app_shows(app) | (always & ~SRC_DEAR);
}

const struct view *app_view(struct app *app)
{
	app_refresh(app);
	return &app->view;
}

const char *app_screen_name(const struct app *app)
{
	return app_tab(app)->home->name;
}

void app_history(const struct app *app, struct buf *out)
{
	history_write(&app->filters, "filter", out);
	history_write(&app->commands, "command", out);
}

void app_set_history(struct app *app, const char *lines)
{
	history_read(&app->filters, "filter", lines);
	history_read(&app->commands, "command", lines);
}

const struct view_spec *app_spec(const struct app *app)
{
	return &app_tab(app)->spec;
}

const struct row *app_visible(struct app *app, size_t i)
{
	const struct tab *tab = app_tab(app);

	if (tab->detail)
		return i ? NULL : app_detail_row(app);
	app_refresh(app);
	if (!app->model || !(view_needs(&tab->spec) & SRC_CMDLINE) ||
	    (long)i >= app->shown.area.height || tab->top + i >= app->view.n)
		return NULL;
	return app->view.rows[tab->top + i].row;
}

void app_request(struct app *app, void (*run)(struct app *app))
{
	app->request = run;
}

void app_perform(struct app *app)
{
	if (app->request)
		app->request(app);
	app->request = NULL;
}

void app_report(struct app *app, int r, const struct err *err, const char *done)
{
	app_message(app, r < 0, "%s", r < 0 ? err->text : done);
}

void app_message(struct app *app, bool failed, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(app->message, sizeof(app->message), fmt, args);
	va_end(args);
	app->message_failed = failed;
}

struct detail_state *app_detail_state(struct app *app)
{
	return &app_tab(app)->detail_state;
}

bool app_takes_text(const struct app *app)
{
	return app->prompt.active;
}

struct prompt *app_prompt(struct app *app, const char *label, const char *text,
			  bool (*accept)(struct app *, struct prompt *))
{
	struct prompt *p = &app->prompt;

	*p = (struct prompt){ .active = true, .place = SIZE_MAX, .accept = accept };
	snprintf(p->label, sizeof(p->label), "%s", label);
	prompt_set_text(p, text);
	return p;
}

void app_settle_prompt(struct app *app)
{
	struct prompt *p = &app->prompt;
	bool changed = p->changed_due, hints = p->hints_due;

	p->changed_due = p->hints_due = false;
	if (p->active && changed && p->changed)
		p->changed(app, p);
	if (!p->active || !hints || !p->hint)
		return;
	p->hints.n = p->hints.chosen = 0;
	p->hint(app, p, &p->hints);
}
