// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/disks/beneath.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/fd.h"

/* One component, which is not to be a link. */
static int open_plain(int dir, const char *name, int flags)
{
	struct stat above, st;
	int fd = openat(dir, name, flags | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	/* O_PATH opens a link itself; on another mount it may wait for anybody. */
	if (fstat(fd, &st) < 0 || fstat(dir, &above) < 0 || st.st_dev != above.st_dev ||
	    S_ISLNK(st.st_mode)) {
		close(fd);
		return -EXDEV;
	}
	return fd;
}

static int open_each(int dir, const char *path, int flags)
{
	int at = openat(dir, ".", O_PATH | O_DIRECTORY | O_CLOEXEC), next = at < 0 ? -errno : 0;

	while (!next) {
		size_t len = strcspn(path, "/"), gap = strspn(path + len, "/");
		bool last = !path[len + gap];
		char name[NAME_MAX + 1];

		if (len >= sizeof(name)) {
			next = -ENAMETOOLONG;
			break;
		}
		memcpy(name, path, len);
		name[len] = '\0';
		next = open_plain(at, name, last ? flags : O_PATH | O_DIRECTORY);
		close(at);
		at = -1;
		if (last || next < 0)
			return next;
		at = next;
		next = 0;
		path += len + gap;
	}
	fd_close(at);
	return next;
}

static bool has_dotdot(const char *path)
{
	while (*path) {
		size_t n = strcspn(path, "/");

		if (n == 2 && !memcmp(path, "..", 2))
			return true;
		path += n + strspn(path + n, "/");
	}
	return false;
}

int beneath_open(int dir, const char *path, int flags, bool links)
{
	struct open_how how = {
		.flags = (unsigned)(flags | O_CLOEXEC),
		.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS | RESOLVE_NO_XDEV |
			   (links ? 0 : RESOLVE_NO_SYMLINKS),
	};
	int fd;

	path += strspn(path, "/");
	if (!*path)
		path = ".";
	if (has_dotdot(path))
		return -EXDEV;
	fd = (int)syscall(SYS_openat2, dir, path, &how, sizeof(how));
	if (fd >= 0)
		return fd;
	/* EPERM: of a seccomp filter that does not know the call. */
	return errno == ENOSYS || errno == EPERM ? open_each(dir, path, flags) : -errno;
}
