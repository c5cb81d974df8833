/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The processes that answer requests: started by the keeper, asked in order, late, given up and
 * replaced. Private to helper.c, which waits for them.
 */
#ifndef IOTOP_COLLECT_HELPER_WORKER_H
#define IOTOP_COLLECT_HELPER_WORKER_H

#include <stdbool.h>

#include "base/clock.h"
#include "base/macro.h"
#include "collect/helper/helper.h"
#include "collect/helper/requests.h"
#include "collect/helper/wire.h"

#define WORKERS_LATE_MAX 3	/* workers of a kind that may hang at a time, beside the one that
				 * works */
#define MINUTE (60 * NSEC_PER_SEC)

/* A process (of the names: two) and what it was asked. */
struct worker {
	struct worker *next;
	int socket;
	uint32_t pids[2];	/* 0: none */
	struct requests asked;
	uint64_t waited, looked;	/* ns for which the first of them was waited for, as of
					 * this time (CLOCK_MONOTONIC ns) */
	bool late;
	struct buf answer;	/* packets of the answer that is coming */
};

struct lane {
	struct worker *workers;		/* the first is asked, those behind it are late */
	struct requests queue;		/* not sent yet */
	struct requests later;		/* sent one by one, while nothing else is asked */
	uint64_t minute;		/* CLOCK_MONOTONIC ns when the counting of starts began */
	unsigned starts;
	bool starting;			/* the keeper was asked for one more */
	bool failed;			/* and could not: what is asked now has no answer */
};

struct helper {
	int control;
	pid_t keeper;
	struct provider *provider;	/* NULL: no disk tells of its limits */
	struct lane lanes[HELPER_KINDS];
	uint32_t ids;
	uint64_t failed;		/* CLOCK_MONOTONIC ns when one was given up last; 0:
					 * never */
	const char *why;
	void (*yield)(void *arg);
	void *yield_arg;
	int stop_fd;
	struct wire_packet packet;	/* scratch */
};

/* A worker at the other end of this socket, which becomes its own. */
struct worker *worker_new(struct lane *lane, int socket);
/* Closes its socket; what it was asked has no answer. */
void worker_free(struct worker *w);
/*
 * The worker that is to be asked; NULL: there is none, and *ret_never says whether there will be
 * one.
 */
struct worker *worker_for(struct helper *h, enum helper_kind kind, bool *ret_never);
/* Sends what waits for a worker of this kind, as far as it takes it. */
void workers_send(struct helper *h, enum helper_kind kind);
/* Takes what answers there are, replaces workers that are late or gone, and sends again. */
void workers_read(struct helper *h);

#endif
