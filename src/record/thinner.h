/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fewer samples that tell the same: those of one interval become one. Counters are cumulative, so
 * the newest says what was counted; rows that were gone by then, such as those of tasks that ended,
 * are there as they were last. A sample stays on its own where one interval would count otherwise
 * than two: sums over any time between samples that are left are what they were.
 */
#ifndef IOTOP_RECORD_THINNER_H
#define IOTOP_RECORD_THINNER_H

#include "base/err.h"
#include "data/sample.h"

struct thinner;

struct thinner_options {
	uint64_t interval; /* ns; intervals end at multiples of it, since the epoch */
	/* A sample that is left, with late rows; its gap is set. Returns 0 or -errno. */
	int (*put)(void *arg, const struct sample *s, unsigned mark, struct err *err);
	void *arg;
};

struct thinner *thinner_new(const struct thinner_options *opt);
void thinner_free(struct thinner *m);
/* The next sample, with its late rows, and replay_mark() of it. */
int thinner_add(struct thinner *m, const struct sample *s, unsigned mark, struct err *err);
/* There are no more. */
int thinner_end(struct thinner *m, struct err *err);

#endif
