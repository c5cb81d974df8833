/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One disk of a set is slower than the others, and all wait for it. */
#include <string.h>

#include "base/i18n.h"
#include "data/finding/look.h"

#define TIMES 3		/* as slow as the fastest of the others */
#define LEAST 3	/* requests in the interval: an average of fewer says nothing */

/* Of these all do the same; disks below others of a kind (a cache, parts of a volume) need not. */
static bool is_set(const struct disk_row *d)
{
	return d->nbelow > 1 && d->type &&
	       (!strncmp(d->type, "raid", 4) || !strcmp(d->type, "mpath"));
}

/* Average time of an operation; 0: too few. */
static double latency(const struct disk_row *d, enum io_op op)
{
	const struct disk_counters *now = d->row.now;
	const struct disk_op_counters *c = &now->op[op];

	return c->done >= LEAST ? (double)c->lat_ns / (double)c->done : 0;
}

static void look_set(struct finding_look *l, const struct disk_row *set, enum io_op op)
{
	const struct disk_row *slow = NULL, *fast = NULL;
	struct finding_row *f;

	for (size_t i = 0; i < set->nbelow; i++) {
		const struct disk_row *d = look_disk(l, set->below[i]);

		if (!d || !(latency(d, op) > 0))
			continue;
		if (!slow || latency(d, op) > latency(slow, op))
			slow = d;
		if (!fast || latency(d, op) < latency(fast, op))
			fast = d;
	}
	if (!slow || slow == fast ||
	    !look_over(l, slow->dev, latency(slow, op) / latency(fast, op), TIMES))
		return;
	f = look_found_disk(l, slow, look_victim(l, set->dev, NULL), NULL);
	if (!f)
		return;
	look_text(f, "set", set->disk);
	look_text(f, "other", fast->disk);
	look_number(f, "latency", UNIT_NS, latency(slow, op));
	look_number(f, "others", UNIT_NS, latency(fast, op));
}

static void look_at(struct finding_look *l, const struct disk_row *d)
{
	if (!is_set(d))
		return;
	look_set(l, d, OP_WRITE);
	look_set(l, d, OP_READ);
}

const struct finding_kind finding_slow_member = {
	.name = "slow-member",
	.title = N_("one disk of a set is slow"),
	.sentence = N_("{disk} holds up {set}: {latency} a request, {other} takes {others}; "
		       "{victim} waits {wait} of its time"),
	.help = N_("A disk of a RAID or another set takes several times as long as the others."),
	.severity = SEVERITY_WARNING,
	.needs = SRC_DISKS | SRC_BLOCK | SRC_TASKS,
	.either = LOOK_WAITS,
	.screen = "disks",
	.look_disk = look_at,
};
