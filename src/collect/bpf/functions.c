// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/bpf/functions.h"

#include <stdio.h>
#include <string.h>

#include "base/macro.h"

/*
 * A compiler may put a function into those that call it: vfs_fsync_range() is in do_fsync() and in
 * vfs_fsync() since 7.2. These are probed as well; where they call it, it is one call of the layer.
 */
const struct layer_function layer_functions[] = {
	{ "blkdev_fsync", PROBE_FS_FSYNC },
	{ "blkdev_read_iter", PROBE_FS_READ },
	{ "blkdev_write_iter", PROBE_FS_WRITE },
	{ "btrfs_file_open", PROBE_FS_OPEN },
	{ "btrfs_file_read_iter", PROBE_FS_READ },
	{ "btrfs_file_write_iter", PROBE_FS_WRITE },
	{ "btrfs_sync_file", PROBE_FS_FSYNC },
	{ "ceph_fsync", PROBE_FS_FSYNC },
	{ "ceph_open", PROBE_FS_OPEN },
	{ "ceph_read_iter", PROBE_FS_READ },
	{ "ceph_write_iter", PROBE_FS_WRITE },
	{ "do_fsync", PROBE_VFS_FSYNC_FD },
	{ "ext4_file_open", PROBE_FS_OPEN },
	{ "ext4_file_read_iter", PROBE_FS_READ },
	{ "ext4_file_write_iter", PROBE_FS_WRITE },
	{ "ext4_sync_file", PROBE_FS_FSYNC },
	{ "f2fs_file_open", PROBE_FS_OPEN },
	{ "f2fs_file_read_iter", PROBE_FS_READ },
	{ "f2fs_file_write_iter", PROBE_FS_WRITE },
	{ "f2fs_sync_file", PROBE_FS_FSYNC },
	{ "fuse_file_read_iter", PROBE_FS_READ },
	{ "fuse_file_write_iter", PROBE_FS_WRITE },
	{ "fuse_fsync", PROBE_FS_FSYNC },
	{ "fuse_open", PROBE_FS_OPEN },
	{ "nfs4_file_open", PROBE_FS_OPEN },
	{ "nfs_file_fsync", PROBE_FS_FSYNC },
	{ "nfs_file_open", PROBE_FS_OPEN },
	{ "nfs_file_read", PROBE_FS_READ },
	{ "nfs_file_write", PROBE_FS_WRITE },
	{ "ovl_fsync", PROBE_FS_FSYNC },
	{ "ovl_open", PROBE_FS_OPEN },
	{ "ovl_read_iter", PROBE_FS_READ },
	{ "ovl_write_iter", PROBE_FS_WRITE },
	{ "v9fs_file_fsync_dotl", PROBE_FS_FSYNC },
	{ "v9fs_file_open", PROBE_FS_OPEN },
	{ "v9fs_file_read_iter", PROBE_FS_READ },
	{ "v9fs_file_write_iter", PROBE_FS_WRITE },
	{ "vfs_fsync", PROBE_VFS_FSYNC },
	{ "vfs_fsync_range", PROBE_VFS_FSYNC },
	{ "vfs_open", PROBE_VFS_OPEN },
	{ "vfs_read", PROBE_VFS_READ },
	{ "vfs_readv", PROBE_VFS_READ },
	{ "vfs_write", PROBE_VFS_WRITE },
	{ "vfs_writev", PROBE_VFS_WRITE },
	{ "xfs_dir_fsync", PROBE_FS_FSYNC },
	{ "xfs_file_fsync", PROBE_FS_FSYNC },
	{ "xfs_file_open", PROBE_FS_OPEN },
	{ "xfs_file_read_iter", PROBE_FS_READ },
	{ "xfs_file_write_iter", PROBE_FS_WRITE },
	{ "zpl_fsync", PROBE_FS_FSYNC },
	{ "zpl_iter_read", PROBE_FS_READ },
	{ "zpl_iter_write", PROBE_FS_WRITE },
	{ "zpl_open", PROBE_FS_OPEN },
};

const size_t layer_functions_count = ARRAY_SIZE(layer_functions);
_Static_assert(ARRAY_SIZE(layer_functions) <= LAYER_FUNCTIONS_MAX, "room for every function");

const char *layer_functions_text(const uint64_t *address, char *out, size_t size)
{
	size_t n = 0, len = 0;

	out[0] = '\0';
	for (size_t i = 0; i < layer_functions_count; i++) {
		if (!address[i])
			continue;
		if (len + strlen(layer_functions[i].name) + 2 < size)
			len += (size_t)snprintf(out + len, size - len, "%s%s", n ? " " : "",
						layer_functions[i].name);
		n++;
	}
	return n ? out : NULL;
}
