// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/helper/worker.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/fd.h"
#include "base/i18n.h"
#include "collect/helper/process.h"

#define STARTS_MAX 64		/* starts of a kind in a minute: a helper that always dies is not
				 * started for ever */

struct worker *worker_new(struct lane *lane, int socket)
{
	struct worker *w = mem_zalloc(sizeof(*w));

	w->socket = socket;
	requests_init(&w->asked);
	w->next = lane->workers;
	lane->workers = w;
	return w;
}

void worker_free(struct worker *w)
{
	close(w->socket);
	requests_drop(&w->asked);
	buf_release(&w->answer);
	free(w);
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
		fd_close(socket);
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

struct worker *worker_for(struct helper *h, enum helper_kind kind, bool *ret_never)
{
	struct worker *w = h->lanes[kind].workers;
	size_t late = 0;

	*ret_never = false;
	if (w && !w->late)
		return w;
	for (; w; w = w->next)
		late++;
	if (late <= WORKERS_LATE_MAX)
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

/* What is to be sent next is the first of these. */
static struct requests *lane_next(struct lane *lane)
{
	const struct worker *w = lane->workers;

	if (lane->queue.first || (w && !w->late && w->asked.first))
		return &lane->queue;
	return &lane->later;
}

void workers_send(struct helper *h, enum helper_kind kind)
{
	struct lane *lane = &h->lanes[kind];
	struct requests *from;

	while ((from = lane_next(lane))->first) {
		bool never;
		struct worker *w = worker_for(h, kind, &never);
		struct request *q = from->first;
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
			request_answer(requests_take(from), NULL, 0);
		} else if (r < 0) {
			worker_end(h, lane, w, false);
		} else {
			if (!w->asked.first)
				worker_begin(w);
			requests_add(&w->asked, requests_take(from));
		}
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

void workers_read(struct helper *h)
{
	take_workers(h);
	for (int i = 0; i < HELPER_KINDS; i++) {
		struct worker *w, *next;

		for (w = h->lanes[i].workers; w; w = next) {
			next = w->next;
			worker_read(h, &h->lanes[i], w);
		}
		lane_check(h, &h->lanes[i]);
		workers_send(h, i);
	}
}
