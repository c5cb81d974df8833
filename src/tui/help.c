// SPDX-License-Identifier: GPL-2.0-or-later
/* The help window: the tables of keys, columns and sources, nothing written twice. */
#include <stdio.h>
#include <string.h>

#include "base/i18n.h"
#include "data/loss.h"
#include "tui/draw/text_cursor.h"
#include "tui/action_names.h"
#include "tui/keys.h"
#include "tui/page.h"

#define KEY_WIDTH 14
#define HEAD_WIDTH 10
#define LOSS_WIDTH 26
#define HEADING_LINES 2

/* The title of a section, before the first of its entries that is shown. */
struct section {
	const char *title;
	bool begun;
};

/* Whether an entry is shown: nothing is searched for, or one of its texts has it. */
static bool entry(struct text_cursor *tc, const struct app *app, struct section *s, const char *a,
		  const char *b)
{
	const char *find = app->help_find;

	if (*find && !strcasestr(a, find) && !strcasestr(b, find) && !strcasestr(s->title, find))
		return false;
	if (!s->begun) {
		text_put(tc, 1, -1, STYLE_HEAD, s->title);
		text_next(tc);
	}
	s->begun = true;
	return true;
}

static void end_section(struct text_cursor *tc, const struct section *s)
{
	if (s->begun)
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

static bool has(const struct binding *all, const struct binding *b)
{
	for (; all && all->key; all++)
		if (all->key == b->key && all->run == b->run)
			return true;
	return false;
}

/* The keys of a table, but for those that are in another as well. */
static void keys(struct text_cursor *tc, const struct app *app, const char *heading,
		 const struct binding *b, const struct binding *told)
{
	struct section s = { .title = heading };

	for (; b && b->key; b++) {
		bool off = app_is_off(app, b);
		char name[48];

		if (has(told, b) || !entry(tc, app, &s, b->name, _(b->help)))
			continue;

		key_text(name, sizeof(name), app, b);
		text_put(tc, 2, KEY_WIDTH - 1, off ? STYLE_DIM : STYLE_KEY, name);
		text_wrap(tc, 2 + KEY_WIDTH, off ? STYLE_DIM : STYLE_NORMAL, _(b->help));
	}
	end_section(tc, &s);
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

	struct section s = { .title = _("Columns") };
	int width, key;

	chooser_widths(e, &width, &key);
	entity_each_column(e, col) {
		enum style style = is_shown(spec, col) ? STYLE_NORMAL : STYLE_DIM;
		const char *head = *col->head ? _(col->head) : "";

		if (!entry(tc, app, &s, head, _(col->help)) && !entry(tc, app, &s, col->key, ""))
			continue;

		text_put(tc, 2, -1, style, head);
		text_put(tc, 2 + width, -1, style, col->key);
		text_wrap(tc, 2 + width + key, style, _(col->help));
	}
	end_section(tc, &s);
}

static void sources(struct text_cursor *tc, const struct app *app, const struct model *m)
{
	static const char *const states[] = {
		[SOURCE_OFF] = N_("off"),
		[SOURCE_ON] = N_("on"),
		[SOURCE_PART] = N_("in part"),
	};

	struct section s = { .title = _("Sources") };

	for (unsigned i = 0; i < SRC_COUNT; i++) {
		bool idle = m->sources[i].state == SOURCE_OFF && !m->sources[i].reason;
		enum style style = m->sources[i].state == SOURCE_ON ? STYLE_NORMAL
								    : STYLE_DIM;
		const char *reason = m->sources[i].reason ? _(m->sources[i].reason) : "";

		if (!entry(tc, app, &s, source_name(1u << i), reason))
			continue;
		text_put(tc, 2, -1, style, source_name(1u << i));
		text_put(tc, 2 + HEAD_WIDTH, -1, style,
			 idle ? _("not needed now") : _(states[m->sources[i].state]));
		if (m->sources[i].reason && *m->sources[i].reason)
			text_wrap(tc, 2 + 2 * HEAD_WIDTH, style, _(m->sources[i].reason));
		else
			text_next(tc);
	}
	end_section(tc, &s);
}

/* Names in brackets, which are no tasks. */
static void residuals(struct text_cursor *tc, const struct app *app)
{
	static const char *const names[][2] = {
		{ "[metadata]", N_("a file system's own blocks: who changed them is unknown") },
		{ "[journal]", N_("the journal of a file system, for all who wrote to it") },
		{ "[swap]", N_("pages that were swapped out or in") },
		{ "[outside]", N_("tasks outside of this PID namespace") },
		{ "[unattributed]", N_("I/O of which nothing says whose it is") },
		{ "[incomplete]", N_("frames of a stack that could not be unwound further") },
		{ "[unknown]", N_("a frame for which no symbol was found") },
	};
	struct section s = { .title = _("Names in brackets") };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (!entry(tc, app, &s, names[i][0], _(names[i][1])))
			continue;
		text_put(tc, 2, -1, STYLE_NORMAL, names[i][0]);
		text_wrap(tc, 2 + 2 * HEAD_WIDTH, STYLE_NORMAL, _(names[i][1]));
	}
	end_section(tc, &s);
}

/* happened: those that did, which the status line shows with a "?", or what else might be lost. */
static void lost(struct text_cursor *tc, const struct app *app, const struct model *m,
		 bool happened)
{
	struct section s = { .title = _("Lost") };

	for (size_t i = 0; i < m->nlosses; i++) {
		enum style style = m->losses[i].total ? STYLE_WARN : STYLE_DIM;
		char count[24];

		if (!m->losses[i].total == happened ||
		    !entry(tc, app, &s, m->losses[i].name, _(loss_find(m->losses[i].name)->help)))
			continue;
		snprintf(count, sizeof(count), "%llu", (unsigned long long)m->losses[i].total);
		text_put(tc, 2, -1, style, count);
		text_put(tc, 2 + HEAD_WIDTH, -1, style, m->losses[i].name);
		text_wrap(tc, 2 + HEAD_WIDTH + LOSS_WIDTH, style,
			  _(loss_find(m->losses[i].name)->help));
	}
	/* The others are last of all. */
	if (happened)
		end_section(tc, &s);
}

int help_draw(struct canvas *c, struct rect area, const struct app *app)
{
	const struct screen *screen = app_tab(app)->screen;
	enum binding_place here = keys_place(app_page_below(app));
	struct text_cursor tc = text_start(c, area, app->help_top);
	int used = text_put(&tc, 1, -1, STYLE_BOLD, _(screen->title));

	text_put(&tc, 1 + used + 2, -1, STYLE_NORMAL, _(screen->help));
	text_next(&tc);
	text_next(&tc);
	if (app->model)
		lost(&tc, app, app->model, true);
	keys(&tc, app, _(screen->title), screen->keys, NULL);
	keys(&tc, app, _(screen->title), screen->detail_keys, screen->keys);
	/* Of where one is first. */
	keys(&tc, app, _(app_bindings[here].title), app_bindings[here].keys, screen->keys);
	for (const struct binding_group *g = app_bindings; g->name; g++)
		if (g != &app_bindings[here])
			keys(&tc, app, _(g->title), g->keys, NULL);
	columns(&tc, app);
	residuals(&tc, app);
	if (app->model) {
		sources(&tc, app, app->model);
		lost(&tc, app, app->model, false);
	}
	if (app->help_find[0] && text_lines(&tc, app->help_top) == HEADING_LINES)
		text_put(&tc, 1, -1, STYLE_DIM, _("nothing has this in it"));
	return text_lines(&tc, app->help_top);
}
