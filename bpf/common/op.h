/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a bio or request does, and how it is counted: no maps. */
#ifndef IOTOP_BPF_COMMON_OP_H
#define IOTOP_BPF_COMMON_OP_H

#include "bpf/abi.h"
#include "bpf/common/kernel.h"

#define add(counter, n) __sync_fetch_and_add(&(counter), (n))

/*
 * As op_stat_group() of the kernel has it for /proc/diskstats: what changes the medium has an odd
 * number (zeroes, zones, secure erase) and is a write, unless it is a discard.
 */
__noinline __u32 op_other(__u32 flags, bool empty)
{
	__u32 op = flags & KERNEL_OP_MASK;

	if (op == KERNEL_OP(WRITE))
		return empty && flags & KERNEL_REQ_PREFLUSH ? ABI_FLUSH : ABI_WRITE;
	if (op == KERNEL_OP(DISCARD))
		return ABI_DISCARD;
	if (op == KERNEL_OP(FLUSH))
		return ABI_FLUSH;
	/* Commands for the driver are in no statistics. */
	if (op >= KERNEL_OP_COMMAND)
		return ABI_OTHER;
	return op & 1 ? ABI_WRITE : ABI_READ;
}

/* enum abi_op, from the operation and flags of a bio or request. */
_always_ __u32 op_of(__u32 flags, bool empty)
{
	return (flags & KERNEL_OP_MASK) == KERNEL_OP(READ) ? ABI_READ : op_other(flags, empty);
}

/*
 * The same of a request of which so many bytes complete (bio: its first one or 0). The carrier of a
 * flush is a write without data, whose request has no REQ_PREFLUSH any more; a write with data
 * that goes through the sequence of a flush ends without bytes, too.
 */
_always_ __u32 op_of_request(const struct request *rq, const struct bio *bio, __u32 bytes)
{
	__u32 op = op_of(BPF_CORE_READ(rq, cmd_flags), false);

	return op == ABI_WRITE && !bytes && bio && bio_was_empty(bio) ? ABI_FLUSH : op;
}

#endif
