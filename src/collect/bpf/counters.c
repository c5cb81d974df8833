// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/bpf/counters.h"

#include <errno.h>
#include <stdlib.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/macro.h"

#define HURRIED_ROUNDS 4

#define MANY 4096	/* counters, from which on each costs more than it is worth to keep it
			 * for a while */

/* What is remembered of a counter: when its value last changed. */
struct seen {
	uint64_t key;		/* hash of the key */
	uint64_t value;		/* hash of the value */
	unsigned round, changed;
};

void counters_init(struct counters *c, const struct bpf_map *map)
{
	*c = (struct counters){
		.map = map,
		.key_size = bpf_map__key_size(map),
		.value_size = bpf_map__value_size(map),
		.max = bpf_map__max_entries(map),
	};
	c->full = c->max - c->max / 4;
	hash_init(&c->seen, offsetof(struct seen, key), sizeof(uint64_t));
	c->keys = mem_alloc(c->max * c->key_size);
	c->values = mem_alloc(c->max * c->value_size);
}

static bool keep_seen(void *value, void *arg)
{
	return ((const struct seen *)value)->round == *(const unsigned *)arg;
}

void counters_release(struct counters *c)
{
	hash_clear(&c->seen, hash_free_value, NULL);
	free(c->keys);
	free(c->values);
	c->keys = c->values = NULL;
}

/* One by one, where there are no batches. */
static size_t read_each(struct counters *c)
{
	int fd = bpf_map__fd(c->map);
	size_t n = 0;
	void *prev = NULL;

	while (n < c->max) {
		char *key = (char *)c->keys + n * c->key_size;

		if (bpf_map_get_next_key(fd, prev, key))
			break;
		prev = key;
		if (!bpf_map_lookup_elem(fd, key, (char *)c->values + n * c->value_size))
			n++;
	}
	return n;
}

static size_t read_all(struct counters *c)
{
	DECLARE_LIBBPF_OPTS(bpf_map_batch_opts, opts);
	int fd = bpf_map__fd(c->map), r = 0;
	uint64_t at[8];
	bool first = true;
	size_t n = 0;

	while (n < c->max && !r) {
		uint32_t count = (uint32_t)(c->max - n);

		r = bpf_map_lookup_batch(fd, first ? NULL : at, at,
					 (char *)c->keys + n * c->key_size,
					 (char *)c->values + n * c->value_size, &count, &opts);
		/* -ENOENT: these were the last. */
		if (r && r != -ENOENT)
			return first ? read_each(c) : n;
		n += count;
		first = false;
	}
	return n;
}

static struct seen *seen_get(struct counters *c, const void *key)
{
	uint64_t hash = hash_bytes(key, c->key_size);
	struct seen *seen = hash_get(&c->seen, &hash);

	if (seen)
		return seen;
	seen = mem_zalloc(sizeof(*seen));
	seen->key = hash;
	seen->changed = c->round;
	hash_put(&c->seen, seen);
	return seen;
}

static unsigned rounds_to_stay(const struct counters *c, size_t n, const void *value,
			       unsigned idle_rounds)
{
	return n > MANY && c->settled && c->settled(value) ? 1 : idle_rounds;
}

/*
 * Takes a counter out of the map, with its last value. Before 5.14 a hash does not do that in one
 * step: what is counted between two steps is lost, which is less than what finds no room in a map
 * that is full.
 */
static bool take_out(const struct counters *c, const void *key, void *value, bool full)
{
	int fd = bpf_map__fd(c->map);

	return !bpf_map_lookup_and_delete_elem(fd, key, value) ||
	       (full && !bpf_map_lookup_elem(fd, key, value) && !bpf_map_delete_elem(fd, key));
}

int counters_read(struct counters *c, unsigned idle_rounds,
		  void (*each)(void *arg, const void *key, const void *value), void *arg)
{
	uint64_t begin = clock_mono();
	size_t n = read_all(c);
	bool full = n > c->full;

	/* Kept as long as there is room, and no longer. */
	if (full)
		idle_rounds = MIN(idle_rounds, HURRIED_ROUNDS);
	c->read_ns = begin / 2 + clock_mono() / 2;
	c->round++;
	c->n = n;
	for (size_t i = 0; i < n; i++) {
		const char *key = (char *)c->keys + i * c->key_size;
		char *value = (char *)c->values + i * c->value_size;
		uint64_t hash = hash_bytes(value, c->value_size);
		struct seen *seen = seen_get(c, key);

		if (seen->value != hash)
			seen->changed = c->round;
		seen->value = hash;
		seen->round = c->round;
		c->idle = c->round - seen->changed;
		if (c->idle >= rounds_to_stay(c, n, value, idle_rounds) &&
		    take_out(c, key, value, full))
			c->n--;
		each(arg, key, value);
	}
	hash_filter(&c->seen, keep_seen, hash_free_value, &c->round);
	return 0;
}
