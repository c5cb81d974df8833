/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A stacked disk writes much more below than is written to it, and somebody waits. */
#include "base/i18n.h"
#include "data/finding/look.h"

#define TIMES 3		/* bytes below for a byte: more than a mirror writes */
#define LEAST (256 << 10)	/* bytes a second below which it does not matter */

static void look_disk(struct finding_look *l, const struct disk_row *d)
{
	const struct disk_counters *now = (const struct disk_counters *)d->row.now;
	double times = d->amp[0][1], bytes = (double)now->op[OP_WRITE].bytes / l->m->interval;
	const struct waiter *victim = look_victim(l, d->dev, 0);
	struct finding_row *f;

	/* NaN is not over anything. */
	if (!victim || bytes < LEAST || !look_over(l, d->dev, times, TIMES) ||
	    !look_over(l, d->dev, victim->share, LOOK_SHARE))
		return;
	f = look_found(l, d->dev);
	f->who = f->victim = look_name(l, victim->task);
	f->share = victim->share;
	f->filter = look_filter(l, "disk", d->disk);
	look_text(f, "disk", d->disk);
	look_number(f, "times", UNIT_RATIO, times);
	look_number(f, "reads", UNIT_RATIO, d->amp[0][0]);
	look_rate(f, "bytes", UNIT_BYTES, bytes);
	look_number(f, "wait", UNIT_PERCENT, victim->share);
}

static void look(struct finding_look *l)
{
	look_each_disk(l, d)
		if (d->nbelow)
			look_disk(l, d);
}

const struct finding_kind finding_amplification = {
	.name = "write-amplification",
	.title = N_("much more is written below"),
	.sentence = N_("{disk} writes {times} bytes below for each byte ({bytes} come in): "
		       "{victim} waits {wait} of its time"),
	.help = N_("Small writes make a RAID, a snapshot or a thin volume read and write much "
		   "more."),
	.severity = SEVERITY_WARNING,
	.needs = SRC_DISKS | SRC_BLOCK | SRC_TASKS,
	.either = LOOK_WAITS,
	.screen = "disks",
	.look = look,
};
