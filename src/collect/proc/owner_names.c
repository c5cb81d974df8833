// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/proc/owner_names.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/fd.h"
#include "base/hash.h"
#include "collect/helper/process.h"
#include "collect/proc/cgroup_names.h"
#include "collect/proc/proc.h"

#define KNOWN_MAX 16384		/* users, from which on those not seen lately are dropped */
#define IDLE_ROUNDS 512
#define AGAIN (60 * NSEC_PER_SEC)	/* a user may get a name, or another one */
#define AGAIN_SOON (5 * NSEC_PER_SEC)	/* nothing answered */

struct user {
	uint32_t uid;
	bool asked;		/* its answer is still to come */
	unsigned round;
	uint64_t due;		/* CLOCK_MONOTONIC ns: when it is asked again */
	char *name;		/* NULL: has none */
};

struct owner_names {
	int proc;		/* O_PATH of /proc */
	struct helper *helper;
	unsigned round;
	uint64_t now;		/* CLOCK_MONOTONIC ns, of this round */
	size_t fresh;		/* users that are asked for the first time */
	struct cgroup_names *cgroups;
	struct hash users;
};

struct owner_names *owner_names_new(const struct collect_options *opt, struct helper *helper)
{
	struct owner_names *n = mem_alloc(sizeof(*n));

	*n = (struct owner_names){ .proc = proc_dir(opt->proc), .helper = helper };
	n->cgroups = cgroup_names_new(n->proc, helper);
	hash_init(&n->users, offsetof(struct user, uid), sizeof(uint32_t));
	return n;
}

static void user_drop(void *value, void *arg)
{
	free(((struct user *)value)->name);
	free(value);
}

void owner_names_free(struct owner_names *n)
{
	if (!n)
		return;
	helper_cancel(n->helper, n);
	hash_clear(&n->users, user_drop, NULL);
	cgroup_names_free(n->cgroups);
	fd_close(n->proc);
	free(n);
}

/* Who was asked for, by whom. */
struct asking {
	struct owner_names *reader;
	uint32_t uid;
	bool again;
};

static void user_told(void *arg, const void *data, size_t len)
{
	struct wire_reader r = wire_reader(data, len);
	struct asking *a = arg;
	struct user *u = hash_get(&a->reader->users, &a->uid);
	size_t n = 0;
	const char *name = data ? wire_text(&r, HELPER_NAME_MAX, &n) : "";

	a->reader->fresh -= !a->again;
	free(a);
	if (!u)
		return;
	u->asked = false;
	u->due = clock_mono() + (data ? AGAIN : AGAIN_SOON);
	/* The service that knew it may be away: the name stays until there is another one. */
	if (!n)
		return;
	free(u->name);
	u->name = mem_strndup(name, n);
}

/*
 * Name services may wait for a server: they are asked by a helper, and the answer may come with a
 * later sample.
 */
static void user_ask(struct owner_names *n, struct user *u)
{
	struct asking *a = mem_alloc(sizeof(*a));

	u->asked = true;
	*a = (struct asking){ n, u->uid, u->due };
	n->fresh += !a->again;
	helper_ask(n->helper, HELPER_USERS, MESSAGE_USER, &u->uid, sizeof(u->uid), user_told, a,
		   n);
}

static void see_user(struct owner_names *n, uint32_t uid)
{
	struct user *u = hash_get(&n->users, &uid);

	if (!u) {
		u = mem_alloc(sizeof(*u));
		*u = (struct user){ .uid = uid, .round = n->round - 1 };
		hash_put(&n->users, u);
	}
	if (u->round == n->round)
		return;
	u->round = n->round;
	if (!u->asked && n->now >= u->due)
		user_ask(n, u);
}

/* Who was asked for before has the name from then. */
static bool all_told(void *names)
{
	return !((struct owner_names *)names)->fresh;
}

/* Those of this sample, as far as their names are known. */
static void add_users(struct owner_names *n, struct sample *s)
{
	const struct user *u;
	size_t i = 0;

	while ((u = hash_next(&n->users, &i))) {
		struct sample_user *row;

		if (u->round != n->round || !u->name)
			continue;
		row = sample_add_row(s, USER, struct sample_user);
		row->uid = u->uid;
		row->name = arena_strdup(&s->arena, u->name);
	}
}

uint64_t owner_names_cgroup(struct owner_names *n, const char *path, size_t len, bool unified)
{
	return cgroup_names_id(n->cgroups, path, len, unified);
}

/* There is hardly ever anything. */
static void add_throttled(struct owner_names *n, const struct sample *s)
{
	sample_each(s, IO, const struct sample_io, io) {
		/* It only matters whether that has grown. */
		uint64_t held = io->throttled_ns + io->held_unseen;

		if (!held)
			continue;
		sample_each(s, TASK, const struct sample_task, t)
			if (t->cgroup && !memcmp(&t->id, &io->cause, sizeof(t->id))) {
				cgroup_names_throttled(n->cgroups, t->cgroup, held);
				break;
			}
	}
}

void owner_names_fill(struct owner_names *n, struct sample *s, uint64_t until)
{
	uint32_t uid = UINT32_MAX;
	uint64_t id = 0;

	n->round++;
	n->now = clock_mono();
	cgroup_names_round(n->cgroups);
	add_throttled(n, s);
	sample_each(s, TASK, struct sample_task, t) {
		/* Neighbours in the list mostly share both. */
		if (t->uid != uid)
			see_user(n, uid = t->uid);
		if (t->cgroup && t->cgroup != id)
			cgroup_names_add(n->cgroups, s, id = t->cgroup);
	}
	sample_each(s, OWNER, struct sample_owner, o) {
		see_user(n, o->uid);
		if (o->cgroup)
			cgroup_names_add(n->cgroups, s, o->cgroup);
	}
	sample_each(s, OFFCPU, struct sample_offcpu, b)
		if (b->cgroup && b->cgroup != id)
			cgroup_names_add(n->cgroups, s, id = b->cgroup);
	helper_wait(n->helper, HELPER_USERS, until, all_told, n);
	add_users(n, s);
	hash_age_rounds(&n->users, KNOWN_MAX, IDLE_ROUNDS, offsetof(struct user, round), n->round,
			user_drop, n);
}
