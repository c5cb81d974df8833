/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Time, stop requests and signals as descriptors: what batch and full screen wait for. */
#ifndef IOTOP_EVENTS_H
#define IOTOP_EVENTS_H

#include <stdbool.h>

#include "base/err.h"
#include "collect/collect.h"

struct events {
	int timer, signals;	/* descriptors */
};

enum event {
	EVENT_TICK = 1 << 0,	/* it is time for the next sample */
	EVENT_STOP = 1 << 1,	/* stop_requested() */
	EVENT_RESIZE = 1 << 2,
	EVENT_INPUT = 1 << 3,	/* stdin is readable, or at its end */
	EVENT_SUSPEND = 1 << 4,	/* SIGTSTP */
	EVENT_HANGUP = 1 << 5,	/* the terminal is gone */
	EVENT_RELOAD = 1 << 7,	/* SIGHUP, where that is no stop request (stop_spare_hangup()) */
	EVENT_RESUME = 1 << 6,	/* SIGCONT: somebody may have written on the screen */
};

/* Blocks the signals that stop_open() left and opens both descriptors. */
int events_open(struct events *e, struct err *err);
void events_close(struct events *e);
/*
 * The next tick after `first` seconds, then every `delay`. One that is waited for so late that the
 * next is less than half of `delay` away takes its place.
 */
void events_timer(struct events *e, double first, double delay);
/*
 * Waits for anything (stdin only when input is set), for wait_ms at most (-1: for ever);
 * descriptors of the collectors are drained on the way. Returns enum event bits; none only when the
 * time is over.
 */
unsigned events_wait(struct events *e, struct collect_set *set, bool input, int wait_ms);

#endif
