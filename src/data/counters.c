// SPDX-License-Identifier: GPL-2.0-or-later
#include "data/counters.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "data/history.h"

static size_t array_len(const struct counter_kind *k)
{
	return k->nsum + k->nmax + k->nhist;
}

static const void *key_of(const struct counter_table *t, const struct counters *c)
{
	return (const char *)c + t->kind->key_off;
}

struct counter_table *counter_table_new(const struct counter_kind *kind)
{
	struct counter_table *t = mem_zalloc(sizeof(*t));

	t->kind = kind;
	hash_init(&t->entries, kind->key_off, kind->key_len);
	return t;
}

static void entry_free(struct counter_table *t, struct counters *c)
{
	if (t->kind->forget)
		t->kind->forget(c, t->arg);
	if (t->kind->lazy) {
		free(c->now);
		free(c->sum);
	}
	free(c);
}

void counter_table_free(void *table)
{
	struct counter_table *t = table;

	if (!t)
		return;
	for (size_t i = 0; i < t->n; i++)
		entry_free(t, t->all[i]);
	free(t->all);
	hash_release(&t->entries);
	free(t);
}

void counter_table_begin(struct counter_table *t, const struct model *m)
{
	const struct counter_kind *k = t->kind;

	watch_advance(&t->watch, m, k->source);
	t->tick++;
	if (k->source && t->watch.restarted)
		t->restarted = t->tick;
}

void *counter_table_find(const struct counter_table *t, const void *key)
{
	return hash_get(&t->entries, key);
}

void *counter_table_get(struct counter_table *t, const void *key, bool *ret_new)
{
	struct counters *c = hash_get(&t->entries, key);
	const struct counter_kind *k = t->kind;

	if (ret_new)
		*ret_new = !c;
	if (c)
		return c;
	c = mem_zalloc(k->size + (k->lazy ? 0 : 3 * array_len(k) * sizeof(uint64_t)));
	memcpy((char *)c + k->key_off, key, k->key_len);
	c->hash = hash_bytes(key, k->key_len);
	if (!k->lazy) {
		c->now = (uint64_t *)((char *)c + k->size);
		c->sum = c->now + array_len(k);
		c->last = c->sum + array_len(k);
	}
	hash_put(&t->entries, c);
	t->all = mem_grow(t->all, t->n, &t->cap, sizeof(struct counters *));
	t->all[t->n++] = c;
	return c;
}

void counters_fold(void *to, const void *from, size_t nsum, size_t nmax)
{
	const uint64_t *f = from;
	uint64_t *t = to;

	for (size_t i = 0; i < nsum; i++)
		t[i] += f[i];
	for (size_t i = nsum; i < nsum + nmax; i++)
		t[i] = MAX(t[i], f[i]);
}

bool counters_advance(uint64_t *now, uint64_t *last, const void *cur, size_t n)
{
	bool moved = false;

	for (size_t i = 0; i < n; i++) {
		uint64_t value;

		memcpy(&value, (const char *)cur + i * sizeof(value), sizeof(value));
		now[i] = counter_advance(&last[i], value);
		moved |= now[i] != 0;
	}
	return moved;
}

/* Where the counters of an entry start from in this sample, if not from the sample before. */
static void last_begin(const struct counter_table *t, struct counters *c, const void *cur,
		       const void *hist)
{
	const struct counter_kind *k = t->kind;

	if (t->watch.baseline || (k->begins_visible && !c->seen)) {
		memcpy(c->last, cur, k->nsum * sizeof(uint64_t));
		if (hist)
			memcpy(c->last + k->nsum + k->nmax, hist, k->nhist * sizeof(uint64_t));
	} else if (c->seen < t->restarted || (k->drops && c->seen + 1 != t->tick)) {
		memset(c->last, 0, array_len(k) * sizeof(uint64_t));
	}
}

void counters_count(struct counter_table *t, struct counters *c, const void *cur, const void *hist)
{
	const struct counter_kind *k = t->kind;
	const uint64_t *value = cur;
	uint64_t *now = c->now, *sum = c->sum, *last = c->last, moved = 0;
	size_t head = k->nsum + k->nmax;

	last_begin(t, c, cur, hist);
	c->seen = t->tick;
	for (size_t i = 0, n = k->nsum; i < n; i++) {
		uint64_t delta = counter_delta(value[i], last[i]);

		if (value[i] >= last[i] || !(k->high_water >> i & 1))
			last[i] = value[i];
		now[i] = delta;
		sum[i] += delta;
		moved |= delta;
	}
	if (moved)
		c->active = t->tick;
	for (size_t i = k->nsum; i < head; i++) {
		now[i] = moved ? value[i] : 0;
		sum[i] = MAX(sum[i], now[i]);
	}
	if (!k->nhist)
		return;
	if (hist)
		counters_advance(now + head, last + head, hist, k->nhist);
	else
		memset(now + head, 0, k->nhist * sizeof(uint64_t));
	counters_fold(sum + head, now + head, k->nhist, 0);
}

/* It is about to be counted for. */
static void activate(const struct counter_table *t, struct counters *c)
{
	size_t size = array_len(t->kind) * sizeof(uint64_t);

	if (!c->now)
		c->now = mem_zalloc(size);
	else if (c->active != t->tick)
		memset(c->now, 0, size);
	if (!c->sum)
		c->sum = mem_zalloc(size);
	c->active = t->tick;
}

void counters_bump(const struct counter_table *t, struct counters *c, size_t i, uint64_t delta)
{
	if (!delta)
		return;
	activate(t, c);
	c->now[i] += delta;
	c->sum[i] += delta;
}

void counters_bump_all(const struct counter_table *t, struct counters *c, const void *deltas)
{
	const struct counter_kind *k = t->kind;
	size_t i = 0;

	while (i < k->nsum && !((const uint64_t *)deltas)[i])
		i++;
	if (i == k->nsum)
		return;
	activate(t, c);
	counters_fold(c->now, deltas, k->nsum, k->nmax);
	counters_fold(c->sum, deltas, k->nsum, k->nmax);
}

bool counters_seen(const struct counter_table *t, const void *entry)
{
	return ((const struct counters *)entry)->seen == t->tick;
}

bool counters_recent(const struct counter_table *t, const void *entry)
{
	const struct counters *c = entry;

	return c->seen == t->tick ||
	       (c->active && (t->keep_all || t->tick - c->active <= HISTORY_TICKS));
}

/* What the kernel still counts stays: it would begin again with all of its sum. */
static unsigned entry_age(const void *value, const void *arg)
{
	const struct counter_table *t = arg;
	const struct counters *c = value;

	return c->seen == t->tick ? 0 : t->tick - c->active;
}

static void entry_mark(void *value, _unused_ void *arg)
{
	((struct counters *)value)->drop = true;
}

struct idle {
	uint64_t weight;
	struct counters *c;
};

static int lightest_first(const void *pa, const void *pb)
{
	const struct idle *a = pa, *b = pb;

	return ORDER(a->weight, b->weight);
}

/* Adds what an entry has to the one that counts on for it, and marks it, unless it is that one. */
static void give_up(struct counter_table *t, struct counters *c)
{
	const struct counter_kind *k = t->kind;
	struct counters *rest = c->active ? k->rest(t, c) : NULL;

	if (rest == c)
		return;
	c->drop = true;
	if (!rest)
		return;
	counters_fold(rest->sum, c->sum, k->nsum, k->nmax);
	rest->active = t->tick;
}

/*
 * Where sums are asked for, those with least since the start go, and count on in rows of their own.
 * A quarter of the room is made free, or the next tick would begin again.
 */
static void give_up_lightest(struct counter_table *t)
{
	const struct counter_kind *k = t->kind;
	size_t n = 0, most = t->n - (k->most - k->most / 4);
	struct idle *list = mem_alloc(t->n * sizeof(*list));
	struct counters *c;

	counter_table_each(t, c)
		if (c->seen != t->tick)
			list[n++] = (struct idle){ c->active ? c->sum[k->weight] : 0, c };
	if (n > 1)
		qsort(list, n, sizeof(*list), lightest_first);
	for (size_t i = 0; i < MIN(n, most); i++)
		give_up(t, list[i].c);
	free(list);
}

static void make_room(struct counter_table *t)
{
	const struct counter_kind *k = t->kind;

	if (!k->most || t->n <= k->most)
		return;
	if (t->keep_all && k->rest) {
		give_up_lightest(t);
	} else {
		hash_age(&t->entries, k->most, HISTORY_TICKS, entry_age, entry_mark, t);
		/* A storm: each costs in every tick. */
		hash_age(&t->entries, k->most, 2, entry_age, entry_mark, t);
	}
	counter_table_sweep(t);
}

void counter_table_sweep(struct counter_table *t)
{
	size_t kept = 0;

	for (size_t i = 0; i < t->n; i++) {
		struct counters *c = t->all[i];

		if (!c->drop) {
			t->all[kept++] = c;
			continue;
		}
		/* Another one may have its key by now. */
		if (hash_get(&t->entries, key_of(t, c)) == c)
			hash_del(&t->entries, key_of(t, c));
		entry_free(t, c);
	}
	t->n = kept;
}

void counter_table_end(struct counter_table *t)
{
	size_t size = array_len(t->kind) * sizeof(uint64_t);
	struct counters *c;
	bool drop = false;

	counter_table_each(t, c) {
		/* It moved in the sample before, and is not in this one. */
		if (c->seen != t->tick && c->active + 1 == t->tick)
			memset(c->now, 0, size);
		c->drop = t->kind->keep && !t->kind->keep(t, c);
		drop |= c->drop;
	}
	if (drop)
		counter_table_sweep(t);
	make_room(t);
}
