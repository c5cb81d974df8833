/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What all parts of abi.h are made of. */
#ifndef IOTOP_BPF_ABI_COMMON_H
#define IOTOP_BPF_ABI_COMMON_H

#include <linux/types.h>

#define ABI_COMM 16
#define ABI_CHOSEN_CGROUPS 16384	/* below the one that is asked for */

/* As enum io_op. */
enum abi_op {
	ABI_READ,
	ABI_WRITE,
	ABI_DISCARD,
	ABI_FLUSH,
	ABI_OTHER,
	ABI_OPS,
};

/* A longest time and the interval it belongs to in one number: readers and writers need no lock. */
#define ABI_MAX_BITS 40
#define ABI_MAX_NS(max) ((max) & ((1ULL << ABI_MAX_BITS) - 1))
#define ABI_MAX_EPOCH(max) ((max) >> ABI_MAX_BITS)
#define ABI_EPOCH_MASK ((1u << (64 - ABI_MAX_BITS)) - 1)

/* The buckets of data/histogram.h. */
#define ABI_HIST_SUB_BITS 4
#define ABI_HIST_MIN_SHIFT 10
#define ABI_HIST_MAX_SHIFT 37
#define ABI_HIST_BUCKETS (((ABI_HIST_MAX_SHIFT - ABI_HIST_MIN_SHIFT) << ABI_HIST_SUB_BITS) + 2)

struct abi_hist {
	__u64 count[ABI_HIST_BUCKETS];
};

/*
 * How many of the places of an array programs took, and how many of these they gave back at once.
 * What is given back is taken again after all others: those in use are among the first `taken', not
 * among the first taken - back.
 */
struct abi_places {
	__u64 taken, back;
};

/* Requests by size: below 1 KiB, below 2, 4 and so on; the last has all that are larger. */
#define ABI_SIZES 16

#endif
