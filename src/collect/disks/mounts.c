// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/disks/mounts.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/parse.h"
#include "collect/disks/beneath.h"
#include "collect/proc/proc.h"

#define POINTS_MAX 64	/* mount points shown of a disk */

void mounts_release(struct mounts *m)
{
	for (size_t i = 0; i < m->n; i++) {
		free(m->items[i].point);
		free(m->items[i].source);
		free(m->items[i].kind);
	}
	free(m->items);
	*m = (struct mounts){ 0 };
}

static bool is_one_of(const char *kind, const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(kind, names[i]))
			return true;
	return false;
}

/* File systems of disks, often of several, whose files and mounts have a number of their own. */
static bool has_own_number(const char *kind)
{
	static const char *const names[] = { "btrfs", "bcachefs" };

	return is_one_of(kind, names, ARRAY_SIZE(names));
}

/*
 * Where the number is a disk's, the disk is all that a file waits for; but a program in between
 * (fuseblk), or the other machines of a cluster. Numbers of no disk have those of the network and
 * FUSE, and an overlay lies on it knows not what.
 */
static bool is_local(const struct mount *m)
{
	static const char *const memory[] = { "tmpfs", "ramfs", "devtmpfs", "zfs" },
				 *const shared[] = { "gfs2", "ocfs2" };

	if (!(m->dev >> 20))
		return has_own_number(m->kind) || is_one_of(m->kind, memory, ARRAY_SIZE(memory));
	return strncmp(m->kind, "fuse", 4) && !is_one_of(m->kind, shared, ARRAY_SIZE(shared));
}

uint32_t mounts_device(int dev, const char *path)
{
	uint32_t number = 0;
	struct stat st;
	int fd;

	if (dev < 0 || strncmp(path, "/dev/", 5))
		return 0;
	fd = beneath_open(dev, path + 5, O_PATH, true);
	if (fd < 0)
		return 0;
	if (fstat(fd, &st) == 0 && S_ISBLK(st.st_mode))
		number = (uint32_t)major(st.st_rdev) << 20 | (uint32_t)minor(st.st_rdev);
	close(fd);
	return number;
}

static void describe(struct mount *m, int dev)
{
	m->local = is_local(m);
	if (!(m->dev >> 20) && has_own_number(m->kind))
		m->source_dev = mounts_device(dev, m->source);
}

void mounts_parse(struct mounts *m, const char *text, int dev)
{
	struct proc_mount pm;
	size_t cap = 0;
	const char *p = text;
	int r;

	mounts_release(m);
	while ((r = proc_mountinfo_line(&p, &pm)) != 0) {
		if (r < 0)
			continue;
		m->items = mem_grow(m->items, m->n, &cap, sizeof(*m->items));
		m->items[m->n] = (struct mount){
			.dev = pm.dev,
			.bind = pm.root_len != 1,
			.point = proc_unescaped(pm.point, pm.point_len),
			.source = proc_unescaped(pm.source, pm.source_len),
			.kind = proc_unescaped(pm.fstype, pm.fstype_len),
		};
		describe(&m->items[m->n++], dev);
	}
}

/* The length of a mount point without the slash of "/"; -1: the path is not below it. */
static ssize_t passes(const struct mount *m, const char *path)
{
	size_t len = strlen(m->point);

	if (len == 1)
		len = 0;
	return strncmp(path, m->point, len) || (path[len] != '/' && path[len]) ? -1 : (ssize_t)len;
}

const struct mount *mounts_of_path(const struct mounts *m, const char *path)
{
	const struct mount *best = NULL;
	ssize_t best_len = 0;

	for (size_t i = 0; i < m->n; i++) {
		ssize_t len = passes(&m->items[i], path);

		/* Of two on the same place the later hides the earlier. */
		if (len >= best_len) {
			best = &m->items[i];
			best_len = len;
		}
	}
	return best;
}

bool mounts_are_local(const struct mounts *m, const char *path)
{
	const struct mount *of = mounts_of_path(m, path);

	/* Where the root itself does not answer, no program runs, and this one would not either. */
	for (size_t i = 0; i < m->n; i++)
		if (passes(&m->items[i], path) >= 0 && !m->items[i].local &&
		    (m->items[i].point[1] || &m->items[i] == of))
			return false;
	return of;
}

bool mount_shows(const struct mount *m, const struct disk_node *n)
{
	if (m->dev == n->dev)
		return true;
	/*
	 * A file system of several disks has a number of its own: its source names one of them. The
	 * source of others that have no disk's number is any text.
	 */
	if (m->dev >> 20 || !has_own_number(m->kind))
		return false;
	return m->source_dev ? m->source_dev == n->dev : disk_node_is(n, m->source);
}

char *mounts_of_disk(const struct mounts *m, const struct disk_node *n)
{
	_cleanup_(buf_release) struct buf b = { 0 };
	size_t points = 0;

	for (int bind = 0; bind < 2; bind++) {
		for (size_t i = 0; i < m->n && points < POINTS_MAX; i++) {
			if (m->items[i].bind != bind || !mount_shows(&m->items[i], n))
				continue;
			buf_puts(&b, points++ ? "\n" : "");
			buf_puts(&b, m->items[i].point);
		}
	}
	return b.len ? mem_strdup(b.data) : NULL;
}

uint32_t mounts_own_number(const struct mounts *m, const struct disk_node *n)
{
	for (size_t i = 0; i < m->n; i++)
		if (m->items[i].dev != n->dev && mount_shows(&m->items[i], n))
			return m->items[i].dev;
	return 0;
}

char *mounts_kinds(const struct mounts *m, const struct disk_node *n)
{
	_cleanup_(buf_release) struct buf b = { 0 };

	for (size_t i = 0; i < m->n; i++) {
		const char *kind = m->items[i].kind;

		if ((b.len && list_has(b.data, kind, '\n')) || !mount_shows(&m->items[i], n))
			continue;
		buf_puts(&b, b.len ? "\n" : "");
		buf_puts(&b, kind);
	}
	return b.len ? mem_strdup(b.data) : NULL;
}
