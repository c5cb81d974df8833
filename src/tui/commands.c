// SPDX-License-Identifier: GPL-2.0-or-later
/* The command line, key : … Words with an argument are here; every action has a name as well. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/i18n.h"
#include "base/mem.h"
#include "tui/action_names.h"
#include "tui/actions.h"
#include "tui/hints.h"

#define KEY_ROOM 16	/* of "user = " and quotes */

struct command {
	const char *name;
	const char *argument;	/* N_() what it is, for whoever left it out */
	bool (*run)(struct app *app, const char *argument, struct err *err);
	/* from: byte where the argument begins. May be NULL. */
	void (*hint)(struct app *app, const struct prompt *p, size_t from,
		     struct prompt_hints *ret);
	void (*bare)(struct app *app);	/* without an argument; NULL: it needs one */
	bool changes_system;
};

static bool run_sort(struct app *app, const char *argument, struct err *err)
{
	app->stale = true;
	return !view_set_sort(&app_tab(app)->spec, argument, err);
}

static bool run_columns(struct app *app, const char *argument, struct err *err)
{
	app->stale = true;
	return !view_set_columns(&app_tab(app)->spec, argument, err);
}

static bool run_filter(struct app *app, const char *argument, struct err *err)
{
	size_t place;

	app->stale = true;
	return !tab_set_filter(app_tab(app), argument, &place, err);
}

static bool filter_by(struct app *app, const char *key, const char *value, struct err *err)
{
	char text[PROMPT_MAX + KEY_ROOM], quote = strchr(value, '"') ? '\'' : '"';

	if (!entity_column(app_tab(app)->spec.entity, key)) {
		err_set(err, EINVAL, _("this screen has no column \"%s\""), key);
		return false;
	}
	snprintf(text, sizeof(text), "%s = %c%s%c", key, quote, value, quote);
	return run_filter(app, text, err);
}

static bool run_disk(struct app *app, const char *argument, struct err *err)
{
	return filter_by(app, "disk", argument, err);
}

static bool run_user(struct app *app, const char *argument, struct err *err)
{
	return filter_by(app, "user", argument, err);
}

static bool run_pid(struct app *app, const char *argument, struct err *err)
{
	char text[PROMPT_MAX + KEY_ROOM];

	snprintf(text, sizeof(text), "pid = %s", argument);
	return run_filter(app, text, err);
}

static bool run_tab(struct app *app, const char *argument, struct err *err)
{
	for (unsigned i = 0; i < app->ntabs; i++) {
		if (strcmp(app->tabs[i].home->name, argument))
			continue;
		nav_to_tab(app, i);
		return true;
	}
	err_set(err, EINVAL, _("there is no screen \"%s\""), argument);
	return false;
}

static bool run_group(struct app *app, const char *argument, struct err *err)
{
	struct tab *tab = app_tab(app);

	for (enum group_by by = GROUP_NONE; by < GROUP_COUNT; by++) {
		if (strcmp(group_names[by], argument) || !tab_can_group(tab, by))
			continue;
		tab_set_group(tab, by);
		app->stale = true;
		return true;
	}
	err_set(err, EINVAL, _("this screen has no groups \"%s\""), argument);
	return false;
}

static bool run_at(struct app *app, const char *argument, struct err *err)
{
	return travel_to(app, argument, err);
}

static bool run_delay(struct app *app, const char *argument, struct err *err)
{
	return delay_set(app, argument, err);
}

static bool run_theme(struct app *app, const char *argument, struct err *err)
{
	unsigned theme = 0;

	while (theme < THEME_COUNT && strcmp(theme_names[theme], argument))
		theme++;
	if (theme == THEME_COUNT) {
		err_set(err, EINVAL, _("there is no theme \"%s\""), argument);
		return false;
	}
	theme_set(app, theme);
	return true;
}

static void perform_write(struct app *app)
{
	struct err err = { "" };
	int r = app->system->write(app->system_arg, app->file, &err);

	if (r < 0)
		app_message(app, true, "%s", err.text);
	else
		app_message(app, false, _("written to %s"), app->file);
}

static bool run_write(struct app *app, const char *argument, _unused_ struct err *err)
{
	snprintf(app->file, sizeof(app->file), "%s", argument);
	app_request(app, perform_write);
	return true;
}

static void word_hint(const struct prompt *p, size_t from, struct prompt_hints *ret,
		      const char *item)
{
	ret->begin = from;
	prompt_hint(ret, p->text + from, p->at - from, item);
}

static void hint_sort(struct app *app, const struct prompt *p, size_t from,
		      struct prompt_hints *ret)
{
	ret->begin = from;
	hint_columns(app, p->text + from, p->at - from, ret);
}

static void hint_list(struct app *app, const struct prompt *p, size_t from,
		      struct prompt_hints *ret)
{
	size_t begin = p->at;

	while (begin > from && !strchr(",+-", p->text[begin - 1]))
		begin--;
	ret->begin = begin;
	hint_columns(app, p->text + begin, p->at - begin, ret);
}

static void hint_disk(struct app *app, const struct prompt *p, size_t from,
		      struct prompt_hints *ret)
{
	ret->begin = from;
	hint_values(app, "disk", p->text + from, p->at - from, ret);
}

static void hint_user(struct app *app, const struct prompt *p, size_t from,
		      struct prompt_hints *ret)
{
	ret->begin = from;
	hint_values(app, "user", p->text + from, p->at - from, ret);
}

static void hint_tab(struct app *app, const struct prompt *p, size_t from,
		     struct prompt_hints *ret)
{
	for (unsigned i = 0; i < app->ntabs; i++)
		word_hint(p, from, ret, app->tabs[i].home->name);
}

static void hint_group(struct app *app, const struct prompt *p, size_t from,
		       struct prompt_hints *ret)
{
	for (enum group_by by = GROUP_NONE; by < GROUP_COUNT; by++)
		if (tab_can_group(app_tab(app), by))
			word_hint(p, from, ret, group_names[by]);
}

static void hint_theme(_unused_ struct app *app, const struct prompt *p, size_t from,
		       struct prompt_hints *ret)
{
	for (unsigned i = 0; i < THEME_COUNT; i++)
		word_hint(p, from, ret, theme_names[i]);
}

static const struct command commands[] = {
	{ "at", N_("a time: 03:12, -15m, yesterday 14:00"), run_at, NULL, act_time },
	{ "columns", N_("columns: read,write,lat or +lat,-prio"), run_columns, hint_list,
	  act_columns },
	{ "delay", N_("seconds, from 0.1 to 86400"), run_delay, NULL, act_delay },
	{ "disk", N_("the name of a disk"), run_disk, hint_disk },
	{ "filter", N_("a word, or tests such as write > 1M and user = root"), run_filter,
	  hint_filter, act_filter },
	{ "group", N_("what rows are grouped by"), run_group, hint_group },
	{ "pid", N_("the id of a process"), run_pid },
	{ "sort", N_("a column, also with :asc or :desc"), run_sort, hint_sort },
	{ "tab", N_("the name of a screen"), run_tab, hint_tab },
	{ "theme", N_("dark, light, safe, mono or auto"), run_theme, hint_theme, act_theme },
	{ "user", N_("the name of a user"), run_user, hint_user },
	{ "write", N_("a file: its name ends in .txt, .csv, .json or .svg"), run_write, NULL, NULL,
	  .changes_system = true },
	{ 0 },
};

static const struct command *find_command(const char *text, size_t len)
{
	for (const struct command *c = commands; c->name; c++)
		if (strlen(c->name) == len && !strncmp(c->name, text, len))
			return c;
	return NULL;
}

static bool is_action(const struct app *app, const char *name)
{
	const struct screen *s = app_tab(app)->screen;

	for (const struct action_name *a = action_names; a->name; a++)
		if (!strcmp(a->name, name))
			return true;
	for (const struct binding *b = s->detail_keys; b && b->key; b++)
		if (b->action && !strcmp(b->action, name))
			return true;
	return false;
}

static bool run_command(struct app *app, const struct command *c, const char *argument,
			struct err *err)
{
	if (c->changes_system && app->secure) {
		err_set(err, EPERM, _("%s is off: started with --secure"), c->name);
		return false;
	}
	if (*argument)
		return c->run(app, argument, err);
	if (!c->bare) {
		err_set(err, EINVAL, "%s: %s", c->name, _(c->argument));
		return false;
	}
	c->bare(app);
	return true;
}

static bool command_accept(struct app *app, struct prompt *p)
{
	_cleanup_(mem_freep) char *line = mem_strdup(p->text);
	char *text = line + strspn(line, " "), *argument;
	size_t len = strcspn(text, " "), end = strlen(text);
	const struct command *c = find_command(text, len);

	p->place = SIZE_MAX;
	while (end && text[end - 1] == ' ')
		text[--end] = '\0';
	if (!*text)
		return true;
	argument = text + len + strspn(text + len, " ");
	if (c)
		return run_command(app, c, argument, &p->error);
	text[len] = '\0';
	if (!is_action(app, text)) {
		err_set(&p->error, EINVAL, _("there is no command \"%s\""), text);
		return false;
	}
	snprintf(app->action, sizeof(app->action), "%s", text);
	return true;
}

static void command_hint(struct app *app, const struct prompt *p, struct prompt_hints *ret)
{
	const char *text = p->text + strspn(p->text, " ");
	size_t begin = (size_t)(text - p->text), len = strcspn(text, " ");
	const struct screen *s = app_tab(app)->screen;
	const struct command *c;

	if (p->at > begin + len) {
		c = find_command(text, len);
		begin += len + strspn(text + len, " ");
		if (c && c->hint && p->at >= begin)
			c->hint(app, p, begin, ret);
		return;
	}
	ret->begin = begin;
	len = p->at - MIN(begin, p->at);
	for (c = commands; c->name; c++)
		prompt_hint(ret, text, len, c->name);
	for (const struct action_name *a = action_names; len && a->name; a++)
		prompt_hint(ret, text, len, a->name);
	for (const struct binding *b = s->detail_keys; len && b && b->key; b++)
		if (b->action)
			prompt_hint(ret, text, len, b->action);
}

void act_command_line(struct app *app)
{
	struct prompt *p = app_prompt(app, ":", "", command_accept);

	p->hint = command_hint;
	p->history = &app->commands;
	command_hint(app, p, &p->hints);
}
