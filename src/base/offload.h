/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Work in a thread of its own, while the one that began it goes on. */
#ifndef IOTOP_BASE_OFFLOAD_H
#define IOTOP_BASE_OFFLOAD_H

#include <pthread.h>
#include <stdbool.h>

struct offload {
	void (*work)(void *arg);
	void *arg;
	int done; /* eventfd: can be read once the work is done */
	pthread_t thread;
};

/*
 * Signals are for the other threads. False: there is no thread, and nothing was begun: the caller
 * does the work itself. *o stays where it is until offload_end().
 */
bool offload_begin(struct offload *o, void (*work)(void *arg), void *arg);
bool offload_is_done(const struct offload *o);
/* Waits for the end of the work. */
void offload_end(struct offload *o);

#endif
