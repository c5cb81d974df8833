/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "loop.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/i18n.h"
#include "base/macro.h"
#include "base/mem.h"
#include "data/history.h"
#include "loop_state.h"
#include "options/config_file.h"
#include "stop.h"
#include "tui/restore.h"
#include "tui/binding.h"

/*
 * The first numbers come soon after the start or a key, with what loading programs took; they are
 * of FIRST_LEAST at least. From then on they come at the chosen pace. All in seconds.
 */
#define FIRST_NUMBERS 0.18
#define FIRST_LEAST 0.05
/*
 * Names of stacks are looked up for so long (ns) at a time, and so long (ms) after that again: the
 * rest is for keys and for others.
 */
#define STACKS_BUDGET 10000000
#define STACKS_PAUSE 50

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
	/* Those that were read in place of this thread come before what waits in the terminal. */
	size_t n = term_has_keys() ? 0 : stop_read_keys(keys);

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

	if (!l->session->model)
		term_listen(false);
	while (!l->quit && !l->requested && l->session->model && (key = next_key()) != KEY_NONE_) {
		enum app_result result = read_key(l, key);

		l->requested = result == APP_REQUEST;
		l->quit = result == APP_QUIT;
		drawn = false;
	}
	if (!drawn)
		draw(l);
}

static void show(void *arg, const struct model *m)
{
	loop_show_again(arg);
}

static const struct view_spec *spec(void *arg)
{
	return app_spec(((struct loop *)arg)->app);
}

static const struct row *row_in_sight(void *arg, size_t i)
{
	struct loop *l = arg;

	return l->past && past_is_on(l->past) ? NULL : app_visible(l->app, i);
}

/* What of a store was left out, what a trigger did: a line has room for the first. */
static void tell_notes(struct loop *l)
{
	struct buf notes = { 0 };

	session_notes(l->session, &notes);
	if (notes.len)
		app_message(l->app, true, "%.*s", (int)strcspn(notes.data, "\n"), notes.data);
	buf_release(&notes);
}

static int tick(struct loop *l, struct err *err)
{
	/* A recording plays on from where one is. */
	bool past = l->session->replay && l->past && past_is_on(l->past);
	int r;

	if (l->session->replay && replay_refresh(l->session->replay))
		l->ended = false;
	if (app_frozen(l->app) || (l->ended && !past))
		return 0;
	if (l->engine.accumulated != app_accumulated(l->app)) {
		l->engine.accumulated = !l->engine.accumulated;
		loop_set_engine_options(l);
	}
	if (past) {
		past_play(l->past);
		loop_show_again(l);
		return 0;
	}
	/* All there is in a recording is there for the other tabs, too, while it is paused. */
	l->needs = l->session->replay ? ~0u
				      : linger_needs(&l->linger, app_needs(l->app), clock_mono());
	r = session_step(l->session, l->needs, &l->viewer, err);
	tell_notes(l);
	if (r < 0)
		return r;
	if (!r) {
		l->ended = true;
		if (replay_is_written(l->session->replay))
			;	/* there will be more */
		else if (replay_is_cut(l->session->replay))
			app_message(l->app, true, _("end of the recording, which was not closed: "
						    "its recorder was killed, or still writes"));
		else
			app_message(l->app, false, _("end of the recording"));
		loop_show_again(l);
		return 0;
	}
	if (l->left > 0 && !--l->left)
		l->quit = true;
	return 0;
}

static void handle(struct loop *l, enum app_result result)
{
	if (result == APP_QUIT)
		l->quit = true;
	else if (result == APP_REQUEST)
		app_perform(l->app);
}

static void keys(struct loop *l)
{
	int key;

	while (!l->quit && (key = next_key()) != KEY_NONE_)
		handle(l, read_key(l, key));
	session_name_tasks(l->session, &l->viewer);
}

/* Sources that a key asked for: another screen, a column, a detail. */
static bool wants_more(const struct loop *l)
{
	return app_needs(l->app) & ~l->needs && l->session->set && !app_frozen(l->app);
}

/* What was asked for at begin is there: its first numbers come soon. */
static void numbers_soon(struct loop *l, uint64_t begin)
{
	double left = FIRST_NUMBERS - (double)(clock_mono() - begin) / NSEC_PER_SEC;

	loop_set_timer(l, MAX(FIRST_LEAST, left));
}

/* They are opened at once. */
static int tick_early(struct loop *l, struct err *err)
{
	uint64_t begin = clock_mono();
	int r;

	l->left += l->left > 0;
	r = tick(l, err);
	numbers_soon(l, begin);
	return r;
}

/* What leads to the newest sample of a store, at once; it is the next one. */
static int skip_to_newest(struct loop *l, struct err *err)
{
	size_t n = replay_count(l->session->replay), at = replay_at(l->session->replay);
	int r = 0;

	if (at + HISTORY_TICKS + 1 < n)
		at = n - HISTORY_TICKS - 1;
	replay_seek(l->session->replay, at);
	for (; at + 1 < n && r >= 0 && !l->ended; at++)
		r = tick(l, err);
	return r;
}

/* The next sample; of a store that is written, where one was elsewhere meanwhile, the newest. */
static int tick_on(struct loop *l, bool newest, struct err *err)
{
	bool past = l->past && past_is_on(l->past);
	int r = newest && !past && !app_frozen(l->app) ? skip_to_newest(l, err) : 0;

	return r < 0 ? r : tick(l, err);
}

static int run(struct loop *l, bool newest, struct err *err)
{
	uint64_t begin = clock_mono();
	int r = tick_on(l, newest, err);

	numbers_soon(l, begin);
	term_listen(true);
	while (r >= 0 && !l->quit) {
		unsigned events;

		draw(l);
		if (wants_more(l)) {
			r = tick_early(l, err);
			continue;
		}
		events = events_wait(&l->events, l->session->set, true,
				     term_has_keys()	   ? 0
				     : l->session->unnamed ? STACKS_PAUSE
							   : -1);
		if (term_has_keys())
			events |= EVENT_INPUT;
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
			r = tick_on(l, newest, err);
		if (!events)
			session_name_stacks(l->session, &l->viewer);
		if (l->requested)
			app_perform(l->app);
		l->requested = false;
	}
	return r;
}

/* What was typed into prompts is kept between runs, as far as that works: nobody waits for it. */
static void load_history(struct app *app, struct buf *kept)
{
	_cleanup_(mem_freep) char *path = history_file_path();
	const char *problem;

	if (path && !config_file_read(path, kept, &problem) && kept->len)
		app_set_history(app, kept->data);
}

static void keep_history(const struct app *app, const struct buf *kept)
{
	struct buf now = { 0 };

	app_history(app, &now);
	if (now.len && (!kept->len || strcmp(now.data, kept->data)))
		history_file_write(now.data);
	buf_release(&now);
}

int loop_run(struct session *s, const struct loop_options *opt, struct err *err)
{
	struct loop l = {
		.session = s, .engine = opt->engine, .delay = opt->delay,
		.viewer = { .stacks_ns = STACKS_BUDGET, .show = show, .spec = spec,
			    .row = row_in_sight, .yield = keys_meanwhile, .arg = &l },
		/* The baseline is a tick as well. */
		.left = opt->iterations ? opt->iterations + 1 : -1,
	};
	struct app_options app = opt->app;
	struct buf kept = { 0 };
	int r = events_open(&l.events, err);

	if (r < 0)
		return r;
	app.system = &loop_system;
	app.system_arg = &l;
	if (s->replay && replay_is_store(s->replay))
		l.line = timeline_of_replay(s->replay);
	else if (s->flight)
		l.line = timeline_of_flight(s->flight);
	l.past = l.line ? past_new(l.line, &opt->engine) : NULL;
	if (l.past)
		past_on_wait(l.past, loop_wait, &l);
	l.app = app_new(&app, err);
	if (!l.app) {
		events_close(&l.events);
		return -EINVAL;
	}
	if (s->set && collect_delayacct_repaired(s->set))
		app_message(l.app, false,
			    _("kernel.task_delayacct was put back after an iotop that was killed"));
	r = term_open(&opt->term, err);
	if (r >= 0) {
		load_history(l.app, &kept);
		canvas_init(&l.canvas, 0, 0);
		l.canvas.glyphs = opt->app.glyphs;
		l.canvas.units = opt->app.units;
		s->looked_at = true;
		if (s->set)
			collect_on_yield(s->set, keys_meanwhile, &l);
		stop_watch_keys(restore_tty());
		r = run(&l, opt->newest, err);
		stop_watch_keys(-1);
		term_close();
		canvas_release(&l.canvas);
		keep_history(l.app, &kept);
	}
	app_free(l.app);
	buf_release(&kept);
	past_free(l.past);
	timeline_free(l.line);
	events_close(&l.events);
	return r;
}
