/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A stacked disk moves much more below than is written to it, and somebody waits. */
#include <math.h>
#include <string.h>

#include "base/i18n.h"
#include "data/finding/look.h"

#define TIMES 2.5	/* bytes below for a byte: parity costs 4 and 3, two copies 2 */
#define LEAST (256 << 10)	/* bytes a second below which it does not matter */

/* A mirror of three or more writes as many copies. */
static double limit_of(const struct disk_row *d)
{
	bool copies = d->type && (!strcmp(d->type, "raid1") || !strcmp(d->type, "raid10"));

	return copies ? MAX(TIMES, (double)d->nbelow + 0.5) : TIMES;
}

static double moved(const struct disk_row *d)
{
	const struct disk_counters *now = d->row.now;

	return (double)now->op[OP_READ].bytes + (double)now->op[OP_WRITE].bytes;
}

/* Bytes read and written below for each byte here; 0: what is below serves others, too. */
static double times_of(const struct finding_look *l, const struct disk_row *d)
{
	double here = moved(d), sum = 0;

	if (isnan(d->amp[0][1]) || !(here > 0))
		return 0;
	for (size_t i = 0; i < d->nbelow; i++) {
		const struct disk_row *below = look_disk(l, d->below[i]);

		sum += below ? moved(below) : 0;
	}
	return sum / here;
}

static void look_at(struct finding_look *l, const struct disk_row *d)
{
	const struct disk_counters *now = d->row.now;
	double times = times_of(l, d), bytes = (double)now->op[OP_WRITE].bytes / l->m->interval;
	struct finding_row *f;

	if (!d->nbelow || bytes < LEAST || !look_over(l, d->dev, times, limit_of(d)))
		return;
	f = look_found_disk(l, d, look_victim(l, d->dev, NULL), NULL);
	if (!f)
		return;
	f->who = f->victim;
	look_number(f, "times", UNIT_RATIO, times);
	look_number(f, "writes", UNIT_RATIO, d->amp[0][1]);
	look_rate(f, "bytes", UNIT_BYTES, bytes);
}

const struct finding_kind finding_amplification = {
	.name = "write-amplification",
	.title = N_("much more is written below"),
	.sentence = N_("{victim} waits {wait} of its time for {disk}, which moves {times} bytes "
		       "below for each byte ({bytes} are written)"),
	.help = N_("Small writes make a RAID, a snapshot or a thin volume read and write much "
		   "more."),
	.severity = SEVERITY_WARNING,
	.needs = SRC_DISKS | SRC_BLOCK | SRC_TASKS,
	.either = LOOK_WAITS,
	.screen = "disks",
	.look_disk = look_at,
};
