/* SPDX-License-Identifier: GPL-2.0-or-later */
/* I/O waits until it may become a request at all, not for the device. */
#include "base/clock.h"
#include "base/i18n.h"
#include "data/finding/look.h"

#define SHARE 50	/* percent of the time of all I/O of the disk */

static void look_at(struct finding_look *l, const struct disk_row *d)
{
	const struct disk_counters *now = d->row.now;
	double all = (double)DISK_ALL(now, lat_ns), tags = (double)DISK_ALL(now, tag_ns);
	double share = all > 0 ? MIN(100 * tags / all, 100) : 0;
	struct finding_row *f;

	/* Much of little holds nobody up. */
	if (!look_over(l, d->dev, share, SHARE) ||
	    !look_over(l, d->dev, tags / l->m->interval / (NSEC_PER_SEC / 100), l->share))
		return;
	f = look_found_disk(l, d, look_victim(l, d->dev, NULL), NULL);
	if (!f)
		return;
	look_text(f, "sched", d->sched ? d->sched : "?");
	look_number(f, "tagwait", UNIT_PERCENT, share);
	/* Without any it is a limit that holds them back. */
	if (d->tags_told)
		look_rate(f, "tagwaits", UNIT_COUNT, (double)now->rare.tag_waits / l->m->interval);
}

const struct finding_kind finding_tag_wait = {
	.name = "tag-wait",
	.title = N_("too few tags, device not slow"),
	.sentence = N_("{tagwait} of the time of I/O on {disk} ({sched}) is waiting for a free "
		       "request: {victim} waits {wait} of its time"),
	.help = N_("All requests that the disk may have are taken, or wbt holds I/O back."),
	.severity = SEVERITY_WARNING,
	.needs = SRC_DISKS | SRC_BLOCK | SRC_TASKS,
	.either = LOOK_WAITS,
	.screen = "disks",
	.look_disk = look_at,
};
