/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "loop.h"

#include <errno.h>
#include <stdlib.h>

#include "base/i18n.h"
#include "events.h"
#include "stop.h"
#include "tui/restore.h"
#include "tui/binding.h"

/* The first numbers come soon; from then on at the chosen pace. */
#define FIRST_INTERVAL 0.25
/* More rows than any terminal shows. */
#define NAMES_MAX 512
/*
 * Names of stacks are looked up for so long (ns) at a time, and so long (ms) after that again: the
 * rest is for keys and for others.
 */
#define STACKS_BUDGET 10000000
#define STACKS_PAUSE 50

struct loop {
	struct session *session;
	struct app *app;
	struct canvas canvas;
	struct events events;
	struct engine_options engine;
	double delay;
	long left;		/* ticks to go; negative: no end */
	bool quit, ended;	/* ended: the replay has no more samples */
	bool unnamed;		/* stacks of the newest tick wait for their names */
	bool asked;		/* a key during a sample asked for something: done after it */
};

static void draw(struct loop *l)
{
	int width, height;

	term_size(&width, &height);
	if (width != l->canvas.width || height != l->canvas.height)
		canvas_resize(&l->canvas, width, height);
	app_draw(l->app, &l->canvas);
	term_draw(&l->canvas);
}

static int next_key(void)
{
	char keys[STOP_KEYS];
	size_t n = stop_read_keys(keys);

	if (n)
		term_unread(keys, n);
	return term_read_key();
}

static enum app_result read_key(struct loop *l, int key)
{
	enum app_result result;
	struct mouse_event mouse;

	if (key != KEY_MOUSE_) {
		result = app_key(l->app, key);
	} else {
		mouse = term_mouse();
		result = app_mouse(l->app, &mouse);
	}
	if (result == APP_QUIT)
		stop_request();
	stop_typing(app_takes_text(l->app));
	return result;
}

/*
 * While a sample is taken: the old model answers. What is asked of the system waits until the
 * sample is there, and so do the keys behind it.
 */
static void keys_meanwhile(void *arg)
{
	struct loop *l = arg;
	bool drawn = true;
	int key;

	while (!l->quit && !l->asked && l->session->model && (key = next_key()) != KEY_NONE_) {
		enum app_result result = read_key(l, key);

		l->asked = result == APP_ASK;
		l->quit = result == APP_QUIT;
		drawn = false;
	}
	if (!drawn)
		draw(l);
}

/* Names of stacks, a few at a time. */
static void fetch_stacks(struct loop *l)
{
	bool any;

	l->unnamed = session_stacks(l->session, STACKS_BUDGET, &any);
	if (any)
		app_model(l->app, l->session->model);
}

/* Command lines of the rows in sight, which may change which rows these are. */
static void fetch_commands(struct loop *l)
{
	struct task_id ids[NAMES_MAX];

	if (session_select(l->session, app_spec(l->app)))
		app_model(l->app, l->session->model);
	if (session_fetch(l->session, ids, app_visible(l->app, ids, NAMES_MAX)))
		app_model(l->app, l->session->model);
}

static int tick(struct loop *l, struct err *err)
{
	int r;

	if (app_frozen(l->app) || l->ended)
		return 0;
	if (l->engine.keep_ended != app_keep_ended(l->app)) {
		l->engine.keep_ended = !l->engine.keep_ended;
		engine_set_options(l->session->engine, &l->engine);
	}
	r = session_tick(l->session, app_needs(l->app), err);
	if (r < 0)
		return r;
	if (!r) {
		l->ended = true;
		app_message(l->app, false, _("end of the recording"));
		return 0;
	}
	app_model(l->app, l->session->model);
	keys_meanwhile(l);
	fetch_stacks(l);
	keys_meanwhile(l);
	fetch_commands(l);
	r = session_record(l->session, err);
	if (r < 0)
		return r;
	if (l->left > 0 && !--l->left)
		l->quit = true;
	return 0;
}

static void save_config(struct loop *l)
{
	struct buf text = { 0 };
	struct err err;
	char *path = NULL;

	app_config(l->app, &text);
	if (config_write(text.data ? text.data : "", &path, &err) < 0)
		app_message(l->app, true, "%s", err.text);
	else
		app_message(l->app, false, _("saved in %s"), path);
	free(path);
	buf_release(&text);
}

static void report(struct loop *l, int r, const struct err *err, const char *done)
{
	if (r < 0)
		app_message(l->app, true, "%s", err->text);
	else
		app_message(l->app, false, "%s", done);
}

/* What changes the system, which the app itself never does. */
static void system_request(struct loop *l, const struct app_request *q)
{
	struct err err = { "" };

	if (l->session->replay) {
		app_message(l->app, true, _("this is a recording: nothing can be changed in it"));
		return;
	}
	switch (q->what) {
	case ASK_DELAYACCT:
		report(l, collect_delayacct_set(l->session->set, q->on, &err), &err,
		       q->on ? _("delay accounting is on; off again at exit")
			     : _("delay accounting is off"));
		break;
	case ASK_IONICE:
		report(l, task_ioprio_set(&q->id, q->class << 13 | q->level, q->process, &err),
		       &err, _("I/O priority set"));
		break;
	case ASK_KILL:
		report(l, task_kill(&q->id, q->signal, &err), &err, _("signal sent"));
		break;
	default:
		break;
	}
}

static void set_delay(struct loop *l, double delay)
{
	l->delay = delay;
	app_set_delay(l->app, delay);
	events_timer(&l->events, delay, delay);
}

static void request(struct loop *l)
{
	const struct app_request *q = app_request(l->app);

	switch (q->what) {
	case ASK_SAVE:
		save_config(l);
		break;
	case ASK_DELAY:
		set_delay(l, q->delay);
		break;
	case ASK_MOUSE:
		term_set_mouse(q->on);
		break;
	case ASK_SUSPEND:
		term_suspend();
		break;
	case ASK_REFRESH:
		term_redraw();
		break;
	case ASK_STACKS:
		l->engine.no_kernel_stacks = q->stacks == STACKS_USER;
		l->engine.no_user_stacks = q->stacks == STACKS_KERNEL;
		engine_set_options(l->session->engine, &l->engine);
		break;
	case ASK_SUBMITTER:
		l->engine.by_submitter = q->on;
		engine_set_options(l->session->engine, &l->engine);
		break;
	case ASK_EVERY_BLOCK:
		if (l->session->set)
			collect_every_block(l->session->set, q->on);
		break;
	default:
		system_request(l, q);
	}
}

static void handle(struct loop *l, enum app_result result)
{
	if (result == APP_QUIT)
		l->quit = true;
	else if (result == APP_ASK)
		request(l);
}

static void keys(struct loop *l)
{
	int key;

	while (!l->quit && (key = next_key()) != KEY_NONE_)
		handle(l, read_key(l, key));
	fetch_commands(l);
}

static int run(struct loop *l, struct err *err)
{
	int r = tick(l, err);

	while (r >= 0 && !l->quit) {
		unsigned events;

		draw(l);
		events = events_wait(&l->events, l->session->set, true,
				     l->unnamed ? STACKS_PAUSE : -1);
		if (events & EVENT_HANGUP)
			stop_request();
		if (events & (EVENT_STOP | EVENT_HANGUP))
			break;
		if (events & EVENT_SUSPEND)
			term_suspend();
		if (events & EVENT_RESUME)
			term_resume();
		if (events & EVENT_RESIZE)
			term_resize();
		if (events & EVENT_INPUT)
			keys(l);
		if ((events & EVENT_TICK) && !l->quit)
			r = tick(l, err);
		if (!events)
			fetch_stacks(l);
		if (l->asked)
			request(l);
		l->asked = false;
	}
	return r;
}

int loop_run(struct session *s, const struct loop_options *opt, struct err *err)
{
	struct loop l = {
		.session = s, .engine = opt->engine, .delay = opt->delay,
		/* The baseline is a tick as well. */
		.left = opt->iterations ? opt->iterations + 1 : -1,
	};
	int r = events_open(&l.events, err);

	if (r < 0)
		return r;
	l.app = app_new(&opt->app, err);
	if (!l.app) {
		events_close(&l.events);
		return -EINVAL;
	}
	if (s->set && collect_delayacct_repaired(s->set))
		app_message(l.app, false,
			    _("kernel.task_delayacct was put back after an iotop that was killed"));
	r = term_open(&opt->term, err);
	if (r >= 0) {
		canvas_init(&l.canvas, 0, 0);
		l.canvas.glyphs = opt->app.glyphs;
		l.canvas.units = opt->app.units;
		s->looked_at = true;
		if (s->set)
			collect_on_pause(s->set, keys_meanwhile, &l);
		stop_watch_keys(restore_tty());
		events_timer(&l.events, MIN(FIRST_INTERVAL, opt->delay), opt->delay);
		r = run(&l, err);
		stop_watch_keys(-1);
		term_close();
		canvas_release(&l.canvas);
	}
	app_free(l.app);
	events_close(&l.events);
	return r;
}
