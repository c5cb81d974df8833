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
	const struct disk_op_counters *c = &((const struct disk_counters *)d->row.now)->op[op];

	return c->done >= LEAST ? (double)c->lat_ns / (double)c->done : 0;
}

static void look_set(struct finding_look *l, const struct disk_row *set, enum io_op op)
{
	const struct disk_row *slow = NULL, *fast = NULL;
	const struct waiter *victim = look_victim(l, set->dev, NULL);
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
	if (!slow || slow == fast || !victim || !look_over(l, slow->dev, victim->share, LOOK_SHARE))
		return;
	if (!look_over(l, slow->dev, latency(slow, op) / latency(fast, op), TIMES))
		return;
	f = look_found(l, slow->dev);
	f->victim = look_name(l, victim->task);
	f->share = victim->share;
	f->filter = look_filter(l, "disk", slow->disk);
	look_text(f, "disk", slow->disk);
	look_text(f, "set", set->disk);
	look_text(f, "other", fast->disk);
	look_number(f, "latency", UNIT_NS, latency(slow, op));
	look_number(f, "others", UNIT_NS, latency(fast, op));
	look_number(f, "wait", UNIT_PERCENT, victim->share);
}

static void look(struct finding_look *l)
{
	look_each_disk(l, d)
		if (is_set(d)) {
			look_set(l, d, OP_WRITE);
			look_set(l, d, OP_READ);
		}
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
	.look = look,
};
