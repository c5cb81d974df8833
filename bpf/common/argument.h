/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The arguments of a tracepoint. */
#ifndef IOTOP_BPF_COMMON_ARGUMENT_H
#define IOTOP_BPF_COMMON_ARGUMENT_H

#include "bpf/common/kernel.h"

/* An argument as a number: a pointer can neither be a key nor be calculated with. */
_always_ __u64 argument(__u64 *ctx, int i)
{
	__u64 v = 0;

	bpf_probe_read_kernel(&v, sizeof(v), ctx + i);
	return v;
}

/* A variable whose address never changes, and its address. */
volatile __u64 argument_anchor;
volatile __u64 argument_anchor_address;

/*
 * What is a pointer for the verifier as a number, without a call: it allows
 * subtracting another pointer from it, and a pointer that was written to a map is a number when it
 * is read again.
 */
_always_ __u64 address_of(const void *pointer)
{
	__u64 distance = (__u64)pointer;

	asm volatile("%0 -= %1" : "+r"(distance) : "r"(&argument_anchor));
	if (!argument_anchor_address)
		argument_anchor_address = (__u64)&argument_anchor;
	return distance + argument_anchor_address;
}

_always_ __u64 argument_address(__u64 *ctx, int i)
{
	return address_of((const void *)ctx[i]);
}

/*
 * Two programs for a tracepoint whose first argument is what it is about; before 5.11 the queue
 * came first, and this was argument `old`. on(ctx, of): of is its index.
 */
#define TWO_FORMS(name, tracepoint, on, old) \
	SEC("tp_btf/" #tracepoint)           \
	int name(__u64 *ctx)                 \
	{                                    \
		return on(ctx, 0);           \
	}                                    \
	SEC("tp_btf/" #tracepoint)           \
	int name##_q(__u64 *ctx)             \
	{                                    \
		return on(ctx, old);         \
	}

#endif
