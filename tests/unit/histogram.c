// SPDX-License-Identifier: GPL-2.0-or-later
/* Latency: percentiles from the buckets of a histogram, bands of the heat map. */
#include "unit.h"

#include <math.h>

#include "data/disk/disk.h"

/* xorshift: the same numbers in every run. */
static uint64_t dice(void)
{
	static uint64_t x = 88172645463325252u;

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	return x;
}

static int compare_u64(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/*
 * Latencies spread evenly over the powers of two, and in a narrow band with a far tail: p within 20
 * % of the truth, always.
 */
START_TEST(percentiles_are_within_a_fifth)
{
	enum { N = 20000 };
	static uint64_t times[N];

	for (unsigned round = 0; round < 40; round++) {
		uint64_t counts[HIST_BUCKETS] = { 0 };

		for (unsigned i = 0; i < N; i++) {
			uint64_t narrow = (2000u << (round / 3)) + dice() % 500;

			times[i] = round % 2 || i % 50 == 0
					   ? 1024 + dice() % (2048ull << (dice() % 26))
					   : narrow;
			counts[hist_bucket(times[i])]++;
		}
		qsort(times, N, sizeof(*times), compare_u64);
		for (double p = 1; p < 100; p += 7) {
			double truth = (double)times[(size_t)(N * p / 100)],
			       got = (double)hist_percentile(counts, p);

			ck_assert_msg(fabs(got - truth) <= 0.2 * truth, "p%g: %g, not %g", p, got,
				      truth);
		}
		ck_assert(fabs((double)hist_percentile(counts, 99) - (double)times[N / 100 * 99]) <=
			  0.2 * times[N / 100 * 99]);
	}
}
END_TEST

START_TEST(bands_are_powers_of_two)
{
	ck_assert_uint_eq(disk_band(0), 0);
	ck_assert_uint_eq(disk_band(1023), 0);
	ck_assert_uint_eq(disk_band(UINT64_MAX), DISK_BANDS - 1);
	for (unsigned band = 1; band + 1 < DISK_BANDS; band++) {
		ck_assert_uint_eq(disk_band(disk_band_lower(band)), band);
		ck_assert_uint_eq(disk_band(disk_band_upper(band) - 1), band);
		ck_assert_uint_eq(disk_band_upper(band), disk_band_lower(band + 1));
	}
}
END_TEST

UNIT_MAIN("histogram", percentiles_are_within_a_fifth, bands_are_powers_of_two)
