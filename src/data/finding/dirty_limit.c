/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writers are held back because more is dirty than the disks can take. */
#include "base/clock.h"
#include "base/i18n.h"
#include "data/finding/look.h"

static double share_of(const struct finding_look *l, const struct task_row *t)
{
	double seconds = model_watched(l->m, SRC_THROTTLE, false);
	const struct task_counters *now = (const struct task_counters *)t->row.now;

	return MIN((double)now->throttle_ns / seconds / (NSEC_PER_SEC / 100), 100);
}

/* Who is held back for what another dirties; else whoever is held back longest. */
static const struct task_row *find_victim(const struct finding_look *l, const struct look_user *who)
{
	const struct row_list *tasks = &l->m->rows[ENTITY_TASK];
	const struct task_row *victim = NULL;
	double most = 0;

	for (size_t i = 0; i < tasks->n; i++) {
		const struct task_row *t = (const struct task_row *)tasks->rows[i];
		double share = share_of(l, t);

		if (share > most && !look_is(who, t) && look_over(l, 0, share, LOOK_SHARE)) {
			most = share;
			victim = t;
		}
	}
	return victim ? victim : l->held;
}

static void look(struct finding_look *l)
{
	const struct task_row *victim = l->held;
	struct look_user *users, who;
	struct finding_row *f;
	size_t n;

	if (!victim || !look_over(l, 0, share_of(l, victim), LOOK_SHARE))
		return;
	n = look_dirtiers(l, &users);
	if (!look_culprit(l, users, n, &who))
		return;
	victim = find_victim(l, &who);
	f = look_found(l, 0);
	f->who = who.name;
	f->victim = look_name(l, victim);
	f->share = share_of(l, victim);
	f->filter = "throttle > 0";
	/* A writer that has only itself to wait for is as fast as the disk. */
	if (look_is(&who, victim))
		f->severity = SEVERITY_NOTE;
	look_number(f, "throttled", UNIT_PERCENT, f->share);
	look_rate(f, "dirtied", UNIT_BYTES,
		  (double)who.bytes / model_watched(l->m, SRC_TASKIO, false));
	look_rate(f, "written", UNIT_BYTES, l->m->totals.flows.disk_write);
}

const struct finding_kind finding_dirty_limit = {
	.name = "dirty-limit",
	.title = N_("writers are held back"),
	.sentence = N_("{victim} is held back {throttled} of its time: {who} dirties {dirtied}, "
		       "the disks take {written}"),
	.help = N_("The kernel makes writers wait because too much memory waits to be written."),
	.severity = SEVERITY_WARNING,
	.needs = SRC_TASKS | SRC_TASKIO | SRC_THROTTLE,
	.screen = "tasks",
	.look = look,
};
