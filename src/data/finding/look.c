/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "data/finding/look.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "data/finding/standing.h"
#include "data/finding/state.h"

#define STAYS 0.7	/* of a limit */

bool look_over(const struct finding_look *l, uint64_t subject, double value, double limit)
{
	bool shown = standing_shown(&l->state->standings, (uintptr_t)l->kind, subject);

	return value >= (shown ? STAYS * limit : limit);
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

const char *look_name(struct finding_look *l, const struct task_row *t)
{
	const struct task_row *leader = task_leader(t);

	if (!t->id.start)
		return t->comm;
	return arena_printf(l->a, "%s %llu", leader->comm, (unsigned long long)t->pid);
}

static int by_share(const void *pa, const void *pb)
{
	const struct disk_user *a = pa, *b = pb;

	if (a->now.lat_ns != b->now.lat_ns)
		return a->now.lat_ns < b->now.lat_ns ? 1 : -1;
	return a->now.bytes < b->now.bytes ? 1 : -1;
}

/* Keeps the greatest; the list is small, and most rows are idle. */
static size_t user_add(struct disk_user users[LOOK_USERS], size_t n, const struct disktask_row *r)
{
	const struct disktask_counters *c = r->all_now;
	size_t i = 0;

	while (i < n && (users[i].pid != r->pid || strcmp(users[i].name, r->row.name)))
		i++;
	if (i == n) {
		if (n == LOOK_USERS) {
			qsort(users, n, sizeof(*users), by_share);
			if (users[n - 1].now.lat_ns >= c->lat_ns)
				return n;
			i = --n;
		}
		users[i] = (struct disk_user){ .name = r->row.name, .pid = r->pid };
		n++;
	}
	users[i].now.ios += c->ios;
	users[i].now.bytes += c->bytes;
	users[i].now.done += c->done;
	users[i].now.lat_ns += c->lat_ns;
	users[i].now.max_ns = MAX(users[i].now.max_ns, c->max_ns);
	return n;
}

size_t look_users(struct finding_look *l, uint32_t dev, struct disk_user users[LOOK_USERS])
{
	const struct row_list *rows = &l->m->rows[ENTITY_DISKTASK];
	double all = 0;
	size_t n = 0;

	for (size_t i = 0; i < rows->n; i++) {
		const struct disktask_row *r = (const struct disktask_row *)rows->rows[i];

		if (r->dev != dev || !(r->all_now->ios | r->all_now->done))
			continue;
		all += (double)r->all_now->lat_ns;
		n = user_add(users, n, r);
	}
	for (size_t i = 0; i < n; i++)
		users[i].share = all > 0 ? 100 * (double)users[i].now.lat_ns / all : 0;
	qsort(users, n, sizeof(*users), by_share);
	return n;
}

static bool is_on(const struct task_row *t, uint32_t dev)
{
	for (uint64_t i = 0; i < t->ndisks; i++)
		if (t->disks[i].dev == dev && t->disks[i].now)
			return true;
	return false;
}

const struct waiter *look_victim(const struct finding_look *l, uint32_t dev, uint64_t but)
{
	for (size_t i = 0; i < l->nwaiters; i++) {
		const struct waiter *w = &l->waiters[i];

		if ((!but || w->task->pid != but) && is_on(w->task, dev))
			return w;
	}
	return NULL;
}
