/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The device takes longer than it did for I/O of this size and depth. */
#include "base/clock.h"
#include "base/i18n.h"
#include "data/finding/look.h"

#define TIMES 3
#define LEAST 10	/* I/Os in the interval: an average of fewer says nothing */

static void look_at(struct finding_look *l, const struct disk_row *d)
{
	const struct disk_counters *now = d->row.now;
	double device = (double)now->op[OP_READ].device_ns + (double)now->op[OP_WRITE].device_ns;
	struct finding_row *f;

	/* NaN is not over anything. */
	if (now->op[OP_READ].done + now->op[OP_WRITE].done < LEAST ||
	    !look_over(l, d->dev, d->slow, TIMES) ||
	    !look_over(l, d->dev, device / l->m->interval / (NSEC_PER_SEC / 100), l->share))
		return;
	f = look_found_disk(l, d, look_victim(l, d->dev, NULL), NULL);
	if (!f)
		return;
	look_number(f, "times", UNIT_RATIO, d->slow);
	look_number(f, "usual", UNIT_NS, (double)d->usual_ns);
	look_number(f, "now", UNIT_NS, d->slow * (double)d->usual_ns);
	look_timeouts(l, f, d);
	look_exceeded(f, d);
}

const struct finding_kind finding_device_slow = {
	.name = "device-slow",
	.title = N_("the device is slow by itself"),
	.sentence = N_("{disk} takes {times} times as long as usual for the same I/O ({now}, "
		       "usually {usual}): {victim} waits {wait} of its time"),
	.help = N_("The device takes longer than before for I/O of the same size and depth."),
	.severity = SEVERITY_WARNING,
	.needs = SRC_DISKS | SRC_BLOCK | SRC_TASKS,
	.either = LOOK_WAITS,
	.screen = "disks",
	.look_disk = look_at,
};
