// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/offload.h"

#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

static void *run(void *arg)
{
	const struct offload *o = arg;

	o->work(o->arg);
	eventfd_write(o->done, 1);
	return NULL;
}

bool offload_begin(struct offload *o, void (*work)(void *arg), void *arg)
{
	sigset_t all, before;
	int r;

	*o = (struct offload){ work, arg, eventfd(0, EFD_CLOEXEC), 0 };
	if (o->done < 0)
		return false;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	r = pthread_create(&o->thread, NULL, run, o);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (r)
		close(o->done);
	return !r;
}

bool offload_is_done(const struct offload *o)
{
	struct pollfd wait = { .fd = o->done, .events = POLLIN };

	return poll(&wait, 1, 0) > 0;
}

void offload_end(struct offload *o)
{
	pthread_join(o->thread, NULL);
	close(o->done);
}
