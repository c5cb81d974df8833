// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/layers_functions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/macro.h"

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
	{ "vfs_fsync_range", PROBE_VFS_FSYNC },
	{ "vfs_open", PROBE_VFS_OPEN },
	{ "vfs_read", PROBE_VFS_READ },
	{ "vfs_readv", PROBE_VFS_READ },
	{ "vfs_write", PROBE_VFS_WRITE },
	{ "vfs_writev", PROBE_VFS_WRITE },
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

/* A name that ends at a blank, a tab or the end of the line. */
struct word {
	const char *text;
	size_t n;
};

static int by_name(const void *key, const void *entry)
{
	const struct word *w = key;
	const struct layer_function *f = entry;
	int order = strncmp(w->text, f->name, w->n);

	return order ? order : -(f->name[w->n] != '\0');
}

/* "ffffffff81234567 T vfs_read", of a module "…<tab>[ext4]" */
static const struct layer_function *function_of(const char *line)
{
	const char *type = strchr(line, ' ');
	struct word name;

	if (!type || (type[1] != 't' && type[1] != 'T') || type[2] != ' ')
		return NULL;
	name.text = type + 3;
	name.n = strcspn(name.text, " \t\n");
	return name.n ? bsearch(&name, layer_functions, layer_functions_count, sizeof(layer_functions[0]), by_name) : NULL;
}

size_t layer_functions_find(const char *kallsyms, uint64_t *address)
{
	size_t n = 0;

	memset(address, 0, layer_functions_count * sizeof(*address));
	for (const char *line = kallsyms; *line;) {
		const struct layer_function *f = function_of(line);

		if (f && !address[f - layer_functions]) {
			address[f - layer_functions] = strtoull(line, NULL, 16) | 1;
			n++;
		}
		line += strcspn(line, "\n");
		line += *line == '\n';
	}
	return n;
}

uint64_t layer_modules(const char *modules)
{
	uint64_t sum = 1;

	for (const char *line = modules; *line;) {
		size_t end = strcspn(line, "\n"), name = strcspn(line, " \n");
		const char *at = memmem(line, end, " 0x", 3);

		/* In any order: modules come and go at either end. */
		sum += hash_bytes(line, name) * (at ? strtoull(at, NULL, 16) | 1 : 1);
		line += end;
		line += *line == '\n';
	}
	return sum;
}

const char *layer_functions_text(const uint64_t *address, char *out, size_t size)
{
	size_t n = 0, len = 0;

	out[0] = '\0';
	for (size_t i = 0; i < layer_functions_count; i++) {
		if (!address[i])
			continue;
		if (len + strlen(layer_functions[i].name) + 2 < size)
			len += (size_t)snprintf(out + len, size - len, "%s%s", n ? " " : "", layer_functions[i].name);
		n++;
	}
	return n ? out : NULL;
}
