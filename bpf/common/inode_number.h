/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What tells a file of a file system from the others, by its inode. */
#ifndef IOTOP_BPF_COMMON_INODE_NUMBER_H
#define IOTOP_BPF_COMMON_INODE_NUMBER_H

#include "bpf/abi.h"
#include "bpf/common/bio_file.h"
#include "bpf/common/kernel.h"

#define BTRFS_TOP 5	/* the subvolume that a new file system has */

/*
 * The number of an inode. Each subvolume of btrfs numbers on its own: that of the subvolume is
 * above it.
 */
__noinline __u64 inode_number(__u64 address)
{
	const struct inode *inode = (const struct inode *)address;
	__u64 number = BPF_CORE_READ(inode, i_ino), root;
	const struct btrfs_inode *of;

	if (!bpf_core_field_exists(((struct btrfs_inode *)0)->root) ||
	    !bpf_core_field_exists(((struct btrfs_root *)0)->root_key) ||
	    BPF_CORE_READ(inode, i_sb, s_magic) != KERNEL_BTRFS_MAGIC)
		return number;
	of = (const struct btrfs_inode *)(address -
					  bpf_core_field_offset(struct btrfs_inode, vfs_inode));
	root = BPF_CORE_READ(of, root, root_key.objectid);
	return root == BTRFS_TOP ? number : ABI_INO_OF_VOLUME(root, number);
}

#endif
