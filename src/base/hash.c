// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Open addressing, linear probing, at most two thirds full; deletion closes the gap, so there are
 * no tombstones.
 */
#include "base/hash.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

uint64_t hash_bytes(const void *p, size_t n)
{
	const unsigned char *s = p;
	uint64_t h = 0x9e3779b97f4a7c15u ^ n;

	while (n) {
		uint64_t w = 0;
		size_t step = n < 8 ? n : 8;

		memcpy(&w, s, step);
		/*
		 * A text has the same hash, and what is ordered by hashes the same order, on each
		 * processor.
		 */
		h = (h ^ le64toh(w)) * 0xff51afd7ed558ccdu;
		h ^= h >> 32;
		s += step;
		n -= step;
	}
	h *= 0xc4ceb9fe1a85ec53u;
	return h ^ h >> 29;
}

static const void *hash_key(const struct hash *h, const void *value)
{
	return (const char *)value + h->key_off;
}

static size_t hash_home(const struct hash *h, const void *key)
{
	return hash_bytes(key, h->key_len) & (h->cap - 1);
}

/* The slot that holds key, or the free one where it belongs. cap must not be 0. */
static size_t hash_slot(const struct hash *h, const void *key)
{
	size_t i = hash_home(h, key);

	while (h->slots[i] && memcmp(hash_key(h, h->slots[i]), key, h->key_len))
		i = (i + 1) & (h->cap - 1);
	return i;
}

static void hash_rebuild(struct hash *h, size_t cap)
{
	void **old = h->slots;
	size_t n = h->cap;

	h->slots = mem_alloc(cap * sizeof(*h->slots));
	memset(h->slots, 0, cap * sizeof(*h->slots));
	h->cap = cap;
	for (size_t i = 0; i < n; i++)
		if (old[i])
			h->slots[hash_slot(h, hash_key(h, old[i]))] = old[i];
	free(old);
}

void hash_init(struct hash *h, size_t key_off, size_t key_len)
{
	*h = (struct hash){ .key_off = key_off, .key_len = key_len };
}

void hash_release(struct hash *h)
{
	free(h->slots);
	hash_init(h, h->key_off, h->key_len);
}

void *hash_get(const struct hash *h, const void *key)
{
	return h->cap ? h->slots[hash_slot(h, key)] : NULL;
}

void hash_put(struct hash *h, void *value)
{
	if ((h->n + 1) * 3 > h->cap * 2)
		hash_rebuild(h, h->cap ? h->cap * 2 : 16);
	h->slots[hash_slot(h, hash_key(h, value))] = value;
	h->n++;
}

void *hash_del(struct hash *h, const void *key)
{
	size_t hole, mask = h->cap - 1;
	void *value;

	if (!h->cap)
		return NULL;
	hole = hash_slot(h, key);
	value = h->slots[hole];
	if (!value)
		return NULL;
	for (size_t i = (hole + 1) & mask; h->slots[i]; i = (i + 1) & mask) {
		size_t home = hash_home(h, hash_key(h, h->slots[i]));

		/* It may move back only when its home is not behind the hole. */
		if (((i - home) & mask) >= ((i - hole) & mask)) {
			h->slots[hole] = h->slots[i];
			hole = i;
		}
	}
	h->slots[hole] = NULL;
	h->n--;
	return value;
}

void *hash_next(const struct hash *h, size_t *i)
{
	while (*i < h->cap) {
		void *v = h->slots[(*i)++];

		if (v)
			return v;
	}
	return NULL;
}

void hash_filter(struct hash *h, bool (*keep)(void *value, void *arg),
		 void (*drop)(void *value, void *arg), void *arg)
{
	size_t cap = h->cap, dropped = 0;

	for (size_t i = 0; i < h->cap; i++) {
		void *v = h->slots[i];

		if (!v || (keep && keep(v, arg)))
			continue;
		h->slots[i] = NULL;
		dropped++;
		if (drop)
			drop(v, arg);
	}
	if (!dropped)
		return;
	h->n -= dropped;
	while (cap > 16 && h->n * 4 < cap)
		cap /= 2;
	hash_rebuild(h, cap);
}

void hash_free_value(void *value, _unused_ void *arg)
{
	free(value);
}

void hash_clear(struct hash *h, void (*drop)(void *value, void *arg), void *arg)
{
	hash_filter(h, NULL, drop, arg);
	hash_release(h);
}

#define AGE_MIN 4	/* rounds; two users of a table may count them both */

struct aging {
	unsigned (*age)(const void *value, const void *arg);
	void (*drop)(void *value, void *arg);
	void *arg;
	unsigned idle;
};

static bool is_young(void *value, void *arg)
{
	const struct aging *a = arg;

	return a->age(value, a->arg) < a->idle;
}

static void drop_old(void *value, void *arg)
{
	const struct aging *a = arg;

	a->drop(value, a->arg);
}

void hash_age(struct hash *h, size_t max, unsigned idle,
	      unsigned (*age)(const void *value, const void *arg),
	      void (*drop)(void *value, void *arg), void *arg)
{
	struct aging a = { age, drop, arg, idle };

	if (h->n <= max)
		return;
	hash_filter(h, is_young, drop_old, &a);
	/* A quarter of it is made free, or the next round would begin again. */
	while (a.idle > AGE_MIN && h->n > max - max / 4) {
		a.idle = MAX(a.idle / 2, AGE_MIN);
		hash_filter(h, is_young, drop_old, &a);
	}
}

struct rounds {
	size_t used_off;
	unsigned round;
	void (*drop)(void *value, void *arg);
	void *arg;
};

static unsigned rounds_since(const void *value, const void *arg)
{
	const struct rounds *r = arg;

	return r->round - *(const unsigned *)((const char *)value + r->used_off);
}

static void rounds_drop(void *value, void *arg)
{
	const struct rounds *r = arg;

	r->drop(value, r->arg);
}

void hash_age_rounds(struct hash *h, size_t max, unsigned idle, size_t used_off, unsigned round,
		     void (*drop)(void *value, void *arg), void *arg)
{
	struct rounds r = { used_off, round, drop, arg };

	hash_age(h, max, idle, rounds_since, rounds_drop, &r);
}
