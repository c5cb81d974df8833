// SPDX-License-Identifier: GPL-2.0-or-later
#include "data/layer/layer_callers.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/utf8.h"
#include "data/counters.h"
#include "data/model.h"

#define FORGOTTEN_TICKS 60	/* who is in no sample for longer is not kept */

struct entry {
	struct layer_caller caller;	/* what the rows show */
	struct {
		struct task_id id;
		uint64_t ino;
		uint32_t sdev;
		struct layer_key place;
		uint32_t spare;
	} key;
	uint64_t count, total_ns;	/* of the newest sample */
	unsigned seen;
	char *comm, *path;
};

void layer_callers_init(struct layer_callers *c)
{
	hash_init(&c->all, offsetof(struct entry, key), sizeof(((struct entry *)0)->key));
}

static void drop(void *value, _unused_ void *arg)
{
	struct entry *e = value;

	free(e->comm);
	free(e->path);
	free(e);
}

static bool keep(void *value, void *arg)
{
	return *(const unsigned *)arg - ((const struct entry *)value)->seen <= FORGOTTEN_TICKS;
}

void layer_callers_release(struct layer_callers *c)
{
	hash_filter(&c->all, NULL, drop, NULL);
	hash_release(&c->all);
}

static struct entry *entry_get(struct layer_callers *c, const struct sample_caller *s)
{
	struct entry probe = {
		.key = { s->id, s->ino, s->sdev, { s->dev, s->layer, s->op, s->is_block }, 0 }
	};
	struct entry *e = hash_get(&c->all, &probe.key);

	if (e)
		return e;
	e = mem_zalloc(sizeof(*e));
	e->key = probe.key;
	e->caller.id = s->id;
	e->caller.ino = s->ino;
	e->caller.sdev = s->sdev;
	hash_put(&c->all, e);
	return e;
}

/* A task may change its name, the number of an inode go to another file. */
static void text_set(char **to, const char *text)
{
	char *clean = text ? utf8_clean_dup(text) : NULL;

	if (!clean)
		return;
	free(*to);
	*to = clean;
}

void layer_callers_update(struct layer_callers *c, const struct sample *s, bool baseline)
{
	struct entry *e;
	size_t i = 0;

	c->tick++;
	while ((e = hash_next(&c->all, &i)))
		memset(&e->caller.now, 0, sizeof(e->caller.now));
	sample_each(s, CALLER, const struct sample_caller, row) {
		struct layer_counters *now;

		e = entry_get(c, row);
		/* One that comes back began at zero. */
		if (e->seen + 1 != c->tick)
			e->count = e->total_ns = 0;
		if (baseline) {
			e->count = row->count;
			e->total_ns = row->total_ns;
		}
		e->seen = c->tick;
		text_set(&e->comm, row->comm);
		text_set(&e->path, row->path);
		e->caller.comm = e->comm;
		e->caller.path = e->path;
		now = &e->caller.now;
		now->count = counter_delta(row->count, e->count);
		now->lat_ns = now->time_ns = counter_delta(row->total_ns, e->total_ns);
		now->max_ns = now->count ? row->max_ns : 0;
		e->caller.sum.count += now->count;
		e->caller.sum.lat_ns += now->lat_ns;
		e->caller.sum.time_ns += now->time_ns;
		e->caller.sum.max_ns = MAX(e->caller.sum.max_ns, now->max_ns);
		e->count = row->count;
		e->total_ns = row->total_ns;
	}
	hash_filter(&c->all, keep, drop, &c->tick);
}

struct layer_caller *layer_callers_next(const struct layer_callers *c, size_t *i,
					const struct layer_key **ret_key)
{
	struct entry *e = hash_next(&c->all, i);

	if (!e)
		return NULL;
	*ret_key = &e->key.place;
	return &e->caller;
}
