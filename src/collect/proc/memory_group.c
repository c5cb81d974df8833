// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/proc/memory_group.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/fd.h"
#include "base/parse.h"
#include "collect/disks/beneath.h"
#include "collect/proc/proc.h"

#define LEVELS 32	/* of groups above that are looked at */

static bool has_word(const char *list, size_t len, const char *word)
{
	char *copy = mem_strndup(list, len);
	bool ret = list_has(copy, word, ',');

	free(copy);
	return ret;
}

/* The hierarchy of version 1 where memory is counted there, else that of version 2. */
static bool is_better(const struct memory_root *r, const struct proc_mount *m, bool *ret_v1)
{
	*ret_v1 = m->fstype_len == 6 && !memcmp(m->fstype, "cgroup", 6) &&
		  has_word(m->super, m->super_len, r->controller);
	return *ret_v1 ? !r->v1
		       : r->fd < 0 && m->fstype_len == 7 && !memcmp(m->fstype, "cgroup2", 7);
}

void memory_root_open(struct memory_root *r, const char *controller, int proc, struct buf *buf)
{
	struct proc_mount m;
	const char *p;
	bool v1;
	int ret;

	*r = (struct memory_root){ .controller = controller, .fd = -1 };
	if (buf_read_file(buf, proc, "self/mountinfo", 0) < 0 || !buf->len)
		return;
	p = buf->data;
	while ((ret = proc_mountinfo_line(&p, &m)) != 0) {
		char *point;
		int fd;

		if (ret < 0 || !is_better(r, &m, &v1))
			continue;
		point = mem_alloc(m.point_len + 1);
		proc_unescape(point, m.point, m.point_len);
		fd = proc_dir(point);
		free(point);
		if (fd < 0)
			continue;
		memory_root_close(r);
		*r = (struct memory_root){ .controller = controller, .fd = fd, .v1 = v1,
					   .root = mem_alloc(m.root_len + 1) };
		proc_unescape(r->root, m.root, m.root_len);
	}
}

void memory_root_close(struct memory_root *r)
{
	fd_close(r->fd);
	free(r->root);
	*r = (struct memory_root){ .fd = -1 };
}

/* "4:memory:/path", of version 2 "0::/path". */
static const char *path_in(const struct memory_root *r, const char *text, size_t *ret_len)
{
	for (const char *p = text; *p; scan_line(&p)) {
		const char *list = strchr(p, ':'), *path = list ? strchr(list + 1, ':') : NULL;

		if (!path)
			return NULL;
		if (r->v1 ? !has_word(list + 1, (size_t)(path - list - 1), r->controller)
			  : path != list + 1)
			continue;
		*ret_len = strcspn(++path, "\n");
		return path;
	}
	return NULL;
}

char *memory_group_of(const struct memory_root *r, int proc, struct buf *buf, uint32_t tgid)
{
	size_t len, skip = r->root ? strlen(r->root) : 0;
	const char *path;
	char name[32];

	snprintf(name, sizeof(name), "%u/cgroup", tgid);
	if (r->fd < 0 || buf_read_file(buf, proc, name, 65536) < 0 || !buf->len)
		return NULL;
	path = path_in(r, buf->data, &len);
	if (!path || !strncmp(path, "/..", 3))
		return NULL;
	if (skip > 1) {
		if (len < skip || strncmp(path, r->root, skip) ||
		    (len > skip && path[skip] != '/'))
			return NULL;
		path += skip;
		len -= skip;
	}
	return mem_strndup(path, len);
}

bool memory_group_file(const struct memory_root *r, struct buf *buf, const char *path,
		       const char *file)
{
	int dir = beneath_open(r->fd, *path ? path : "/", O_PATH | O_DIRECTORY, false);
	int ret;

	if (dir < 0)
		return false;
	ret = buf_read_file(buf, dir, file, 65536);
	close(dir);
	return ret >= 0 && buf->len;
}

/* Of version 1 those with total_ are of all groups below, too, as those of version 2 are. */
static bool add_refaults(const struct memory_root *r, const char *text, struct sample_memory *row)
{
	uint64_t file, anon, page = (uint64_t)sysconf(_SC_PAGESIZE);

	if (proc_value(text, r->v1 ? "total_workingset_refault_file" : "workingset_refault_file",
		       &file) < 0 ||
	    proc_value(text, r->v1 ? "total_workingset_refault_anon" : "workingset_refault_anon",
		       &anon) < 0)
		return false;
	row->refault_file = file * page;
	row->refault_anon = anon * page;
	return true;
}

/* What was taken from the group and all below it; kernels tell it in version 2 only. */
static bool add_evicted(const char *text, struct sample_memory *row)
{
	uint64_t pages;

	if (proc_value(text, "pgsteal", &pages) < 0)
		return false;
	row->evicted = pages * (uint64_t)sysconf(_SC_PAGESIZE);
	return true;
}

/* Events of one level. memory.events counts for those below, too, memory.events.local does not. */
static bool add_limits(const struct memory_root *r, struct buf *buf, const char *path, bool own,
		       struct sample_memory *row)
{
	uint64_t high, max;
	const char *p;

	if (!memory_group_file(r, buf, path, r->v1 ? "memory.failcnt"
					     : own ? "memory.events" : "memory.events.local"))
		return false;
	p = buf->data;
	if (r->v1) {
		row->max += scan_u64(&p);
		return true;
	}
	if (proc_value(p, "high", &high) < 0 || proc_value(p, "max", &max) < 0)
		return false;
	row->high += high;
	row->max += max;
	return true;
}

/* Makes it the path of the group above; "" of the root. */
static void go_up(char *path)
{
	char *slash = strrchr(path, '/');

	*(slash ? slash : path) = '\0';
}

void memory_group_read(const struct memory_root *r, struct buf *buf, const char *group,
		       struct sample_memory *row)
{
	char *path = mem_strdup(group);
	bool own = true;

	if (!strcmp(path, "/"))
		*path = '\0';
	for (unsigned i = 0; i < LEVELS && !(row->have & MEMORY_REFAULTS); i++) {
		if (memory_group_file(r, buf, path, "memory.stat")) {
			if (add_refaults(r, buf->data, row))
				row->have |= MEMORY_REFAULTS;
			if (add_evicted(buf->data, row))
				row->have |= MEMORY_EVICTED;
			break;
		}
		if (!*path)
			break;
		go_up(path);
	}
	for (unsigned i = 0; i < LEVELS && *path; i++) {
		if (add_limits(r, buf, path, own, row))
			row->have |= MEMORY_LIMITS;
		own = false;
		go_up(path);
	}
	free(path);
}
