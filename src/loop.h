/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The full-screen program: one poll() over terminal, timer, signals and what the collectors wait
 * for.
 */
#ifndef IOTOP_LOOP_H
#define IOTOP_LOOP_H

#include "session.h"
#include "tui/app.h"

struct loop_options {
	struct app_options app;
	struct term_options term;
	struct engine_options engine;
	double delay;		/* seconds between ticks */
	long iterations;	/* 0: until told to stop */
	bool newest;		/* of a recording the end is shown first */
};

/* Runs until q, a signal or the last iteration. 0, or -errno with the terminal put back. */
int loop_run(struct session *s, const struct loop_options *opt, struct err *err);

#endif
