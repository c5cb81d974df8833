/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The bucket of a time: the same rule as hist_bucket() of src/data/histogram.c, in what a kernel
 * program may do.
 */
#ifndef IOTOP_BPF_COMMON_HIST_H
#define IOTOP_BPF_COMMON_HIST_H

#include "bpf/abi.h"

/* 1 where v, below 1 << 63, is more than `than', else 0; not a branch. */
#define ABI_MORE(v, than) (((__u64)(than) - (v)) >> 63)

/*
 * The number of the highest bit of a number below 1 << 63; of 0: 0. The instruction set has no
 * count of leading zeros. Without branches it is one path for the verifier, and costs no call.
 */
static inline __attribute__((always_inline)) __u32 abi_log2(__u64 v)
{
	__u64 bits = 0, step;

	step = ABI_MORE(v, 0xffffffff) << 5;
	v >>= step;
	bits += step;
	step = ABI_MORE(v, 0xffff) << 4;
	v >>= step;
	bits += step;
	step = ABI_MORE(v, 0xff) << 3;
	v >>= step;
	bits += step;
	step = ABI_MORE(v, 0xf) << 2;
	v >>= step;
	bits += step;
	step = ABI_MORE(v, 3) << 1;
	v >>= step;
	bits += step;
	return bits + (v >> 1);
}

static inline __attribute__((always_inline)) __u32 abi_hist_bucket(__u64 ns)
{
	__u32 shift;

	if (ns < 1ULL << ABI_HIST_MIN_SHIFT)
		return 0;
	if (ns >= 1ULL << ABI_HIST_MAX_SHIFT)
		return ABI_HIST_BUCKETS - 1;
	shift = abi_log2(ns);
	return 1 + ((shift - ABI_HIST_MIN_SHIFT) << ABI_HIST_SUB_BITS) +
	       ((ns >> (shift - ABI_HIST_SUB_BITS)) & ((1u << ABI_HIST_SUB_BITS) - 1));
}

#endif
