// SPDX-License-Identifier: GPL-2.0-or-later
#include "service.h"

#include <time.h>

#include "base/clock.h"
#include "events.h"
#include "keep.h"
#include "notify.h"
#include "session.h"
#include "session_options.h"
#include "stop.h"

#define INTERVAL_LEAST (NSEC_PER_SEC / 10)

double service_delay(const struct service *s)
{
	return s->keep ? keep_delay(s->keep) : s->o->delay;
}

static void reload(const struct service *s, struct events *events)
{
	double before = service_delay(s), now;

	keep_reload(s->keep);
	now = service_delay(s);
	if (now != before)
		events_timer(events, now, now);
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

/* What was done since the last sample is kept as well. */
static int end(const struct service *s, struct session *session, struct err *err)
{
	notify("STOPPING=1");
	if (!s->keep)
		return 0;
	fill_interval(session);
	return s->tick(s->arg, session, err);
}

static int run(const struct service *s, struct session *session, struct events *events,
	       struct err *err)
{
	uint64_t left = s->o->iterations;
	int r = s->tick(s->arg, session, err);

	events_timer(events, service_delay(s), service_delay(s));
	notify("READY=1");
	while (r > 0) {
		unsigned got = 0;

		while (!(got & (EVENT_TICK | EVENT_STOP))) {
			got = events_wait(events, session->set, false, WATCHDOG_MS);
			notify("WATCHDOG=1");
			if (got & EVENT_RELOAD)
				reload(s, events);
		}
		if (got & EVENT_STOP)
			return end(s, session, err);
		r = s->tick(s->arg, session, err);
		if (left && !--left)
			break;
	}
	return r;
}

int service_run(const struct service *s, struct helper *helper, struct err *err)
{
	struct err closing = { "" };
	struct session_options so;
	struct session session;
	struct events events;
	int r = stop_open(err), closed;

	options_session(&so, s->o, helper);
	so.trigger = s->trigger;
	if (r >= 0)
		r = session_open(&session, &so, err);
	if (r < 0)
		return r;
	r = events_open(&events, err);
	if (r >= 0) {
		r = run(s, &session, &events, err);
		events_close(&events);
	}
	closed = session_close(&session, &closing);
	if (r >= 0 && closed < 0) {
		r = closed;
		*err = closing;
	}
	return r;
}
