/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which disks lie below a stacked disk. Looked up in the kernel when a task first uses the disk:
 * user space sees /sys at the next sample only, and until then what the driver's threads write
 * would be charged to them.
 */
#ifndef IOTOP_BPF_BLOCK_LOWER_H
#define IOTOP_BPF_BLOCK_LOWER_H

#include "bpf/abi.h"
#include "bpf/block/count.h"
#include "bpf/block/disk.h"
#include "bpf/common/kernel.h"
#include "bpf/block/maps.h"

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct file___mapping {
	struct address_space *f_mapping;
};

/* Known in BTF when the driver is built in, or its module was loaded before us. */
struct loop_device {
	int lo_flags;
	long long lo_offset;
	struct file___mapping *lo_backing_file;
};

struct gendisk___private {
	void *private_data;
};

struct gendisk___slaves {
	struct list_head slave_bdevs;	/* 5.15 */
};

#pragma clang attribute pop

#define KERNEL_LO_DIRECT_IO 16
#define KERNEL_OVERLAY_MAGIC 0x794c7630
#define KERNEL_PF_LOCAL_THROTTLE 0x00100000

/* So many disks below one are found at once; of others user space tells. */
#define SLAVES 32

volatile bool slaves_left;	/* a disk lies on more */

/* Notes that the disk with this index lies on the disk of a block device. */
__noinline int disk_lies_on(__u64 bdev, __u32 place)
{
	__u32 lower = disk_find((__u64)BPF_CORE_READ((const struct block_device *)bdev, bd_disk));
	struct abi_disk *disk = bpf_map_lookup_elem(&disks, &lower),
			*upper = bpf_map_lookup_elem(&disks, &place);

	if (!lower || lower == place || !disk || !upper)
		return 0;
	if (!upper->below)
		upper->below = disk->above ? disk->above : place;
	if (!disk->above)
		disk->above = upper->below;
	return 0;
}

/*
 * A loop device whose file is not known. While it is the only one, work of any loop device's thread
 * is charged to its users.
 */
_always_ void loop_unplaced(__u32 place)
{
	if (unplaced != place)
		unplaced = unplaced ? ABI_UNPLACED_SEVERAL : place;
}

_always_ bool loop_is_known(void)
{
	return bpf_core_field_exists(((struct loop_device *)0)->lo_backing_file);
}

/*
 * Notes the file that backs a loop device. I/O that bypasses the pages of that file goes to the
 * disk below.
 */
__noinline int loop_learn(__u64 gendisk, __u32 place)
{
	const struct loop_device *loop =
		BPF_CORE_READ((const struct gendisk___private *)gendisk, private_data);
	struct abi_backing *is = bpf_map_lookup_elem(&backing_files, &place), file = {};
	struct abi_disk *disk = bpf_map_lookup_elem(&disks, &place);
	const struct inode *inode;
	bool block;

	if (!loop_is_known())
		return 0;
	inode = BPF_CORE_READ(loop, lo_backing_file, f_mapping, host);
	if (!is || !disk || !inode)
		return 0;
	disk->offset = BPF_CORE_READ(loop, lo_offset);
	if (!loops_known)
		loops_known = true;
	block = (BPF_CORE_READ(inode, i_mode) & KERNEL_S_IFMT) == KERNEL_S_IFBLK;
	if (block || BPF_CORE_READ(loop, lo_flags) & KERNEL_LO_DIRECT_IO)
		disk_lies_on(
			(__u64)(block ? bdev_of_inode(inode) : BPF_CORE_READ(inode, i_sb, s_bdev)),
			place);
	/* On overlayfs the I/O is done on the inode of another file system. */
	if ((__u32)BPF_CORE_READ(inode, i_sb, s_magic) == KERNEL_OVERLAY_MAGIC) {
		loop_unplaced(place);
		return 0;
	}
	file.ino = BPF_CORE_READ(inode, i_ino);
	file.sdev = BPF_CORE_READ(inode, i_sb, s_dev);
	if (is->ino == file.ino && is->sdev == file.sdev)
		return 0;
	bpf_map_delete_elem(&backings, is);
	*is = file;
	bpf_map_update_elem(&backings, &file, &place, BPF_ANY);
	return 0;
}

_always_ bool slaves_are_known(void)
{
	return bpf_core_field_exists(((struct gendisk___slaves *)0)->slave_bdevs) &&
	       bpf_core_field_exists(((struct bd_holder_disk *)0)->list);
}

/* Notes the disks below dm, md and the like. */
__noinline int slaves_learn(__u64 gendisk, __u32 place)
{
	__u64 head, at;

	if (!slaves_are_known())
		return 0;
	at = head = gendisk + bpf_core_field_offset(struct gendisk___slaves, slave_bdevs);
	for (int i = 0; i < SLAVES; i++) {
		__u64 lower;

		at = (__u64)BPF_CORE_READ((const struct list_head *)at, next);
		if (!at || at == head)
			break;
		lower = holder_bdev(
			(const struct bd_holder_disk *)(at - bpf_core_field_offset(
								     struct bd_holder_disk, list)));
		if (lower)
			disk_lies_on(lower, place);
	}
	if (at && at != head && !slaves_left)
		slaves_left = true;
	return 0;
}

__noinline int below_learn(__u64 address_of_gendisk, __u32 place)
{
	const struct gendisk *gendisk = (const struct gendisk *)address_of_gendisk;
	struct abi_backing *is = bpf_map_lookup_elem(&backing_files, &place);
	struct abi_disk *disk = bpf_map_lookup_elem(&disks, &place);
	bool loop = gendisk_dev(gendisk) >> 20 == KERNEL_LOOP_MAJOR;

	if (!place || !disk || !(loop || gendisk_bio_based(gendisk)))
		return 0;
	if (loop && loop_is_known())
		loop_learn(address_of_gendisk, place);
	else if (loop && is && !is->ino)
		loop_unplaced(place);
	else if (!loop)
		slaves_learn(address_of_gendisk, place);
	/* It may lie on disks that are not known. */
	if (!disk->below && (loop || !slaves_are_known()))
		disk->below = place;
	return 0;
}

/* Index of the loop device for which the current kernel thread accesses this file; 0: none. */
_always_ __u32 backing_of(__u64 ino, __u32 sdev)
{
	struct abi_backing key = { .ino = ino, .sdev = sdev };
	__u32 *disk = bpf_map_lookup_elem(&backings, &key);

	if (disk)
		return *disk;
	if (!unplaced || unplaced == ABI_UNPLACED_SEVERAL)
		return 0;
	/* Threads of loop devices have this flag, and few others. */
	if (BPF_CORE_READ((const struct task_struct *)bpf_get_current_task(), flags) &
	    KERNEL_PF_LOCAL_THROTTLE)
		return unplaced;
	return 0;
}

#endif
