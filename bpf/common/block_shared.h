/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Maps of the block programs, which ran before for the same bio: whose it is, for other objects. */
#ifndef IOTOP_BPF_COMMON_BLOCK_SHARED_H
#define IOTOP_BPF_COMMON_BLOCK_SHARED_H

#include "bpf/abi.h"
#include "bpf/common/array.h"
#include "bpf/common/kernel.h"

MAPPED_ARRAY(block_inflight, 1, struct abi_inflight_set);
MAPPED_ARRAY(block_counters, 1, struct abi_counter);

const volatile __u32 block_inflight_sets = 1;

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

/* The counter a bio was charged to. NULL: none. */
_always_ struct abi_counter *charged(__u64 distance)
{
	__u32 place = ABI_COUNTER_PLACE(charged_as(distance));

	return place ? bpf_map_lookup_elem(&block_counters, &place) : NULL;
}

#endif
