// SPDX-License-Identifier: GPL-2.0-or-later
/* Keys that need a line of input. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <signal.h>

#include "base/i18n.h"
#include "base/parse.h"
#include "data/task/task.h"
#include "tui/state.h"

#define DELAY_MIN 0.1
#define DELAY_MAX 86400
#define LEVELS 8	/* of I/O priority in a class */

/* I/O priority classes as ioprio_set(2) counts them. */
static const char *const classes[] = { "none", "rt", "be", "idle" };

static struct prompt *open_prompt(struct app *app, const char *text,
				  bool (*accept)(struct app *, struct prompt *))
{
	struct prompt *p = &app->prompt;

	*p = (struct prompt){ .active = true, .place = SIZE_MAX, .accept = accept };
	prompt_set_text(p, text);
	return p;
}

static void filter_changed(struct app *app, struct prompt *p)
{
	p->place = SIZE_MAX;
	if (!app_set_filter(app_tab(app), p->text, &p->place, &p->error))
		p->error.text[0] = 0;
	app->stale = true;
}

static bool filter_accept(struct app *app, struct prompt *p)
{
	filter_changed(app, p);
	return !p->error.text[0];
}

static void filter_cancel(struct app *app, struct prompt *p)
{
	app_set_filter(app_tab(app), app->filter_before, NULL, NULL);
	app->stale = true;
}

void act_filter(struct app *app)
{
	const struct filter *filter = app_tab(app)->filter;
	const char *text = filter ? filter_text(filter) : "";
	struct prompt *p = open_prompt(app, text, filter_accept);

	snprintf(app->filter_before, sizeof(app->filter_before), "%s", text);
	snprintf(p->label, sizeof(p->label), "%s", _("filter:"));
	p->changed = filter_changed;
	p->cancel = filter_cancel;
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
	if (app_set_filter(app_tab(app), text, &p->place, &p->error)) {
		p->place = SIZE_MAX;
		return false;
	}
	app->stale = true;
	return true;
}

void act_find(struct app *app)
{
	struct prompt *p = open_prompt(app, "", find_accept);

	snprintf(p->label, sizeof(p->label), "%s", _("user or process id:"));
}

/*
 * The task that a request is about: the row under the cursor or the one in detail. False, and a
 * message, when it is none.
 */
static bool take_target(struct app *app)
{
	const struct row *row = app_page(app) == PAGE_DETAIL ? app_detail_row(app) : app_row(app);
	const struct tab *tab = app_tab(app);
	const struct task_row *task;

	if (!row || row->entity != &entity_task || tab->spec.group > GROUP_PROCESS) {
		app_message(app, true, _("there is no task under the cursor"));
		return false;
	}
	task = (const struct task_row *)row;
	if (!task->id.tgid || row->flags & (ROW_ENDED | ROW_RESIDUAL)) {
		app_message(app, true, _("%s is no task, or has ended"), row->name);
		return false;
	}
	app->target = task->id;
	app->target_process = tab->spec.group == GROUP_PROCESS;
	if (app->target_process)
		app->target.tid = app->target.tgid;
	return true;
}

static void label_target(struct app *app, struct prompt *p, const char *fmt)
{
	const struct row *row = app_page(app) == PAGE_DETAIL ? app_detail_row(app) : app_row(app);

	char title[64] = "";

	if (row)
		nav_title(title, sizeof(title), app_tab(app), row);
	snprintf(p->label, sizeof(p->label), fmt, title);
}

static void ask_target(struct app *app, enum app_what what)
{
	app->request.id = app->target;
	app->request.process = app->target_process;
	app_ask(app, what);
}

/* "be 4", "be/4", "rt 0", "idle" */
static bool ionice_accept(struct app *app, struct prompt *p)
{
	size_t len = strcspn(p->text, " /");
	const char *level = p->text + len + strspn(p->text + len, " /");
	uint32_t number = 4;
	unsigned class;

	for (class = ARRAY_SIZE(classes) - 1; class > 0; class--)
		if (len == strlen(classes[class]) && !strncasecmp(p->text, classes[class], len))
			break;
	if (!class || (*level && parse_u32(level, &number)) || number >= LEVELS) {
		err_set(&p->error, EINVAL,
			_("a class and a level: rt 0 … rt 7, be 0 … be 7, idle"));
		return false;
	}
	app->request.class = class;
	app->request.level = strcmp(classes[class], "idle") ? number : 0;
	ask_target(app, ASK_IONICE);
	return true;
}

void act_ionice(struct app *app)
{
	if (!take_target(app))
		return;
	label_target(app, open_prompt(app, "be 4", ionice_accept), _("I/O priority of %s:"));
}

static int signal_number(const char *text)
{
	static const struct {
		const char *name;
		int number;
	} signals[] = {
		{ "HUP", SIGHUP },   { "INT", SIGINT },	    { "QUIT", SIGQUIT },
		{ "ABRT", SIGABRT }, { "KILL", SIGKILL },   { "USR1", SIGUSR1 },
		{ "USR2", SIGUSR2 }, { "TERM", SIGTERM },   { "CONT", SIGCONT },
		{ "STOP", SIGSTOP }, { "TSTP", SIGTSTP },   { "ALRM", SIGALRM },
		{ "CHLD", SIGCHLD }, { "WINCH", SIGWINCH },
	};
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

static bool kill_accept(struct app *app, struct prompt *p)
{
	int number = signal_number(p->text);

	if (number < 0) {
		err_set(&p->error, EINVAL,
			_("a signal: TERM, KILL, HUP, INT, STOP, CONT, USR1, … or its number"));
		return false;
	}
	app->request.signal = number;
	ask_target(app, ASK_KILL);
	return true;
}

void act_kill(struct app *app)
{
	if (!take_target(app))
		return;
	label_target(app, open_prompt(app, "TERM", kill_accept), _("signal to %s:"));
}

static bool delay_accept(struct app *app, struct prompt *p)
{
	double delay;

	if (parse_f64(p->text, &delay) || delay < DELAY_MIN || delay > DELAY_MAX) {
		err_set(&p->error, EINVAL, _("seconds, from 0.1 to 86400"));
		return false;
	}
	app->request.delay = delay;
	app_ask(app, ASK_DELAY);
	return true;
}

void act_delay(struct app *app)
{
	struct prompt *p;
	char text[32];

	/* No decimal comma: the number is read back in the C locale. */
	double_format(text, sizeof(text), app->delay);
	p = open_prompt(app, text, delay_accept);
	snprintf(p->label, sizeof(p->label), "%s", _("seconds between two pictures:"));
}
