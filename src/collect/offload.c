// SPDX-License-Identifier: GPL-2.0-or-later
/* What takes long goes to a thread, while keys are answered by the one that has the terminal. */
#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/macro.h"
#include "collect/collector.h"
#include "collect/set.h"

#define TURN_MS 10

struct aside {
	void (*work)(void *arg);
	void *arg;
	int done;	/* eventfd */
};

static void *aside_run(void *arg)
{
	const struct aside *a = arg;

	a->work(a->arg);
	eventfd_write(a->done, 1);
	return NULL;
}

void collect_aside(struct collect_set *set, void (*work)(void *arg), void *arg)
{
	void (*turn)(void *arg) = set->turn;
	struct aside a = { work, arg, turn ? eventfd(0, EFD_CLOEXEC) : -1 };
	struct pollfd wait = { .fd = a.done, .events = POLLIN };
	pthread_t thread;

	if (a.done < 0 || pthread_create(&thread, NULL, aside_run, &a) != 0) {
		work(arg);
	} else {
		/* The thread must not take a turn itself. */
		set->turn = NULL;
		while (poll(&wait, 1, TURN_MS) <= 0)
			turn(set->turn_arg);
		pthread_join(thread, NULL);
		set->turn = turn;
	}
	if (a.done >= 0)
		close(a.done);
}
