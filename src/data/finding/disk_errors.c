/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Requests fail. */
#include "base/i18n.h"
#include "data/finding/look.h"

static void look_at(struct finding_look *l, const struct disk_row *d)
{
	const struct disk_counters *now = d->row.now;
	uint64_t errors = DISK_ALL(now, errors);
	struct finding_row *f;

	if (!errors)
		return;
	f = look_found(l, d->dev);
	f->share = 0;
	f->filter = look_filter(l, "disk", d->disk);
	look_text(f, "disk", d->disk);
	look_rate(f, "errors", UNIT_COUNT, (double)errors / l->m->interval);
	look_timeouts(l, f, d);
}

const struct finding_kind finding_disk_errors = {
	.name = "disk-errors",
	.title = N_("requests fail"),
	.sentence = N_("{disk} fails requests: {errors} with an error"),
	.help = N_("A disk answers requests with errors."),
	.severity = SEVERITY_WRONG,
	.needs = SRC_DISKS | SRC_BLOCK,
	.screen = "disks",
	.look_disk = look_at,
};
