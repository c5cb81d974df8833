/* SPDX-License-Identifier: GPL-2.0-or-later */
/* More is asked of a disk than its provider allows. */

#include "base/i18n.h"
#include "data/finding/look.h"

#define SHARE 20	/* percent of the time in which a limit was exceeded */

/* The first is of texts, the others of evidence: the same in every language. */
static const char *const limits[LIMIT_COUNT][2] = {
	[LIMIT_VOLUME_IOPS] = { "volume IOPS", "volume_iops" },
	[LIMIT_VOLUME_THROUGHPUT] = { "volume throughput", "volume_throughput" },
	[LIMIT_INSTANCE_IOPS] = { "instance IOPS", "instance_iops" },
	[LIMIT_INSTANCE_THROUGHPUT] = { "instance throughput", "instance_throughput" },
};

static void look_at(struct finding_look *l, const struct disk_row *d)
{
	enum disk_limit worst = disk_limit_worst(&d->limits);
	double share = disk_limit_share(&d->limits, worst);
	struct finding_row *f;

	/* NaN is not over anything. */
	if (!look_over(l, d->dev, share, SHARE))
		return;
	f = look_found_disk(l, d, look_victim(l, d->dev, NULL), NULL);
	if (!f)
		return;
	look_text(f, "limit", limits[worst][0]);
	look_number(f, "exceeded", UNIT_PERCENT, share);
	for (unsigned i = 0; i < LIMIT_COUNT; i++)
		look_number(f, limits[i][1], UNIT_PERCENT, disk_limit_share(&d->limits, i));
}

static enum finding_check_state told(const struct model *m, const char **ret_reason)
{
	enum finding_check_state state = CHECK_ABSENT;
	const struct disk_row *d;

	row_each(d, &m->rows[ENTITY_DISK]) {
		if (d->row.flags & ROW_ENDED || d->limits_told == LIMITS_NONE)
			continue;
		if (d->limits_told == LIMITS_TOLD)
			return CHECK_WATCHED;
		state = CHECK_OFF;
		*ret_reason = d->limits_told == LIMITS_DENIED ?
			N_("the limits of the provider are not told without CAP_SYS_ADMIN") :
			N_("the disks do not tell of the limits of their provider");
	}
	return state;
}

const struct finding_kind finding_provider_limit = {
	.name = "provider-limit",
	.title = N_("the provider's limit holds a disk back"),
	.sentence = N_("{disk} is held back by its provider's limit ({limit}) {exceeded} of the "
		       "time: {victim} waits {wait} of its time"),
	.help = N_("More I/O is asked of a volume than its provider allows, for it or for the "
		   "machine, where the disk tells (NVMe disks of Amazon EC2)."),
	.severity = SEVERITY_WARNING,
	.needs = SRC_DISKS | SRC_BLOCK | SRC_TASKS,
	.either = LOOK_WAITS,
	.told = told,
	.screen = "disks",
	.look_disk = look_at,
};
