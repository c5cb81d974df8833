/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is kept, from tick to tick, of the kernel's cumulative counters: for each key how much in
 * the interval, and how much since the start. A counter that the kernel has dropped starts again
 * from zero; so do all when samples went by without us.
 */
#ifndef IOTOP_DATA_TALLY_H
#define IOTOP_DATA_TALLY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"

#define TALLY_COUNTERS 4

/* The head of an entry; its key and what else is known of it follow. */
struct tally_entry {
	/*
	 * Cumulative, of the newest sample (0 when the kernel has dropped it); of the interval;
	 * since the start.
	 */
	uint64_t last[TALLY_COUNTERS], now[TALLY_COUNTERS], sum[TALLY_COUNTERS];
	uint64_t hash;			/* of the key */
	unsigned seen, active;		/* ticks: in a sample; with counts (0: never) */
	struct tally_entry *next;	/* of those that have to go */
};

struct tally;

struct tally_kind {
	size_t size, key_off, key_len;	/* of an entry */
	unsigned nsum;			/* counters that add up; one more is the longest of the
					 * interval, if has_max */
	bool has_max;
	void (*forget)(void *entry);	/* what the entry owns */
	/*
	 * The entry in which one that has to go, for want of room, is counted on; its key has no
	 * more than a few values.
	 */
	struct tally_entry *(*rest)(struct tally *t, const void *entry);
};

struct tally {
	const struct tally_kind *kind;
	struct hash entries;
	struct tally_entry *gone;
	unsigned tick;
	uint64_t mono;			/* of the newest sample, ns */
	bool started;
	bool keep;			/* sums for ever; else entries without counts for a
					 * history's length go */
};

struct tally *tally_new(const struct tally_kind *kind);
/* As entity's state_free. */
void tally_free(void *tally);
/* Begins a tick; mono: of its sample; interval: between two samples, seconds. */
void tally_begin(struct tally *t, uint64_t mono, double interval);
/*
 * The entry of a key (key_len bytes without padding), and whether it is new: then all behind its
 * head and key is zero.
 */
void *tally_get(struct tally *t, const void *key, bool *ret_new);
/* What the sample says of it: nsum cumulative counters and, if the kind has one, the maximum. */
void tally_count(struct tally *t, struct tally_entry *e, const uint64_t *counters);
/*
 * Ends a tick: entries that nobody asks for any more go, and the oldest where there are too many.
 */
void tally_end(struct tally *t);

#endif
