// SPDX-License-Identifier: GPL-2.0-or-later
/* The top line: where one is, what the numbers mean, when. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/i18n.h"
#include "base/utf8.h"
#include "tui/page.h"

static void add_label(struct tab_bar *bar, enum style style, const char *text)
{
	struct tab_bar_label *label = &bar->labels[bar->nlabels++];

	label->style = style;
	snprintf(label->text, sizeof(label->text), "%s", text);
}

static bool is_sort_shown(const struct view_spec *spec)
{
	for (unsigned i = 0; i < spec->ncolumns; i++)
		if (spec->columns[i] == spec->sort)
			return true;
	return !spec->sort;
}

/* That it is not this machine now, but a recording, which plays. */
static void add_replay(struct tab_bar *bar, const struct app *app)
{
	char text[64];
	int speed = app->time.speed;

	if (app->frozen)
		snprintf(text, sizeof(text), "%s", _("REPLAY paused"));
	else if (app->time.ended)
		snprintf(text, sizeof(text), "%s", _("REPLAY ended"));
	else if (speed)
		snprintf(text, sizeof(text), _("REPLAY %s%d"), speed < 0 ? "1/" : "×",
			 1 << abs(speed));
	else
		snprintf(text, sizeof(text), "%s", _("REPLAY"));
	add_label(bar, STYLE_KEY, text);
}

/* The interval; where a screen has just been opened, of how much of it its counts are. */
static void add_interval(struct tab_bar *bar, const struct app *app)
{
	const struct view_spec *spec = app_built(app);
	double interval = app->delay, watched = 0;
	char text[64];

	/* That of a recording is the recorder's. */
	if (app->replay && app->model && app->model->interval > 0)
		interval = app->model->interval;
	if (app->model && spec->span == SPAN_TICK)
		watched = model_watched(app->model, spec->entity->needs & app->model->have, false);
	if (watched > 0 && watched < 0.9 * interval) {
		snprintf(text, sizeof(text), _("%.3g s"), interval);
		bar->labels[bar->nlabels].usual = utf8_width(text);
		snprintf(text, sizeof(text), _("%.2g s of %.3g s"), watched, interval);
		add_label(bar, STYLE_KEY, text);
	} else {
		snprintf(text, sizeof(text), _("%.3g s"), interval);
		add_label(bar, STYLE_DIM, text);
	}
}

static void add_clock(struct tab_bar *bar, const struct app *app)
{
	enum style style = app->time.on ? STYLE_KEY : STYLE_NORMAL;
	char text[64], zone[16];

	if (!app->model || !(app->clock || app->time.on))
		return;
	clock_hms(text, sizeof(text), app->model->real_ns);
	/* A recording may come from anywhere: whose noon it is is not plain. */
	if (app->replay) {
		clock_zone(zone, sizeof(zone), app->model->real_ns);
		snprintf(text + strlen(text), sizeof(text) - strlen(text), " %s", zone);
	}
	add_label(bar, style, text);
	bar->labels[bar->nlabels - 1].yields =
		!app->time.on && !app->frozen && !app->replay;
}

/* Gives way before the names of the tabs do. */
static void add_spare(struct tab_bar *bar, const char *text)
{
	if (!*text)
		return;
	add_label(bar, STYLE_DIM, text);
	bar->labels[bar->nlabels - 1].spare = true;
}

/*
 * Sums or averages. At a moment of the past they are of the time before it that was read again, not
 * of all that is kept.
 */
static void add_span(struct tab_bar *bar, const struct app *app, enum span span)
{
	char text[64], time[16], since[32];

	snprintf(text, sizeof(text), "%s", span == SPAN_SUM ? _("sums") : _("averages"));
	if (app->time.on && !app->time.begin && app->model) {
		clock_hms(time, sizeof(time),
			  app->model->real_ns - (uint64_t)(app->model->elapsed * NSEC_PER_SEC));
		snprintf(since, sizeof(since), _("since %s"), time);
		snprintf(text + strlen(text), sizeof(text) - strlen(text), " %s", since);
	}
	add_label(bar, STYLE_KEY, text);
}

/* What changes the meaning of the numbers is never hidden state. Most important first. */
static void add_labels(struct tab_bar *bar, const struct app *app)
{
	static const char *const groups[GROUP_COUNT] = {
		[GROUP_PROCESS] = N_("processes"),
		[GROUP_COMM] = N_("by name"),
		[GROUP_USER] = N_("by user"),
		[GROUP_CGROUP] = N_("by cgroup"),
		[GROUP_FILE] = N_("by file"),
		[GROUP_FOLDER] = N_("by folder"),
		[GROUP_MOUNT] = N_("by mount"),
		[GROUP_FS] = N_("by file system"),
		[GROUP_EXTENSION] = N_("by extension"),
	};
	const struct view_spec *spec = app_built(app);
	char text[64], head[COLUMN_HEAD];

	if (app->replay)
		add_replay(bar, app);
	add_interval(bar, app);
	if (app->frozen && !app->replay)
		add_label(bar, STYLE_KEY, _("frozen"));
	add_clock(bar, app);
	if (app->model && app->model->trigger)
		add_label(bar, STYLE_KEY, _("triggered"));
	if (app->time.compared) {
		clock_hms(head, sizeof(head), app->time.compared_begin);
		snprintf(text, sizeof(text), _("compared with %s to "), head);
		clock_hms(text + strlen(text), sizeof(text) - strlen(text),
			  app->time.compared_end);
		add_label(bar, STYLE_KEY, text);
	}
	if (app->everywhere[0]) {
		snprintf(text, sizeof(text), "& %.*s", (int)sizeof(text) - 3, app->everywhere);
		utf8_trim(text);
		add_label(bar, app_tab(app)->everywhere ? STYLE_KEY : STYLE_DIM, text);
	}
	if (spec->span != SPAN_TICK)
		add_span(bar, app, spec->span);
	if (spec->group != app_tab(app)->home->group && groups[spec->group])
		add_label(bar, STYLE_KEY, _(groups[spec->group]));
	if (spec->only_active)
		add_label(bar, STYLE_KEY, _("active"));
	if (!is_sort_shown(spec)) {
		snprintf(text, sizeof(text), "%s%s", column_head(head, spec->sort, spec->span),
			 spec->descending ? "▾" : "▴");
		add_label(bar, STYLE_SORT, text);
	}
	if (app->attribute == ATTRIBUTE_SUBMITTER)
		add_label(bar, STYLE_KEY, _("by submitter"));
	if (app->replay)
		add_spare(bar, app->replay);
	if (app->model)
		add_spare(bar, app->model->host);
	if (app->model && app->replay)
		add_spare(bar, app->model->release);
}

static void add_tab(struct tab_bar *bar, unsigned i, const struct screen *screen, unsigned number)
{
	bar->titles[i] = _(screen->title);
	bar->shorts[i] = context_text(screen->tab);
	bar->numbers[i] = number;
}

struct tab_bar top_line(const struct app *app)
{
	struct tab_bar bar = { .n = MIN(app_tabs_shown(app), TAB_BAR_TABS),
			       .current = app->current };

	for (unsigned i = 0; i < bar.n; i++)
		add_tab(&bar, i, app->tabs[i].screen, i + 1);
	/* A screen without a tab has one while it is open. */
	if (bar.current >= bar.n && bar.n < TAB_BAR_TABS) {
		add_tab(&bar, bar.n, app_tab(app)->screen, 0);
		bar.current = bar.n++;
	}
	add_labels(&bar, app);
	return bar;
}
