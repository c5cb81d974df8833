/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A limit of a control group holds I/O back. */
#include "base/clock.h"
#include "base/i18n.h"
#include "data/finding/look.h"
#include "data/names.h"

#define UNTIMED                                                                                  \
	N_("{victim} waits {wait} of its time for I/O at {disk}, and the limit {limit} of {who} " \
	   "holds most of it back: for how long cannot be seen here")

static uint64_t held(const struct task_link *k)
{
	return k->now->held_unseen ? k->now->held_unseen : k->now->throttled_ns;
}

/* Where the limit is that holds most of its I/O back; NULL: not known. */
static const struct task_link *limited_link(const struct task_row *t)
{
	const struct task_link *most = NULL;

	for (const struct task_link *k = t->caused; k; k = k->next_caused)
		if (held(k) && (!most || held(k) > held(most)))
			most = k;
	return most;
}

/* Where nobody saw for how long: how much of its time it waits, if most of its I/O was held. */
static double waits(const struct finding_look *l, const struct task_row *t,
		    const struct task_link *k)
{
	if (!k || k->now->held_unseen <= k->now->ios / 2)
		return 0;
	for (size_t i = 0; i < l->nwaiters; i++)
		if (l->waiters[i].task == t)
			return l->waiters[i].share;
	return 0;
}

static void look_task(struct finding_look *l, const struct task_row *t, double seconds)
{
	const struct task_counters *now = t->row.now;
	const struct task_link *k = limited_link(t);
	bool timed = !now->held_unseen;
	double share = timed ? (double)now->throttled_ns / seconds / (NSEC_PER_SEC / 100)
			     : waits(l, t, k);
	struct finding_row *f;

	if (!look_over(l, t->row.key, share, l->share))
		return;
	f = look_found(l, t->row.key);
	f->who = t->cgroup_path;
	f->victim = look_name(l, t);
	f->share = MIN(share, 100);
	f->filter = arena_printf(l->a, "tid = %llu", (unsigned long long)t->tid);
	look_text(f, "limit", t->limit ? t->limit : "?");
	look_text(f, "disk", k ? k->disk->name : NULL);
	look_number(f, timed ? "throttled" : "wait", UNIT_PERCENT, f->share);
	if (!timed)
		f->sentence = UNTIMED;
}

static void look(struct finding_look *l)
{
	double seconds = model_watched(l->m, SRC_BLOCK, false);

	for (size_t i = 0; i < l->nlimited; i++)
		look_task(l, l->limited[i], seconds);
}

const struct finding_kind finding_limit = {
	.name = "throttled",
	.title = N_("a limit holds I/O back"),
	.sentence = N_("{victim} is held back at {disk} {throttled} of its time by the limit "
		       "{limit} of {who}"),
	.help = N_("A limit of the control group (io.max, blkio.throttle, iocost, iolatency) "
		   "lets no more I/O pass."),
	.severity = SEVERITY_WARNING,
	.needs = SRC_BLOCK | SRC_TASKS | SRC_NAMES,
	.screen = "tasks",
	.look = look,
};
