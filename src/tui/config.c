// SPDX-License-Identifier: GPL-2.0-or-later
/* The settings of the app as lines of the configuration file. */
#include <string.h>

#include "base/units.h"
#include "tui/state.h"

static void flag(struct buf *out, const char *name, bool on)
{
	if (on)
		buf_printf(out, "%s\n", name);
}

/* What app_config() writes, or is seen of in what it writes: it is left out by default. */
bool app_config_decides(const char *name)
{
	static const char *const names[] = {
		"screen", "delay", "columns", "full-command", "sort", "group", "processes",
		"threads", "filter", "attribute", "keys", "theme", "only", "idle", "hide-ended",
		"accumulated", "average", "kilobytes", "si", "ascii",
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(names[i], name))
			return true;
	return false;
}

void app_config(const struct app *app, struct buf *out)
{
	const struct tab *tab = app_tab(app);
	const struct view_spec *spec = &tab->spec;
	char number[32];

	double_format(number, sizeof(number), app->delay);
	buf_printf(out, "screen=%s\ndelay=%s\ncolumns=", tab->home->name, number);
	for (unsigned i = 0; i < spec->ncolumns; i++)
		buf_printf(out, "%s%s", i ? "," : "", spec->columns[i]->key);
	buf_putc(out, '\n');
	if (spec->sort)
		buf_printf(out, "sort=%s:%s\n", spec->sort->key, spec->descending ? "desc" : "asc");
	buf_printf(out, "group=%s\n", group_names[spec->group]);
	if (tab->filter)
		buf_printf(out, "filter=%s\n", filter_text(tab->filter));
	if (app->attribute == ATTRIBUTE_SUBMITTER)
		buf_puts(out, "attribute=submitter\n");
	if (app->keys.vi)
		buf_printf(out, "keys=%s\n", key_map_names[app->keys.vi]);
	key_map_write(&app->keys, out);
	if (app->theme != THEME_AUTO)
		buf_printf(out, "theme=%s\n", theme_names[app->theme]);
	flag(out, "only", spec->only_active);
	flag(out, "idle", tab->home->all_there && !spec->hide_idle && !spec->only_active);
	flag(out, "hide-ended", spec->hide_ended);
	flag(out, "accumulated", spec->span == SPAN_SUM);
	flag(out, "average", spec->span == SPAN_MEAN);
	flag(out, "kilobytes", app->units.kilobytes);
	flag(out, "si", app->units.si);
	flag(out, "ascii", app->best_glyphs != GLYPHS_ASCII && app->glyphs == GLYPHS_ASCII);
}
