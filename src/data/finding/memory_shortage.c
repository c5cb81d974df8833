// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tasks lose time for memory: the kernel says that they are stalled (what was evicted from among
 * what is in use is read again, or pages must be freed first), or they wait for reads that only
 * bring back what was thrown out a short time ago.
 */
#include <string.h>

#include "base/clock.h"
#include "base/i18n.h"
#include "data/finding/look.h"

/* Who loses how much of his time (percent). */
struct loss {
	const struct task_row *task;	/* NULL: nobody */
	double share;
};

static const struct task_counters *counters_of(const struct task_row *t)
{
	return t->row.now;
}

static struct loss stalled(const struct finding_look *l)
{
	double seconds = l->stalled ? model_watched(l->m, SRC_MEMSTALL, false) : 0;

	if (!(seconds > 0))
		return (struct loss){ 0 };
	return (struct loss){ l->stalled, (double)counters_of(l->stalled)->memstall_ns / seconds /
					  (NSEC_PER_SEC / 100) };
}

/*
 * The kernel counts refaults of all together. What all others read may have been refaults; the rest
 * of them is this task's.
 */
static struct loss rereads(const struct finding_look *l)
{
	const struct model_flows *flows = &l->m->totals.flows;
	double seconds = task_watched(l->m);
	struct loss worst = { 0 };

	/* NaN is not over anything. */
	if (!(flows->refault_file > 0) || !(flows->read > 0) || !(seconds > 0))
		return worst;
	for (size_t i = 0; i < l->nwaiters; i++) {
		const struct waiter *w = &l->waiters[i];
		double read = (double)counters_of(w->task)->read / seconds;
		double again = MIN(flows->refault_file - (flows->read - read), read);
		double share = again > 0 ? w->share * again / read : 0;

		if (share > worst.share)
			worst = (struct loss){ w->task, share };
	}
	return worst;
}

/*
 * "memory.max 64 MiB": the limits of memory that hold for its control group, where one was reached;
 * NULL: none was, or it is not known.
 */
static const char *limit_of(const struct task_row *t)
{
	const struct task_memory *mem = t->memory;

	if (!mem || !(mem->have & MEMORY_LIMITS) || !(mem->now->high + mem->now->max))
		return NULL;
	/* They are the last: those of I/O come first. */
	return mem->limits ? strstr(mem->limits, "memory.") : NULL;
}

static void look(struct finding_look *l)
{
	const struct model_flows *flows = &l->m->totals.flows;
	struct loss worst = stalled(l), other = rereads(l);
	struct finding_row *f;
	const char *limit;

	if (other.share > worst.share)
		worst = other;
	if (!worst.task || !look_over(l, 0, worst.share, l->share))
		return;
	f = look_found(l, 0);
	/* The root group has no limit of its own. */
	if (worst.task->cgroup_path && strcmp(worst.task->cgroup_path, "/") != 0)
		f->who = worst.task->cgroup_path;
	f->victim = look_name(l, worst.task);
	f->share = MIN(worst.share, 100);
	f->filter = arena_printf(l->a, "pid = %llu", (unsigned long long)worst.task->pid);
	limit = limit_of(worst.task);
	if (f->who && limit) {
		f->sentence = N_("{who} has not enough memory ({limit}): {victim} is stalled "
				 "{stalled} of its time, {refaults} of evicted file pages are read "
				 "again, {swapin} swapped in");
		look_text(f, "limit", limit);
	}
	look_number(f, "stalled", UNIT_PERCENT, f->share);
	look_rate(f, "refaults", UNIT_BYTES, flows->refault_file + flows->refault_anon);
	look_rate(f, "swapin", UNIT_BYTES, flows->swap_in);
}

const struct finding_kind finding_memory_shortage = {
	.name = "memory-shortage",
	.title = N_("memory is short"),
	.sentence = N_("memory is short: {victim} is stalled {stalled} of its time, {refaults} of "
		       "evicted file pages are read again, {swapin} swapped in"),
	.help = N_("Pages are evicted that are needed again soon: more memory would end this I/O."),
	.severity = SEVERITY_WARNING,
	.needs = SRC_SYSTEM | SRC_TASKS,
	.either = SRC_MEMSTALL | LOOK_WAITS | SRC_MEMORY,
	.screen = "tasks",
	.look = look,
};
