/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A limit of a control group holds I/O back. */
#include "base/clock.h"
#include "base/i18n.h"
#include "data/finding/look.h"

/* Where the limit is that holds most of its I/O back; NULL: not known. */
static const char *limited_disk(const struct task_row *t)
{
	const struct task_link *most = NULL;

	for (const struct task_link *k = t->caused; k; k = k->next_caused)
		if (k->now->throttled_ns &&
		    (!most || k->now->throttled_ns > most->now->throttled_ns))
			most = k;
	return most ? most->disk : NULL;
}

static void look_task(struct finding_look *l, const struct task_row *t, double seconds)
{
	const struct task_counters *now = t->row.now;
	double held = (double)now->throttled_ns / seconds / (NSEC_PER_SEC / 100);
	struct finding_row *f;

	/* For how long is not known of all of its I/O. */
	if (now->held_unseen || !look_over(l, t->row.key, held, l->share))
		return;
	f = look_found(l, t->row.key);
	f->who = t->cgroup_path;
	f->victim = look_name(l, t);
	f->share = MIN(held, 100);
	f->filter = arena_printf(l->a, "tid = %llu", (unsigned long long)t->tid);
	look_text(f, "limit", t->limit ? t->limit : "?");
	look_text(f, "disk", limited_disk(t));
	look_number(f, "throttled", UNIT_PERCENT, f->share);
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
