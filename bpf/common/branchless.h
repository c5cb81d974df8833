/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decisions without a branch, for each branch in a loop may double the verifier's paths. It takes a
 * mask of all bits or none for two paths, too: hence the multiplications.
 */
#ifndef IOTOP_BPF_COMMON_BRANCHLESS_H
#define IOTOP_BPF_COMMON_BRANCHLESS_H

#include "bpf/common/kernel.h"

/* 1 for 0, else 0. */
_always_ __u64 is_zero(__u64 v)
{
	v |= -v;
	/* The compiler would see what is meant, and branch. */
	barrier_var(v);
	v = v >> 63 ^ 1;
	barrier_var(v);
	return v;
}

/* 1 where a is not above b, else 0; they are less than 1 << 63 apart. */
_always_ __u64 not_above(__u64 a, __u64 b)
{
	b -= a;
	barrier_var(b);
	b = b >> 63 ^ 1;
	barrier_var(b);
	return b;
}

/* a where is is 1, b where it is 0. */
_always_ __u64 choose(__u64 is, __u64 a, __u64 b)
{
	barrier_var(is);
	return b + (a - b) * is;
}

/* Of two numbers that are less than 1 << 63 apart. */
_always_ __u64 larger_of(__u64 a, __u64 b)
{
	return choose((a - b) >> 63, b, a);
}

#endif
