/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A table of counters: for each key the cumulative values of the newest sample, how much was
 * counted in the interval, and how much since the start. Whatever a row shows as `now' and `sum'
 * comes from such a table.
 *
 *  - The first sample is a baseline. What appears later counts from zero.
 *  - A counter that falls adds nothing.
 *  - A source that was closed for some time is a new one: its counters have begun at zero again.
 */
#ifndef IOTOP_DATA_COUNTERS_H
#define IOTOP_DATA_COUNTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "data/watch.h"

/*
 * The head of an entry; its key and what else is known of it follow. The arrays have the kind's
 * nsum counters that add up, then nmax maxima, then nhist counts of a histogram.
 */
struct counters {
	uint64_t *now, *sum;	/* of the interval; since the start */
	uint64_t *last;		/* cumulative, of the newest sample that had the key */
	uint64_t hash;		/* of the key */
	unsigned seen, active;	/* ticks of the table: last in a sample; last moved (0: never) */
	bool drop;		/* counter_table_sweep() frees it */
};

struct counter_table;

struct counter_kind {
	size_t size, key_off, key_len;	/* of an entry; the key has no padding */
	unsigned nsum, nmax, nhist;
	unsigned source;	/* enum source bit whose counters begin at zero when it is
				 * opened; 0: they go on while nobody looks */
	uint64_t high_water;	/* bit i: only what is above its highest value counts */
	/*
	 * Entries do not count themselves (counters_count()) but are counted for
	 * (counters_bump()). now and sum are NULL until then, and now is of the tick `active':
	 * thousands that are idle cost nothing.
	 */
	bool lazy;
	bool begins_visible;	/* what appears later begins with the value that it has then */
	bool drops;		/* the kernel forgets what stands still: a key that was missing
				 * from a sample comes back at zero */
	size_t most;		/* entries; of more the longest idle go, with keep_all those
				 * with least, but not those in the newest sample. 0: no bound */
	unsigned weight;	/* with rest: the counter that says who has least */
	/* At the end of a tick: does the entry stay? NULL: all do. */
	bool (*keep)(const struct counter_table *t, const void *entry);
	void (*forget)(void *entry, void *arg);	/* frees what the entry owns; NULL: nothing */
	/*
	 * The entry on which one counts on that has to go because of `most'; its key has no more
	 * than a few values.
	 */
	struct counters *(*rest)(struct counter_table *t, const void *entry);
};

/* What an entry is: a type that begins with struct counters, and the member that is its key. */
#define COUNTER_ENTRY(type, member)                                             \
	.size = sizeof(type), .key_off = offsetof(type, member),                \
	.key_len = sizeof(((type *)0)->member)

struct counter_table {
	const struct counter_kind *kind;
	struct hash entries;
	struct counters **all;	/* the same, oldest first: walked in the order of memory */
	size_t n, cap;
	struct watch watch;
	unsigned tick;		/* samples so far */
	unsigned restarted;	/* tick in which the source's counters last began at zero */
	bool keep_all;		/* sums for ever */
	void *arg;		/* of forget() */
};

/* Every entry; none may be freed meanwhile, new ones are met. */
#define counter_table_each(t, e) \
	for (size_t i_ = 0; i_ < (t)->n && ((e) = (void *)(t)->all[i_], true); i_++)

struct counter_table *counter_table_new(const struct counter_kind *kind);
/* As entity's state_free; NULL is nothing. */
void counter_table_free(void *table);
/* Begins a tick: m->cur is the sample. */
void counter_table_begin(struct counter_table *t, const struct model *m);
/* The entry of a key. A new one is zeroed behind its head and key. ret_new may be NULL. */
void *counter_table_get(struct counter_table *t, const void *key, bool *ret_new);
void *counter_table_find(const struct counter_table *t, const void *key);
/* Ends a tick: entries that are not kept go, and of too many those that kind->most says. */
void counter_table_end(struct counter_table *t);
/* Frees the entries that are marked. */
void counter_table_sweep(struct counter_table *t);
/* For kind->keep: in the sample. */
bool counters_seen(const struct counter_table *t, const void *entry);
/* For kind->keep: in the sample, or moved in the last HISTORY_TICKS ticks (keep_all: ever). */
bool counters_recent(const struct counter_table *t, const void *entry);

/*
 * What the sample says of an entry: nsum cumulative counters, nmax maxima of the interval, which
 * count when anything moved; hist: nhist cumulative counts, as they lie in a blob; NULL: none.
 */
void counters_count(struct counter_table *t, struct counters *c, const void *cur, const void *hist);
/* Adds to one counter of the interval and of the sum. */
void counters_bump(const struct counter_table *t, struct counters *c, size_t i, uint64_t delta);
/* The same for all of them: nsum that add up, nmax maxima. */
void counters_bump_all(const struct counter_table *t, struct counters *c, const void *deltas);
/* Adds nsum counters and takes the greater of the nmax behind them. */
void counters_fold(void *to, const void *from, size_t nsum, size_t nmax);
/* From last to cur (may be unaligned): the differences into now. true: anything moved. */
bool counters_advance(uint64_t *now, uint64_t *last, const void *cur, size_t n);

/* How much a cumulative counter moved; 0 when it fell (a reset). */
static inline uint64_t counter_delta(uint64_t cur, uint64_t last)
{
	return cur >= last ? cur - last : 0;
}

/* The same, and cur is the newest. */
static inline uint64_t counter_advance(uint64_t *last, uint64_t cur)
{
	uint64_t delta = counter_delta(cur, *last);

	*last = cur;
	return delta;
}

#endif
