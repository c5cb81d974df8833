/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Taking stacks. Each is stored once, under a 64-bit hash of its frames, its id; what cannot be
 * taken or stored is counted. Every object that includes this has maps of its own; user space sets
 * the sizes of `stacks`, `stack_index` and `stacks_free`.
 */
#ifndef IOTOP_BPF_COMMON_STACK_H
#define IOTOP_BPF_COMMON_STACK_H

#include "bpf/abi.h"
#include "bpf/common/array.h"
#include "bpf/common/fill.h"
#include "bpf/common/kernel.h"
#include "bpf/common/places.h"

/*
 * Frames are in an array, whose memory the kernel only asks for; a hash of so large elements is
 * written to, element by element, before it is there.
 */
ARRAY(stacks, 1, struct abi_stack);
/* By id: the place in the array. */
HASH_MAP(stack_index, 1, __u64, __u32);
FREE_PLACES(stacks_free, 1);

/*
 * Too large for the stack of a program. The kernel does not run a program again on a CPU where it
 * is running.
 */
CPU_ARRAY(stack_scratch, 2, struct abi_stack);	/* the second for programs that others
							 * may interrupt */

/* Address spaces that user space was told of; an evicted one is told again. */
LRU_MAP(spaces_told, 8192, struct abi_space, __u8);

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 65536);
} spaces SEC(".maps");

const volatile bool want_kernel_stacks = true, want_user_stacks = true;
/*
 * Room for user stacks; the rest is for kernel stacks. Those of programs are new with every
 * process, those of the kernel are few, and an I/O without one says nothing.
 */
const volatile __u64 user_stacks_max = ~0ULL;

/* Read by user space. */
volatile __u64 stack_lost[ABI_STACK_LOST_COUNT];
volatile __u64 stacks_stored;
/* Written by user space: how many of the stored it has deleted. */
volatile __u64 stacks_taken_out;

_always_ void stack_lose(enum abi_stack_lost what)
{
	__sync_fetch_and_add(&stack_lost[what], 1);
}

_always_ __u64 stack_mix(__u64 hash, __u64 v)
{
	hash = (hash ^ v) * 0xff51afd7ed558ccdULL;
	return hash ^ hash >> 32;
}

/* The hash of the stack in a scratch. */
__noinline __u64 stack_hash(__u32 scratch)
{
	struct abi_stack *s = bpf_map_lookup_elem(&stack_scratch, &scratch);
	__u64 id;
	__u32 n;

	if (!s)
		return 0;
	n = s->n;
	/* The same frames may end for another reason: a table has come. */
	id = stack_mix(stack_mix(s->mm, s->start),
		       s->tgid ^ (__u64)n << 32 ^ (__u64)ABI_STACK_END(s->flags) << 48);
	for (__u32 i = 0; i < ABI_STACK_DEPTH; i++) {
		if (i >= n)
			break;
		id = stack_mix(id, s->ip[i]);
	}
	return id ? id : 1;
}

/* Whether a stack is stored under this id. */
_always_ bool stack_stored(__u64 id)
{
	return id && bpf_map_lookup_elem(&stack_index, &id);
}

/* Puts the stack in a scratch under an id. False: another CPU was faster, or there is no room. */
_always_ bool stack_put(const struct abi_stack *s, __u64 id)
{
	__u32 place;

	if (bpf_map_pop_elem(&stacks_free, &place))
		return false;
	/* Who finds the id finds its frames. */
	if (!bpf_map_update_elem(&stacks, &place, s, BPF_ANY) &&
	    !bpf_map_update_elem(&stack_index, &id, &place, BPF_NOEXIST))
		return true;
	bpf_map_push_elem(&stacks_free, &place, 0);
	return false;
}

/* Stores the stack in a scratch; returns its id, 0: there was no room. */
__noinline __u64 stack_store(__u32 scratch)
{
	struct abi_stack *s = bpf_map_lookup_elem(&stack_scratch, &scratch);
	__u64 id = stack_hash(scratch);

	if (!s)
		return 0;
	if (stack_stored(id))
		return id;
	if (s->flags & ABI_STACK_USER && stacks_stored - stacks_taken_out >= user_stacks_max) {
		stack_lose(ABI_STACK_FULL);
		return 0;
	}
	if (!stack_put(s, id)) {
		if (stack_stored(id))
			return id;
		stack_lose(ABI_STACK_FULL);
		return 0;
	}
	__sync_fetch_and_add(&stacks_stored, 1);
	if (s->flags & ABI_STACK_CUT)
		stack_lose(ABI_STACK_TOO_DEEP);
	return id;
}

/*
 * Completes a scratch with the result of bpf_get_stack(): bytes of frames, or a negative error.
 * False: there are no frames.
 */
_always_ bool stack_taken(struct abi_stack *s, long bytes, __u32 flags)
{
	if (bytes <= 0) {
		if (bytes < 0)
			stack_lose(ABI_STACK_FAILED);
		return false;
	}
	s->n = (__u64)bytes / 8;
	s->flags = flags;
	if (s->n >= ABI_STACK_DEPTH)
		s->flags |= ABI_STACK_CUT;
	return true;
}

FILL_PUSH(stacks_free)

/* It is the only queue. */
_always_ __u32 stack_push(__u32 queue, __u32 first, __u32 n)
{
	(void)queue;
	return stacks_free_push(first, n);
}

FILL_PROGRAM(stack_fill, stack_push)

#endif
