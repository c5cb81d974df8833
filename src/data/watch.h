/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Since when the counters of a source are complete: since when it was watched without a gap. */
#ifndef IOTOP_DATA_WATCH_H
#define IOTOP_DATA_WATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "data/sample.h"

struct model;

/*
 * A gap is an interval in which the source was off, was attached in part and then as a whole (or
 * the other way round), or in which samples were left out. Times are CLOCK_MONOTONIC ns.
 */
struct watch {
	uint64_t since;		/* from when on counters are complete; 0: they are not, the
				 * source is off */
	uint64_t watched_ns;	/* of the interval before the newest sample: up to when the counters
				 * were read, and from then on */
	uint64_t total_ns;	/* the same of all intervals: what sums are of */
	uint64_t newest;	/* the newest sample */
	uint64_t late;		/* so long after it the counters were read, ns */
	enum source_state state;	/* of the source in that sample */
	bool started;
	bool baseline;		/* nothing is counted in the newest sample: where its counters
				 * were before is not known */
	bool skipped;		/* samples were left out before it */
	bool restarted;		/* the counters began at zero after the sample before, or are read
				 * for the first time since they were not */
};

/* The state of a source (one enum source bit) in the newest sample. */
enum source_state watch_source(const struct model *m, unsigned source);
/* One more sample, m->cur. source: one enum source bit; 0: one that is always on. */
void watch_advance(struct watch *w, const struct model *m, unsigned source);

/* The source was on at both ends of the interval; of the first sample, at its only one. */
static inline bool watch_held(const struct watch *w)
{
	return w->state != SOURCE_OFF && !w->restarted;
}

#endif
