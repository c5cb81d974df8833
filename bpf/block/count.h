/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counting, addresses and packed numbers.
 *
 * Functions that are not static are global functions for the verifier: it verifies them once, not
 * on each path that leads to them. Before 6.3 the verifier takes every register of a program with
 * calls as precise, so that paths do not merge, and only global functions keep their number small.
 * Their arguments must be numbers.
 */
#ifndef IOTOP_BPF_BLOCK_COUNT_H
#define IOTOP_BPF_BLOCK_COUNT_H

#include "bpf/abi.h"
#include "bpf/common/branchless.h"
#include "bpf/common/kernel.h"
#include "bpf/common/longest.h"
#include "bpf/block/maps.h"
#include "bpf/common/op.h"

/*
 * A kernel address as a number. The verifier allows subtracting another pointer from a pointer but
 * no other arithmetic; so addresses are kept as distances from `anchor'.
 */
_always_ __u64 address(const void *p)
{
	__u64 distance = (__u64)p;

	asm volatile("%0 -= %1" : "+r"(distance) : "r"(&anchor));
	return distance;
}

/* The address from a distance, for helpers that read kernel memory (probe_read). */
_always_ __u64 kernel_address(__u64 distance)
{
	/* A pointer that was written to a map is a number when it is read again. */
	if (!anchor_address)
		anchor_address = (__u64)&anchor;
	return distance + anchor_address;
}

_always_ void lose(enum abi_lost what)
{
	add(lost[what], 1);
}

_always_ void count_longest(volatile __u64 max[2], __u64 ns)
{
	longest_add(max, epoch, ns);
}

#endif
