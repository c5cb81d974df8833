// SPDX-License-Identifier: GPL-2.0-or-later
/* The help window: the tables of keys, columns and sources, nothing written twice. */
#include <stdio.h>

#include "base/i18n.h"
#include "data/loss.h"
#include "tui/draw/text_cursor.h"
#include "tui/action_names.h"
#include "tui/keys.h"
#include "tui/page.h"

#define KEY_WIDTH 14
#define HEAD_WIDTH 10
#define LOSS_WIDTH 26

static void title(struct text_cursor *tc, const char *text)
{
	text_put(tc, 1, -1, STYLE_HEAD, text);
	text_next(tc);
}

/* The key; of an action that has none any more how the command line has it. */
static void key_text(char *out, size_t size, const struct app *app, const struct binding *b)
{
	const char *name = keys_name(app, b);

	if (name)
		snprintf(out, size, "%s", name);
	else
		snprintf(out, size, ":%s", action_name(b));
}

static void keys(struct text_cursor *tc, const struct app *app, const char *heading,
		 const struct binding *b)
{
	if (!b || !b->key)
		return;
	title(tc, heading);
	for (; b->key; b++) {
		bool off = app_is_off(app, b);
		char name[48];

		key_text(name, sizeof(name), app, b);
		text_put(tc, 2, KEY_WIDTH - 1, off ? STYLE_DIM : STYLE_KEY, name);
		text_wrap(tc, 2 + KEY_WIDTH, off ? STYLE_DIM : STYLE_NORMAL, _(b->help));
	}
	text_next(tc);
}

static bool is_shown(const struct view_spec *spec, const struct column *col)
{
	for (unsigned i = 0; i < spec->ncolumns; i++)
		if (spec->columns[i] == col)
			return true;
	return false;
}

static void columns(struct text_cursor *tc, const struct app *app)
{
	const struct view_spec *spec = &app_tab(app)->spec;
	const struct entity *e = spec->entity;

	title(tc, _("Columns"));
	entity_each_column(e, col) {
		enum style style = is_shown(spec, col) ? STYLE_NORMAL : STYLE_DIM;

		text_put(tc, 2, -1, style, *col->head ? _(col->head) : "");
		text_put(tc, 2 + HEAD_WIDTH, -1, style, col->key);
		text_wrap(tc, 2 + 2 * HEAD_WIDTH, style, _(col->help));
	}
	text_next(tc);
}

static void sources(struct text_cursor *tc, const struct model *m)
{
	static const char *const states[] = {
		[SOURCE_OFF] = N_("off"),
		[SOURCE_ON] = N_("on"),
		[SOURCE_PART] = N_("in part"),
	};

	title(tc, _("Sources"));
	for (unsigned i = 0; i < SRC_COUNT; i++) {
		bool idle = m->sources[i].state == SOURCE_OFF && !m->sources[i].reason;
		enum style style = m->sources[i].state == SOURCE_ON ? STYLE_NORMAL
								    : STYLE_DIM;

		text_put(tc, 2, -1, style, source_name(1u << i));
		text_put(tc, 2 + HEAD_WIDTH, -1, style,
			 idle ? _("not needed now") : _(states[m->sources[i].state]));
		if (m->sources[i].reason && *m->sources[i].reason)
			text_wrap(tc, 2 + 2 * HEAD_WIDTH, style, _(m->sources[i].reason));
		else
			text_next(tc);
	}
	text_next(tc);
}

static void lost(struct text_cursor *tc, const struct model *m)
{
	title(tc, _("Lost"));
	for (size_t i = 0; i < m->nlosses; i++) {
		enum style style = m->losses[i].total ? STYLE_WARN : STYLE_DIM;
		char count[24];

		snprintf(count, sizeof(count), "%llu", (unsigned long long)m->losses[i].total);
		text_put(tc, 2, -1, style, count);
		text_put(tc, 2 + HEAD_WIDTH, -1, style, m->losses[i].name);
		text_wrap(tc, 2 + HEAD_WIDTH + LOSS_WIDTH, style,
			  _(loss_find(m->losses[i].name)->help));
	}
}

int help_draw(struct canvas *c, struct rect area, const struct app *app)
{
	const struct screen *screen = app_tab(app)->screen;
	struct text_cursor tc = text_start(c, area, app->help_top);
	int used = text_put(&tc, 1, -1, STYLE_BOLD, _(screen->title));

	text_put(&tc, 1 + used + 2, -1, STYLE_NORMAL, _(screen->help));
	text_next(&tc);
	text_next(&tc);
	keys(&tc, app, _(screen->title), screen->keys);
	keys(&tc, app, _(screen->title), screen->detail_keys);
	for (const struct binding_group *g = app_bindings; g->name; g++)
		keys(&tc, app, _(g->title), g->keys);
	columns(&tc, app);
	if (app->model) {
		sources(&tc, app->model);
		lost(&tc, app->model);
	}
	return text_lines(&tc, app->help_top);
}
