/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Somebody waits while pages are swapped in. */
#include "base/clock.h"
#include "base/i18n.h"
#include "data/finding/look.h"

/* Where the kernel has swapped to: the disks of the residual [swap]. */
static bool is_swap(const struct finding_look *l, uint32_t dev)
{
	const struct task_row *t;

	row_each(t, &l->m->rows[ENTITY_TASK]) {
		if (t->id.start || t->id.tid != RESIDUAL_SWAP)
			continue;
		for (const struct task_link *k = t->caused; k; k = k->next_caused)
			if (k->dev == dev)
				return true;
	}
	return false;
}

/*
 * Percent of the victim's time: by its reads from where the kernel swaps to, or as delay accounting
 * has it, which does not count all of them.
 */
static double share_of(const struct finding_look *l, const struct waiter *w)
{
	const struct task_counters *now = w->task->row.now;
	double seconds = model_watched(l->m, SRC_DELAYS, false);
	double share = 0;
	uint64_t ns = 0, all = 0;

	if (w->task->row.have & SRC_DELAYS && seconds > 0)
		share = MIN((double)now->swap_ns / seconds / (NSEC_PER_SEC / 100), 100);
	for (const struct task_link *k = w->task->caused; k; k = k->next_caused)
		if (k->now->done) {
			all += k->now->lat_ns;
			ns += k->op == OP_READ && is_swap(l, k->dev) ? k->now->lat_ns : 0;
		}
	return all ? MAX(share, w->share * (double)ns / (double)all) : share;
}

static void look(struct finding_look *l)
{
	const struct model_flows *flows = &l->m->totals.flows;
	const struct waiter *victim = NULL;
	struct finding_row *f;
	double most = 0;

	/* NaN is not over anything. */
	if (!(flows->swap_in > 0))
		return;
	for (size_t i = 0; i < l->nwaiters; i++) {
		double share = share_of(l, &l->waiters[i]);

		if (share > most) {
			most = share;
			victim = &l->waiters[i];
		}
	}
	if (!victim || !look_over(l, 0, most, l->share))
		return;
	f = look_found(l, 0);
	f->victim = look_name(l, victim->task);
	f->share = most;
	f->filter = arena_printf(l->a, "pid = %llu", (unsigned long long)victim->task->pid);
	look_number(f, "wait", UNIT_PERCENT, most);
	look_rate(f, "swap_in", UNIT_BYTES, flows->swap_in);
	look_rate(f, "swap_out", UNIT_BYTES, flows->swap_out);
}

const struct finding_kind finding_swap = {
	.name = "swap",
	.title = N_("swapping"),
	.sentence = N_("{victim} waits {wait} of its time for memory that was swapped out: "
		       "{swap_in} come back, {swap_out} go out"),
	.help = N_("There is less memory than is used all the time: what is missing is read from "
		   "the disk again and again."),
	.severity = SEVERITY_WARNING,
	.needs = SRC_SYSTEM | SRC_BLOCK | SRC_TASKS,
	.either = LOOK_WAITS,
	.screen = "tasks",
	.look = look,
};
