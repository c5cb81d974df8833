/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who is to blame: processes, and programs of which many do a little each. */
#include <stdlib.h>
#include <string.h>

#include "data/finding/look.h"

#define BESIDE 40	/* percent of a disk's load: beside who makes so much others wait */
#define STANDS_OUT 0.6	/* of what all processes of a program do */

static int by_process(const void *pa, const void *pb)
{
	const struct look_user *a = pa, *b = pb;

	if (a->pid != b->pid)
		return a->pid < b->pid ? -1 : 1;
	return strcmp(a->name, b->name);
}

static int by_weight(const void *pa, const void *pb)
{
	const struct look_user *a = pa, *b = pb;

	if (a->weight != b->weight)
		return a->weight < b->weight ? 1 : -1;
	return by_process(pa, pb);
}

static int by_comm(const void *pa, const void *pb)
{
	const struct look_user *a = pa, *b = pb;

	return strcmp(a->comm, b->comm);
}

/* "kworker/u8:2" is one of many that do the same. */
static const char *comm_of(struct finding_look *l, const char *comm, bool kernel)
{
	const char *slash = kernel ? strchr(comm, '/') : NULL;

	return slash ? arena_printf(l->a, "%.*s", (int)(slash - comm), comm) : comm;
}

/* Each process once, the greatest first; returns how many. */
static size_t settle(struct look_user *users, size_t n)
{
	double all = 0;
	size_t to = 0;

	if (!n)
		return 0;
	qsort(users, n, sizeof(*users), by_process);
	for (size_t i = 0; i < n; i++) {
		all += users[i].weight;
		if (to && !by_process(&users[to - 1], &users[i])) {
			users[to - 1].weight += users[i].weight;
			users[to - 1].bytes += users[i].bytes;
		} else {
			users[to++] = users[i];
		}
	}
	for (size_t i = 0; i < to; i++)
		users[i].share = all > 0 ? 100 * users[i].weight / all : 0;
	qsort(users, to, sizeof(*users), by_weight);
	return to;
}

size_t look_users(struct finding_look *l, uint32_t dev, unsigned ops, struct look_user **ret)
{
	const struct row_list *rows = &l->m->rows[ENTITY_DISKTASK];
	struct look_user *users = arena_new(l->a, struct look_user, rows->n);
	size_t n = 0;
	const struct disktask_row *r;

	row_each(r, rows) {
		const struct disktask_counters *c = r->all_now;

		if (r->dev != dev || !(c->ios | c->done) || (ops && !(ops & 1u << r->op)))
			continue;
		users[n++] = (struct look_user){
			.name = r->row.name, .pid = r->pid, .count = r->pid != 0,
			.comm = comm_of(l, r->comm, r->row.flags & ROW_KTHREAD),
			.weight = (double)c->lat_ns, .bytes = c->bytes,
		};
	}
	*ret = users;
	return settle(users, n);
}

bool look_is_beside(const struct task_row *a, const struct task_row *b)
{
	if (a->pid == b->pid)
		return true;
	for (const struct task_link *k = a->caused; k; k = k->next_caused)
		for (const struct task_link *o = b->caused; o; o = o->next_caused)
			if (k->op == OP_WRITE && o->op == OP_WRITE && k->dev == o->dev)
				return true;
	return false;
}

size_t look_dirtiers(struct finding_look *l, const struct task_row *held, struct look_user **ret)
{
	struct look_user *users = NULL;
	size_t n = 0;

	/* Few dirty anything: they are counted first. */
	for (size_t pass = 0; pass < 2; pass++) {
		const struct task_row *t;

		n = 0;
		row_each(t, &l->m->rows[ENTITY_TASK]) {
			const struct task_counters *now = t->row.now;
			uint64_t bytes = now->dirty;

			/* Threads of the kernel pass on what others dirtied. */
			if (!bytes || !t->id.start || t->row.flags & ROW_KTHREAD ||
			    !look_is_beside(t, held))
				continue;
			if (pass)
				users[n] = (struct look_user){
					.name = look_name(l, t), .pid = t->pid, .count = 1,
					.comm = task_leader(t)->comm,
					.weight = (double)bytes, .bytes = bytes,
				};
			n++;
		}
		if (!pass)
			users = arena_new(l->a, struct look_user, n);
	}
	*ret = users;
	return settle(users, n);
}

/* All processes of the program that does most, in one. */
static struct look_user greatest_program(struct look_user *users, size_t n)
{
	struct look_user best = { 0 }, sum = { 0 };

	qsort(users, n, sizeof(*users), by_comm);
	for (size_t i = 0; i < n; i++) {
		if (i && strcmp(users[i - 1].comm, users[i].comm))
			sum = (struct look_user){ 0 };
		sum.comm = users[i].comm;
		sum.count += users[i].count;
		sum.weight += users[i].weight;
		sum.share += users[i].share;
		sum.bytes += users[i].bytes;
		if (sum.weight > best.weight)
			best = sum;
	}
	return best;
}

/* The one who was named before, where he has almost as much as the greatest; else that one. */
static const struct look_user *greatest_user(const struct finding_look *l, uint64_t subject,
					     const struct look_user *users, size_t n)
{
	const char *named = look_named(l, subject, false);

	for (size_t i = 0; named && i < n && users[i].weight >= LOOK_NAMED * users[0].weight; i++)
		if (!strcmp(users[i].name, named))
			return &users[i];
	return users;
}

/* Whether a name, "fio 4711" or "fio (20)", is that of a user. */
static bool is_victim(const char *victim, const struct look_user *u)
{
	size_t len = strlen(u->comm);

	return !strcmp(victim, u->name) || (!strncmp(victim, u->comm, len) && victim[len] == ' ' &&
					    victim[len + 1] == '(');
}

void look_beside(struct finding_look *l, struct finding_row *f, uint64_t subject, uint32_t dev)
{
	struct look_user *users, who;
	size_t n = look_users(l, dev, 0, &users), kept = 0;
	const char *named = look_named(l, subject, false);
	double least;

	for (size_t i = 0; i < n; i++)
		if (users[i].count && !is_victim(f->victim, &users[i]))
			users[kept++] = users[i];
	if (!look_culprit(l, subject, users, kept, &who))
		return;
	/* Who is named stays so with somewhat less. */
	least = named && !strcmp(named, who.name) ? LOOK_NAMED * BESIDE : BESIDE;
	if (who.share < least)
		return;
	f->who = who.name;
	look_number(f, "load", UNIT_PERCENT, who.share);
}

/* Whether a process ("rsync 4711") is of the culprit, which may be all of a program. */
static bool is_of(const char *process, const struct look_user *who)
{
	size_t len = strlen(who->comm);

	if (who->pid)
		return !strcmp(process, who->name);
	return !strncmp(process, who->comm, len) && process[len] == ' ';
}

const struct layer_share *look_share(const struct finding_look *l, uint64_t subject,
				     const struct layer_row *call, const struct look_user *but)
{
	const char *named = look_named(l, subject, true);
	const struct layer_share *best = NULL;

	for (size_t i = 0; i < call->tasks[0].n; i++) {
		const struct layer_share *s = &call->tasks[0].items[i];

		if (but && is_of(s->name, but))
			continue;
		best = best ? best : s;
		if (named && !strcmp(s->name, named) &&
		    (double)s->counters.time_ns >= LOOK_NAMED * (double)best->counters.time_ns)
			return s;
	}
	return best;
}

bool look_culprit(struct finding_look *l, uint64_t subject, const struct look_user *users,
		  size_t n, struct look_user *ret)
{
	struct look_user *copy, sum;

	if (!n)
		return false;
	copy = arena_new(l->a, struct look_user, n);
	memcpy(copy, users, n * sizeof(*copy));
	sum = greatest_program(copy, n);
	if (sum.count < 2 || users[0].weight >= STANDS_OUT * sum.weight) {
		*ret = *greatest_user(l, subject, users, n);
		return true;
	}
	sum.name = arena_printf(l->a, "%s (%llu)", sum.comm, (unsigned long long)sum.count);
	*ret = sum;
	return true;
}
