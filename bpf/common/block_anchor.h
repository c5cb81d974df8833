/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Maps of the block programs, which ran before for the same bio: whose it is, for other objects.
 * Addresses are counted from the anchor of those programs.
 */
#ifndef IOTOP_BPF_COMMON_BLOCK_ANCHOR_H
#define IOTOP_BPF_COMMON_BLOCK_ANCHOR_H

#include "bpf/abi.h"
#include "bpf/common/array.h"
#include "bpf/common/kernel.h"

MAPPED_ARRAY(block_inflight, 1, struct abi_inflight_set);
MAPPED_ARRAY(block_counters, 1, struct abi_counter);
MAPPED_ARRAY(block_variables, 1, __u64);

const volatile __u32 block_inflight_sets = 1;
const volatile __u32 block_anchor_at;	/* its place in block_variables */
volatile __u64 block_anchor;	/* its address; 0: not known yet */

/* A pointer that was written to a map is a number when it is read again. */
_always_ __u64 anchor(void)
{
	__u32 zero = 0;
	char *variables;

	if (!block_anchor) {
		variables = bpf_map_lookup_elem(&block_variables, &zero);
		if (variables)
			block_anchor = (__u64)(variables + block_anchor_at);
	}
	return block_anchor;
}

/*
 * What the inflight entry of a bio says, by the distance of its address from the anchor. 0: it has
 * none.
 */
_always_ __u32 charged_as(__u64 distance)
{
	__u32 place = ABI_INFLIGHT_SET(distance) & (block_inflight_sets - 1), counter = 0;
	struct abi_inflight_set *set = bpf_map_lookup_elem(&block_inflight, &place);

	for (int i = 0; set && i < ABI_WAYS; i++)
		if (set->way[i].bio == distance)
			counter = set->way[i].counter;
	return counter;
}

/* The start that the inflight entry of a bio has (struct abi_inflight); 0: it has none. */
_always_ __u64 charged_start(__u64 distance)
{
	__u32 place = ABI_INFLIGHT_SET(distance) & (block_inflight_sets - 1);
	struct abi_inflight_set *set = bpf_map_lookup_elem(&block_inflight, &place);
	__u64 start = 0;

	for (int i = 0; set && i < ABI_WAYS; i++)
		if (set->way[i].bio == distance)
			start = set->way[i].start_ns;
	return start;
}

/* The counter that a bio (by its address) was charged to, NULL: none. */
_always_ struct abi_counter *charged_bio(__u64 address)
{
	__u32 place = ABI_COUNTER_PLACE(charged_as(address - anchor()));

	return place ? bpf_map_lookup_elem(&block_counters, &place) : NULL;
}

#endif
