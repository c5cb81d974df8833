/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A disk has no time left, and somebody waits behind another's requests. A disk that is busy with
 * one's own requests holds nobody up.
 */
#include <math.h>

#include "base/i18n.h"
#include "data/finding/look.h"

#define BUSY 90		/* percent of the time with a request in flight */
#define DEPTH 4		/* requests in flight on average: what waits behind others */
#define OTHERS 60	/* percent of the time of all requests that is not the victim's */
#define CULPRIT 30	/* the same of the one who has most of it */

static double share_of(const struct look_user *users, size_t n, const struct waiter *w)
{
	for (size_t i = 0; i < n; i++)
		if (users[i].pid == w->task->pid)
			return users[i].share;
	return 0;
}

static double latency(const struct task_row *t)
{
	const struct task_counters *now = t->row.now;

	return now->done ? (double)now->lat_ns / (double)now->done : NAN;
}

static bool is_full(const struct finding_look *l, const struct disk_row *d)
{
	return look_over(l, d->dev, look_busy(d), BUSY) &&
	       look_over(l, d->dev, look_depth(d), DEPTH);
}

/* What is full because a disk below it is tells nothing more. */
static bool is_full_below(const struct finding_look *l, const struct disk_row *d)
{
	for (size_t i = 0; i < d->nbelow; i++) {
		const struct disk_row *below = look_disk(l, d->below[i]);

		if (below && is_full(l, below))
			return true;
	}
	return false;
}

static void look_at(struct finding_look *l, const struct disk_row *d)
{
	struct look_user *users, culprit;
	const struct waiter *victim;
	struct finding_row *f;
	size_t n;

	if (!is_full(l, d) || is_full_below(l, d))
		return;
	n = look_users(l, d->dev, 0, &users);
	if (!look_culprit(l, d->dev, users, n, &culprit))
		return;
	victim = look_victim(l, d->dev, &culprit);
	if (!victim || !look_over(l, d->dev, culprit.share, CULPRIT) ||
	    !look_over(l, d->dev, 100 - share_of(users, n, victim), OTHERS))
		return;
	f = look_found_disk(l, d, victim, culprit.name);
	if (!f)
		return;
	look_number(f, "util", UNIT_PERCENT, look_busy(d));
	look_number(f, "depth", UNIT_RATIO, look_depth(d));
	look_number(f, "load", UNIT_PERCENT, culprit.share);
	look_number(f, "latency", UNIT_NS, latency(victim->task));
	look_rate(f, "bytes", UNIT_BYTES, (double)culprit.bytes / l->m->interval);
	look_exceeded(f, d);
}

static const struct finding_kind *const told_by[] = { &finding_fsync_journal, NULL };

const struct finding_kind finding_disk_saturated = {
	.name = "disk-saturated",
	.title = N_("the disk has no time left"),
	.sentence = N_("{disk} is saturated: {victim} waits {wait} of its time behind {who}, who "
		       "makes {load} of the load (depth {depth})"),
	.help = N_("A disk works without a pause, and somebody waits behind another's requests."),
	.severity = SEVERITY_WARNING,
	.needs = SRC_DISKS | SRC_BLOCK | SRC_TASKS,
	.either = LOOK_WAITS,
	.screen = "disks",
	.told_by = told_by,
	.look_disk = look_at,
};
