/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counting, and finding one's way to what is counted. */
#ifndef IOTOP_BPF_COUNT_H
#define IOTOP_BPF_COUNT_H

#include "bpf/abi.h"
#include "bpf/kernel.h"
#include "bpf/maps.h"

#define add(counter, n) __sync_fetch_and_add(&(counter), (n))

/*
 * A kernel address as a number. The verifier allows no arithmetic with a pointer but its distance from another one, so that is
 * the number.
 */
_always_ __u64 address(const void *p)
{
	__u64 distance = (__u64)p;

	asm volatile("%0 -= %1" : "+r"(distance) : "r"(&anchor));
	return distance;
}

_always_ void lose(enum abi_lost what)
{
	add(lost[what], 1);
}

/*
 * There is no compare-and-exchange before 5.12: write, and look again whether another processor wrote a smaller one meanwhile.
 * What is left is a window of nanoseconds, for a maximum only.
 */
_always_ void note_max(volatile __u64 max[2], __u64 ns)
{
	__u32 now = epoch;
	volatile __u64 *max_now = &max[now & 1];
	__u64 mine;

	if (ns >> ABI_MAX_BITS)
		ns = (1ULL << ABI_MAX_BITS) - 1;
	mine = (__u64)(now & ABI_EPOCH_MASK) << ABI_MAX_BITS | ns;
	for (int i = 0; i < 2; i++) {
		__u64 old = *max_now;

		if (ABI_MAX_EPOCH(old) == ABI_MAX_EPOCH(mine) && old >= mine)
			return;
		*max_now = mine;
	}
}

_always_ __u32 op_of(__u32 flags, bool empty)
{
	__u32 op = flags & KERNEL_OP_MASK;

	if (op == KERNEL_OP(READ))
		return ABI_READ;
	if (op == KERNEL_OP(WRITE))
		return empty && flags & KERNEL_REQ_PREFLUSH ? ABI_FLUSH : ABI_WRITE;
	if (op == KERNEL_OP(DISCARD))
		return ABI_DISCARD;
	if (op == KERNEL_OP(FLUSH))
		return ABI_FLUSH;
	if (op == KERNEL_OP(ZONE_APPEND))
		return ABI_WRITE;
	return ABI_OTHER;
}

#define COUNTER_PLACE(counter) ((counter) & ((1u << ABI_COUNTER_BITS) - 1))
#define COUNTER_DISK(counter) ((counter) >> ABI_COUNTER_BITS)

#endif
