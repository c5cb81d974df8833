/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The bucket of a time: the same rule as hist_bucket() of src/data/histogram.c, in what a kernel
 * program may do.
 */
#ifndef IOTOP_BPF_COMMON_HIST_H
#define IOTOP_BPF_COMMON_HIST_H

#include "bpf/abi.h"

static inline __attribute__((always_inline)) __u32 abi_hist_bucket(__u64 ns)
{
	__u32 shift = 0;
	__u64 v = ns;

	if (ns < 1ULL << ABI_HIST_MIN_SHIFT)
		return 0;
	if (ns >= 1ULL << ABI_HIST_MAX_SHIFT)
		return ABI_HIST_BUCKETS - 1;
	/* The instruction set has no count of leading zeros. */
	if (v >> 32) {
		shift = 32;
		v >>= 32;
	}
	if (v >> 16) {
		shift += 16;
		v >>= 16;
	}
	if (v >> 8) {
		shift += 8;
		v >>= 8;
	}
	if (v >> 4) {
		shift += 4;
		v >>= 4;
	}
	if (v >> 2) {
		shift += 2;
		v >>= 2;
	}
	shift += v >> 1;
	return 1 + ((shift - ABI_HIST_MIN_SHIFT) << ABI_HIST_SUB_BITS) +
	       ((ns >> (shift - ABI_HIST_SUB_BITS)) & ((1u << ABI_HIST_SUB_BITS) - 1));
}

#endif
