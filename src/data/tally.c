// SPDX-License-Identifier: GPL-2.0-or-later
#include "data/tally.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "data/model.h"

#define ENTRIES_MAX 8192	/* unless the kernel counts more */

struct tally *tally_new(const struct tally_kind *kind)
{
	struct tally *t = mem_zalloc(sizeof(*t));

	t->kind = kind;
	hash_init(&t->entries, kind->key_off, kind->key_len);
	return t;
}

static void entry_drop(void *value, void *arg)
{
	const struct tally *t = arg;

	t->kind->forget(value);
	free(value);
}

void tally_free(void *tally)
{
	struct tally *t = tally;

	hash_filter(&t->entries, NULL, entry_drop, t);
	hash_release(&t->entries);
	free(t);
}

void tally_begin(struct tally *t, uint64_t mono, double interval)
{
	/*
	 * Samples went by without us: the source was closed, and when it comes back its counters
	 * start at zero.
	 */
	bool again =
		t->started && (double)counter_delta(mono, t->mono) > interval * 1.5 * NSEC_PER_SEC;
	struct tally_entry *e;
	size_t i = 0;

	t->tick++;
	t->mono = mono;
	while ((e = hash_next(&t->entries, &i))) {
		memset(e->now, 0, sizeof(e->now));
		if (again)
			memset(e->last, 0, sizeof(e->last));
	}
}

void *tally_get(struct tally *t, const void *key, bool *ret_new)
{
	struct tally_entry *e = hash_get(&t->entries, key);

	*ret_new = !e;
	if (e)
		return e;
	e = mem_zalloc(t->kind->size);
	memcpy((char *)e + t->kind->key_off, key, t->kind->key_len);
	e->hash = hash_bytes(key, t->kind->key_len);
	hash_put(&t->entries, e);
	return e;
}

void tally_count(struct tally *t, struct tally_entry *e, const uint64_t *counters)
{
	unsigned n = t->kind->nsum;
	bool active = false;

	e->seen = t->tick;
	for (unsigned i = 0; i < n; i++) {
		/* The first sample is a baseline; what appears later began to count after it. */
		e->now[i] = t->started ? counter_delta(counters[i], e->last[i]) : 0;
		e->sum[i] += e->now[i];
		e->last[i] = counters[i];
		active |= e->now[i] != 0;
	}
	if (!active)
		return;
	e->active = t->tick;
	if (t->kind->has_max) {
		e->now[n] = counters[n];
		e->sum[n] = MAX(e->sum[n], counters[n]);
	}
}

static bool entry_keep(void *value, void *arg)
{
	const struct tally *t = arg;
	struct tally_entry *e = value;

	if (e->seen == t->tick)
		return true;
	memset(e->last, 0, sizeof(e->last));
	return e->active && (t->keep || t->tick - e->active <= HISTORY_TICKS);
}

/* What the kernel still counts stays: it would begin again with all of its sum. */
static unsigned entry_age(const void *value, const void *arg)
{
	const struct tally *t = arg;
	const struct tally_entry *e = value;

	return e->seen == t->tick ? 0 : t->tick - e->active;
}

static void entry_goes(void *value, void *arg)
{
	struct tally *t = arg;
	struct tally_entry *e = value;

	e->next = t->gone;
	t->gone = e;
}

static void add_sums(const struct tally *t, struct tally_entry *to, const struct tally_entry *e)
{
	unsigned n = t->kind->nsum;

	for (unsigned i = 0; i < n; i++)
		to->sum[i] += e->sum[i];
	if (t->kind->has_max)
		to->sum[n] = MAX(to->sum[n], e->sum[n]);
	to->active = t->tick;
}

/* Where sums are asked for, what goes counts on in a row of its own. */
static void make_room(struct tally *t)
{
	hash_age(&t->entries, ENTRIES_MAX, HISTORY_TICKS, entry_age, entry_goes, t);
	/* A storm: each costs in every tick. */
	hash_age(&t->entries, ENTRIES_MAX, 2, entry_age, entry_goes, t);
	while (t->gone) {
		struct tally_entry *e = t->gone;

		t->gone = e->next;
		if (t->keep && e->active)
			add_sums(t, t->kind->rest(t, e), e);
		entry_drop(e, t);
	}
}

void tally_end(struct tally *t)
{
	hash_filter(&t->entries, entry_keep, entry_drop, t);
	make_room(t);
	t->started = true;
}
