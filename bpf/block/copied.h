/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What drivers of stacked disks copy: they read into pages of their own, and write these to another
 * disk once that is done. When a copy is made of what somebody reads (caches), he may have what he
 * wants before, and nothing of his is in flight: it is known by its pages.
 */
#ifndef IOTOP_BPF_BLOCK_COPIED_H
#define IOTOP_BPF_BLOCK_COPIED_H

#include "bpf/abi.h"
#include "bpf/common/kernel.h"
#include "bpf/block/maps.h"
#include "bpf/block/passing.h"

/*
 * Whether the driver of the disk at this place writes what it has read as it is. RAID 5 (md) keeps
 * the pages, and has other blocks in them later; so does that of device mapper: is_raid_thread().
 */
_always_ bool disk_copies(__u32 place)
{
	const struct abi_disk *disk = bpf_map_lookup_elem(&disks, &place);

	return disk && disk->dev >> 20 != KERNEL_MD_MAJOR;
}

/* Whether a kernel thread is one of md's: mdX_raid5 where device mapper has it, md127_raid5. */
__noinline bool is_raid_thread(void)
{
	const struct task_struct *me = (const struct task_struct *)bpf_get_current_task();
	char comm[2] = {};

	BPF_CORE_READ_INTO(&comm, me, comm);
	return comm[0] == 'm' && comm[1] == 'd';
}

_always_ struct copied *copied_at(__u64 page)
{
	__u32 at = ABI_INFLIGHT_SET(page) & (COPIED_ROOM - 1);

	return bpf_map_lookup_elem(&copied, &at);
}

/* A bio (its address) reads for an owner into pages of the driver's own. */
__noinline int copied_note(__u64 bio, __u32 owner)
{
	__u64 page = passing_page(bio, passing_vec(bio));
	struct copied *c = copied_at(page);

	if (c && page) {
		c->owner = owner;
		c->page = page;
	}
	return 0;
}

/* For whom was read what a bio (its address) writes; 0: it is no copy that is known. */
__noinline __u32 copied_owner(__u64 bio)
{
	__u64 page = passing_page(bio, passing_vec(bio));
	struct copied *c = copied_at(page);

	if (!c || !page || c->page != page)
		return 0;
	c->page = 0;
	return c->owner;
}

#endif
