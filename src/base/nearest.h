/* SPDX-License-Identifier: GPL-2.0-or-later */
/* "Did you mean …?" */
#ifndef IOTOP_BASE_NEAREST_H
#define IOTOP_BASE_NEAREST_H

/* The word so far nearest to `word`; starts as { .word = … }. */
struct nearest {
	const char *word;
	const char *best;	/* NULL: nothing offered is near */
	unsigned distance;
};

/*
 * Considers a candidate: letters changed, added, left out or swapped with their neighbour count one
 * each.
 */
void nearest_offer(struct nearest *n, const char *candidate);

#endif
