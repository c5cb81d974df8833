/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A disk has no time left, and somebody waits behind another's requests. A disk that is busy with
 * one's own requests holds nobody up.
 */
#include <math.h>

#include "base/i18n.h"
#include "data/finding/look.h"

#define BUSY 90		/* percent of the time with a request in flight */
#define DEPTH 4		/* requests in flight on average: what waits behind others */
#define OTHERS 60	/* percent of the time of all requests that is not the victim's */
#define CULPRIT 30	/* the same of the one who has most of it */

/*
 * By how much it is in others' way: its share of the time of all requests, but not of one whose
 * own wait is the finding.
 */
static const struct disk_user *find_culprit(const struct disk_user *users, size_t n,
					    const struct waiter *victim)
{
	for (size_t i = 0; i < n; i++)
		if (!victim || users[i].pid != victim->task->pid)
			return &users[i];
	return NULL;
}

static double share_of(const struct disk_user *users, size_t n, const struct waiter *w)
{
	for (size_t i = 0; i < n; i++)
		if (users[i].pid == w->task->pid)
			return users[i].share;
	return 0;
}

static double latency(const struct task_row *t)
{
	const struct task_counters *now = (const struct task_counters *)t->row.now;

	return now->done ? (double)now->lat_ns / (double)now->done : NAN;
}

static void look_disk(struct finding_look *l, const struct disk_row *d)
{
	const struct disk_load *load = &((const struct disk_counters *)d->row.now)->load;
	double busy = load->time_ns ? 100 * (double)load->busy_ns / (double)load->time_ns : 0,
	       depth = load->time_ns ? (double)load->depth_ns / (double)load->time_ns : 0;
	struct disk_user users[LOOK_USERS];
	const struct disk_user *culprit;
	const struct waiter *victim;
	struct finding_row *f;
	size_t n;

	if (!look_over(l, d->dev, busy, BUSY) || !look_over(l, d->dev, depth, DEPTH))
		return;
	n = look_users(l, d->dev, users);
	/* Who makes most of the queue is not its victim. */
	victim = n ? look_victim(l, d->dev, users[0].pid) : NULL;
	culprit = find_culprit(users, n, victim);
	if (!victim || !look_over(l, d->dev, victim->share, LOOK_SHARE) || !culprit ||
	    !look_over(l, d->dev, culprit->share, CULPRIT) ||
	    !look_over(l, d->dev, 100 - share_of(users, n, victim), OTHERS))
		return;
	f = look_found(l, d->dev);
	f->who = culprit->name;
	f->victim = look_name(l, victim->task);
	f->share = victim->share;
	f->filter = look_filter(l, "disk", d->disk);
	look_text(f, "disk", d->disk);
	look_number(f, "wait", UNIT_PERCENT, victim->share);
	look_number(f, "util", UNIT_PERCENT, MIN(busy, 100));
	look_number(f, "depth", UNIT_RATIO, depth);
	look_number(f, "load", UNIT_PERCENT, culprit->share);
	look_number(f, "latency", UNIT_NS, latency(victim->task));
	look_rate(f, "bytes", UNIT_BYTES, (double)culprit->now.bytes / l->m->interval);
}

static void look(struct finding_look *l)
{
	look_each_disk(l, d)
		look_disk(l, d);
}

const struct finding_kind finding_disk_saturated = {
	.name = "disk-saturated",
	.title = N_("the disk has no time left"),
	.sentence = N_("{disk} is saturated: {victim} waits {wait} of its time behind {who}, who "
		       "makes {load} of the load (depth {depth})"),
	.help = N_("A disk works without a pause, and somebody waits behind another's requests."),
	.severity = SEVERITY_WARNING,
	.needs = SRC_DISKS | SRC_BLOCK | SRC_TASKS,
	.either = LOOK_WAITS,
	.screen = "disks",
	.look = look,
};
