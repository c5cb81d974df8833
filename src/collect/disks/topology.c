// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/disks/topology.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/fd.h"
#include "base/parse.h"
#include "collect/helper/provider.h"
#include "collect/proc/proc.h"

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
	n->hidden = n->limits = false;
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
		fd_close(fd);
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
		{ "loop", "loop" }, { "zram", "zram" }, { "ram", "ram" },	{ "nullb", "null" },
		{ "sr", "rom" },    { "zd", "zvol" },	{ "dm-", "dm" },	{ "md", "md" },
		{ "nbd", "nbd" },   { "rbd", "rbd" },	{ "bcache", "bcache" }, { "pmem", "pmem" },
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
	} kinds[] = {
		{ "LVM-", "lvm" }, { "CRYPT-", "crypt" }, { "mpath-", "mpath" }, { "part", "part" }
	};
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

/* Without requests the line is "none", else the scheduler in use is in brackets. */
static void read_scheduler(struct disk_node *n, int dir)
{
	_cleanup_(mem_freep) char *line = read_line(dir, "queue/scheduler");
	const char *name = line ? strchr(line, '[') : NULL;

	n->sched[0] = '\0';
	if (name)
		snprintf(n->sched, sizeof(n->sched), "%.*s %llu",
			 (int)MIN(strcspn(name, "]") - 1, 16), name + 1,
			 (unsigned long long)read_number(dir, "queue/nr_requests"));
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
	read_scheduler(n, dir);
	if (read_number(dir, "queue/rotational"))
		n->flags |= DISK_ROTATIONAL;
	if (read_number(dir, "removable"))
		n->flags |= DISK_REMOVABLE;
	n->hidden = read_number(dir, "hidden");
	if (!strncmp(n->name, "nvme", 4)) {
		_cleanup_(mem_freep) char *model = read_line(dir, "device/model");

		n->limits = provider_model(model);
	}
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
	fd_close(dir);
}

bool disk_node_is(const struct disk_node *n, const char *path)
{
	if (strncmp(path, "/dev/", 5))
		return false;
	path += 5;
	if (!strcmp(path, n->name))
		return true;
	return n->label && !strncmp(path, "mapper/", 7) && !strcmp(path + 7, n->label);
}
