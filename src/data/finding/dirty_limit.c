/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writers are held back because more is dirty than the disks can take. */
#include <stdlib.h>

#include "base/clock.h"
#include "base/i18n.h"
#include "data/finding/look.h"

static void look(struct finding_look *l)
{
	double seconds = model_watched(l->m, SRC_THROTTLE, false);
	const struct row_list *tasks = &l->m->rows[ENTITY_TASK];
	const struct task_row *victim = NULL, *culprit = NULL;
	uint64_t most = 0, longest = 0;
	struct finding_row *f;
	double share;

	for (size_t i = 0; i < tasks->n; i++) {
		const struct task_row *t = (const struct task_row *)tasks->rows[i];
		const struct task_counters *now = (const struct task_counters *)t->row.now;

		if (now->throttle_ns > longest) {
			longest = now->throttle_ns;
			victim = t;
		}
		if (now->dirty > most) {
			most = now->dirty;
			culprit = t;
		}
	}
	share = (double)longest / seconds / (NSEC_PER_SEC / 100);
	if (!victim || !culprit || !look_over(l, 0, share, LOOK_SHARE))
		return;
	f = look_found(l, 0);
	f->who = look_name(l, culprit);
	f->victim = look_name(l, victim);
	f->share = MIN(share, 100);
	f->filter = "throttle > 0";
	look_number(f, "throttled", UNIT_PERCENT, f->share);
	look_rate(f, "dirtied", UNIT_BYTES, (double)most / seconds);
	look_rate(f, "written", UNIT_BYTES, l->m->totals.flows.disk_write);
}

const struct finding_kind finding_dirty_limit = {
	.name = "dirty-limit",
	.title = N_("writers are held back"),
	.sentence = N_("more is dirtied than the disks take: {victim} is held back {throttled} of "
		       "its time; {who} dirties most, {dirtied}, while {written} are written"),
	.help = N_("The kernel makes writers wait because too much memory waits to be written."),
	.severity = SEVERITY_WARNING,
	.needs = SRC_TASKS | SRC_TASKIO | SRC_THROTTLE,
	.screen = "tasks",
	.look = look,
};
