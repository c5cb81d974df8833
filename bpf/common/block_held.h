/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What blk-throttle held back before it was queued, as the block programs know it, which ran before
 * for the same bio: the latency of a file or a stack has that time, too, as that of the task.
 * What iocost and iolatency hold back has been queued before.
 */
#ifndef IOTOP_BPF_COMMON_BLOCK_HELD_H
#define IOTOP_BPF_COMMON_BLOCK_HELD_H

#include "bpf/abi.h"
#include "bpf/common/array.h"
#include "bpf/common/kernel.h"

LRU_MAP(block_held, ABI_HELD, __u64, struct abi_held);

/* Flag of a bio that blk-throttle has let pass; 0: there is no such bio. */
const volatile __u32 block_throttled_flag;

/* NULL: nothing held it back. flags: those of the bio. */
_always_ struct abi_held *held_before_by(__u64 bio, __u32 flags)
{
	struct abi_held *h;

	if (!(flags & block_throttled_flag))
		return NULL;
	h = bpf_map_lookup_elem(&block_held, &bio);
	return h && h->queued ? h : NULL;
}

_always_ struct abi_held *held_before(__u64 bio)
{
	return held_before_by(bio, BPF_CORE_READ((const struct bio *)bio, bi_flags));
}

/* When a bio that is queued now was submitted; 0: it was held back for a time that is not known. */
_always_ __u64 held_since(const struct abi_held *h, __u64 now)
{
	if (!h)
		return now;
	return h->since ? now - h->ns : 0;
}

#endif
