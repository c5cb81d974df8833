// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/i18n.h"
#include "data/finding/look.h"
#include "data/stack/offcpu_wakers.h"

/* What one thread waits for locks, and the wait of it that took longest. */
struct victim {
	const struct offcpu_row *longest;
	const struct offcpu_row *known;	/* a wait at that place of which the kernel told the lock */
	struct task_id holder;
	const char *holder_comm;
	double share;			/* percent of its time */
};

static uint64_t blocked_ns(const struct offcpu_row *r)
{
	const struct offcpu_counters *now = r->row.now;

	return now->blocked_ns;
}

/* Journals have a finding of their own. */
static bool tells_holder(const struct offcpu_row *r)
{
	return r->holder_tid && r->lock != WAIT_JOURNAL;
}

/*
 * Who held what was waited for: of a wait that goes on the kernel tells; one that ended at the same
 * place was ended by who had held it. Returns the one of which the kernel told, NULL: it was for no
 * lock.
 */
static const struct offcpu_row *holder_of(const struct offcpu_row *r, struct rows mine,
					  struct task_id *ret, const char **ret_comm)
{
	const struct offcpu_row *w;

	*ret = r->holder_id;
	*ret_comm = r->holder_comm;
	if (r->holder_tid || r->waker_kind != WAKER_TASK || !r->stack_ids[OFFCPU_KERNEL])
		return tells_holder(r) ? r : NULL;
	*ret = r->waker_id;
	*ret_comm = r->waker_comm;
	row_each(w, &mine)
		if (tells_holder(w) && w->id.start == r->id.start &&
		    w->stack_ids[OFFCPU_KERNEL] == r->stack_ids[OFFCPU_KERNEL])
			return w;
	return NULL;
}

/* Of the thread with these rows; returns whether it waits for somebody. */
static bool victim_of(struct rows mine, double seconds, struct victim *ret)
{
	const struct offcpu_row *r, *known;
	struct victim v = { 0 };
	uint64_t ns = 0;

	row_each(r, &mine) {
		struct task_id holder;
		const char *comm;

		if (!blocked_ns(r) || r->row.flags & ROW_KTHREAD)
			continue;
		known = holder_of(r, mine, &holder, &comm);
		if (!known)
			continue;
		ns += blocked_ns(r);
		if (!v.longest || blocked_ns(r) > blocked_ns(v.longest))
			v = (struct victim){ r, known, holder, comm ? comm : "?", 0 };
	}
	v.share = MIN((double)ns / seconds / (NSEC_PER_SEC / 100), 100);
	*ret = v;
	return v.longest;
}

/* By the program that holds the lock; of each who waits longest first. */
static int by_holder(const void *pa, const void *pb)
{
	const struct victim *a = pa, *b = pb;
	int r = strcmp(a->holder_comm, b->holder_comm);

	if (r)
		return r;
	if (a->share != b->share)
		return a->share < b->share ? 1 : -1;
	return ORDER(a->longest->tid, b->longest->tid);
}

static void look_victim_of(struct finding_look *l, const struct row_index *by_thread,
			   const struct victim *v)
{
	const struct offcpu_row *next = offcpu_holder_wait(by_thread, &v->holder, false),
				*r = v->longest;
	uint64_t subject = hash_bytes(v->holder_comm, strlen(v->holder_comm));
	struct finding_row *f;

	/* A holder that computes is not ours to tell. */
	if (!next || !look_over(l, subject, v->share, l->share))
		return;
	f = look_found(l, subject);
	f->who = arena_printf(l->a, "%s %llu", v->holder_comm, (unsigned long long)v->holder.tid);
	f->victim = arena_printf(l->a, "%s %llu", r->comm, (unsigned long long)r->pid);
	f->share = v->share;
	f->filter = arena_printf(l->a, "holder_tid = %llu", (unsigned long long)v->holder.tid);
	look_text(f, "lock", v->known->reason ? _(v->known->reason) : _("lock"));
	look_text(f, "next", next->reason ? _(next->reason) : _("I/O"));
	look_number(f, "blocked", UNIT_PERCENT, f->share);
}

static bool any_holder(const struct row_list *rows)
{
	const struct offcpu_row *r;

	row_each(r, rows)
		if (tells_holder(r))
			return true;
	return false;
}

static void look(struct finding_look *l)
{
	const struct row_list *rows = &l->m->rows[ENTITY_OFFCPU];
	double seconds = model_watched(l->m, SRC_OFFCPU, false);
	struct row_index by_thread;
	struct victim *victims;
	size_t n = 0;

	if (!any_holder(rows))
		return;
	by_thread = offcpu_by_thread(l->m, l->a);
	victims = arena_new(l->a, struct victim, rows->n);
	for (size_t i = 0, end; i < by_thread.n; i = end) {
		struct rows mine = row_index_find(&by_thread, by_thread.keys[i]);

		end = i + mine.n;
		n += victim_of(mine, seconds, &victims[n]);
	}
	if (n)
		qsort(victims, n, sizeof(*victims), by_holder);
	for (size_t i = 0; i < n; i++)
		if (!i || strcmp(victims[i].holder_comm, victims[i - 1].holder_comm) != 0)
			look_victim_of(l, &by_thread, &victims[i]);
}

const struct finding_kind finding_lock_holder = {
	.name = "lock-holder",
	.title = N_("a lock is held for long"),
	.sentence = N_("{victim} waits {blocked} of its time for the {lock} that {who} holds, who "
		       "waits for {next}"),
	.help = N_("A task cannot go on because another one holds a lock while it waits for I/O."),
	.severity = SEVERITY_WARNING,
	.needs = SRC_OFFCPU,
	.screen = "offcpu",
	.look = look,
};
