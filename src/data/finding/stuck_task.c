/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tasks that sleep where no signal reaches them and do not wake up, for long. */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/i18n.h"
#include "data/finding/look.h"

static const char *comm_of(const struct task_row *t)
{
	return task_leader(t)->comm;
}

/* By program; of each who sleeps longest first. */
static int by_comm(const void *pa, const void *pb)
{
	const struct task_row *a = *(const struct task_row *const *)pa,
			      *b = *(const struct task_row *const *)pb;
	int r = strcmp(comm_of(a), comm_of(b));

	if (r)
		return r;
	if (a->facts->asleep_ns != b->facts->asleep_ns)
		return a->facts->asleep_ns < b->facts->asleep_ns ? 1 : -1;
	return ORDER(a->tid, b->tid);
}

/* All stuck tasks of a program are one case. */
static void look_program(struct finding_look *l, const struct task_row *first, size_t tasks)
{
	const char *comm = comm_of(first);
	struct finding_row *f = look_found(l, hash_bytes(comm, strlen(comm)));

	f->victim = look_name(l, first);
	f->filter = arena_printf(l->a, "tid = %llu", (unsigned long long)first->tid);
	if (tasks > 1) {
		f->victim = arena_printf(l->a, "%s (%zu)", comm, tasks);
		f->filter = look_filter(l, "comm", first->comm);
	}
	f->share = 100;
	f->age_ns = first->facts->asleep_ns;
	look_number(f, "stuck", UNIT_NS, (double)first->facts->asleep_ns);
	look_number(f, "tasks", UNIT_COUNT, (double)tasks);
}

static void look(struct finding_look *l)
{
	size_t end;

	if (l->nstuck > 1)
		qsort(l->stuck, l->nstuck, sizeof(*l->stuck), by_comm);
	for (size_t i = 0; i < l->nstuck; i = end) {
		end = i + 1;
		while (end < l->nstuck && !strcmp(comm_of(l->stuck[end]), comm_of(l->stuck[i])))
			end++;
		look_program(l, l->stuck[i], end - i);
	}
}

const struct finding_kind finding_stuck_task = {
	.name = "stuck-task",
	.title = N_("a task is stuck"),
	.sentence = N_("{victim} is stuck: asleep in one uninterruptible wait for {stuck}"),
	.help = N_("A task has slept in one uninterruptible wait for more than five seconds."),
	.severity = SEVERITY_WRONG,
	.needs = SRC_TASKS,
	.least = 2,
	.screen = "offcpu",
	.look = look,
};
