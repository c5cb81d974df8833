/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The longest time of an interval. */
#ifndef IOTOP_BPF_COMMON_LONGEST_H
#define IOTOP_BPF_COMMON_LONGEST_H

#include "bpf/abi.h"
#include "bpf/common/kernel.h"

/*
 * No compare-and-exchange before 5.12: write, and check whether another CPU wrote a smaller value
 * meanwhile. A race of nanoseconds remains, for a maximum only.
 */
_always_ void longest_add(volatile __u64 max[2], __u32 epoch, __u64 ns)
{
	volatile __u64 *max_now = &max[epoch & 1];
	__u64 mine;

	if (ns >> ABI_MAX_BITS)
		ns = (1ULL << ABI_MAX_BITS) - 1;
	mine = (__u64)(epoch & ABI_EPOCH_MASK) << ABI_MAX_BITS | ns;
	for (int i = 0; i < 2; i++) {
		__u64 old = *max_now;

		if (ABI_MAX_EPOCH(old) == ABI_MAX_EPOCH(mine) && old >= mine)
			return;
		*max_now = mine;
	}
}

#endif
