/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Discards take the time of a disk, and somebody waits. */
#include "base/i18n.h"
#include "data/finding/look.h"

#define SHARE 30	/* percent of the time of all requests; what waits behind has its part */

static void look_at(struct finding_look *l, const struct disk_row *d)
{
	const struct disk_counters *now = d->row.now;
	struct look_user *users, who;
	double all = (double)DISK_ALL(now, lat_ns);
	double share = all > 0 ? 100 * (double)now->op[OP_DISCARD].lat_ns / all : 0;
	struct finding_row *f;
	size_t n;

	if (!look_over(l, d->dev, share, SHARE))
		return;
	n = look_users(l, d->dev, 1u << OP_DISCARD, &users);
	if (!look_culprit(l, d->dev, users, n, &who))
		return;
	f = look_found_disk(l, d, look_victim(l, d->dev, &who), who.name);
	if (!f)
		return;
	look_number(f, "discards", UNIT_PERCENT, share);
	look_rate(f, "bytes", UNIT_BYTES, (double)now->op[OP_DISCARD].bytes / l->m->interval);
}

const struct finding_kind finding_discards = {
	.name = "discards",
	.title = N_("discards slow the disk"),
	.sentence = N_("discards of {who} hold up {victim}, which waits {wait} of its time: they "
		       "are {discards} of the time of {disk} ({bytes})"),
	.help = N_("Discarding blocks (fstrim, mount option discard) holds up reads and writes."),
	.severity = SEVERITY_WARNING,
	.needs = SRC_DISKS | SRC_BLOCK | SRC_TASKS,
	.either = LOOK_WAITS,
	.screen = "disks",
	.look_disk = look_at,
};
