/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tasks that sleep where no signal reaches them and do not wake up, for long. */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/i18n.h"
#include "base/utf8.h"
#include "data/finding/look.h"
#include "data/names.h"

static const char *comm_of(const struct task_row *t)
{
	return task_leader(t)->comm;
}

/* By program and by what it is known to wait for; of each who sleeps longest first. */
static int by_comm(const void *pa, const void *pb)
{
	const struct task_row *a = *(const struct task_row *const *)pa,
			      *b = *(const struct task_row *const *)pb;
	int r = strcmp(comm_of(a), comm_of(b));

	if (r)
		return r;
	if (a->facts->frozen_dev != b->facts->frozen_dev)
		return ORDER(a->facts->frozen_dev, b->facts->frozen_dev);
	if (a->facts->asleep_ns != b->facts->asleep_ns)
		return a->facts->asleep_ns < b->facts->asleep_ns ? 1 : -1;
	return ORDER(a->tid, b->tid);
}

static bool is_same(const struct task_row *a, const struct task_row *b)
{
	return !strcmp(comm_of(a), comm_of(b)) && a->facts->frozen_dev == b->facts->frozen_dev;
}

/* "/srv (loop0)", where it is mounted first; "loop0" where that is not known. */
static const char *file_system(struct finding_look *l, uint32_t dev)
{
	const struct sample_disk *d = task_frozen_disk(l->m, dev);
	const char *name =
		names_disk_people(engine_name_table(l->m->engine), d ? d->dev : dev);

	if (!d || !d->mounts || !*d->mounts)
		return name;
	return arena_printf(l->a, "%s (%s)",
			    utf8_clean(l->a, d->mounts, strcspn(d->mounts, "\n")), name);
}

/* All stuck tasks of a program are one case, but for those that wait for a frozen file system. */
static void look_program(struct finding_look *l, const struct task_row *first, size_t tasks)
{
	const char *comm = comm_of(first);
	uint32_t frozen = first->facts->frozen_dev;
	struct finding_row *f = look_found(l, hash_bytes(comm, strlen(comm)) ^ frozen);

	if (frozen) {
		f->sentence = N_("{victim} has been stuck for {stuck}: its file system {fs} is "
				 "frozen");
		look_text(f, "fs", file_system(l, frozen));
	}
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
		while (end < l->nstuck && is_same(l->stuck[end], l->stuck[i]))
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
