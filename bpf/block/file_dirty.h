/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How much of which file is dirty now and was not handed in to be written yet: walks the entries
 * that the block programs keep of files with dirty pages, when a sample asks. An entry may be of a
 * file that is gone, or whose pages were truncated: the kernel's own tags say whether any is dirty.
 */
#ifndef IOTOP_BPF_BLOCK_FILE_DIRTY_H
#define IOTOP_BPF_BLOCK_FILE_DIRTY_H

#include "bpf/abi.h"
#include "bpf/common/array.h"
#include "bpf/common/bio_file.h"
#include "bpf/common/file_name.h"
#include "bpf/common/inode_number.h"
#include "bpf/common/kernel.h"
#include "bpf/common/page_tree.h"

/* Of the block programs, as they have it. */
ARRAY(block_inodes, 1, struct abi_inode_set);
/* What a run of the program lists. */
MAPPED_ARRAY(dirty_records, ABI_DIRTY_RECORDS, struct abi_dirty);

volatile __u32 dirty_named;	/* that had names in this walk; user space clears it */
volatile __u32 dirty_listed;	/* records of this run */

/* Whether a page of a mapping is dirty: by the tags of the topmost node, or its only page. */
_always_ bool mapping_dirty(const struct address_space *mapping)
{
	__u64 head = (__u64)BPF_CORE_READ(mapping, i_pages.xa_head);
	unsigned long marks[3] = {};

	if (!head)
		return false;
	if ((head & 3) != 2)
		return !(head & 3) && page_flags(head) & PAGE_FLAG(dirty);
	xa_node_marks(head - 2, marks);
	return marks[0];
}

_always_ __u32 dirty_pages(const struct abi_inode *inode, const struct address_space *mapping,
			   const struct inode *host)
{
	__u64 most = BPF_CORE_READ(mapping, nrpages);

	if (!host || BPF_CORE_READ(host, i_ino) != inode->ino ||
	    BPF_CORE_READ(host, i_generation) != inode->gen ||
	    BPF_CORE_READ(host, i_sb, s_dev) != inode->sdev || !mapping_dirty(mapping))
		return 0;
	return inode->pages < most ? inode->pages : most;
}

_always_ void dirty_disk(struct abi_dirty *out, const struct inode *host)
{
	const struct block_device *bdev = BPF_CORE_READ(host, i_sb, s_bdev);
	bool device = (BPF_CORE_READ(host, i_mode) & KERNEL_S_IFMT) == KERNEL_S_IFBLK;

	if (device) {
		bdev = bdev_of_inode(host);
		out->sdev = 0;
		out->ino = bdev_inode_mounted(host) ? ABI_FILE_METADATA : ABI_FILE_DEVICE;
	}
	out->dev = bdev ? gendisk_dev(BPF_CORE_READ(bdev, bd_disk)) : 0;
}

/* Lists an entry of the block programs, by the number of its set and its way, if it is dirty. */
__noinline int dirty_list_file(__u32 place, __u32 way)
{
	struct abi_inode_set *set = bpf_map_lookup_elem(&block_inodes, &place);
	const struct abi_inode *inode = set ? &set->way[way % ABI_WAYS] : NULL;
	const struct address_space *mapping =
		inode ? (const struct address_space *)inode->mapping : NULL;
	const struct inode *host = mapping ? BPF_CORE_READ(mapping, host) : NULL;
	__u32 n = dirty_listed, pages = mapping ? dirty_pages(inode, mapping, host) : 0;
	struct abi_dirty *out = pages ? bpf_map_lookup_elem(&dirty_records, &n) : NULL;

	if (!out)
		return 0;
	dirty_listed = n + 1;
	out->ino = inode_number((__u64)host);
	out->sdev = inode->sdev;
	out->owner = inode->flags & ABI_INODE_SHARED ? ABI_UNATTRIBUTED : inode->owner;
	out->pages = pages;
	out->at.count = out->at.flags = 0;
	dirty_disk(out, host);
	if (out->sdev && (pages >= ABI_DIRTY_MANY || dirty_named < ABI_DIRTY_NAMED)) {
		dirty_named++;
		names_read(&out->at, host);
		if (inode_deleted(host))
			out->at.flags |= ABI_FILE_DELETED;
	}
	return 0;
}

/*
 * Lists some sets (VERIFIED_STEP), from one on, as long as there is room for all files of another
 * one. Returns which is next.
 */
__noinline __u32 dirty_list_sets(__u32 place)
{
	for (__u32 i = 0; i < VERIFIED_STEP; i++) {
		struct abi_inode_set *set = bpf_map_lookup_elem(&block_inodes, &place);

		if (dirty_listed > ABI_DIRTY_RECORDS - ABI_WAYS)
			break;
		for (__u32 way = 0; set && way < ABI_WAYS; way++)
			if (set->way[way].mapping && set->way[way].pages)
				dirty_list_file(place, way);
		place++;
	}
	return place;
}

#define DIRTY_STEPS 128	/* in one run, which is not interrupted */

/*
 * Run by user space, from a set on (the argument), as an iterator over the map would be: that takes
 * far longer from one entry to the next, and some kernels let no program iterate over a map.
 * Returns the set that is next.
 */
SEC("raw_tp")
int dirty_files(__u64 *ctx)
{
	__u32 place = ctx[0], before;

	dirty_listed = 0;
	for (int i = 0; i < DIRTY_STEPS; i++) {
		before = place;
		place = dirty_list_sets(place);
		if (place != before + VERIFIED_STEP)
			break;
	}
	return place;
}

#endif
