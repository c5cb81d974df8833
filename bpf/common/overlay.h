/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A file of an overlay is a file of the file system below: that one has the pages and the I/O. */
#ifndef IOTOP_BPF_COMMON_OVERLAY_H
#define IOTOP_BPF_COMMON_OVERLAY_H

#include "bpf/common/file.h"
#include "bpf/common/kernel.h"

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct ovl_path {
	struct dentry *dentry;
};

struct ovl_entry {
	unsigned int __numlower;
	struct ovl_path __lowerstack[];
};

struct ovl_inode {
	struct inode vfs_inode;
	struct dentry *__upperdentry;
};

struct ovl_inode___oe {
	struct ovl_entry *oe;	/* 6.5 */
};

struct ovl_inode___lowerpath {
	struct ovl_path lowerpath;	/* 6.0 */
};

struct ovl_inode___lower {
	struct inode *lower;
};

#pragma clang attribute pop

#define KERNEL_OVERLAY_MAGIC 0x794c7630
#define OVERLAYS 2	/* so many on each other: the kernel's limit, too */

/* The inode that an overlay copied up, or else the topmost below it; 0: there is none. */
_always_ __u64 overlay_below(__u64 overlay)
{
	const struct ovl_inode___lowerpath *path = (const void *)overlay;
	const struct ovl_inode___lower *lower = (const void *)overlay;
	const struct ovl_inode___oe *entry = (const void *)overlay;
	const struct ovl_inode *upper = (const void *)overlay;
	const struct dentry *dentry = BPF_CORE_READ(upper, __upperdentry);
	const struct ovl_entry *oe;

	if (!dentry && bpf_core_field_exists(entry->oe)) {
		oe = BPF_CORE_READ(entry, oe);
		if (oe && BPF_CORE_READ(oe, __numlower))
			dentry = BPF_CORE_READ(oe, __lowerstack[0].dentry);
	} else if (!dentry && bpf_core_field_exists(path->lowerpath)) {
		dentry = BPF_CORE_READ(path, lowerpath.dentry);
	} else if (!dentry && bpf_core_field_exists(lower->lower)) {
		return (__u64)BPF_CORE_READ(lower, lower);
	}
	return dentry ? (__u64)BPF_CORE_READ(dentry, d_inode) : 0;
}

/* The inode (its address) that has the pages of a file; mostly that of the file itself. */
__noinline __u64 overlay_real(__u64 inode)
{
	__u64 below;

	if (!bpf_core_field_exists(((struct ovl_inode *)0)->__upperdentry))
		return inode;
	for (int i = 0; i < OVERLAYS; i++) {
		if ((__u32)BPF_CORE_READ((const struct inode *)inode, i_sb, s_magic) !=
		    KERNEL_OVERLAY_MAGIC)
			break;
		below = overlay_below(inode -
				      bpf_core_field_offset(struct ovl_inode, vfs_inode));
		if (!below)
			break;
		inode = below;
	}
	return inode;
}

#endif
