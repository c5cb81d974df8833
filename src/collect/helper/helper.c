// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/helper/helper.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/i18n.h"
#include "collect/collector.h"
#include "collect/helper/process.h"
#include "collect/helper/requests.h"

#define LATE_MAX 3		/* helpers of a kind that may hang at a time, beside the one that
				 * works */
#define STARTS_MAX 64		/* starts of a kind in a minute: a helper that always dies is not
				 * started for ever */
#define MINUTE (60 * NSEC_PER_SEC)
#define STEP_MS 10		/* of waiting, between two calls of pause() */
#define END_MS 100		/* what the keeper may take to end the others */

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
	uint64_t minute;		/* CLOCK_MONOTONIC ns when the counting of starts began */
	unsigned starts;
	bool starting;			/* the keeper was asked for one more */
	bool failed;			/* and could not: what is asked now has no answer */
};

struct helper {
	int control;
	pid_t keeper;
	struct lane lanes[HELPER_KINDS];
	uint32_t ids;
	uint64_t failed;		/* CLOCK_MONOTONIC ns when one was given up last; 0:
					 * never */
	const char *why;
	void (*pause)(void *arg);
	void *pause_arg;
	int stop_fd;
	struct wire_packet packet;	/* scratch */
};

static struct helper *helper_new(int control, pid_t keeper)
{
	struct helper *h = mem_zalloc(sizeof(*h));

	h->control = control;
	h->keeper = keeper;
	h->stop_fd = -1;
	for (int i = 0; i < HELPER_KINDS; i++)
		requests_init(&h->lanes[i].queue);
	return h;
}

struct helper *helper_start(const char *proc)
{
	int sockets[2];
	pid_t pid, parent = getpid();

	if (wire_pair(sockets) < 0)
		return NULL;
	pid = fork();
	if (pid < 0) {
		close(sockets[0]);
		close(sockets[1]);
		return NULL;
	}
	if (!pid) {
		/* Whatever ends the main process ends the helpers. */
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != parent)
			_exit(0);
		close(sockets[0]);
		keeper_run(sockets[1], proc);
		_exit(0);
	}
	close(sockets[1]);
	return helper_new(sockets[0], pid);
}

static struct worker *worker_new(struct lane *lane, int socket)
{
	struct worker *w = mem_zalloc(sizeof(*w));

	w->socket = socket;
	requests_init(&w->asked);
	w->next = lane->workers;
	lane->workers = w;
	return w;
}

struct helper *helper_at(int socket)
{
	struct helper *h = helper_new(-1, 0);

	worker_new(&h->lanes[HELPER_NAMES], socket);
	return h;
}

static void worker_free(struct worker *w)
{
	close(w->socket);
	requests_drop(&w->asked);
	buf_release(&w->answer);
	free(w);
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
	}
	if (h->control >= 0)
		close(h->control);
	for (int i = 0; i < END_MS && h->keeper && waitpid(h->keeper, NULL, WNOHANG) == 0; i++)
		nanosleep(&step, NULL);
	free(h);
}

/* Asks the keeper for one. False: that cannot be, and there will be none. */
static bool worker_start(struct helper *h, enum helper_kind kind)
{
	struct lane *lane = &h->lanes[kind];
	struct wire_head head = { .kind = MESSAGE_START, .id = kind, .len = sizeof(uint32_t) };
	uint32_t what = kind;
	uint64_t now = clock_mono();

	if (lane->starting)
		return true;
	if (now - lane->minute > MINUTE) {
		lane->minute = now;
		lane->starts = 0;
	}
	lane->starting =
		lane->starts++ < STARTS_MAX && wire_send(h->control, &head, &what, -1, false) == 0;
	return lane->starting;
}

/*
 * What the keeper has started. It opens nothing and yet may be slow: it needs memory and a
 * processor, as everybody does, and is not waited for by who reads keys.
 */
static void take_workers(struct helper *h)
{
	int socket, r = -EAGAIN;

	while (h->control >= 0 && (r = wire_recv(h->control, &h->packet, &socket, false)) == 1) {
		const struct wire_head *head = &h->packet.head;
		struct lane *lane = &h->lanes[MIN(head->id, (uint32_t)HELPER_KINDS - 1)];
		struct worker *w;

		lane->starting = false;
		if (socket >= 0 && head->kind == MESSAGE_START && head->len == sizeof(w->pids)) {
			w = worker_new(lane, socket);
			memcpy(w->pids, h->packet.data, sizeof(w->pids));
			continue;
		}
		if (socket >= 0)
			close(socket);
		lane->failed = true;
	}
	if (r == -EAGAIN)
		return;
	/* The keeper is gone. */
	for (int i = 0; i < HELPER_KINDS; i++) {
		h->lanes[i].failed |= h->lanes[i].starting;
		h->lanes[i].starting = false;
	}
}

/*
 * Takes it out of its lane and ends its processes; what it was asked is asked again, but for the
 * request it is given up for.
 */
static void worker_end(struct helper *h, struct lane *lane, struct worker *w, bool fail_first)
{
	struct wire_head head = { .kind = MESSAGE_KILL, .len = sizeof(w->pids) };
	struct worker **at = &lane->workers;
	struct request *first = fail_first ? requests_take(&w->asked) : NULL;

	while (*at != w)
		at = &(*at)->next;
	*at = w->next;
	requests_put_back(&lane->queue, &w->asked);
	wire_send(h->control, &head, w->pids, -1, false);
	worker_free(w);
	request_answer(first, NULL, 0);
}

static void note_failure(struct helper *h, const char *why)
{
	h->failed = clock_mono();
	h->why = why;
}

/*
 * The worker that is to be asked; NULL: there is none, and *ret_never says whether there will be
 * one.
 */
static struct worker *worker_for(struct helper *h, enum helper_kind kind, bool *ret_never)
{
	struct worker *w = h->lanes[kind].workers;
	size_t late = 0;

	*ret_never = false;
	if (w && !w->late)
		return w;
	for (; w; w = w->next)
		late++;
	if (late <= LATE_MAX)
		*ret_never = (h->lanes[kind].failed || !worker_start(h, kind)) && !late;
	h->lanes[kind].failed = false;
	return NULL;
}

/* The first of its requests begins to be waited for. */
static void worker_begin(struct worker *w)
{
	w->waited = 0;
	w->looked = clock_mono();
}

/* Sends what waits for it, as far as the worker takes it. */
static void lane_send(struct helper *h, enum helper_kind kind)
{
	struct lane *lane = &h->lanes[kind];

	while (lane->queue.first) {
		bool never;
		struct worker *w = worker_for(h, kind, &never);
		struct request *q = lane->queue.first;
		struct wire_head head = { q->message, q->id, (uint32_t)q->len, 0 };
		int r;

		if (!w && !never)
			return;
		r = w ? wire_send(w->socket, &head, q->data, -1, false) : -EPIPE;
		if (r == -EAGAIN)
			return;
		if (!w) {
			note_failure(h, N_("names unavailable: the process that reads them cannot "
					   "be started"));
			request_answer(requests_take(&lane->queue), NULL, 0);
		} else if (r < 0) {
			worker_end(h, lane, w, false);
		} else {
			if (!w->asked.first)
				worker_begin(w);
			requests_add(&w->asked, requests_take(&lane->queue));
		}
	}
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
	requests_add(&h->lanes[kind].queue, q);
	lane_send(h, kind);
}

void helper_cancel(struct helper *h, const void *owner)
{
	for (int i = 0; h && i < HELPER_KINDS; i++) {
		for (struct worker *w = h->lanes[i].workers; w; w = w->next)
			requests_cancel(&w->asked, owner);
		requests_cancel(&h->lanes[i].queue, owner);
	}
}

/*
 * What it was about to answer may have ended it: that is asked once more, and if another one ends
 * no more.
 */
static void worker_ended(struct helper *h, struct lane *lane, struct worker *w)
{
	struct request *first = w->asked.first;
	bool fail = first && first->ended_one;

	if (first)
		first->ended_one = true;
	if (fail)
		note_failure(h, N_("names unavailable: the process that reads them ended"));
	worker_end(h, lane, w, fail);
}

/* Takes its answers. False: it is gone now. */
static bool worker_read(struct helper *h, struct lane *lane, struct worker *w)
{
	int r;

	while ((r = wire_recv(w->socket, &h->packet, NULL, false)) == 1) {
		const struct wire_head *head = &h->packet.head;

		if (!w->asked.first || head->id != w->asked.first->id ||
		    w->answer.len + head->len > HELPER_ANSWER_MAX) {
			r = -EPROTO;
			break;
		}
		buf_putn(&w->answer, (const char *)h->packet.data, head->len);
		worker_begin(w);
		if (head->more)
			continue;
		request_answer(requests_take(&w->asked), w->answer.data, w->answer.len);
		buf_reset(&w->answer);
		/* Another one works in its place by now. */
		if (w->late) {
			worker_end(h, lane, w, false);
			return false;
		}
	}
	if (r == -EAGAIN)
		return true;
	worker_ended(h, lane, w);
	return false;
}

/* A long time in which nobody looked counts little: this process may have been stopped. */
static void lane_check(struct helper *h, struct lane *lane)
{
	struct worker *w, *next;
	uint64_t now = clock_mono();

	for (w = lane->workers; w; w = next) {
		next = w->next;
		if (!w->asked.first)
			continue;
		w->waited += MIN(now - w->looked, NSEC_PER_SEC);
		w->looked = now;
		if (w->waited > HELPER_GIVE_UP) {
			note_failure(h, N_("names unavailable: the file system does not answer"));
			worker_end(h, lane, w, true);
		} else if (w->waited > HELPER_LATE && !w->late) {
			struct request *first = requests_take(&w->asked);

			w->late = true;
			requests_put_back(&lane->queue, &w->asked);
			requests_add(&w->asked, first);
		}
	}
}

static void take_answers(struct helper *h)
{
	take_workers(h);
	for (int i = 0; i < HELPER_KINDS; i++) {
		struct worker *w, *next;

		for (w = h->lanes[i].workers; w; w = next) {
			next = w->next;
			worker_read(h, &h->lanes[i], w);
		}
		lane_check(h, &h->lanes[i]);
		lane_send(h, i);
	}
}

void helper_drain(struct helper *h)
{
	if (h)
		take_answers(h);
}

size_t helper_pending(const struct helper *h, enum helper_kind kind)
{
	size_t n = 0;

	if (!h)
		return 0;
	for (const struct worker *w = h->lanes[kind].workers; w; w = w->next)
		n += w->asked.n;
	return n + h->lanes[kind].queue.n;
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

bool helper_wait(struct helper *h, enum helper_kind kind, uint64_t until, bool (*done)(void *arg),
		 void *arg)
{
	bool stop = false;

	while (h) {
		struct pollfd fds[HELPER_KINDS * (LATE_MAX + 2) + 2];
		uint64_t now;
		size_t n;

		take_answers(h);
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
		if (h->pause)
			h->pause(h->pause_arg);
	}
	return true;
}

void helper_on_wait(struct helper *h, void (*pause_fn)(void *arg), void *arg, int stop_fd)
{
	if (!h)
		return;
	h->pause = pause_fn;
	h->pause_arg = arg;
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

	probe_process(list, "process iotop", (uint32_t)getpid());
	if (!h) {
		probe_add(list, "process keeper", false, "%s", helper_reason(h));
		return;
	}
	/* The keeper gives up privileges before it serves: until then it is as it began. */
	helper_begin(h);
	helper_wait(h, HELPER_NAMES, clock_mono() + NSEC_PER_SEC, NULL, NULL);
	probe_process(list, "process keeper", (uint32_t)h->keeper);
	for (int i = 0; i < HELPER_KINDS; i++) {
		const struct worker *w;
		bool never;

		helper_wait(h, i, clock_mono() + NSEC_PER_SEC, NULL, NULL);
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
}
