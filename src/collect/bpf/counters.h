/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading a hash map of counters, and deleting idle ones, so that the map does not fill up. A
 * deleted counter is read a last time; after that it may begin again at zero.
 */
#ifndef IOTOP_COLLECT_BPF_COUNTERS_H
#define IOTOP_COLLECT_BPF_COUNTERS_H

#include <stdbool.h>

#include "base/hash.h"

struct bpf_map;

struct counters {
	const struct bpf_map *map;
	size_t key_size, value_size, max;
	size_t n;		/* counters that the last reading left in the map */
	size_t full;		/* from so many on what stands still goes after a few readings;
				 * unless told otherwise 3/4 of max */
	uint64_t read_ns;	/* when they were read last, CLOCK_MONOTONIC */
	unsigned round;
	unsigned idle;		/* of the counter each() is called for: readings in a row that it
				 * was the same */
	/*
	 * Set by the owner of the map: where there are many, settled counters go at the first
	 * reading in which they did not change.
	 */
	bool (*settled)(const void *value);
	struct hash seen;	/* what is known of each key */
	void *keys, *values;	/* room for one reading */
};

void counters_init(struct counters *c, const struct bpf_map *map);
void counters_release(struct counters *c);
/*
 * Calls each() for every key and value. A counter that did not change for idle_rounds readings is
 * deleted, and after fewer when there is little room left; each() gets its last value. 0 or -errno.
 */
int counters_read(struct counters *c, unsigned idle_rounds,
		  void (*each)(void *arg, const void *key, const void *value), void *arg);

#endif
