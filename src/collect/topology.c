// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/topology.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/parse.h"
#include "collect/proc.h"

#define POINTS_MAX 64	/* mount points shown of a disk */

struct disk_node *disk_node_new(uint32_t dev, const char *name, size_t len)
{
	struct disk_node *n = mem_alloc(sizeof(*n));

	*n = (struct disk_node){ .dev = dev, .name = mem_alloc(len + 1) };
	memcpy(n->name, name, len);
	n->name[len] = '\0';
	return n;
}

static void forget(struct disk_node *n)
{
	free(n->whole);
	free(n->label);
	free(n->below);
	free(n->backing);
	n->whole = n->label = n->below = n->backing = NULL;
	n->flags = 0;
	n->type = NULL;
	n->size = 0;
	n->hidden = false;
}

void disk_node_free(struct disk_node *n)
{
	if (!n)
		return;
	forget(n);
	free(n->mounts);
	free(n->kinds);
	free(n->name);
	free(n);
}

/* A one-line file of the disk's folder; NULL when it is not there or empty. */
static char *read_line(int dir, const char *path)
{
	_cleanup_(buf_release) struct buf b = { 0 };
	size_t len;

	if (dir < 0 || buf_read_file(&b, dir, path, PATH_MAX) < 0 || !b.len)
		return NULL;
	len = strcspn(b.data, "\n");
	b.data[len] = '\0';
	return len ? mem_strdup(b.data) : NULL;
}

static uint64_t read_number(int dir, const char *path)
{
	_cleanup_(mem_freep) char *line = read_line(dir, path);
	uint64_t v = 0;

	if (line)
		parse_u64(line, &v);
	return v;
}

static int name_order(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Names in slaves/, sorted, separated by blanks; NULL when there are none. */
static char *read_slaves(int dir)
{
	_cleanup_(buf_release) struct buf b = { 0 };
	char *names[256];
	size_t n = 0;
	struct dirent *e;
	int fd = openat(dir, "slaves", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *d = fd < 0 ? NULL : fdopendir(fd);

	if (!d) {
		if (fd >= 0)
			close(fd);
		return NULL;
	}
	while (n < ARRAY_SIZE(names) && (e = readdir(d))) {
		if (e->d_name[0] != '.')
			names[n++] = mem_strdup(e->d_name);
	}
	closedir(d);
	qsort(names, n, sizeof(names[0]), name_order);
	for (size_t i = 0; i < n; i++) {
		buf_puts(&b, i ? " " : "");
		buf_puts(&b, names[i]);
		free(names[i]);
	}
	return b.len ? mem_strdup(b.data) : NULL;
}

/* /sys writes '!' for a '/' in a name (cciss!c0d0). */
static char *swap_chars(char *s, char from, char to)
{
	for (char *p = s; (p = strchr(p, from)); p++)
		*p = to;
	return s;
}

/* A partition's folder lies in that of its disk: …/block/sda/sda1. */
static char *parent_name(int sys, const char *path)
{
	char target[PATH_MAX];
	ssize_t len = readlinkat(sys, path, target, sizeof(target) - 1);
	char *slash, *parent;

	if (len <= 0)
		return NULL;
	target[len] = '\0';
	slash = strrchr(target, '/');
	if (!slash)
		return NULL;
	*slash = '\0';
	parent = strrchr(target, '/');
	return parent ? swap_chars(mem_strdup(parent + 1), '!', '/') : NULL;
}

static const char *type_by_name(const char *name)
{
	static const struct {
		const char *prefix, *type;
	} known[] = {
		{ "loop", "loop" }, { "zram", "zram" }, { "ram", "ram" }, { "nullb", "null" }, { "sr", "rom" }, { "zd", "zvol" },
		{ "dm-", "dm" },    { "md", "md" },	{ "nbd", "nbd" }, { "rbd", "rbd" },	{ "bcache", "bcache" }, { "pmem", "pmem" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(known); i++) {
		size_t len = strlen(known[i].prefix);

		if (!strncmp(name, known[i].prefix, len) && name[len] >= '0' && name[len] <= '9')
			return known[i].type;
	}
	return "disk";
}

static void read_dm(struct disk_node *n, int dir)
{
	static const struct {
		const char *prefix, *type;
	} kinds[] = { { "LVM-", "lvm" }, { "CRYPT-", "crypt" }, { "mpath-", "mpath" }, { "part", "part" } };
	_cleanup_(mem_freep) char *uuid = read_line(dir, "dm/uuid");

	n->label = read_line(dir, "dm/name");
	for (size_t i = 0; uuid && i < ARRAY_SIZE(kinds); i++) {
		if (!strncmp(uuid, kinds[i].prefix, strlen(kinds[i].prefix)))
			n->type = kinds[i].type;
	}
}

static void read_md(struct disk_node *n, int dir)
{
	_cleanup_(mem_freep) char *level = read_line(dir, "md/level");

	if (!level)
		return;
	snprintf(n->level, sizeof(n->level), "%s", level);
	n->type = n->level;
}

static void read_loop(struct disk_node *n, int dir)
{
	n->backing = read_line(dir, "loop/backing_file");
	n->label = n->backing ? mem_strdup(n->backing) : NULL;
}

static void read_whole(struct disk_node *n, int dir)
{
	n->type = type_by_name(n->name);
	n->below = read_slaves(dir);
	if (!strcmp(n->type, "dm"))
		read_dm(n, dir);
	else if (!strcmp(n->type, "md"))
		read_md(n, dir);
	else if (!strcmp(n->type, "loop"))
		read_loop(n, dir);
	if (read_number(dir, "queue/rotational"))
		n->flags |= DISK_ROTATIONAL;
	if (read_number(dir, "removable"))
		n->flags |= DISK_REMOVABLE;
	n->hidden = read_number(dir, "hidden");
	/* What a zvol lies on is its pool's secret, but the pool's disks are listed. */
	if (!n->below && strcmp(n->type, "zvol"))
		n->flags |= DISK_LOWEST;
}

void disk_node_read(struct disk_node *n, int sys)
{
	char path[PATH_MAX];
	int dir;

	forget(n);
	snprintf(path, sizeof(path), "class/block/%s", n->name);
	swap_chars(path + strlen("class/block/"), '/', '!');
	dir = openat(sys, path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	n->size = read_number(dir, "size") * 512;
	if (dir >= 0 && faccessat(dir, "partition", F_OK, 0) == 0) {
		n->flags |= DISK_PARTITION;
		n->type = "part";
		n->whole = parent_name(sys, path);
		n->below = n->whole ? mem_strdup(n->whole) : NULL;
	} else {
		read_whole(n, dir);
	}
	if (dir >= 0)
		close(dir);
}

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

static char *unescaped(const char *s, size_t len)
{
	char *out = mem_alloc(len + 1);

	proc_unescape(out, s, len);
	return out;
}

void mounts_parse(struct mounts *m, const char *text)
{
	struct proc_mount pm;
	size_t cap = 0;
	const char *p = text;
	int r;

	mounts_release(m);
	while ((r = proc_mountinfo_line(&p, &pm)) != 0) {
		if (r < 0)
			continue;
		if (m->n == cap) {
			cap = cap ? cap * 2 : 32;
			m->items = mem_realloc(m->items, cap * sizeof(*m->items));
		}
		m->items[m->n++] = (struct mount){
			.dev = pm.dev,
			.bind = pm.root_len != 1,
			.point = unescaped(pm.point, pm.point_len),
			.source = unescaped(pm.source, pm.source_len),
			.kind = unescaped(pm.fstype, pm.fstype_len),
		};
	}
}

const struct mount *mounts_of_path(const struct mounts *m, const char *path)
{
	const struct mount *best = NULL;
	size_t best_len = 0;

	for (size_t i = 0; i < m->n; i++) {
		size_t len = strlen(m->items[i].point);

		if (len == 1)
			len = 0;
		if (strncmp(path, m->items[i].point, len) || (path[len] != '/' && path[len]))
			continue;
		/* Of two on the same place the later hides the earlier. */
		if (!best || len >= best_len) {
			best = &m->items[i];
			best_len = len;
		}
	}
	return best;
}

bool mount_shows(const struct mount *m, const struct disk_node *n, bool live)
{
	const char *base;
	struct stat st;

	if (m->dev == n->dev)
		return true;
	/* A file system of several disks (btrfs) has a number of its own: its source names one of them. */
	if (m->dev >> 20 || strncmp(m->source, "/dev/", 5))
		return false;
	base = strncmp(m->source, "/dev/mapper/", 12) ? m->source + 5 : m->source + 12;
	if (!strcmp(base, n->name) || (n->label && !strcmp(base, n->label)))
		return true;
	return live && stat(m->source, &st) == 0 && S_ISBLK(st.st_mode) &&
	       (major(st.st_rdev) << 20 | minor(st.st_rdev)) == n->dev;
}

char *mounts_of_disk(const struct mounts *m, const struct disk_node *n, bool live)
{
	_cleanup_(buf_release) struct buf b = { 0 };
	size_t points = 0;

	for (int bind = 0; bind < 2; bind++) {
		for (size_t i = 0; i < m->n && points < POINTS_MAX; i++) {
			if (m->items[i].bind != bind || !mount_shows(&m->items[i], n, live))
				continue;
			buf_puts(&b, points++ ? "\n" : "");
			buf_puts(&b, m->items[i].point);
		}
	}
	return b.len ? mem_strdup(b.data) : NULL;
}

char *mounts_kinds(const struct mounts *m, const struct disk_node *n, bool live)
{
	_cleanup_(buf_release) struct buf b = { 0 };

	for (size_t i = 0; i < m->n; i++) {
		const char *kind = m->items[i].kind;

		if ((b.len && list_has(b.data, kind, '\n')) || !mount_shows(&m->items[i], n, live))
			continue;
		buf_puts(&b, b.len ? "\n" : "");
		buf_puts(&b, kind);
	}
	return b.len ? mem_strdup(b.data) : NULL;
}
