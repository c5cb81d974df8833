// SPDX-License-Identifier: GPL-2.0-or-later
/* The top line: where one is, what the numbers mean, when. */
#include <stdio.h>

#include "base/clock.h"
#include "base/i18n.h"
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

/* What changes the meaning of the numbers is never hidden state. Most important first. */
static void add_labels(struct tab_bar *bar, const struct app *app)
{
	static const char *const groups[GROUP_COUNT] = {
		[GROUP_PROCESS] = N_("processes"),
		[GROUP_COMM] = N_("by name"),
		[GROUP_USER] = N_("by user"),
		[GROUP_CGROUP] = N_("by cgroup"),
	};
	const struct view_spec *spec = &app_tab(app)->spec;
	char text[64], head[COLUMN_HEAD];
	double watched = 0;

	/* Counts are of so long, where a screen has just been opened. */
	if (app->model && spec->span == SPAN_TICK)
		watched = model_watched(app->model, spec->entity->needs & app->model->have, false);
	if (watched > 0 && watched < 0.9 * app->delay) {
		snprintf(text, sizeof(text), _("%.2g s of %g s"), watched, app->delay);
		add_label(bar, STYLE_KEY, text);
	} else {
		snprintf(text, sizeof(text), _("%g s"), app->delay);
		add_label(bar, STYLE_DIM, text);
	}
	if (app->frozen)
		add_label(bar, STYLE_WARN, _("frozen"));
	if ((app->clock || app->time.on) && app->model) {
		clock_hms(text, sizeof(text), app->model->real_ns);
		add_label(bar, app->time.on ? STYLE_KEY : STYLE_NORMAL, text);
	}
	if (spec->span != SPAN_TICK)
		add_label(bar, STYLE_KEY, spec->span == SPAN_SUM ? _("sums") : _("averages"));
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
	if (app->model && app->model->host) {
		add_label(bar, STYLE_DIM, app->model->host);
		bar->labels[bar->nlabels - 1].spare = true;
	}
}

struct tab_bar top_line(const struct app *app)
{
	struct tab_bar bar = { .n = MIN(app_tabs_shown(app), TAB_BAR_TABS),
			       .current = app->current };

	for (unsigned i = 0; i < bar.n; i++) {
		bar.titles[i] = _(app->tabs[i].screen->title);
		bar.numbers[i] = i + 1;
	}
	/* A screen without a tab has one while it is open. */
	if (bar.current >= bar.n && bar.n < TAB_BAR_TABS) {
		bar.titles[bar.n] = _(app_tab(app)->screen->title);
		bar.numbers[bar.n] = bar.current + 1;
		bar.current = bar.n++;
	}
	add_labels(&bar, app);
	return bar;
}
