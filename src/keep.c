// SPDX-License-Identifier: GPL-2.0-or-later
#include "keep.h"

#include <errno.h>
#include <stdio.h>

#include "base/clock.h"
#include "base/i18n.h"
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
#define WATCHDOG_MS   10000 /* from one sign of life to the next, in long intervals */

struct keep {
	const struct options *o;
	struct store *store;
	struct options_view tasks; /* those whose command lines are kept */
	struct view view;
	struct events events;
	const struct session *session;
	struct trigger *trigger; /* NULL: none */
	bool told; /* that nothing could be written, the last time */
	/* Of the command line and over it of the file of --settings, as it was read last. */
	struct settings {
		double delay;
		struct store_options store;
	} now;
};

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

static int tick(struct keep *k, struct session *session, struct err *err)
{
	const struct session_viewer viewer = {
		.stacks_ns = STACKS_BUDGET,
		.show = show,
		.spec = spec,
		.row = row,
		.keep = keep,
		.arg = k,
	};

	struct buf notes = { 0 };
	int r = session_step(session, options_recorded(k->o), &viewer, err);

	if (k->trigger)
		trigger_notes(k->trigger, &notes);
	notes_print(&notes);
	buf_release(&notes);
	return r;
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

static void reload(struct keep *k)
{
	struct buf why = { 0 };

	notify("RELOADING=1");
	if (read_settings(k, &why)) {
		store_set_options(k->store, &k->now.store);
		events_timer(&k->events, k->now.delay, k->now.delay);
	} else {
		fprintf(stderr, "iotop: %s\n", why.data);
	}
	buf_release(&why);
	notify("READY=1");
}

static int run(struct keep *k, struct session *session, struct err *err)
{
	uint64_t left = k->o->iterations;
	int r = tick(k, session, err);

	events_timer(&k->events, k->now.delay, k->now.delay);
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
			return tick(k, session, err);
		}
		r = tick(k, session, err);
		if (left && !--left)
			break;
	}
	return r;
}

static int run_session(struct keep *k, struct helper *helper, struct err *err)
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
	k->session = &session;
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
	struct keep k = { .o = o, .trigger = trigger };
	struct buf why = { 0 };
	int r;

	if (!read_settings(&k, &why)) {
		err_set(err, EINVAL, "%s", why.data);
		buf_release(&why);
		return -EINVAL;
	}
	/* Without a file there is nothing to read again: then it ends, as with its terminal. */
	if (o->settings)
		stop_spare_hangup();
	r = store_open(&k.now.store, &k.store, err);
	if (r < 0)
		return r;
	/* The usual columns of the first screen are those of tasks. */
	r = options_view(o, screens[0], &k.tasks, &why);
	buf_release(&why);
	if (r >= 0) {
		k.tasks.spec.only_active = true;
		view_init(&k.view);
		r = run_session(&k, helper, err);
		view_release(&k.view);
		options_view_release(&k.tasks);
	}
	store_close(k.store);
	return r < 0 ? r : 0;
}
