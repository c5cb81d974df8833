/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counting, and finding one's way to what is counted.
 *
 * Functions that are not static are so for the verifier: it looks at such a function once, on its
 * own, and not on every way that leads to it. Before 6.3 it takes every number in a program with
 * calls for one that matters, so that ways do not join again; then only this keeps the number of
 * ways small. Their arguments must be numbers.
 */
#ifndef IOTOP_BPF_BLOCK_COUNT_H
#define IOTOP_BPF_BLOCK_COUNT_H

#include "bpf/abi.h"
#include "bpf/common/kernel.h"
#include "bpf/common/longest.h"
#include "bpf/block/maps.h"
#include "bpf/common/op.h"

/*
 * A kernel address as a number. The verifier allows no arithmetic with a pointer but its distance
 * from another one, so that is the number.
 */
_always_ __u64 address(const void *p)
{
	__u64 distance = (__u64)p;

	asm volatile("%0 -= %1" : "+r"(distance) : "r"(&anchor));
	return distance;
}

/* The way back: for helpers that read kernel memory. */
_always_ __u64 kernel_address(__u64 distance)
{
	/* Written to a map and read again, a pointer is a number. */
	if (!anchor_address)
		anchor_address = (__u64)&anchor;
	return distance + anchor_address;
}

_always_ void lose(enum abi_lost what)
{
	add(lost[what], 1);
}

_always_ void note_max(volatile __u64 max[2], __u64 ns)
{
	longest_note(max, epoch, ns);
}

#define COUNTER_PLACE(counter) ((counter) & ((1u << ABI_COUNTER_BITS) - 1))
#define COUNTER_DISK(counter) ((counter) >> ABI_COUNTER_BITS)

#endif
