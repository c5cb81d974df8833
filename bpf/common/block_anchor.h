/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the block programs count addresses from, for other objects that ask them for a bio. */
#ifndef IOTOP_BPF_COMMON_BLOCK_ANCHOR_H
#define IOTOP_BPF_COMMON_BLOCK_ANCHOR_H

#include "bpf/common/array.h"
#include "bpf/common/block_shared.h"

MAPPED_ARRAY(block_variables, 1, __u64);

const volatile __u32 block_anchor_at;	/* its place in block_variables */
volatile __u64 block_anchor;	/* its address; 0: not known yet */

/* Written to a map and read again, a pointer is a number. */
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

/* The counter that a bio (by its address) was charged to, NULL: none. */
_always_ struct abi_counter *charged_bio(__u64 address)
{
	return charged(address - anchor());
}

#endif
