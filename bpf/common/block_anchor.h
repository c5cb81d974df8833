/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The anchor of the block programs, from which their addresses are counted: for objects that look
 * up a bio in their maps.
 */
#ifndef IOTOP_BPF_COMMON_BLOCK_ANCHOR_H
#define IOTOP_BPF_COMMON_BLOCK_ANCHOR_H

#include "bpf/common/array.h"
#include "bpf/common/block_shared.h"

MAPPED_ARRAY(block_variables, 1, __u64);

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

/* The counter that a bio (by its address) was charged to, NULL: none. */
_always_ struct abi_counter *charged_bio(__u64 address)
{
	return charged(address - anchor());
}

#endif
