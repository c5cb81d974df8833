/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A task that sleeps where no signal reaches it and does no I/O, for long. */
#include "base/i18n.h"
#include "data/finding/look.h"

static bool is_stuck(const struct task_row *t)
{
	const struct task_counters *now = (const struct task_counters *)t->row.now;

	/* Threads of the kernel sleep like that when they have nothing to do. */
	return t->facts && t->facts->sampled && t->facts->state == 'D' &&
	       !(t->row.flags & (ROW_KTHREAD | ROW_ENDED)) && !now->ios && !now->done &&
	       !now->dirty;
}

static void look(struct finding_look *l)
{
	const struct row_list *tasks = &l->m->rows[ENTITY_TASK];

	for (size_t i = 0; i < tasks->n; i++) {
		const struct task_row *t = (const struct task_row *)tasks->rows[i];
		struct finding_row *f;

		if (!is_stuck(t))
			continue;
		f = look_found(l, t->row.key);
		f->victim = look_name(l, t);
		f->share = 100;
		f->filter = arena_printf(l->a, "tid = %llu", (unsigned long long)t->tid);
	}
}

const struct finding_kind finding_stuck_task = {
	.name = "stuck-task",
	.title = N_("a task is stuck"),
	.sentence = N_("{victim} is stuck: it sleeps uninterruptibly and does no I/O"),
	.help = N_("A task has slept in one uninterruptible wait for more than five seconds."),
	.severity = SEVERITY_WRONG,
	.needs = SRC_TASKS | SRC_BLOCK,
	.least = 5,
	.screen = "offcpu",
	.look = look,
};
