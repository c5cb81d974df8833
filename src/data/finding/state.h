/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the findings remember from interval to interval. For src/data/finding/ only. */
#ifndef IOTOP_DATA_FINDING_STATE_H
#define IOTOP_DATA_FINDING_STATE_H

#include "base/hash.h"
#include "data/finding/finding.h"

/* A case that was reported in this interval; in the model's memory. */
struct found {
	struct finding_row row;
	uint64_t subject;
	struct found *next;
};

struct finding_state {
	struct hash standings;		/* data/finding/standing.h */
	struct found *found;
	struct {
		uint64_t began_ns, ended_ns;	/* as in struct model */
		bool on;
	} looks[SRC_COUNT];
	unsigned suspicious;		/* intervals in a row in which somebody waited */
	uint64_t suspicious_at;		/* CLOCK_MONOTONIC ns of the newest of these */
	uint64_t probe_until, probe_again;	/* CLOCK_MONOTONIC ns of samples; 0: never */
	uint64_t probe_pause;		/* seconds before the next; 0: it will be the first */
	bool probe_found;		/* something is there that the newest look has told */
	unsigned calm;			/* intervals, as in struct model */
	unsigned asked;			/* sources that were off when the look began */
	unsigned probed;		/* of these: none has come on yet */
};

#endif
