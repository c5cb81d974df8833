// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/proc/container_names.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/container.h"
#include "base/hash.h"
#include "collect/helper/process.h"

#define KNOWN_MAX 4096		/* containers, from which on those not seen lately are dropped */
#define IDLE_ROUNDS 512
#define AGAIN_SOON (2 * NSEC_PER_SEC)	/* an engine writes its file while the container begins */
#define AGAIN (60 * NSEC_PER_SEC)	/* a container may get another name */

struct entry {
	char id[CONTAINER_ID];	/* hash key */
	unsigned round;
	bool asked;		/* its answer is still to come */
	uint64_t due, pause;	/* CLOCK_MONOTONIC ns: when it is asked again, and after how long
				 * then */
	char *name;		/* NULL: not known */
};

struct container_names {
	struct helper *helper;
	unsigned round;
	struct hash entries;
};

struct container_names *container_names_new(struct helper *helper)
{
	struct container_names *n = mem_zalloc(sizeof(*n));

	n->helper = helper;
	hash_init(&n->entries, offsetof(struct entry, id), CONTAINER_ID);
	return n;
}

static void entry_drop(void *value, _unused_ void *arg)
{
	free(((struct entry *)value)->name);
	free(value);
}

void container_names_free(struct container_names *n)
{
	helper_cancel(n->helper, n);
	hash_clear(&n->entries, entry_drop, NULL);
	free(n);
}

void container_names_round(struct container_names *n)
{
	n->round++;
	hash_age_rounds(&n->entries, KNOWN_MAX, IDLE_ROUNDS, offsetof(struct entry, round),
			n->round, entry_drop, n);
}

/* Who was asked for, by whom. */
struct asking {
	struct container_names *names;
	char id[CONTAINER_ID];
};

static void told(void *arg, const void *data, size_t len)
{
	struct wire_reader r = wire_reader(data, len);
	struct asking *a = arg;
	struct entry *e = hash_get(&a->names->entries, a->id);
	size_t n = 0;
	const char *name = data ? wire_text(&r, HELPER_NAME_MAX, &n) : "";

	free(a);
	if (!e)
		return;
	e->asked = false;
	e->pause = n || !data ? AGAIN : MIN(2 * e->pause, AGAIN);
	e->due = clock_mono() + e->pause;
	/* A file that is being written anew: the name stays. */
	if (!n)
		return;
	free(e->name);
	e->name = mem_strndup(name, n);
}

static void ask(struct container_names *n, struct entry *e, enum container_kind kind)
{
	struct asking *a = mem_alloc(sizeof(*a));
	struct buf b = { 0 };

	e->asked = true;
	a->names = n;
	memcpy(a->id, e->id, sizeof(a->id));
	wire_put_u32(&b, kind);
	wire_put_text(&b, e->id, sizeof(e->id));
	helper_ask(n->helper, HELPER_NAMES, MESSAGE_CONTAINER, b.data, b.len, told, a, n);
	buf_release(&b);
}

const char *container_names_get(struct container_names *n, const char *path)
{
	struct container c;
	struct entry *e;

	container_find(path, &c);
	if (!container_has_id(&c) || !strncmp(path, "/user.slice/", strlen("/user.slice/")))
		return NULL;
	e = hash_get(&n->entries, c.name);
	if (!e) {
		e = mem_zalloc(sizeof(*e));
		memcpy(e->id, c.name, sizeof(e->id));
		e->pause = AGAIN_SOON / 2;
		hash_put(&n->entries, e);
	}
	e->round = n->round;
	if (!e->asked && clock_mono() >= e->due)
		ask(n, e, c.kind);
	return e->name;
}
