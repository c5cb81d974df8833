// SPDX-License-Identifier: GPL-2.0-or-later
/* The help window: the tables of keys, columns and sources, nothing written twice. */
#include <stdio.h>

#include "base/i18n.h"
#include "data/loss.h"
#include "tui/state.h"

#define KEY_WIDTH 14
#define HEAD_WIDTH 10
#define LOSS_WIDTH 26

static void title(struct pen *p, const char *text)
{
	pen_text(p, 1, -1, STYLE_HEAD, text);
	pen_next(p);
}

static void keys(struct pen *p, const struct app *app, const char *heading, const struct binding *b)
{
	if (!b || !b->key)
		return;
	title(p, heading);
	for (; b->key; b++) {
		bool off = app_is_off(app, b);

		pen_text(p, 2, -1, off ? STYLE_DIM : STYLE_KEY, b->name);
		pen_wrap(p, 2 + KEY_WIDTH, off ? STYLE_DIM : STYLE_NORMAL, _(b->help));
	}
	pen_next(p);
}

static bool is_shown(const struct view_spec *spec, const struct column *col)
{
	for (unsigned i = 0; i < spec->ncolumns; i++)
		if (spec->columns[i] == col)
			return true;
	return false;
}

static void columns(struct pen *p, const struct app *app)
{
	const struct view_spec *spec = &app_tab(app)->spec;
	const struct entity *e = spec->entity;

	title(p, _("Columns"));
	entity_each_column(e, col) {
		enum style style = is_shown(spec, col) ? STYLE_NORMAL : STYLE_DIM;

		pen_text(p, 2, -1, style, *col->head ? _(col->head) : "");
		pen_text(p, 2 + HEAD_WIDTH, -1, style, col->key);
		pen_wrap(p, 2 + 2 * HEAD_WIDTH, style, _(col->help));
	}
	pen_next(p);
}

static void sources(struct pen *p, const struct model *m)
{
	static const char *const states[] = {
		[SOURCE_OFF] = N_("off"),
		[SOURCE_ON] = N_("on"),
		[SOURCE_PART] = N_("in part"),
	};

	title(p, _("Sources"));
	for (unsigned i = 0; i < SRC_COUNT; i++) {
		bool idle = m->sources[i].state == SOURCE_OFF && !m->sources[i].reason;
		enum style style = m->sources[i].state == SOURCE_ON ? STYLE_NORMAL
				   : idle			    ? STYLE_DIM
								    : STYLE_WARN;

		pen_text(p, 2, -1, style, source_name(1u << i));
		pen_text(p, 2 + HEAD_WIDTH, -1, style,
			 idle ? _("not needed now") : _(states[m->sources[i].state]));
		if (m->sources[i].reason && *m->sources[i].reason)
			pen_wrap(p, 2 + 2 * HEAD_WIDTH, style, _(m->sources[i].reason));
		else
			pen_next(p);
	}
	pen_next(p);
}

static void lost(struct pen *p, const struct model *m)
{
	title(p, _("Lost"));
	for (size_t i = 0; i < m->nlosses; i++) {
		const char *help = loss_help(m->losses[i].name);
		enum style style = m->losses[i].total ? STYLE_WARN : STYLE_DIM;
		char count[24];

		snprintf(count, sizeof(count), "%llu", (unsigned long long)m->losses[i].total);
		pen_text(p, 2, -1, style, count);
		pen_text(p, 2 + HEAD_WIDTH, -1, style, m->losses[i].name);
		pen_wrap(p, 2 + HEAD_WIDTH + LOSS_WIDTH, style, help ? _(help) : "");
	}
}

void help_draw(struct canvas *c, struct rect area, struct app *app)
{
	const struct screen *screen = app_tab(app)->screen;
	struct pen p = pen_start(c, area, app->help_top);
	int used = pen_text(&p, 1, -1, STYLE_BOLD, _(screen->title));

	pen_text(&p, 1 + used + 2, -1, STYLE_NORMAL, _(screen->help));
	pen_next(&p);
	pen_next(&p);
	keys(&p, app, _(screen->title), screen->keys);
	keys(&p, app, _(screen->title), screen->detail_keys);
	for (const struct binding_group *g = app_bindings; g->name; g++)
		keys(&p, app, _(g->title), g->keys);
	columns(&p, app);
	if (app->model) {
		sources(&p, app->model);
		lost(&p, app->model);
	}
	app->shown.detail_lines = pen_lines(&p, app->help_top);
}
