/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A task does little else than write a few bytes and wait until they are on the disk. */
#include <string.h>

#include "base/hash.h"
#include "base/i18n.h"
#include "data/finding/look.h"
#include "data/names.h"

#define SHARE 40	/* percent of its time */
#define SIZE (16 << 10)	/* bytes of an average write */
#define RATE 10		/* flushes a second: an average of fewer says nothing */

/* Flushes that it caused a second, and the last of the links that have them. */
static double flushes(const struct finding_look *l, const struct task_row *t,
		      const struct task_link **ret_link)
{
	uint64_t n = 0;

	for (const struct task_link *k = t->caused; k; k = k->next_caused)
		if (k->op == OP_FLUSH && k->now->ios) {
			n += k->now->ios;
			*ret_link = k;
		}
	return (double)n / l->m->interval;
}

static uint64_t subject_of(const struct waiter *w)
{
	const char *comm = task_leader(w->task)->comm;

	return hash_bytes(comm, strlen(comm));
}

static bool is_syncing(const struct finding_look *l, const struct waiter *w)
{
	const struct task_counters *now = w->task->row.now;
	const struct task_link *link;

	return look_over(l, subject_of(w), w->share, SHARE) && now->wios &&
	       now->write / now->wios <= SIZE && now->rios <= now->wios &&
	       look_over(l, subject_of(w), flushes(l, w->task, &link), RATE);
}

/* All tasks of a program are one case; w waits longest of them. */
static void look_program(struct finding_look *l, const struct waiter *w, uint64_t tasks)
{
	const struct task_counters *now = w->task->row.now;
	const char *comm = task_leader(w->task)->comm;
	const struct task_link *link = NULL;
	double rate = flushes(l, w->task, &link);
	struct finding_row *f = look_found(l, subject_of(w));

	f->who = f->victim = look_name(l, w->task);
	f->filter = arena_printf(l->a, "tid = %llu", (unsigned long long)w->task->tid);
	if (tasks > 1) {
		f->who = f->victim = arena_printf(l->a, "%s (%llu)", comm,
						  (unsigned long long)tasks);
		f->filter = look_filter(l, "comm", w->task->comm);
	}
	f->share = w->share;
	look_text(f, "disk", link ? link->disk->name : NULL);
	look_number(f, "wait", UNIT_PERCENT, w->share);
	look_rate(f, "flushes", UNIT_COUNT, rate);
	look_number(f, "size", UNIT_BYTES, (double)now->write / (double)now->wios);
	if (link)
		look_beside(l, f, subject_of(w), link->disk->whole);
}

static void look(struct finding_look *l)
{
	bool told[LOOK_WAITERS] = { false };

	for (size_t i = 0; i < l->nwaiters; i++) {
		const struct waiter *w = &l->waiters[i];
		uint64_t tasks = 0;

		if (told[i] || !is_syncing(l, w))
			continue;
		for (size_t k = i; k < l->nwaiters; k++)
			if (subject_of(w) == subject_of(&l->waiters[k]) &&
			    is_syncing(l, &l->waiters[k])) {
				told[k] = true;
				tasks++;
			}
		look_program(l, w, tasks);
	}
}

static const struct finding_kind *const told_by[] = { &finding_fsync_storm, &finding_fsync_journal,
						      &finding_disk_saturated, NULL };

const struct finding_kind finding_small_syncs = {
	.name = "small-syncs",
	.title = N_("many small synchronous writes"),
	.sentence = N_("{who} waits {wait} of its time for writes of {size} that it has flushed to "
		       "{disk} one by one ({flushes})"),
	.beside = N_("{victim} waits {wait} of its time at {disk} beside {who}, who makes {load} "
		     "of its load: writes of {size}, flushed one by one ({flushes})"),
	.help = N_("Writes of a few KiB, each followed by a flush: the disk's latency is the "
		   "limit, not its speed."),
	.severity = SEVERITY_WARNING,
	.needs = SRC_BLOCK | SRC_TASKS,
	.either = LOOK_WAITS,
	.screen = "tasks",
	.told_by = told_by,
	.look = look,
};
