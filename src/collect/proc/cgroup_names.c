// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/proc/cgroup_names.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/fd.h"
#include "base/hash.h"
#include "bpf/abi.h"
#include "collect/privilege.h"
#include "collect/proc/cgroup_limit.h"
#include "collect/proc/container_names.h"
#include "collect/proc/proc.h"

#define WALK_EVERY (5 * NSEC_PER_SEC)
#define WALK_MAX 100000		/* folders in one walk */
#define KNOWN_MAX 16384		/* cgroups, from which on those not seen lately are dropped */
#define IDLE_ROUNDS 512
#define KERNFS_HANDLE 0xfe	/* FILEID_KERNFS: the handle is the 64-bit id */

struct cgroup {
	uint64_t id;
	unsigned round;
	char *path;		/* NULL: not found */
	uint64_t held, held_before;	/* that limits held I/O back: grows; in the sample before */
	uint64_t seen;		/* CLOCK_MONOTONIC ns: it was asked for by handle; in vain: only a
				 * later walk may find it */
};

/*
 * Where control groups are: version 2, and three of version 1, as the task programs mark their ids.
 */
enum { UNIFIED, SYSTEMD, BLKIO, MEMORY, HIERARCHIES };

/* In the ids of their groups. */
static const uint64_t marks[HIERARCHIES] = {
	[SYSTEMD] = ABI_CGROUP_SYSTEMD,
	[BLKIO] = ABI_CGROUP_BLKIO,
	[MEMORY] = ABI_CGROUP_MEMORY,
};

struct hierarchy {
	int root;		/* where it is mounted, opened for reading; -1: nowhere */
	char *mount;		/* its mount point */
	uint64_t mark;		/* as in marks */
	uint64_t walked;	/* CLOCK_MONOTONIC ns of the last walk */
};

struct cgroup_names {
	int proc;		/* O_PATH of /proc, borrowed */
	unsigned round;
	struct hierarchy hierarchies[HIERARCHIES];
	struct hash cgroups;
	struct container_names *containers;
};

/* Which of them a mount is, -1: none. */
static int hierarchy_kind(const struct proc_mount *m)
{
	_cleanup_(mem_freep) char *options = NULL;
	char *rest, *word;

	if (m->fstype_len == 7 && !memcmp(m->fstype, "cgroup2", 7))
		return UNIFIED;
	if (m->fstype_len != 6 || memcmp(m->fstype, "cgroup", 6))
		return -1;
	options = mem_strndup(m->super, m->super_len);
	for (word = strtok_r(options, ",", &rest); word; word = strtok_r(NULL, ",", &rest)) {
		if (!strcmp(word, "name=systemd"))
			return SYSTEMD;
		if (!strcmp(word, "blkio"))
			return BLKIO;
		if (!strcmp(word, "memory"))
			return MEMORY;
	}
	return -1;
}

static void find_hierarchies(struct cgroup_names *n)
{
	_cleanup_(buf_release) struct buf b = { 0 };
	struct proc_mount m;
	const char *p;
	int r;

	if (buf_read_file(&b, n->proc, "self/mountinfo", 0) < 0 || !b.len)
		return;
	p = b.data;
	while ((r = proc_mountinfo_line(&p, &m)) != 0) {
		int kind = r < 0 ? -1 : hierarchy_kind(&m);
		struct hierarchy *h = kind < 0 ? NULL : &n->hierarchies[kind];

		if (!h || h->root >= 0)
			continue;
		free(h->mount);
		h->mount = proc_unescaped(m.point, m.point_len);
		h->root = open(h->mount, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	}
}

uint64_t cgroup_names_marks(const char *proc)
{
	_cleanup_(buf_release) struct buf path = { 0 }, b = { 0 };
	uint64_t found = 0;
	struct proc_mount m;
	const char *p;
	int r;

	buf_printf(&path, "%s/self/mountinfo", proc);
	if (buf_read_file(&b, AT_FDCWD, path.data, 0) < 0 || !b.len)
		return 0;
	p = b.data;
	while ((r = proc_mountinfo_line(&p, &m)) != 0) {
		int kind = r < 0 ? -1 : hierarchy_kind(&m);

		found |= kind < 0 ? 0 : marks[kind];
	}
	return found;
}

/* Of a group's id; those that were made of a path are of none. */
static struct hierarchy *hierarchy_of(struct cgroup_names *n, uint64_t id)
{
	if (id >> 63)
		return NULL;
	return &n->hierarchies[id & ABI_CGROUP_SYSTEMD ? SYSTEMD
			       : id & ABI_CGROUP_BLKIO ? BLKIO
			       : id & ABI_CGROUP_MEMORY ? MEMORY
							: UNIFIED];
}

static void cgroup_drop(void *value, void *arg)
{
	free(((struct cgroup *)value)->path);
	free(value);
}

struct cgroup_names *cgroup_names_new(int proc, struct helper *helper)
{
	struct cgroup_names *n = mem_alloc(sizeof(*n));

	*n = (struct cgroup_names){
		.proc = proc,
		.containers = container_names_new(helper),
	};
	for (size_t i = 0; i < HIERARCHIES; i++)
		n->hierarchies[i] = (struct hierarchy){ .root = -1, .mark = marks[i] };
	hash_init(&n->cgroups, offsetof(struct cgroup, id), sizeof(uint64_t));
	find_hierarchies(n);
	return n;
}

void cgroup_names_free(struct cgroup_names *n)
{
	container_names_free(n->containers);
	hash_clear(&n->cgroups, cgroup_drop, NULL);
	for (unsigned i = 0; i < HIERARCHIES; i++) {
		free(n->hierarchies[i].mount);
		fd_close(n->hierarchies[i].root);
	}
	free(n);
}

void cgroup_names_round(struct cgroup_names *n)
{
	n->round++;
	container_names_round(n->containers);
	hash_age_rounds(&n->cgroups, KNOWN_MAX, IDLE_ROUNDS, offsetof(struct cgroup, round),
			n->round, cgroup_drop, n);
}

static struct cgroup *cgroup_put(struct cgroup_names *n, uint64_t id, const char *path, size_t len)
{
	struct cgroup *c = hash_get(&n->cgroups, &id);

	if (!c) {
		c = mem_alloc(sizeof(*c));
		*c = (struct cgroup){ .id = id, .round = n->round - 1 };
		hash_put(&n->cgroups, c);
	}
	if (path && !c->path) {
		c->path = mem_strndup(path, len);
	}
	return c;
}

/* Opens the folder by its id: needs CAP_DAC_READ_SEARCH. */
static void cgroup_by_handle(struct cgroup_names *n, const struct hierarchy *h, struct cgroup *c)
{
	union {
		struct file_handle handle;
		char room[sizeof(struct file_handle) + sizeof(uint64_t)];
	} of = { .handle = { .handle_bytes = sizeof(uint64_t), .handle_type = KERNFS_HANDLE } };
	uint64_t id = c->id & ~h->mark, before;
	size_t skip = strlen(h->mount);
	char link[64], path[PATH_MAX];
	ssize_t len;
	int fd;

	memcpy(of.handle.f_handle, &id, sizeof(id));
	before = privilege_raise(PRIV_FILES);
	fd = open_by_handle_at(h->root, &of.handle, O_PATH | O_CLOEXEC);
	privilege_restore(before);
	if (fd < 0)
		return;
	snprintf(link, sizeof(link), "self/fd/%d", fd);
	len = readlinkat(n->proc, link, path, sizeof(path) - 1);
	close(fd);
	if (len < (ssize_t)skip || memcmp(path, h->mount, skip))
		return;
	path[len] = '\0';
	if (!path[skip])
		cgroup_put(n, c->id, "/", 1);
	else if (path[skip] == '/')
		cgroup_put(n, c->id, path + skip, strlen(path + skip));
}

/*
 * Notes every folder below the one that fd (taken over) is; path is its path, which is put back
 * before returning.
 */
static void cgroup_walk(struct cgroup_names *n, const struct hierarchy *h, int fd, struct buf *path,
			unsigned depth, size_t *left)
{
	DIR *dir = fdopendir(fd);
	struct dirent *e;

	if (!dir) {
		close(fd);
		return;
	}
	while (*left && (e = readdir(dir))) {
		size_t len = path->len;
		int sub;

		if (e->d_type != DT_DIR || e->d_name[0] == '.')
			continue;
		(*left)--;
		buf_putc(path, '/');
		buf_puts(path, e->d_name);
		/* The inode number of a group's folder is its id. */
		cgroup_put(n, e->d_ino | h->mark, path->data, path->len);
		sub = depth ? openat(dirfd(dir), e->d_name,
				     O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
			    : -1;
		if (sub >= 0)
			cgroup_walk(n, h, sub, path, depth - 1, left);
		path->len = len;
		path->data[len] = '\0';
	}
	closedir(dir);
}

static void cgroup_walk_all(struct cgroup_names *n, struct hierarchy *h)
{
	_cleanup_(buf_release) struct buf path = { 0 };
	size_t left = WALK_MAX;
	struct stat st;
	int fd = openat(h->root, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	h->walked = clock_mono();
	if (fd < 0)
		return;
	if (fstat(fd, &st) == 0)
		cgroup_put(n, st.st_ino | h->mark, "/", 1);
	cgroup_walk(n, h, fd, &path, 32, &left);
}

static void find_path(struct cgroup_names *n, struct hierarchy *h, struct cgroup *c)
{
	if (!c->seen) {
		c->seen = clock_mono();
		cgroup_by_handle(n, h, c);
	}
	/* What is outside of the mount is found by none. */
	if (!c->path && c->seen > h->walked &&
	    (!h->walked || clock_mono() - h->walked > WALK_EVERY))
		cgroup_walk_all(n, h);
}

void cgroup_names_throttled(struct cgroup_names *n, uint64_t id, uint64_t held)
{
	struct cgroup *c = hash_get(&n->cgroups, &id);

	if (!c)
		c = cgroup_put(n, id, NULL, 0);
	c->held += held;
}

/* Where a limit held something back since the sample before: the limit. */
static const char *limit_of(struct cgroup *c, const struct hierarchy *h, struct sample *s)
{
	_cleanup_(buf_release) struct buf text = { 0 };
	bool now = c->held > c->held_before;

	c->held_before = c->held;
	c->held = 0;
	if (!now || !h || h->root < 0 || h->mark & (ABI_CGROUP_SYSTEMD | ABI_CGROUP_MEMORY))
		return NULL;
	cgroup_limit_holding(h->root, c->path, !h->mark, &text);
	return text.len ? arena_strdup(&s->arena, text.data) : NULL;
}

void cgroup_names_add(struct cgroup_names *n, struct sample *s, uint64_t id)
{
	struct cgroup *c = hash_get(&n->cgroups, &id);
	struct hierarchy *h = hierarchy_of(n, id);
	struct sample_cgroup *row;
	const char *name;

	if (!c)
		c = cgroup_put(n, id, NULL, 0);
	if (c->round == n->round)
		return;
	c->round = n->round;
	if (!c->path && h && h->root >= 0)
		find_path(n, h, c);
	if (!c->path)
		return;
	name = container_names_get(n->containers, c->path);
	row = sample_add_row(s, CGROUP, struct sample_cgroup);
	row->id = id;
	row->path = arena_strdup(&s->arena, c->path);
	row->limit = limit_of(c, h, s);
	row->name = name ? arena_strdup(&s->arena, name) : NULL;
}

uint64_t cgroup_names_id(struct cgroup_names *n, const char *path, size_t len, bool unified)
{
	_cleanup_(buf_release) struct buf b = { 0 };
	int root = n->hierarchies[UNIFIED].root;
	struct stat st;
	uint64_t id;

	if (unified && root >= 0) {
		buf_putc(&b, '.');
		buf_putn(&b, path, len);
		if (fstatat(root, b.data, &st, 0) == 0) {
			cgroup_put(n, st.st_ino, path, len);
			return st.st_ino;
		}
	}
	/*
	 * Several hierarchies number on their own: the path makes an id that no kernel hands out.
	 */
	id = hash_bytes(path, len) | 1ULL << 63;
	cgroup_put(n, id, path, len);
	return id;
}
