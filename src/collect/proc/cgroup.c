// SPDX-License-Identifier: GPL-2.0-or-later
/* Control groups by name, and what lies below them. */
#include "collect/proc/cgroup.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/fd.h"
#include "base/macro.h"
#include "collect/disks/beneath.h"
#include "collect/proc/proc.h"

#define DEEP 64	/* levels that are looked at */

/* The path of an open folder from where its file system is mounted on, which is at point. */
static void path_below(int fd, const char *point, struct buf *ret)
{
	char link[32], path[PATH_MAX];
	size_t skip = strlen(point);
	ssize_t len;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	len = readlink(link, path, sizeof(path));
	if (len >= (ssize_t)skip && !memcmp(path, point, skip))
		buf_putn(ret, path + skip, (size_t)len - skip);
}

/*
 * What of a path comes behind the mount point it begins with; all of it where it begins with
 * another.
 */
static const char *behind(const char *path, const char *point)
{
	size_t n = strlen(point);

	return !strncmp(path, point, n) && (path[n] == '/' || !path[n]) ? path + n : path;
}

static int open_below(const char *point, const char *path)
{
	int dir = open(point, O_PATH | O_DIRECTORY | O_CLOEXEC);
	int fd = dir < 0 ? -errno
			 : beneath_open(dir, behind(path, point),
					O_RDONLY | O_DIRECTORY | O_NOFOLLOW, false);

	fd_close(dir);
	/* What leads outside says no more than what is not there. */
	return fd == -ELOOP || fd == -EXDEV || fd == -ENOTDIR ? -ENOENT : fd;
}

int cgroup_open(const char *proc, const char *path, struct buf *ret_path)
{
	_cleanup_(buf_release) struct buf text = { 0 }, name = { 0 };
	struct proc_mount m;
	const char *p;
	int r, fd = -ENOENT;

	buf_printf(&name, "%s/self/mountinfo", proc);
	if (buf_read_file(&text, AT_FDCWD, name.data, 4 << 20) < 0 || !text.len)
		return -ENOENT;
	p = text.data;
	while (fd < 0 && (r = proc_mountinfo_line(&p, &m)) != 0) {
		_cleanup_(mem_freep) char *point = NULL;

		if (r < 0 || m.fstype_len != 7 || memcmp(m.fstype, "cgroup2", 7))
			continue;
		point = mem_alloc(m.point_len + 1);
		proc_unescape(point, m.point, m.point_len);
		fd = open_below(point, path);
		if (fd >= 0 && ret_path)
			path_below(fd, point, ret_path);
	}
	return fd;
}

int cgroup_follow(const char *proc, const char *path, int *fd)
{
	int now;

	/* A removed folder has links like any other, but no files. */
	if (*fd >= 0 && !faccessat(*fd, "cgroup.procs", F_OK, 0))
		return 0;
	now = cgroup_open(proc, path, NULL);
	fd_close(*fd);
	*fd = MAX(now, -1);
	return now < 0 ? now : 1;
}

static bool id_of(int fd, uint64_t *ret)
{
	union {
		struct file_handle handle;
		char room[sizeof(struct file_handle) + sizeof(uint64_t)];
	} h = { .handle = { .handle_bytes = sizeof(uint64_t) } };
	int mount;

	if (name_to_handle_at(fd, "", &h.handle, &mount, AT_EMPTY_PATH) < 0 ||
	    h.handle.handle_bytes != sizeof(*ret))
		return false;
	memcpy(ret, h.handle.f_handle, sizeof(*ret));
	return true;
}

static void each_below(int fd, int levels, void (*each)(void *arg, uint64_t id), void *arg)
{
	const struct dirent *entry;
	struct stat st;
	uint64_t id;
	DIR *dir;
	int copy;

	if (id_of(fd, &id))
		each(arg, id);
	/* A folder has two links, and one more for each that it holds. */
	if (!levels || fstat(fd, &st) < 0 || st.st_nlink == 2)
		return;
	copy = openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	dir = copy < 0 ? NULL : fdopendir(copy);
	while (dir && (entry = readdir(dir))) {
		int below;

		if (entry->d_type != DT_DIR || entry->d_name[0] == '.')
			continue;
		below = openat(fd, entry->d_name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
		if (below < 0)
			continue;
		each_below(below, levels - 1, each, arg);
		close(below);
	}
	if (dir)
		closedir(dir);
	else if (copy >= 0)
		close(copy);
}

void cgroup_each(int fd, void (*each)(void *arg, uint64_t id), void *arg)
{
	each_below(fd, DEEP, each, arg);
}
