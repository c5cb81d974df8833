/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writers are held back because more is dirty than the disks can take. */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/i18n.h"
#include "data/finding/look.h"

#define STAYS (0.7 * l->share)	/* nothing below it is or stays a finding */

static double share_of(const struct finding_look *l, const struct task_row *t)
{
	double seconds = model_watched(l->m, SRC_THROTTLE, false);
	const struct task_counters *now = t->row.now;

	return MIN((double)now->throttle_ns / seconds / (NSEC_PER_SEC / 100), 100);
}

static int by_time(const void *pa, const void *pb)
{
	const struct task_row *a = *(const struct task_row *const *)pa,
			      *b = *(const struct task_row *const *)pb;
	const struct task_counters *one = a->row.now, *other = b->row.now;

	if (one->throttle_ns != other->throttle_ns)
		return one->throttle_ns < other->throttle_ns ? 1 : -1;
	return ORDER(a->tid, b->tid);
}

/* The disk that it writes to most: of one disk there is one finding. */
static uint64_t subject_of(const struct task_row *t)
{
	return t->disk ? hash_bytes(t->disk, strlen(t->disk)) : 0;
}

/* Who of those at first's disks is held back longest for what another dirties; else first. */
static const struct task_row *find_victim(const struct finding_look *l,
					  const struct task_row *first, const struct look_user *who)
{
	for (size_t i = 0; i < l->nheld; i++)
		if (!look_is(who, l->held[i]) && look_is_beside(l->held[i], first) &&
		    look_over(l, subject_of(first), share_of(l, l->held[i]), l->share))
			return l->held[i];
	return first;
}

/* To the disk that it writes to most. */
static double written(const struct finding_look *l, const struct task_row *t)
{
	const struct disk_row *d = t->disk ? look_disk(l, t->disk) : NULL;
	const struct disk_counters *now;

	if (!d)
		return l->m->totals.flows.disk_write;
	now = d->row.now;
	return (double)now->op[OP_WRITE].bytes / l->m->interval;
}

static uint64_t bytes_of(const struct look_user *users, size_t n, const struct task_row *t)
{
	for (size_t i = 0; i < n; i++)
		if (users[i].pid == t->pid)
			return users[i].bytes;
	return 0;
}

/* Whoever dirties as much as others is no more in their way than they in its. */
static bool stands_out(const struct look_user *users, size_t n, const struct look_user *who,
		       const struct task_row *victim)
{
	return look_is(who, victim) || who->bytes >= 2 * bytes_of(users, n, victim);
}

static void look_at(struct finding_look *l, const struct task_row *first)
{
	const struct task_row *victim;
	struct look_user *users, who;
	struct finding_row *f;
	size_t n = look_dirtiers(l, first, &users);

	if (!look_culprit(l, subject_of(first), users, n, &who))
		return;
	victim = find_victim(l, first, &who);
	if (!stands_out(users, n, &who, victim))
		who = (struct look_user){ .name = look_name(l, victim), .pid = victim->pid,
					  .bytes = bytes_of(users, n, victim) };
	f = look_found(l, subject_of(first));
	f->who = who.name;
	f->victim = look_name(l, victim);
	f->share = share_of(l, victim);
	f->filter = "throttle > 0";
	/* A writer that has only itself to wait for is as fast as the disk. */
	if (look_is(&who, victim))
		f->severity = SEVERITY_NOTE;
	look_text(f, "disk", first->disk);
	look_number(f, "throttled", UNIT_PERCENT, f->share);
	look_rate(f, "dirtied", UNIT_BYTES,
		  (double)who.bytes / model_watched(l->m, SRC_TASKIO, false));
	look_rate(f, "written", UNIT_BYTES, written(l, first));
}

static bool is_told(const struct finding_look *l, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (subject_of(l->held[k]) == subject_of(l->held[i]))
			return true;
	return false;
}

static void look(struct finding_look *l)
{
	if (l->nheld > 1)
		qsort(l->held, l->nheld, sizeof(*l->held), by_time);
	for (size_t i = 0; i < l->nheld && share_of(l, l->held[i]) >= STAYS; i++)
		if (look_over(l, subject_of(l->held[i]), share_of(l, l->held[i]), l->share) &&
		    !is_told(l, i))
			look_at(l, l->held[i]);
}

const struct finding_kind finding_dirty_limit = {
	.name = "dirty-limit",
	.title = N_("writers are held back"),
	.sentence = N_("{victim} is held back {throttled} of its time: {who} dirties {dirtied}, "
		       "{disk} takes {written}"),
	.help = N_("The kernel makes writers wait because too much memory waits to be written."),
	.severity = SEVERITY_WARNING,
	.needs = SRC_TASKS | SRC_TASKIO | SRC_THROTTLE,
	.screen = "tasks",
	.look = look,
};
