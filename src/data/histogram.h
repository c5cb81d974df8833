/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Latency buckets, the same in the kernel programs (bpf/abi.h) and here: HIST_SUB buckets per power
 * of two of nanoseconds, from below 1 µs (bucket 0) to above 100 s (the last). With 16 per power a
 * bucket is 6.25 % wide at most, its middle within 3.2 %.
 */
#ifndef IOTOP_DATA_HISTOGRAM_H
#define IOTOP_DATA_HISTOGRAM_H

#include <stdint.h>

#define HIST_SUB_BITS 4
#define HIST_SUB (1 << HIST_SUB_BITS)
#define HIST_MIN_SHIFT 10	/* 1024 ns */
#define HIST_MAX_SHIFT 37	/* 137 s */
#define HIST_BUCKETS ((HIST_MAX_SHIFT - HIST_MIN_SHIFT) * HIST_SUB + 2)

/*
 * Bucket of a time in ns; the kernel programs carry the same rule (bpf/common/hist.h), and a test
 * compares them.
 */
unsigned hist_bucket(uint64_t ns);
/* Smallest and first-too-large ns of a bucket; the last bucket ends at UINT64_MAX. */
uint64_t hist_lower(unsigned bucket);
uint64_t hist_upper(unsigned bucket);
uint64_t hist_total(const uint64_t *counts);
/* p in 0..100; linear inside the bucket. 0 when the histogram is empty: ask hist_total() first. */
uint64_t hist_percentile(const uint64_t *counts, double p);

#endif
