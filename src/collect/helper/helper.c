// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/helper/helper.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/fd.h"
#include "base/i18n.h"
#include "collect/helper/fork.h"
#include "collect/helper/process.h"
#include "collect/helper/provider.h"
#include "collect/helper/worker.h"
#include "collect/privilege.h"
#include "collect/probe_list.h"

#define STEP_MS 10		/* of waiting, between two calls of yield() */
#define END_MS 100		/* what the keeper may take to end the others */
#define PROBE_PATIENCE (10 * NSEC_PER_SEC)	/* until they have given up what they do not need */

static struct helper *helper_new(int control, pid_t keeper)
{
	struct helper *h = mem_zalloc(sizeof(*h));

	h->control = control;
	h->keeper = keeper;
	h->stop_fd = -1;
	for (int i = 0; i < HELPER_KINDS; i++) {
		requests_init(&h->lanes[i].queue);
		requests_init(&h->lanes[i].later);
	}
	return h;
}

struct helper *helper_start(const char *proc, const char *fetched)
{
	int socket;
	pid_t pid;

	if (fork_wired("iotop-keeper", &socket, &pid) < 0)
		return NULL;
	if (!pid) {
		keeper_run(socket, proc, fetched);
		_exit(0);
	}
	return helper_new(socket, pid);
}

void helper_start_provider(struct helper *h, const char *sys)
{
	if (h)
		h->provider = provider_start(sys, "/dev");
}

struct provider *helper_provider(struct helper *h)
{
	return h ? h->provider : NULL;
}

struct helper *helper_at(int socket)
{
	struct helper *h = helper_new(-1, 0);

	worker_new(&h->lanes[HELPER_NAMES], socket);
	return h;
}

void helper_stop(struct helper *h)
{
	const struct timespec step = { .tv_nsec = 1000000 };

	if (!h)
		return;
	for (int i = 0; i < HELPER_KINDS; i++) {
		struct worker *w;

		while ((w = h->lanes[i].workers)) {
			h->lanes[i].workers = w->next;
			worker_free(w);
		}
		requests_drop(&h->lanes[i].queue);
		requests_drop(&h->lanes[i].later);
	}
	provider_stop(h->provider);
	fd_close(h->control);
	for (int i = 0; i < END_MS && h->keeper && waitpid(h->keeper, NULL, WNOHANG) == 0; i++)
		nanosleep(&step, NULL);
	free(h);
}

/* Unwind tables take long, are many at a time, and help stacks to come: names go before them. */
static bool has_time(uint32_t message)
{
	return message == MESSAGE_UNWIND;
}

void helper_ask(struct helper *h, enum helper_kind kind, uint32_t message, const void *data,
		size_t len, helper_answer *fn, void *arg, const void *owner)
{
	struct request *q;

	if (!h || len > WIRE_DATA) {
		fn(arg, NULL, 0);
		return;
	}
	q = mem_alloc(sizeof(*q) + len);
	*q = (struct request){ .id = ++h->ids,
			       .message = message,
			       .answer = fn,
			       .arg = arg,
			       .owner = owner,
			       .len = len };
	if (len)
		memcpy(q->data, data, len);
	requests_add(has_time(message) ? &h->lanes[kind].later : &h->lanes[kind].queue, q);
	workers_send(h, kind);
}

void helper_cancel(struct helper *h, const void *owner)
{
	for (int i = 0; h && i < HELPER_KINDS; i++) {
		for (struct worker *w = h->lanes[i].workers; w; w = w->next)
			requests_cancel(&w->asked, owner);
		requests_cancel(&h->lanes[i].queue, owner);
		requests_cancel(&h->lanes[i].later, owner);
	}
}

void helper_drain(struct helper *h)
{
	if (h)
		workers_read(h);
}

size_t helper_pending(const struct helper *h, enum helper_kind kind)
{
	size_t n = 0;

	if (!h)
		return 0;
	for (const struct worker *w = h->lanes[kind].workers; w; w = w->next)
		n += w->asked.n;
	return n + h->lanes[kind].queue.n + h->lanes[kind].later.n;
}

size_t helper_pollfds(const struct helper *h, struct pollfd *fds, size_t n)
{
	size_t used = 0;
	bool starting = false;

	for (int i = 0; h && i < HELPER_KINDS; i++) {
		starting |= h->lanes[i].starting;
		for (const struct worker *w = h->lanes[i].workers; w && used < n; w = w->next)
			if (w->asked.first)
				fds[used++] = (struct pollfd){ .fd = w->socket, .events = POLLIN };
	}
	if (starting && used < n)
		fds[used++] = (struct pollfd){ .fd = h->control, .events = POLLIN };
	return used;
}

static bool wait_for(struct helper *h, enum helper_kind kind, uint64_t until,
		     bool (*done)(void *arg), void *arg)
{
	bool stop = false;

	while (h) {
		struct pollfd fds[HELPER_KINDS * (WORKERS_LATE_MAX + 2) + 2];
		uint64_t now;
		size_t n;

		workers_read(h);
		if ((done && done(arg)) || !helper_pending(h, kind))
			return true;
		now = clock_mono();
		if (now >= until)
			return false;
		n = helper_pollfds(h, fds, ARRAY_SIZE(fds) - 1);
		fds[n++] = (struct pollfd){ .fd = stop ? -1 : h->stop_fd, .events = POLLIN };
		/* The last report has its names as well, but those that hang. */
		if (poll(fds, n, (int)MIN((until - now) / 1000000 + 1, (uint64_t)STEP_MS)) > 0 &&
		    fds[n - 1].revents) {
			stop = true;
			until = MIN(until, now + HELPER_LATE);
		}
		if (h->yield)
			h->yield(h->yield_arg);
	}
	return true;
}

bool helper_wait(struct helper *h, enum helper_kind kind, uint64_t until, bool (*done)(void *arg),
		 void *arg)
{
	/* Collectors wait while they have theirs. */
	uint64_t before = privilege_lower();
	bool r = wait_for(h, kind, until, done, arg);

	privilege_restore(before);
	return r;
}

void helper_on_wait(struct helper *h, void (*yield)(void *arg), void *arg, int stop_fd)
{
	if (!h)
		return;
	h->yield = yield;
	h->yield_arg = arg;
	h->stop_fd = stop_fd;
}

const char *helper_reason(const struct helper *h)
{
	if (!h)
		return N_("names unavailable: the process that reads them cannot be started");
	return h->failed && clock_mono() - h->failed < MINUTE ? h->why : NULL;
}

static void is_ready(void *arg, const void *data, size_t len)
{
}

void helper_begin(struct helper *h)
{
	for (int i = 0; h && i < HELPER_KINDS; i++)
		helper_ask(h, i, MESSAGE_READY, NULL, 0, is_ready, NULL, NULL);
}

void helper_probe(struct helper *h, struct probe_list *list)
{
	static const char *const names[HELPER_KINDS][2] = {
		[HELPER_NAMES] = { "process opener", "process parser" },
		[HELPER_USERS] = { "process users", NULL },
	};
	uint64_t until = clock_mono() + PROBE_PATIENCE;

	probe_process(list, "process iotop", (uint32_t)getpid());
	if (!h) {
		probe_add(list, "process keeper", false, "%s", helper_reason(h));
		return;
	}
	/* The keeper gives up privileges before it serves: until then it is as it began. */
	helper_begin(h);
	helper_wait(h, HELPER_NAMES, until, NULL, NULL);
	probe_process(list, "process keeper", (uint32_t)h->keeper);
	for (int i = 0; i < HELPER_KINDS; i++) {
		const struct worker *w;
		bool never;

		helper_wait(h, i, until, NULL, NULL);
		w = worker_for(h, i, &never);
		for (int p = 0; p < 2 && names[i][p]; p++) {
			/* Without BPF there is nothing to be parsed. */
			if (w && !w->pids[p])
				continue;
			if (w)
				probe_process(list, names[i][p], w->pids[p]);
			else
				probe_add(list, names[i][p], false, "%s", N_("cannot be started"));
		}
	}
	provider_probe(h->provider, list);
}
