// SPDX-License-Identifier: GPL-2.0-or-later
#include "keep.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/clock.h"
#include "base/mem.h"
#include "events.h"
#include "notes.h"
#include "notify.h"
#include "options/config.h"
#include "options/view.h"
#include "record/store.h"
#include "session.h"
#include "session_options.h"
#include "stop.h"
#include "trigger.h"
#include "tui/screen.h"

/* For names of stacks, at a time. */
#define STACKS_BUDGET (NSEC_PER_SEC / 5)

struct keep {
	const struct options *o;
	struct store *store;
	struct options_view tasks; /* those whose command lines are kept */
	struct view view;
	const struct session *session;
	bool told; /* that nothing could be written, the last time */
	/* Of the command line and over it of the file of --settings, as it was read last. */
	struct settings {
		double delay;
		struct store_options store;
	} now;
};

#define INTERVAL_LEAST (NSEC_PER_SEC / 10)
#define MERGED_FINE   (10 * NSEC_PER_SEC)
#define MERGED_COARSE (60 * NSEC_PER_SEC)

static void show(void *arg, const struct model *m)
{
	struct keep *k = arg;

	view_build(&k->view, m, &k->tasks.spec);
}

static const struct view_spec *spec(void *arg)
{
	return &((struct keep *)arg)->tasks.spec;
}

static const struct row *row(void *arg, size_t i)
{
	const struct keep *k = arg;

	return options_recorded(k->o) & SRC_CMDLINE && i < k->view.n ? k->view.rows[i].row : NULL;
}

/* A full disk is no reason to end: it is said once, until there is room. */
static void keep(void *arg, const struct sample *s, const struct sample *late)
{
	struct keep *k = arg;
	struct err err = { "" };
	bool failed = store_write(k->store, s, late, session_mark(k->session), &err) < 0;

	if (failed && !k->told)
		fprintf(stderr, "iotop: %s\n", err.text);
	if (failed != k->told)
		notify(failed ? "STATUS=nothing is kept: the store cannot be written" : "STATUS=");
	k->told = failed;
}

struct session_viewer keep_viewer(struct keep *k, const struct session *s)
{
	k->session = s;
	return (struct session_viewer){
		.stacks_ns = STACKS_BUDGET,
		.show = show,
		.spec = spec,
		.row = row,
		.keep = keep,
		.arg = k,
	};
}

/* False, and nothing changes: the file has a line that is not understood, which is said. */
static bool read_settings(struct keep *k, struct buf *why)
{
	const struct options *given = k->o;
	struct options o;
	bool good;

	options_init(&o);
	o.delay = given->delay;
	o.retain = given->retain;
	o.max_size = given->max_size;
	o.fine = given->fine;
	o.coarse = given->coarse;
	good = !given->settings || options_read_settings(&o, given->settings, why) >= 0;
	if (good)
		k->now = (struct settings){
			.delay = o.delay,
			.store = {
				.path = given->store ? given->store : STORE_FOLDER,
				.retain_ns = o.retain, .max_bytes = o.max_size,
				.stages = { { o.fine, MERGED_FINE }, { o.coarse, MERGED_COARSE } },
			},
		};
	options_release(&o);
	return good;
}

void keep_reload(struct keep *k)
{
	struct buf why = { 0 };

	notify("RELOADING=1");
	if (read_settings(k, &why))
		store_set_options(k->store, &k->now.store);
	else
		fprintf(stderr, "iotop: %s\n", why.data);
	buf_release(&why);
	notify("READY=1");
}

double keep_delay(const struct keep *k)
{
	return k->now.delay;
}

struct keep *keep_new(const struct options *o, struct err *err)
{
	struct keep *k = mem_zalloc(sizeof(*k));
	struct buf why = { 0 };

	k->o = o;
	/* The usual columns of the first screen are those of tasks. */
	if (!read_settings(k, &why) || options_view(o, screens[0], &k->tasks, &why) < 0) {
		err_set(err, EINVAL, "%s", why.data);
		buf_release(&why);
		free(k);
		return NULL;
	}
	k->tasks.spec.only_active = true;
	view_init(&k->view);
	return k;
}

void keep_free(struct keep *k)
{
	if (!k)
		return;
	if (k->store)
		store_close(k->store);
	view_release(&k->view);
	options_view_release(&k->tasks);
	free(k);
}

int keep_open(struct keep *k, struct err *err)
{
	/* Without a file there is nothing to read again: then it ends, as with its terminal. */
	if (k->o->settings)
		stop_spare_hangup();
	return store_open(&k->now.store, &k->store, err);
}

/* "iotop record". */
struct run {
	const struct options *o;
	struct keep *keep;
	struct events events;
	struct trigger *trigger; /* NULL: none */
};

static int tick(struct run *k, struct session *session, struct err *err)
{
	const struct session_viewer viewer = keep_viewer(k->keep, session);
	struct buf notes = { 0 };
	int r = session_step(session, options_recorded(k->o), &viewer, err);

	if (k->trigger)
		trigger_notes(k->trigger, &notes);
	notes_print(&notes);
	buf_release(&notes);
	return r;
}

static void reload(struct run *k)
{
	double before = keep_delay(k->keep), now;

	keep_reload(k->keep);
	now = keep_delay(k->keep);
	if (now != before)
		events_timer(&k->events, now, now);
}

/* Of a shorter interval nothing would be known (model_watched()): it is waited for. */
static void fill_interval(const struct session *session)
{
	uint64_t since = clock_mono() - session->model->cur->mono;
	struct timespec left = { 0 };

	if (since >= INTERVAL_LEAST)
		return;
	left.tv_nsec = (long)(INTERVAL_LEAST - since);
	nanosleep(&left, NULL);
}

static int run(struct run *k, struct session *session, struct err *err)
{
	uint64_t left = k->o->iterations;
	double delay = keep_delay(k->keep);
	int r = tick(k, session, err);

	events_timer(&k->events, delay, delay);
	notify("READY=1");
	while (r > 0) {
		unsigned events = 0;

		while (!(events & (EVENT_TICK | EVENT_STOP))) {
			events = events_wait(&k->events, session->set, false, WATCHDOG_MS);
			notify("WATCHDOG=1");
			if (events & EVENT_RELOAD)
				reload(k);
		}
		/* What was done since the last sample is kept as well. */
		if (events & EVENT_STOP) {
			notify("STOPPING=1");
			fill_interval(session);
			return tick(k, session, err);
		}
		r = tick(k, session, err);
		if (left && !--left)
			break;
	}
	return r;
}

static int run_session(struct run *k, struct helper *helper, struct err *err)
{
	struct err closing = { "" };
	struct session_options so;
	struct session session;
	int r = stop_open(err), closed;

	options_session(&so, k->o, helper);
	so.trigger = k->trigger;
	if (r >= 0)
		r = session_open(&session, &so, err);
	if (r < 0)
		return r;
	r = events_open(&k->events, err);
	if (r >= 0) {
		r = run(k, &session, err);
		events_close(&k->events);
	}
	closed = session_close(&session, &closing);
	if (r >= 0 && closed < 0) {
		r = closed;
		*err = closing;
	}
	return r;
}

int keep_run(const struct options *o, struct helper *helper, struct trigger *trigger,
	     struct err *err)
{
	struct run k = { .o = o, .trigger = trigger, .keep = keep_new(o, err) };
	int r = k.keep ? keep_open(k.keep, err) : -EINVAL;

	if (r >= 0)
		r = run_session(&k, helper, err);
	keep_free(k.keep);
	return r < 0 ? r : 0;
}
