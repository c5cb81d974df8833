/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A hash table from byte strings of fixed length to pointers. */
#ifndef IOTOP_BASE_HASH_H
#define IOTOP_BASE_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The key lies inside the value, at key_off, key_len bytes without padding. The table does not own
 * the values.
 */
struct hash {
	void **slots;
	size_t n, cap;
	size_t key_off, key_len;
};

void hash_init(struct hash *h, size_t key_off, size_t key_len);
void hash_release(struct hash *h);
void *hash_get(const struct hash *h, const void *key);
/* The key of value must not be there yet. */
void hash_put(struct hash *h, void *value);
/* Returns what was there, or NULL. */
void *hash_del(struct hash *h, const void *key);
/*
 * Iterate: size_t i = 0; while ((v = hash_next(h, &i))). Deleting while iterating is not allowed.
 */
void *hash_next(const struct hash *h, size_t *i);
/* Removes (and hands to drop, when given) every value for which keep is false; without keep all. */
void hash_filter(struct hash *h, bool (*keep)(void *value, void *arg),
		 void (*drop)(void *value, void *arg), void *arg);
/* For drop: values that malloc() made. */
void hash_free_value(void *value, void *arg);
/* Hands all values to drop and releases the table. */
void hash_clear(struct hash *h, void (*drop)(void *value, void *arg), void *arg);
/*
 * Bounds a table of what is looked up again and again: with more than max values those that were
 * not used for `idle` rounds go, then those not used for half as many, and so on. What was used in
 * the last few rounds stays. age: rounds since then.
 */
void hash_age(struct hash *h, size_t max, unsigned idle,
	      unsigned (*age)(const void *value, const void *arg),
	      void (*drop)(void *value, void *arg), void *arg);
/* The same of values with the round in which they were used last, an unsigned at used_off. */
void hash_age_rounds(struct hash *h, size_t max, unsigned idle, size_t used_off, unsigned round,
		     void (*drop)(void *value, void *arg), void *arg);

uint64_t hash_bytes(const void *p, size_t n);

#endif
