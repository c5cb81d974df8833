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

enum ovl_inode_flag { OVL_UPPERDATA };

struct ovl_inode {
	unsigned long flags;
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

struct ovl_inode___lowerdata {
	struct inode *lowerdata;	/* to 6.4, of what has more than one inode below */
};

#pragma clang attribute pop

#define KERNEL_OVERLAY_MAGIC 0x794c7630
#define OVERLAYS 2	/* so many on each other: the kernel's limit, too */

/*
 * Whether what an overlay copied up has the data. With metacopy=on (4.19) a regular file whose
 * owner or mode changed is copied up without it; the flag is set of all others.
 */
_always_ bool overlay_has_data(const struct ovl_inode *file)
{
	return !bpf_core_enum_value_exists(enum ovl_inode_flag, OVL_UPPERDATA) ||
	       BPF_CORE_READ(file, flags) >>
			       bpf_core_enum_value(enum ovl_inode_flag, OVL_UPPERDATA) &
		       1;
}

/* The last one below: those above it have other attributes of the file only. */
_always_ const struct dentry *overlay_lowest(const struct ovl_entry *entry)
{
	__u32 n = entry ? BPF_CORE_READ(entry, __numlower) : 0;
	__u64 stack = (__u64)entry + bpf_core_field_offset(struct ovl_entry, __lowerstack);

	if (!n)
		return 0;
	return BPF_CORE_READ((const struct ovl_path *)(stack + (__u64)(n - 1) *
						       bpf_core_type_size(struct ovl_path)),
			     dentry);
}

/* The inode below a file of an overlay that has its data; 0: there is none. */
_always_ __u64 overlay_below(__u64 overlay)
{
	const struct ovl_inode___lowerpath *path = (const void *)overlay;
	const struct ovl_inode___lowerdata *data = (const void *)overlay;
	const struct ovl_inode___lower *lower = (const void *)overlay;
	const struct ovl_inode___oe *entry = (const void *)overlay;
	const struct ovl_inode *file = (const void *)overlay;
	const struct dentry *dentry = BPF_CORE_READ(file, __upperdentry);
	__u32 mode = BPF_CORE_READ(file, vfs_inode.i_mode);
	bool regular = (mode & KERNEL_S_IFMT) == KERNEL_S_IFREG;
	__u64 inode = 0;

	if (dentry && regular && !overlay_has_data(file))
		dentry = 0;
	/* Of a directory the pointer is another one. */
	if (!dentry && regular && bpf_core_field_exists(data->lowerdata))
		inode = (__u64)BPF_CORE_READ(data, lowerdata);
	if (inode)
		return inode;
	if (!dentry && bpf_core_field_exists(entry->oe))
		dentry = overlay_lowest(BPF_CORE_READ(entry, oe));
	else if (!dentry && bpf_core_field_exists(path->lowerpath))
		dentry = BPF_CORE_READ(path, lowerpath.dentry);
	else if (!dentry && bpf_core_field_exists(lower->lower))
		return (__u64)BPF_CORE_READ(lower, lower);
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
