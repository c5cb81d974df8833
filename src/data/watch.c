// SPDX-License-Identifier: GPL-2.0-or-later
#include "data/watch.h"

#include <math.h>

#include "base/clock.h"
#include "data/model.h"

enum source_state watch_source(const struct model *m, unsigned source)
{
	return m->sources[__builtin_ctz(source)].state;
}

void watch_advance(struct watch *w, const struct model *m, unsigned source)
{
	enum source_state state = source ? watch_source(m, source) : SOURCE_ON;
	uint64_t opened = source ? m->sources[__builtin_ctz(source)].since : 0;
	uint64_t mono = m->cur->mono, ns = mono >= w->newest ? mono - w->newest : 0;
	uint64_t late = source ? m->sources[__builtin_ctz(source)].late : 0;
	/* Since its counters were zero, if that was in this interval; else 0. */
	uint64_t young = opened < mono && (double)(mono - opened) / NSEC_PER_SEC < m->interval
				 ? mono + late - opened : 0;

	w->skipped = w->started && fabs((double)ns / NSEC_PER_SEC - m->interval) > 1e-6;
	w->restarted = w->started && state != SOURCE_OFF && (opened > w->newest || m->gap);
	w->baseline = w->started ? w->restarted && (opened == mono || m->gap) : !young;
	w->watched_ns = 0;
	if (state == SOURCE_OFF) {
		w->since = 0;
	} else if (young) {
		w->since = opened;
		w->watched_ns = young;
	} else if (!w->started || w->restarted || w->skipped || state != w->state) {
		w->since = mono;
	} else {
		w->watched_ns = ns + late > w->late ? ns + late - w->late : 0;
	}
	w->total_ns += w->watched_ns;
	w->newest = mono;
	w->late = late;
	w->state = state;
	w->started = true;
}

#define WATCHED_LEAST (NSEC_PER_SEC / 100 * 9)	/* the shortest interval is 0.1 s */

double model_watched(const struct model *m, unsigned sources, bool since_start)
{
	double ns = INFINITY;

	/* The first sample, and the first one behind a gap. */
	if (!since_start && !(m->interval > 0))
		return 0;
	/* Asked for each cell: only the bits that are set. */
	for (; sources; sources &= sources - 1) {
		const struct watch *w = &m->sources[__builtin_ctz(sources)].watch;
		uint64_t watched = since_start ? w->total_ns : w->watched_ns;

		ns = MIN(ns, (double)watched);
	}
	if (isinf(ns))
		return since_start ? m->elapsed : m->interval;
	/*
	 * When a source was read is known to some ms on a busy machine, and programs are attached
	 * one after the other: of less than 0.1 s that is a large part. A sample that a key asked
	 * for may come so soon after the one before.
	 */
	return !since_start && ns < WATCHED_LEAST ? 0 : ns / NSEC_PER_SEC;
}

bool model_watched_whole(const struct model *m, unsigned sources)
{
	uint64_t begin = m->cur->mono - (uint64_t)(m->interval * NSEC_PER_SEC);

	for (; sources; sources &= sources - 1) {
		const struct watch *w = &m->sources[__builtin_ctz(sources)].watch;

		/* The interval is no whole number of ns. */
		if (!w->since || w->since > begin + 1000)
			return false;
	}
	return true;
}

double model_scale(const struct model *m, unsigned sources, bool since_start)
{
	double watched = model_watched(m, sources, since_start);

	if (since_start)
		return 1;
	return watched > 0 ? m->interval / watched : NAN;
}
