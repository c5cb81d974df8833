/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading a hash map of counters whole, and taking out those that stand still, so that it does not
 * fill up with what was once. A counter that is taken out is read a last time, after which it may
 * begin again from zero.
 */
#ifndef IOTOP_COLLECT_BPF_COUNTERS_H
#define IOTOP_COLLECT_BPF_COUNTERS_H

#include <stdbool.h>

#include "base/hash.h"

struct bpf_map;

struct counters {
	const struct bpf_map *map;
	size_t key_size, value_size, max;
	size_t full;		/* from so many on what stands still goes after a few readings;
				 * unless told otherwise 3/4 of max */
	unsigned round;
	unsigned idle;		/* of the counter each() is called for: readings in a row that it
				 * was the same */
	/*
	 * Set by who wants it: where there are many, those that are settled go at the first reading
	 * in which they are the same.
	 */
	bool (*settled)(const void *value);
	struct hash seen;	/* what is known of each key */
	void *keys, *values;	/* room for one reading */
};

void counters_init(struct counters *c, const struct bpf_map *map);
void counters_release(struct counters *c);
/*
 * Calls each() for every key and value. What was the same for idle_rounds readings is taken out,
 * and for a few when there is little room left; its last value is what each() gets. 0 or -errno.
 */
int counters_read(struct counters *c, unsigned idle_rounds,
		  void (*each)(void *arg, const void *key, const void *value), void *arg);

#endif
