// SPDX-License-Identifier: GPL-2.0-or-later
/* Actions of keys that switch something at once; prompts.c has those that ask first. */
#include "tui/actions.h"

#include <stdlib.h>

#include "base/i18n.h"

void act_quit(struct app *app)
{
	app->quit = true;
}

void act_help(struct app *app)
{
	app->help = !app->help;
	app->help_top = 0;
	app->help_find[0] = '\0';
}

void act_columns(struct app *app)
{
	app->chooser = !app->chooser;
	app->choice = 0;
}

void act_only(struct app *app)
{
	struct view_spec *spec = &app_tab(app)->spec;
	bool hides = spec->only_active || spec->hide_idle;

	/* What -o asks for comes and goes with each interval; idle is what did nothing lately. */
	spec->hide_idle = !hides && app_tab(app)->screen->all_there;
	spec->only_active = !hides && !spec->hide_idle;
	app->stale = true;
}

void act_preview(struct app *app)
{
	const struct screen *screen = app_tab(app)->screen;

	if (!screen->detail && !screen->explore) {
		app_message(app, true, _("%s does nothing here"), "Z");
		return;
	}
	app->unpreviewed = !app->unpreviewed;
	if (!app->unpreviewed && app->shown.height < PAGE_PREVIEW)
		app_message(app, false, _("from %d lines on"), PAGE_PREVIEW);
}

/* Of a range an interval says nothing. */
static void toggle_span(struct app *app, enum span span)
{
	struct tab *tab = app_tab(app);
	enum span *to = app->time.begin ? &tab->range_span : &tab->spec.span,
		  usual = app->time.begin ? SPAN_MEAN : SPAN_TICK;

	*to = *to == span ? usual : span;
	app->stale = true;
}

void act_sum(struct app *app)
{
	toggle_span(app, SPAN_SUM);
}

void act_mean(struct app *app)
{
	toggle_span(app, SPAN_MEAN);
}

void act_mark_ended(struct app *app)
{
	app->table.mark_ended = !app->table.mark_ended;
	app_message(app, false, app->table.mark_ended ? _("ended tasks have an x")
						      : _("ended tasks have no mark"));
}

void act_hide_ended(struct app *app)
{
	app_tab(app)->spec.hide_ended = !app_tab(app)->spec.hide_ended;
	app_message(app, false, app_tab(app)->spec.hide_ended ? _("ended tasks are hidden")
							      : _("ended tasks are shown"));
	app->stale = true;
}

void act_tree(struct app *app)
{
	struct view_spec *spec = &app_tab(app)->spec;

	if (!spec->tree) {
		spec->tree = true;
		spec->turned = false;
	} else if (spec->entity->turns && !spec->turned) {
		spec->turned = true;
	} else {
		spec->tree = false;
	}
	app_message(app, false, !spec->tree   ? _("no tree")
				: spec->turned ? _("the tree upside down")
					       : _("the tree"));
	app->stale = true;
}

static void set_folded(struct app *app, bool folded)
{
	const struct row *row = app_row(app);

	if (!row)
		return;
	if (!app->spec.tree || !app->view.rows[app_tab(app)->index].has_children) {
		app_message(app, true, _("nothing is below the cursor in a tree"));
		return;
	}
	tab_set_folded(app_tab(app), row->key, folded);
	app->stale = true;
}

void act_fold(struct app *app)
{
	set_folded(app, true);
}

void act_unfold(struct app *app)
{
	set_folded(app, false);
}

void act_freeze(struct app *app)
{
	app->frozen = !app->frozen;
}

void act_graph(struct app *app)
{
	static const char *const names[GRAPH_COUNT] = {
		[GRAPH_BOTH] = N_("history: reads and writes"),
		[GRAPH_READ] = N_("history: reads"),
		[GRAPH_WRITE] = N_("history: writes"),
	};

	app->table.graph = (app->table.graph + 1) % GRAPH_COUNT;
	app_message(app, false, "%s", _(names[app->table.graph]));
}

void act_glyphs(struct app *app)
{
	static const char *const names[] = {
		[GLYPHS_ASCII] = N_("graphs in ASCII"),
		[GLYPHS_BLOCK] = N_("graphs in blocks"),
		[GLYPHS_BRAILLE] = N_("graphs in braille"),
	};

	if (app->best_glyphs == GLYPHS_ASCII) {
		app_message(app, true, _("this terminal or locale shows ASCII only"));
		return;
	}
	app->glyphs = (app->glyphs + 1) % (GLYPHS_BRAILLE + 1);
	app_message(app, false, "%s", _(names[app->glyphs]));
}

void act_clock(struct app *app)
{
	app->clock = !app->clock;
}

void act_alternative(struct app *app)
{
	struct tab *tab = app_tab(app);

	if (tab->screen->alternative || tab->spec.entity->steps) {
		tab->over = tab->detail && !tab->over;
		tab->alternative = tab->over || !tab->alternative;
		tab->alternative_top = 0;
		tab_open_icicle(tab);
		app->stale = true;
	} else {
		app_message(app, true, _("this screen has no other view"));
	}
}

static void set_theme(struct app *app)
{
	app->system->theme(app->system_arg, app->theme);
}

void theme_set(struct app *app, enum theme theme)
{
	app->theme = theme;
	app_message(app, false, _("theme: %s"), theme_names[theme]);
	app_request(app, set_theme);
}

void act_theme(struct app *app)
{
	theme_set(app, (app->theme + 1) % THEME_COUNT);
}

static void set_mouse(struct app *app)
{
	app->system->mouse(app->system_arg, app->mouse);
}

void act_mouse(struct app *app)
{
	app->mouse = !app->mouse;
	app_message(app, false,
		    app->mouse ? _("mouse on") : _("mouse off: the terminal selects text"));
	app_request(app, set_mouse);
}

static void save(struct app *app)
{
	struct buf text = { 0 };
	struct err err = { "" };
	char *path = NULL;

	app_config(app, &text);
	if (app->system->save(app->system_arg, text.data, &path, &err) < 0)
		app_message(app, true, "%s", err.text);
	else
		app_message(app, false, _("saved in %s"), path);
	free(path);
	buf_release(&text);
}

void act_save(struct app *app)
{
	app_request(app, save);
}

static void set_delayacct(struct app *app)
{
	bool on = !app->model || app->model->delayacct != 1;
	struct err err = { "" };

	app_report(app, app->system->delayacct(app->system_arg, on, &err), &err,
		   on ? _("delay accounting is on; off again at exit")
		      : _("delay accounting is off"));
}

void act_delayacct(struct app *app)
{
	app_request(app, set_delayacct);
}

static void set_attribute(struct app *app)
{
	app->system->attribute(app->system_arg, app->attribute);
}

void act_submitter(struct app *app)
{
	bool submitter = app->attribute == ATTRIBUTE_CAUSE;

	app->attribute = submitter ? ATTRIBUTE_SUBMITTER : ATTRIBUTE_CAUSE;
	app_message(app, false,
		    submitter ? _("charged to who submitted it") : _("charged to who caused it"));
	app_request(app, set_attribute);
}

static void set_every_block(struct app *app)
{
	app->system->every_block(app->system_arg, app->every_block);
}

bool app_shows_every_block(const struct app *app)
{
	return app->every_block;
}

void act_every_block(struct app *app)
{
	app->every_block = !app->every_block;
	app_message(app, false, app->every_block ? _("all waits") : _("I/O waits"));
	app_request(app, set_every_block);
}

static void suspend(struct app *app)
{
	app->system->suspend(app->system_arg);
}

void act_suspend(struct app *app)
{
	app_request(app, suspend);
}

static void redraw(struct app *app)
{
	app->system->redraw(app->system_arg);
}

void act_redraw(struct app *app)
{
	app_request(app, redraw);
}

void act_clear_filter(struct app *app)
{
	if (!app_tab(app)->filter)
		app_message(app, true, _("there is no filter"));
	tab_set_filter(app_tab(app), "", NULL, NULL);
	app->stale = true;
}
