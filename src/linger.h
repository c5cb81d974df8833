/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the screen that was left needs is counted for a while after that: whoever comes back finds
 * its numbers there, without a gap. Loading its programs again takes tenths of a second.
 */
#ifndef IOTOP_LINGER_H
#define IOTOP_LINGER_H

#include <stdint.h>

#include "base/clock.h"

#define LINGERS (15 * NSEC_PER_SEC)

/* Begins as { 0 }. enum source bits. */
struct linger {
	unsigned shown;	/* what is shown needs */
	unsigned left;	/* what was shown before that needs, until then (CLOCK_MONOTONIC ns) */
	uint64_t until;
};

/* All that is to be counted now, when what is shown needs this. */
unsigned linger_needs(struct linger *l, unsigned shown, uint64_t now);

#endif
