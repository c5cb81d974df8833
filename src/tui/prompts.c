// SPDX-License-Identifier: GPL-2.0-or-later
/* Keys that open a prompt. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <signal.h>

#include "base/i18n.h"
#include "base/parse.h"
#include "data/task/task.h"
#include "tui/actions.h"
#include "tui/hints.h"

#define DELAY_MIN 0.1
#define DELAY_MAX 86400
#define LEVELS 8	/* of I/O priority in a class */

/* I/O priority classes as ioprio_set(2) counts them. */
static const char *const classes[] = { "none", "rt", "be", "idle" };

static void filter_changed(struct app *app, struct prompt *p)
{
	p->place = SIZE_MAX;
	if (!tab_set_filter(app_tab(app), p->text, &p->place, &p->error))
		p->error.text[0] = 0;
	app->stale = true;
}

static void filter_cancel(struct app *app, struct prompt *p)
{
	tab_set_filter(app_tab(app), app->filter_before, NULL, NULL);
	app->stale = true;
}

void act_filter(struct app *app)
{
	const struct filter *filter = app_tab(app)->filter;
	const char *text = filter ? filter_text(filter) : "";
	struct prompt *p = app_prompt(app, _("filter:"), text, NULL);

	snprintf(app->filter_before, sizeof(app->filter_before), "%s", text);
	p->changed = filter_changed;
	p->cancel = filter_cancel;
	p->hint = hint_whole_filter;
	p->history = &app->filters;
}

static void help_changed(struct app *app, struct prompt *p)
{
	snprintf(app->help_find, sizeof(app->help_find), "%s", p->text);
	app->help_top = 0;
}

static void help_cancel(struct app *app, _unused_ struct prompt *p)
{
	app->help_find[0] = '\0';
}

void act_help_find(struct app *app)
{
	struct prompt *p = app_prompt(app, _("find in the help:"), app->help_find, NULL);

	p->changed = help_changed;
	p->cancel = help_cancel;
}

static bool find_accept(struct app *app, struct prompt *p)
{
	char text[PROMPT_MAX + 16];
	uint64_t pid;

	if (!p->text[strspn(p->text, " ")])
		text[0] = 0;
	else if (!parse_u64(p->text, &pid))
		snprintf(text, sizeof(text), "pid = %s", p->text);
	else
		snprintf(text, sizeof(text), "user = %s", p->text);
	if (tab_set_filter(app_tab(app), text, &p->place, &p->error)) {
		p->place = SIZE_MAX;
		return false;
	}
	app->stale = true;
	return true;
}

void act_find(struct app *app)
{
	app_prompt(app, _("user or process id:"), "", find_accept);
}

/* False, and a message, when it is no task that something can be done to. */
static bool add_target(struct app *app, const struct row *row)
{
	const struct tab *tab = app_tab(app);
	const struct task_row *task = (const struct task_row *)row;
	struct app_target *target = &app->targets[app->ntargets];

	if (row->entity != &entity_task || tab->spec.group > GROUP_PROCESS) {
		app_message(app, true, _("there is no task under the cursor"));
		return false;
	}
	if (!task->id.tgid || row->flags & (ROW_ENDED | ROW_RESIDUAL)) {
		app_message(app, true, _("%s is no task, or has ended"), row->name);
		return false;
	}
	target->id = task->id;
	target->process = tab->spec.group == GROUP_PROCESS;
	if (target->process)
		target->id.tid = target->id.tgid;
	app->ntargets++;
	return true;
}

/*
 * The tasks that a prompt is about: those that are marked, else the row in detail or under the
 * cursor. Their rows are in rows.
 */
static bool take_targets(struct app *app, const struct row *rows[TAB_MARKS])
{
	size_t n = marks_rows(app, rows);

	app->ntargets = 0;
	if (!n)
		app_message(app, true, _("there is no task under the cursor"));
	for (size_t i = 0; i < n; i++)
		if (!add_target(app, rows[i]))
			return false;
	return n;
}

static void label_targets(struct app *app, struct prompt *p, const char *fmt,
			  const struct row *row)
{
	char title[64];

	if (app->ntargets == 1)
		tab_title(app_tab(app), title, sizeof(title), row);
	else
		snprintf(title, sizeof(title),
			 ngettext("%zu marked task", "%zu marked tasks", app->ntargets),
			 app->ntargets);
	snprintf(p->label, sizeof(p->label), fmt, title);
}

/* To each of the targets; of several failures the first is told. */
static void for_targets(struct app *app,
			int (*act)(struct app *app, const struct app_target *target,
				   struct err *err),
			const char *done)
{
	struct err err = { "" };
	int r = 0;

	for (size_t i = 0; i < app->ntargets; i++) {
		struct err now = { "" };
		int failed = act(app, &app->targets[i], &now);

		if (failed < 0 && !r) {
			r = failed;
			err = now;
		}
	}
	app_report(app, r, &err, done);
}

/* "be 4", "be/4", "rt 0", "idle" */
static bool parse_priority(const char *text, unsigned *ret_class, unsigned *ret_level)
{
	size_t len = strcspn(text, " /");
	const char *level = text + len + strspn(text + len, " /");
	uint32_t number = 4;
	unsigned class;

	for (class = ARRAY_SIZE(classes) - 1; class > 0; class--)
		if (len == strlen(classes[class]) && !strncasecmp(text, classes[class], len))
			break;
	if (!class || (*level && parse_u32(level, &number)) || number >= LEVELS)
		return false;
	*ret_class = class;
	*ret_level = strcmp(classes[class], "idle") ? number : 0;
	return true;
}

static int set_one_priority(struct app *app, const struct app_target *target, struct err *err)
{
	unsigned class, level;

	if (!parse_priority(app->prompt.text, &class, &level))
		return 0;
	return app->system->ioprio(app->system_arg, target, class, level, err);
}

static void set_priority(struct app *app)
{
	for_targets(app, set_one_priority, _("I/O priority set"));
}

static bool ionice_accept(struct app *app, struct prompt *p)
{
	unsigned class, level;

	if (!parse_priority(p->text, &class, &level)) {
		err_set(&p->error, EINVAL,
			_("a class and a level: rt 0 … rt 7, be 0 … be 7, idle"));
		return false;
	}
	app_request(app, set_priority);
	return true;
}

static void ionice_hint(_unused_ struct app *app, const struct prompt *p,
			struct prompt_hints *ret)
{
	static const char *const usual[] = { "be 0", "be 4", "be 7", "idle", "rt 0", "rt 4" };

	for (size_t i = 0; i < ARRAY_SIZE(usual); i++)
		prompt_hint(ret, p->text, p->at, usual[i]);
}

void act_ionice(struct app *app)
{
	const struct row *rows[TAB_MARKS];
	struct value now;
	struct prompt *p;
	struct arena a;

	if (!take_targets(app, rows))
		return;
	/* Begins with what it is. */
	arena_init(&a);
	now = column_value(entity_column(&entity_task, "prio"), rows[0], app->model, SPAN_TICK, &a);
	p = app_prompt(app, "", now.kind == VAL_STR && now.str && *now.str ? now.str : "be 4",
		       ionice_accept);
	arena_release(&a);
	p->hint = ionice_hint;
	label_targets(app, p, _("I/O priority of %s:"), rows[0]);
}

static const struct {
	const char *name;
	int number;
} signals[] = {
	{ "HUP", SIGHUP },   { "INT", SIGINT },	  { "QUIT", SIGQUIT }, { "ABRT", SIGABRT },
	{ "KILL", SIGKILL }, { "USR1", SIGUSR1 }, { "USR2", SIGUSR2 }, { "TERM", SIGTERM },
	{ "CONT", SIGCONT }, { "STOP", SIGSTOP }, { "TSTP", SIGTSTP }, { "ALRM", SIGALRM },
	{ "CHLD", SIGCHLD }, { "WINCH", SIGWINCH },
};

static int signal_number(const char *text)
{
	uint32_t number;

	if (!parse_u32(text, &number))
		return number >= 1 && number < NSIG ? (int)number : -1;
	if (!strncasecmp(text, "SIG", 3))
		text += 3;
	for (size_t i = 0; i < ARRAY_SIZE(signals); i++)
		if (!strcasecmp(text, signals[i].name))
			return signals[i].number;
	return -1;
}

static int send_one_signal(struct app *app, const struct app_target *target, struct err *err)
{
	return app->system->kill(app->system_arg, target, signal_number(app->prompt.text), err);
}

static void send_signal(struct app *app)
{
	for_targets(app, send_one_signal, _("signal sent"));
}

static bool kill_accept(struct app *app, struct prompt *p)
{
	if (signal_number(p->text) < 0) {
		err_set(&p->error, EINVAL,
			_("a signal: TERM, KILL, HUP, INT, STOP, CONT, USR1, … or its number"));
		return false;
	}
	app_request(app, send_signal);
	return true;
}

static void kill_hint(_unused_ struct app *app, const struct prompt *p, struct prompt_hints *ret)
{
	bool untouched = !strcmp(p->text, "TERM");

	for (size_t i = 0; i < ARRAY_SIZE(signals); i++)
		prompt_hint(ret, p->text, untouched ? 0 : p->at, signals[i].name);
}

void act_kill(struct app *app)
{
	const struct row *rows[TAB_MARKS];
	struct prompt *p;

	if (!take_targets(app, rows))
		return;
	p = app_prompt(app, "", "TERM", kill_accept);
	label_targets(app, p, _("signal to %s:"), rows[0]);
	p->hint = kill_hint;
	kill_hint(app, p, &p->hints);
}

static void set_delay(struct app *app)
{
	app->system->delay(app->system_arg, app->delay);
}

bool delay_set(struct app *app, const char *text, struct err *err)
{
	double delay;

	if (parse_f64(text, &delay) || delay < DELAY_MIN || delay > DELAY_MAX) {
		err_set(err, EINVAL, _("seconds, from 0.1 to 86400"));
		return false;
	}
	app->delay = delay;
	app_request(app, set_delay);
	return true;
}

static bool delay_accept(struct app *app, struct prompt *p)
{
	return delay_set(app, p->text, &p->error);
}

void act_delay(struct app *app)
{
	char text[32];

	/* No decimal comma: the number is read back in the C locale. */
	double_format(text, sizeof(text), app->delay);
	app_prompt(app, _("refresh interval, seconds:"), text, delay_accept);
}
