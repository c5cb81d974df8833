/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The name of a file, by its inode. */
#ifndef IOTOP_BPF_COMMON_FILE_NAME_H
#define IOTOP_BPF_COMMON_FILE_NAME_H

#include "bpf/abi.h"
#include "bpf/common/file.h"
#include "bpf/common/kernel.h"

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct hlist_head {
	struct hlist_node *first;
};

struct hlist_bl_node {
	struct hlist_bl_node **pprev;
};

struct dentry___hashed {
	struct hlist_bl_node d_hash;
};

struct inode___names {
	struct hlist_head i_dentry;
};

struct inode___links {
	unsigned int i_nlink;
};

#pragma clang attribute pop

/*
 * Of a file that was made without a name and got one later (as an overlay does it) the first dentry
 * is that of the time before, and cannot be found in its folder.
 */
_always_ __u64 name_dentry(const struct inode *inode)
{
	__u64 node = (__u64)BPF_CORE_READ((const struct inode___names *)inode, i_dentry.first),
	      first = node ? dentry_of_alias(node) : 0, dentry = first;

	if (!first || BPF_CORE_READ((const struct dentry___hashed *)first, d_hash.pprev))
		return first;
	node = (__u64)BPF_CORE_READ((const struct hlist_node *)node, next);
	if (node)
		dentry = dentry_of_alias(node);
	return BPF_CORE_READ((const struct dentry___hashed *)dentry, d_hash.pprev) ? dentry : first;
}

_always_ bool inode_deleted(const struct inode *inode)
{
	return !BPF_CORE_READ((const struct inode___links *)inode, i_nlink);
}

#define NAMES_DEPTH 24

/* The names from the file up to the root of its file system, each with its NUL. */
_always_ void names_read(struct abi_names *to, const struct inode *inode)
{
	__u64 at = name_dentry(inode);
	__u32 len = 0;

	to->count = 0;
	to->flags = 0;
	for (int i = 0; i < NAMES_DEPTH && at; i++) {
		const struct dentry *dentry = (const struct dentry *)at;
		__u64 parent = (__u64)BPF_CORE_READ(dentry, d_parent);
		long n;

		if (parent == at) {
			to->flags = ABI_FILE_WHOLE;
			break;
		}
		if (len > ABI_FILE_NAMES - ABI_FILE_NAME)
			break;
		n = bpf_probe_read_kernel_str(to->name + len, ABI_FILE_NAME,
					      BPF_CORE_READ(dentry, d_name.name));
		if (n <= 0 || n > ABI_FILE_NAME)
			break;
		len += n;
		barrier_var(len);
		to->count++;
		at = parent;
	}
}

#endif
