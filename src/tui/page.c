// SPDX-License-Identifier: GPL-2.0-or-later
/* The whole picture. */
#include "tui/page.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/i18n.h"
#include "tui/draw/machine.h"
#include "tui/draw/verdict.h"

/* From so many lines on there is room for … */
#define HEIGHT_TABS 3
#define HEIGHT_KEYBAR 5
#define HEIGHT_STATUS 6
#define HEIGHT_HEADER 9
#define HEIGHT_OWN 14	/* of the screen's own lines of it */

/* For the status line: from where to where the page is in sight, and of how much. */
static void show_list(struct app *app, size_t first, int height, size_t total)
{
	size_t left = total > first ? total - first : 0;

	app->shown.list = (struct shown_list){ first, MIN(left, (size_t)MAX(height, 0)), total };
}

/* What stands where there are no rows may be longer than the screen: the keys scroll it. */
static void draw_empty_preview(struct app *app, struct canvas *c, struct rect area)
{
	struct tab *tab = app_tab(app);
	int lines = tab->screen->preview(c, area, tab->detail_top, &app->view, NULL);

	app->shown.detail_lines = lines;
	show_list(app, (size_t)tab->detail_top, area.height, (size_t)lines);
}

static void draw_empty(struct app *app, struct canvas *c, struct rect area)
{
	const struct tab *tab = app_tab(app);
	char text[512];

	if (app->model && tab->spec.entity->needs & model_unrecorded(app->model)) {
		snprintf(text, sizeof(text),
			 app->store ? _("not recorded: iotop record --record-sources=all keeps it")
				    : _("not recorded: iotop --record=FILE --screen=%s records it"),
			 tab->screen->name);
	} else if ((tab->filter || tab->everywhere || tab->spec.only_active) && app->model &&
		   app->model->rows[tab->spec.entity_id].n) {
		snprintf(text, sizeof(text), "%s", _("no row matches"));
	} else if (app->view.idle) {
		snprintf(text, sizeof(text), "%s", _("nothing did I/O in the last intervals"));
	} else if (tab->screen->preview && app->model && app->model->interval > 0) {
		draw_empty_preview(app, c, area);
		return;
	} else if (tab->screen->empty && app->model && app->model->interval > 0) {
		tab->screen->empty(app->model, &c->units, text, sizeof(text));
	} else {
		snprintf(text, sizeof(text), "%s", _("nothing to show yet"));
	}
	canvas_text_cut(c, 1, area.y, c->width - 2, STYLE_DIM, text);
}

static void draw_marks(struct canvas *c, struct rect area, const struct tab *tab,
		       const struct view *v)
{
	for (int i = 0; i < area.height && tab->top + (size_t)i < v->n; i++)
		if (tab_is_marked(tab, v->rows[tab->top + (size_t)i].row->key))
			canvas_text(c, area.x, area.y + i, 1, STYLE_KEY, "*");
}

static void draw_alternative(struct app *app, struct canvas *c, struct rect area)
{
	const struct row *row = app_row_shown(app);
	struct tab *tab = app_tab(app);
	int lines, most;

	app->shown.area = area;
	lines = tab->screen->alternative(c, area, tab->alternative_top, &app->view, row);
	most = MAX(0, lines - area.height);
	/* It became shorter. */
	if (tab->alternative_top > most) {
		tab->alternative_top = most;
		for (int y = area.y; y < area.y + area.height; y++)
			canvas_fill(c, 0, y, -1, STYLE_NORMAL, " ");
		tab->screen->alternative(c, area, most, &app->view, row);
	}
	app->shown.detail_lines = lines;
	show_list(app, (size_t)tab->alternative_top, area.height, (size_t)lines);
}

static void draw_table(struct app *app, struct canvas *c, int y, int end)
{
	struct tab *tab = app_tab(app);
	const struct view_spec *spec = app_built(app);
	struct rect area = { .y = y, .width = c->width, .height = end - y };

	if (tab->alternative && tab->screen->alternative) {
		draw_alternative(app, c, area);
		return;
	}
	table_layout(&app->shown.layout, spec, c);
	/* A page that stands where there are no rows has no columns. */
	if (area.height > 1 && (app->view.n || !tab->screen->preview)) {
		app->shown.heading = y;
		table_heading(c, y, &app->shown.layout, spec);
		area.y++;
		area.height--;
	}
	area.height -= preview_draw(app, c, area);
	app->shown.area = area;
	if (area.height <= 0)
		return;
	if (tab->index < tab->top)
		tab->top = tab->index;
	if (tab->index >= tab->top + area.height)
		tab->top = tab->index - area.height + 1;
	if (tab->top + area.height > app->view.n)
		tab->top = app->view.n > (size_t)area.height ? app->view.n - area.height : 0;
	table_rows(c, area, &app->shown.layout, &app->view, tab->top, &app->table);
	draw_marks(c, area, tab, &app->view);
	show_list(app, tab->top, area.height, app->view.n);
	if (app->view.n)
		canvas_highlight(c, area.y + (int)(tab->index - tab->top));
	else
		draw_empty(app, c, area);
}

static int draw_breadcrumb(struct app *app, struct canvas *c, int y, const struct row *row)
{
	const struct tab *tab = app_tab(app);
	int x = 1;

	x += canvas_text(c, x, y, -1, STYLE_DIM, _(tab->screen->title));
	x += canvas_text(c, x, y, -1, STYLE_DIM, " › ");
	x += canvas_text(c, x, y, -1, STYLE_BOLD, tab->detail_name);
	if (!row)
		canvas_text(c, x + 2, y, -1, STYLE_DIM, _("is gone"));
	return 1;
}

/* Returns the lines it has in all. */
static int draw_own_detail(struct app *app, struct canvas *c, struct rect area,
			   const struct row *row)
{
	struct tab *tab = app_tab(app);

	if (tab->screen->explore)
		return tab->screen->explore(c, area, tab->detail_top, &app->view, row,
					    &tab->detail_state);
	return tab->screen->detail(c, area, tab->detail_top, &app->view, row);
}

static void draw_detail(struct app *app, struct canvas *c, int y, int end)
{
	const struct row *row = app_detail_row(app);
	struct tab *tab = app_tab(app);
	struct rect area = { .width = c->width };

	area.y = y + draw_breadcrumb(app, c, y, row);
	area.height = end - area.y;
	app->shown.area = area;
	app->shown.detail_lines = 0;
	if (!row || area.height <= 0)
		return;
	if (tab->screen->settle)
		tab->screen->settle(&tab->detail_state, area, &app->view, row);
	app->shown.detail_lines = draw_own_detail(app, c, area, row);
	/* It became shorter. */
	if (tab->detail_top && tab->detail_top > app->shown.detail_lines - area.height) {
		tab->detail_top = MAX(0, app->shown.detail_lines - area.height);
		for (int line = area.y; line < end; line++)
			canvas_fill(c, 0, line, -1, STYLE_NORMAL, " ");
		draw_own_detail(app, c, area, row);
	}
	show_list(app, (size_t)tab->detail_top, area.height, (size_t)app->shown.detail_lines);
}

/* The machine, the verdict, and what the screen has to say: on the same lines of every screen. */
static int draw_header(struct app *app, struct canvas *c, int y)
{
	const struct screen *screen = app_tab(app)->screen;
	enum span span = app_span(app);
	int top = y;

	if (!app->model || c->height < HEIGHT_HEADER)
		return 0;
	y += machine_header(c, y, app->model, span);
	/* The page of findings is the verdict. */
	if (screen->entity != ENTITY_FINDING)
		y += verdict_draw(c, y, c->height >= PAGE_PREVIEW ? 2 : 1,
				  &app->shown.wide_verdict, app->model);
	if (screen->header && c->height >= HEIGHT_OWN)
		y += screen->header(c, y, app->model, span);
	return y - top;
}

static void draw_icicle(struct app *app, struct canvas *c, struct rect area)
{
	struct icicle *ic = app_tab(app)->icicle;
	struct icicle_plot plot;

	app->shown.area = area;
	ic->area = area;
	ic->units = c->units;
	plot = icicle_plot_of(ic);
	ic->first = icicle_plot_scroll(&plot, area, ic->first);
	icicle_plot_draw(c, area, &plot, ic->first);
	show_list(app, (size_t)ic->first, MAX(area.height - 1, 1),
		  (size_t)icicle_plot_lines(&plot, area));
}

static void draw_page(struct app *app, struct canvas *c, int y, int end)
{
	struct rect area = { .y = y, .width = c->width, .height = end - y };

	switch (app_page(app)) {
	case PAGE_HELP:
		app->shown.area = area;
		app->shown.detail_lines = help_draw(c, area, app);
		show_list(app, (size_t)app->help_top, area.height,
			  (size_t)app->shown.detail_lines);
		break;
	case PAGE_COLUMNS:
		app->shown.area = area;
		chooser_draw(c, area, app);
		show_list(app, chooser_top(app, area.height), area.height,
			  entity_column_count(app_tab(app)->spec.entity));
		break;
	case PAGE_DETAIL:
		draw_detail(app, c, y, end);
		break;
	case PAGE_ICICLE:
		if (c->height >= PAGE_PREVIEW)
			y += draw_header(app, c, y);
		area.y = y;
		area.height = end - y;
		draw_icicle(app, c, area);
		break;
	case PAGE_CHAIN:
	case PAGE_TABLE:
		y += draw_header(app, c, y);
		draw_table(app, c, y, end);
		break;
	}
}

/*
 * Counts are told per interval that was asked for, of a recording per whole seconds: a timer is
 * never on the dot, and a heading that says so would change at each interval. What is counted of
 * less than an interval is told as it is: the top line says of how much. Sources that were opened
 * in an interval have counted for less than it.
 */
static void set_per(const struct app *app, struct canvas *c)
{
	const struct entity *e = app_tab(app)->spec.entity;
	double seconds = app->model ? app->model->interval : 0,
	       asked = app->replay ? MAX(1, round(seconds)) : app->delay, watched = 0;

	if (app->model)
		watched = model_watched(app->model, e->needs & app->model->have, false);
	if (watched > 0)
		seconds = watched;
	c->per[0] = '\0';
	c->scale = 1;
	if (app_span(app) != SPAN_TICK || !(seconds > 0) ||
	    seconds < 0.9 * (app->replay ? app->model->interval : asked))
		return;
	column_interval(c->per, asked);
	if (fabs(asked / seconds - 1) > CANVAS_ON_TIME)
		c->scale = asked / seconds;
}

void app_draw(struct app *app, struct canvas *c)
{
	int y = 0, end = c->height;

	c->glyphs = app->glyphs;
	c->units = app->units;
	c->units.ascii = app->glyphs == GLYPHS_ASCII;
	/* As the locale has it, where that is one byte. */
	c->units.point = localeconv()->decimal_point[1] ? '\0' : *localeconv()->decimal_point;
	set_per(app, c);
	canvas_clear(c);
	app->shown.width = c->width;
	app->shown.height = c->height;
	app->shown.heading = -1;
	app->shown.list = (struct shown_list){ 0 };
	app_settle_prompt(app);
	app_refresh(app);
	if (c->height >= HEIGHT_TABS) {
		struct tab_bar tabs = top_line(app);

		tab_bar_draw(c, &tabs);
		y++;
	}
	if (app->prompt.active || c->height >= HEIGHT_KEYBAR)
		end--;
	/* The prompt's error needs the line above it. */
	if (c->height >= HEIGHT_STATUS || (app->prompt.active && app->prompt.error.text[0]))
		end--;
	draw_page(app, c, y, end);
	if (c->height >= HEIGHT_STATUS)
		status_draw(c, c->height - 2, app);
	if (app->prompt.active) {
		prompt_draw(c, c->height - 1, &app->prompt);
	} else if (c->height >= HEIGHT_KEYBAR) {
		struct key_bar keys = status_keys(app, c->width);

		key_bar_draw(c, c->height - 1, &keys);
	}
}
