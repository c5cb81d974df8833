/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The last intervals of something: what a graph shows. */
#ifndef IOTOP_DATA_HISTORY_H
#define IOTOP_DATA_HISTORY_H

#define HISTORY_TICKS 60

/* Oldest first. Owned by whoever counts. */
struct history {
	float read[HISTORY_TICKS], write[HISTORY_TICKS];	/* per second; NaN: unknown */
	unsigned n;	/* how many are valid */
};

/*
 * One more interval at the end, the oldest goes where there is no room: how much it was in so many
 * seconds. 0: it was not watched.
 */
void history_push(struct history *h, double read, double write, double seconds);

#endif
