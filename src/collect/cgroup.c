// SPDX-License-Identifier: GPL-2.0-or-later
/* Control groups by name. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/macro.h"
#include "collect/collect.h"
#include "collect/proc.h"

int cgroup_open(const char *proc, const char *path)
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
		buf_reset(&name);
		if (strncmp(path, point, strlen(point)))
			buf_printf(&name, "%s/", point);
		buf_puts(&name, path);
		fd = open(name.data, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		fd = fd < 0 ? -errno : fd;
	}
	return fd;
}
