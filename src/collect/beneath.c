// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/beneath.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* One component, which is not to be a link. */
static int open_plain(int dir, const char *name, int flags)
{
	struct stat above, st;
	int fd;

	if (!*name || !strcmp(name, ".") || !strcmp(name, ".."))
		return -EXDEV;
	fd = openat(dir, name, flags | O_NOFOLLOW);
	if (fd < 0)
		return -errno;
	/* O_PATH opens a link itself; on another mount it may wait for anybody. */
	if (fstat(fd, &st) < 0 || fstat(dir, &above) < 0 || st.st_dev != above.st_dev || S_ISLNK(st.st_mode)) {
		close(fd);
		return -EXDEV;
	}
	return fd;
}

static int open_each(int dir, const char *path, int flags)
{
	char name[NAME_MAX + 1];
	int at = dir, next;

	for (const char *slash; (slash = strchr(path, '/')); path = slash + 1) {
		size_t len = (size_t)(slash - path);

		next = -ENAMETOOLONG;
		if (len < sizeof(name)) {
			memcpy(name, path, len);
			name[len] = '\0';
			next = open_plain(at, name, O_PATH | O_DIRECTORY | O_CLOEXEC);
		}
		if (at != dir)
			close(at);
		if (next < 0)
			return next;
		at = next;
	}
	next = open_plain(at, path, flags);
	if (at != dir)
		close(at);
	return next;
}

int beneath_open(int dir, const char *path, int flags)
{
	struct open_how how = {
		.flags = (unsigned)(flags | O_CLOEXEC), .resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS | RESOLVE_NO_XDEV,
	};
	int fd = (int)syscall(SYS_openat2, dir, path, &how, sizeof(how));

	if (fd >= 0)
		return fd;
	/* EPERM: of a seccomp filter that does not know the call. */
	return errno == ENOSYS || errno == EPERM ? open_each(dir, path, flags | O_CLOEXEC) : -errno;
}
