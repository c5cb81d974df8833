/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The inside of the full-screen program: loop.c waits, loop_system.c does what keys ask for. */
#ifndef IOTOP_LOOP_STATE_H
#define IOTOP_LOOP_STATE_H

#include "events.h"
#include "linger.h"
#include "loop.h"
#include "past.h"

struct loop {
	struct session *session;
	struct session_viewer viewer;
	struct app *app;
	struct canvas canvas;
	struct events events;
	struct engine_options engine;
	struct timeline *line;
	struct past *past;
	long left;		/* ticks to go; negative: no end */
	unsigned needs;		/* sources of the newest tick */
	struct linger linger;	/* what they are for */
	double delay;		/* seconds between ticks */
	int speed;		/* of a replay: 2 to the power of it */
	bool quit, ended;	/* ended: the replay has no more samples */
	bool requested;		/* a key during a sample has a request: performed after it */
};

extern const struct app_system loop_system;

/* What is shown, and where in time that is. */
void loop_show(struct loop *l, const struct model *m);
/* The same again, or the newest. */
void loop_show_again(struct loop *l);
/* How far the past is read; the rest of what is shown stays as it is drawn. */
void loop_wait(void *arg, unsigned percent);
/* Samples from now on: the first after so many seconds. */
void loop_set_timer(struct loop *l, double first);
/* l->engine holds from the next sample on. */
void loop_set_engine_options(struct loop *l);

#endif
