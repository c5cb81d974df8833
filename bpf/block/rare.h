/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What seldom happens at a disk, and only some kernels and drivers tell. */
#ifndef IOTOP_BPF_BLOCK_RARE_H
#define IOTOP_BPF_BLOCK_RARE_H

#include "bpf/block/disk.h"

/*
 * A task is about to sleep: all tags that it may have are taken (7.2). That may be long before a
 * disk has as many requests as it may have: where disks share their tags, and where a scheduler
 * leaves some of them to what is more urgent.
 */
SEC("tp_btf/block_rq_tag_wait")
int tag_wait(__u64 *ctx)
{
	const struct request_queue *queue = (const struct request_queue *)ctx[0];
	__u32 place = disk_find((__u64)BPF_CORE_READ(queue, disk));
	struct abi_disk *disk = bpf_map_lookup_elem(&disks, &place);

	if (!place || !disk)
		return 0;
	add(tag_waits[place % ABI_DISKS], 1);
	/* The next bios read the clock when they are queued: this one may not have. */
	disk->flags |= ABI_DISK_SCARCE;
	return 0;
}

/*
 * A SCSI command that its device has not answered in time. Its type may be a module's: it lies
 * behind its request.
 */
SEC("raw_tp/scsi_dispatch_cmd_timeout")
int scsi_timeout(struct bpf_raw_tracepoint_args *ctx)
{
	const struct request *rq = (const struct request *)(ctx->args[0] -
							    bpf_core_type_size(struct request));
	__u32 place = disk_find((__u64)request_gendisk(rq));

	/* Place 0 is no disk's. */
	add(timeouts[place % ABI_DISKS], 1);
	return 0;
}

#endif
