// SPDX-License-Identifier: GPL-2.0-or-later
#include "data/histogram.h"

unsigned hist_bucket(uint64_t ns)
{
	unsigned shift;

	if (ns >> HIST_MIN_SHIFT == 0)
		return 0;
	if (ns >> HIST_MAX_SHIFT)
		return HIST_BUCKETS - 1;
	shift = 63 - (unsigned)__builtin_clzll(ns);
	return 1 + (shift - HIST_MIN_SHIFT) * HIST_SUB +
	       ((ns >> (shift - HIST_SUB_BITS)) & (HIST_SUB - 1));
}

uint64_t hist_lower(unsigned bucket)
{
	unsigned shift, sub;

	if (!bucket)
		return 0;
	shift = (bucket - 1) / HIST_SUB + HIST_MIN_SHIFT;
	sub = (bucket - 1) % HIST_SUB;
	return (uint64_t)(HIST_SUB + sub) << (shift - HIST_SUB_BITS);
}

uint64_t hist_upper(unsigned bucket)
{
	return bucket + 1 < HIST_BUCKETS ? hist_lower(bucket + 1) : UINT64_MAX;
}

uint64_t hist_total(const uint64_t *counts)
{
	uint64_t total = 0;

	for (unsigned i = 0; i < HIST_BUCKETS; i++)
		total += counts[i];
	return total;
}

uint64_t hist_percentile(const uint64_t *counts, double p)
{
	double rank = (double)hist_total(counts) * p / 100, seen = 0;
	unsigned last = 0;

	for (unsigned i = 0; i < HIST_BUCKETS; i++) {
		double count = (double)counts[i];

		if (!counts[i])
			continue;
		last = i;
		if (seen + count >= rank) {
			double inside = rank > seen ? (rank - seen) / count : 0;
			uint64_t lower = hist_lower(i);

			/* The last bucket has no upper end to speak of. */
			if (i == HIST_BUCKETS - 1)
				return lower;
			return lower + (uint64_t)((double)(hist_upper(i) - lower) * inside);
		}
		seen += count;
	}
	return hist_lower(last);
}
