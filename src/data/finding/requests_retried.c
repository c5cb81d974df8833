/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A disk sends many requests back to be tried again: time-outs, resets, a device that is busy. */
#include "base/i18n.h"
#include "data/finding/look.h"

#define SHARE 10	/* percent of the requests */
#define MANY 16		/* in flight on average: what comes back found no room behind them */

static void look_at(struct finding_look *l, const struct disk_row *d)
{
	const struct disk_counters *now = d->row.now;
	uint64_t requeues = DISK_ALL(now, requeues), done = DISK_ALL(now, done);
	struct finding_row *f;

	/* A few come back from any device that is busy; it is not that when one is not answered. */
	if (!now->rare.timeouts &&
	    (look_depth(d) >= MANY ||
	     !look_over(l, d->dev, 100 * (double)requeues / (double)MAX(done, 1), SHARE)))
		return;
	f = look_found_disk(l, d, look_victim(l, d->dev, NULL), NULL);
	if (!f)
		return;
	look_rate(f, "requeues", UNIT_COUNT, (double)requeues / l->m->interval);
	look_rate(f, "done", UNIT_COUNT, (double)done / l->m->interval);
	look_timeouts(l, f, d);
	if (now->rare.timeouts)
		f->severity = SEVERITY_WRONG;
}

/* Whoever fills the disk leaves it no room for more requests: that is an effect, no cause. */
static const struct finding_kind *const told_by[] = {
	&finding_disk_saturated, &finding_dirty_limit, &finding_fsync_journal,
	&finding_fsync_storm,	 &finding_small_syncs, NULL,
};

const struct finding_kind finding_requests_retried = {
	.name = "requests-retried",
	.title = N_("requests are tried again"),
	.sentence = N_("{disk} sends {requeues} requests back to be tried again ({done} are done): "
		       "{victim} waits {wait} of its time"),
	.help = N_("Requests time out, the device was reset, or it has no room for more of them."),
	.severity = SEVERITY_WARNING,
	.needs = SRC_DISKS | SRC_BLOCK | SRC_TASKS,
	.either = LOOK_WAITS,
	.screen = "disks",
	.told_by = told_by,
	.look_disk = look_at,
};
