/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A task does little else than write a few bytes and wait until they are on the disk. */
#include "base/i18n.h"
#include "data/finding/look.h"

#define SHARE 85	/* percent of its time */
#define SIZE (16 << 10)	/* bytes of an average write */
#define RATE 100	/* flushes a second */

/* Flushes that it caused, and the disk of the last of them. */
static uint64_t flushes(const struct task_row *t, const char **ret_disk)
{
	uint64_t n = 0;

	for (const struct task_link *k = t->caused; k; k = k->next_caused)
		if (k->op == OP_FLUSH && k->now->ios) {
			n += k->now->ios;
			*ret_disk = k->disk;
		}
	return n;
}

static void look_waiter(struct finding_look *l, const struct waiter *w)
{
	const struct task_counters *now = (const struct task_counters *)w->task->row.now;
	uint64_t subject = w->task->row.key;
	const char *disk = NULL;
	double rate = (double)flushes(w->task, &disk) / l->m->interval;
	struct finding_row *f;

	if (!now->wios || now->write / now->wios > SIZE || now->rios > now->wios ||
	    !look_over(l, subject, rate, RATE))
		return;
	f = look_found(l, subject);
	f->who = f->victim = look_name(l, w->task);
	f->share = w->share;
	f->filter = arena_printf(l->a, "tid = %llu", (unsigned long long)w->task->tid);
	look_text(f, "disk", disk);
	look_number(f, "wait", UNIT_PERCENT, w->share);
	look_rate(f, "flushes", UNIT_COUNT, rate);
	look_number(f, "size", UNIT_BYTES, (double)now->write / (double)now->wios);
}

static void look(struct finding_look *l)
{
	for (size_t i = 0; i < l->nwaiters; i++)
		if (look_over(l, l->waiters[i].task->row.key, l->waiters[i].share, SHARE))
			look_waiter(l, &l->waiters[i]);
}

const struct finding_kind finding_small_syncs = {
	.name = "small-syncs",
	.title = N_("many small synchronous writes"),
	.sentence = N_("{who} waits {wait} of its time for writes of {size} that it has flushed to "
		       "{disk} one by one ({flushes})"),
	.help = N_("Writes of a few KiB, each followed by a flush: the disk's latency is the "
		   "limit, not its speed."),
	.severity = SEVERITY_WARNING,
	.needs = SRC_BLOCK | SRC_TASKS,
	.either = LOOK_WAITS,
	.screen = "tasks",
	.look = look,
};
