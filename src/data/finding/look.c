/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "data/finding/look.h"

#include <stdlib.h>
#include <string.h>

#include "data/finding/standing.h"
#include "data/finding/state.h"
#include "data/names.h"

#define STAYS 0.7	/* of a limit */

bool look_over(const struct finding_look *l, uint64_t subject, double value, double limit)
{
	bool shown = standing_shown(&l->state->standings, l->kind, subject);

	return value >= (shown ? STAYS * limit : limit);
}

const char *look_named(const struct finding_look *l, uint64_t subject, bool victim)
{
	const struct finding_row *f = standing_row(&l->state->standings, l->kind, subject);

	return !f ? NULL : victim ? f->victim : f->who;
}

struct finding_row *look_found(struct finding_look *l, uint64_t subject)
{
	struct found *f = arena_new(l->a, struct found, 1);

	f->row.kind = l->kind;
	f->row.name = l->kind->name;
	f->row.screen = l->kind->screen;
	f->row.severity = l->kind->severity;
	f->subject = subject;
	f->next = l->state->found;
	l->state->found = f;
	return &f->row;
}

struct finding_row *look_found_disk(struct finding_look *l, const struct disk_row *d,
				    const struct waiter *victim, const char *who)
{
	struct finding_row *f;

	if (!victim || !look_over(l, d->dev, victim->share, l->share))
		return NULL;
	f = look_found(l, d->dev);
	f->who = who;
	f->victim = look_name(l, victim->task);
	f->share = victim->share;
	f->filter = look_filter(l, "disk", d->disk);
	look_text(f, "disk", d->disk);
	look_number(f, "wait", UNIT_PERCENT, victim->share);
	return f;
}

void look_text(struct finding_row *f, const char *key, const char *text)
{
	if (f->ntexts < FINDING_TEXTS)
		f->texts[f->ntexts++] = (struct finding_text){ key, text ? text : "?" };
}

static void number_add(struct finding_row *f, struct finding_number number)
{
	if (f->nnumbers < FINDING_NUMBERS)
		f->numbers[f->nnumbers++] = number;
}

void look_number(struct finding_row *f, const char *key, enum unit unit, double value)
{
	number_add(f, (struct finding_number){ key, unit, false, value });
}

void look_rate(struct finding_row *f, const char *key, enum unit unit, double value)
{
	number_add(f, (struct finding_number){ key, unit, true, value });
}

void look_timeouts(const struct finding_look *l, struct finding_row *f, const struct disk_row *d)
{
	const struct disk_counters *now = d->row.now;

	if (now->rare.timeouts)
		look_rate(f, "timeouts", UNIT_COUNT, (double)now->rare.timeouts / l->m->interval);
}

void look_exceeded(struct finding_row *f, const struct disk_row *d)
{
	enum disk_limit worst = disk_limit_worst(&d->limits);

	if (d->limits.exceeded_ns[worst])
		look_number(f, "exceeded", UNIT_PERCENT, disk_limit_share(&d->limits, worst));
}

const char *look_filter(struct finding_look *l, const char *column, const char *text)
{
	char *quoted = arena_alloc(l->a, 2 * strlen(text) + 1), *to = quoted;

	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			*to++ = '\\';
		*to++ = *text;
	}
	return arena_printf(l->a, "%s = \"%s\"", column, quoted);
}

const char *look_fsync_filter(struct finding_look *l, const struct layer_row *call)
{
	return call->disk ? look_filter(l, "disk", call->disk) : look_filter(l, "fs", call->fs);
}

const char *look_server_filter(struct finding_look *l, const char *fs)
{
	static const char *const kinds[][2] = {
		{ "fuse", "fuse_server" }, { "nfs", "nfs_server" }, { "9p", "9p_server" },
		{ "cifs", "smb_server" },  { "smb", "smb_server" }, { "ceph", "ceph_server" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (!strncmp(fs, kinds[i][0], strlen(kinds[i][0])))
			return look_filter(l, "reason", kinds[i][1]);
	/* Kinds of FUSE may have a name of their own (fuseblk is one of its). */
	return look_filter(l, "reason", "fuse_server");
}

const char *look_name(struct finding_look *l, const struct task_row *t)
{
	const struct task_row *leader = task_leader(t);

	if (!t->id.start)
		return t->comm;
	return arena_printf(l->a, "%s %llu", leader->comm, (unsigned long long)t->pid);
}

double look_busy(const struct disk_row *d)
{
	const struct disk_counters *now = d->row.now;
	const struct disk_load *load = &now->load;

	return load->time_ns ? MIN(100 * (double)load->busy_ns / (double)load->time_ns, 100) : 0;
}

double look_depth(const struct disk_row *d)
{
	const struct disk_counters *now = d->row.now;
	const struct disk_load *load = &now->load;

	return load->time_ns ? (double)load->depth_ns / (double)load->time_ns : 0;
}

const struct disk_row *look_disk(const struct finding_look *l, const char *disk)
{
	const struct disk_row *d;

	row_each(d, &l->m->rows[ENTITY_DISK])
		if (!strcmp(d->disk, disk))
			return d;
	return NULL;
}

void look_each_fsync(struct finding_look *l,
		     void (*look_call)(struct finding_look *l, const struct layer_row *call))
{
	const struct layer_row *r;

	row_each(r, &l->m->rows[ENTITY_LAYER])
		if (r->layer_id == LAYER_SYSCALL && r->op_id == LAYER_FSYNC && r->fs)
			look_call(l, r);
}

static bool is_on(const struct task_row *t, uint32_t dev)
{
	for (const struct task_link *k = t->caused; k; k = k->next_caused)
		if ((k->now->ios || k->now->done) && k->disk->whole == dev)
			return true;
	return false;
}

bool look_is(const struct look_user *u, const struct task_row *t)
{
	if (u->pid)
		return u->pid == t->pid;
	return u->count && !strcmp(u->comm, task_leader(t)->comm);
}

/* "postgres 2211" */
static bool is_named(const struct task_row *t, const char *name)
{
	const char *comm = task_leader(t)->comm;
	size_t len = strlen(comm);

	return !strncmp(name, comm, len) && name[len] == ' ' &&
	       strtoull(name + len + 1, NULL, 10) == t->pid;
}

const struct waiter *look_server_victim(struct finding_look *l, struct finding_row *f,
					uint32_t dev)
{
	for (size_t i = 0; i < l->nwaiters; i++) {
		const struct task_row *t = l->waiters[i].task;

		if (t->facts && t->facts->server_dev == dev) {
			f->victim = look_name(l, t);
			return &l->waiters[i];
		}
	}
	return NULL;
}

const struct waiter *look_victim(const struct finding_look *l, uint32_t dev,
				 const struct look_user *but)
{
	const char *named = look_named(l, dev, true);
	const struct waiter *best = NULL;

	for (size_t i = 0; i < l->nwaiters; i++) {
		const struct waiter *w = &l->waiters[i];

		if ((but && look_is(but, w->task)) || !is_on(w->task, dev))
			continue;
		if (!best)
			best = w;
		else if (w->share < LOOK_NAMED * best->share)
			break;
		if (!named || is_named(w->task, named))
			return named ? w : best;
	}
	return best;
}
