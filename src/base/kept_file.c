// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/kept_file.h"

#include <errno.h>
#include <linux/magic.h>
#include <stdbool.h>
#include <sys/vfs.h>

#include "base/fd.h"

void kept_file_close(struct kept_file *k)
{
	fd_close(k->fd);
	*k = KEPT_FILE;
}

static bool is_of_kernel(int fd)
{
	struct statfs fs;

	return fstatfs(fd, &fs) == 0 && fs.f_type == PROC_SUPER_MAGIC;
}

int kept_file_read(struct kept_file *k, struct buf *b, int dirfd, const char *path, size_t max)
{
	bool opened;
	int ret;

	if (k->fd >= 0 && lseek(k->fd, 0, SEEK_SET) < 0)
		kept_file_close(k);
	opened = k->fd < 0;
	if (opened)
		k->fd = openat(dirfd, path, O_RDONLY | O_CLOEXEC);
	if (k->fd < 0)
		return -errno;
	ret = buf_read_fd(b, k->fd, max);
	if (ret < 0 || (opened && !is_of_kernel(k->fd)))
		kept_file_close(k);
	return ret;
}
