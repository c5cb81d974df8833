/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The queues of free places that user space fills. */
#ifndef IOTOP_BPF_BLOCK_FILL_H
#define IOTOP_BPF_BLOCK_FILL_H

#include "bpf/block/maps.h"
#include "bpf/common/fill.h"

FILL_PUSH(task_refs_free)
FILL_PUSH(counters_free)
FILL_PUSH(disks_free)

_always_ __u32 block_push(__u32 queue, __u32 first, __u32 n)
{
	if (queue == ABI_FILL_REFS)
		return task_refs_free_push(first, n);
	if (queue == ABI_FILL_COUNTERS)
		return counters_free_push(first, n);
	return disks_free_push(first, n);
}

#endif
