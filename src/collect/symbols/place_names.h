/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The names of places, as far as they were asked for; bounded: what was not used for long goes. */
#ifndef IOTOP_COLLECT_SYMBOLS_PLACE_NAMES_H
#define IOTOP_COLLECT_SYMBOLS_PLACE_NAMES_H

#include <stdbool.h>

#include "base/hash.h"

/* The name of a place. */
struct place_name {
	uint64_t id;		/* of the place */
	char *text;		/* frames, as inlined_put() has them; NULL: it has none ... */
	const char *why;	/* ... and why, in English; NULL: not known */
	bool asked;		/* its answer is still to come */
	unsigned round;		/* of its last use */
	uint64_t at;		/* CLOCK_MONOTONIC ns of the answer */
};

struct place_names {
	struct hash by_id;
	unsigned round;
};

void place_names_init(struct place_names *names);
void place_names_release(struct place_names *names);
void place_names_round(struct place_names *names);
/* NULL: never asked for, or dropped. Valid until place_names_round(). */
struct place_name *place_names_get(struct place_names *names, uint64_t id);
/*
 * Whether the name is to be asked for; it counts as asked from now on. changes: code without a name
 * may get one, and is asked for again after some seconds.
 */
bool place_names_ask(struct place_names *names, uint64_t id, bool changes);
/* The answer; text is not terminated, len 0: it has no name, and why (a constant, or NULL). */
void place_names_set(struct place_names *names, uint64_t id, const char *text, size_t len,
		     const char *why);

#endif
