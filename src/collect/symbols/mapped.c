// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/symbols/mapped.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/fd.h"
#include "base/hash.h"
#include "collect/proc/proc.h"
#include "collect/symbols/debugfile.h"

#define FILES_MAX 4096	/* known at a time */
#define OPEN_MAX 256	/* descriptors kept for later reading; a quarter of what the process may
			 * have, if that is less */

struct mapped_file {
	struct {
		uint64_t dev, ino, path;	/* path: its hash */
	} key;
	struct helper_file at;	/* as it was seen last, with a path of our own */
	int fd, root;		/* -1: not open, or ours */
	uint32_t table;		/* the parser's number, 0: not given to it */
	uint32_t rows;		/* the parser's number of its unwind table, 0: as above */
	bool failed;		/* no ELF file, or it cannot be opened any more */
	int error;		/* errno of the last opening */
	uint64_t used;		/* grows with every use */
};

struct mapped {
	const char *proc;
	int fetched;
	struct parser *parser;
	struct hash files;
	unsigned open, open_max;
	uint64_t clock;
};

struct mapped *mapped_new(const char *proc, int fetched, struct parser *parser)
{
	struct mapped *m = mem_zalloc(sizeof(*m));
	struct rlimit limit;

	m->proc = proc;
	m->fetched = fetched;
	m->parser = parser;
	m->open_max = OPEN_MAX;
	if (!getrlimit(RLIMIT_NOFILE, &limit) && limit.rlim_cur / 4 < OPEN_MAX)
		m->open_max = (unsigned)(limit.rlim_cur / 4);
	hash_init(&m->files, offsetof(struct mapped_file, key),
		  sizeof(((struct mapped_file *)0)->key));
	return m;
}

static void file_close(struct mapped *m, struct mapped_file *f)
{
	const int fds[] = { f->fd, f->root };

	for (size_t i = 0; i < ARRAY_SIZE(fds); i++) {
		if (fds[i] < 0)
			continue;
		close(fds[i]);
		m->open--;
	}
	f->fd = f->root = -1;
}

static void file_free(struct mapped *m, struct mapped_file *f)
{
	file_close(m, f);
	free((void *)(uintptr_t)f->at.path);
	free(f);
}

void mapped_free(struct mapped *m)
{
	struct mapped_file *f;
	size_t i = 0;

	if (!m)
		return;
	while ((f = hash_next(&m->files, &i)))
		file_free(m, f);
	hash_release(&m->files);
	free(m);
}

/* The least recently used file, or open file. */
static struct mapped_file *oldest(const struct mapped *m, const struct mapped_file *but, bool open)
{
	struct mapped_file *found = NULL, *f;
	size_t i = 0;

	while ((f = hash_next(&m->files, &i)))
		if (f != but && (!open || f->fd >= 0) && (!found || f->used < found->used))
			found = f;
	return found;
}

static struct mapped_file *file_get(struct mapped *m, const struct helper_file *from)
{
	struct mapped_file key = { .key = { from->dev, from->ino,
					    hash_bytes(from->path, from->path_len) } };
	struct mapped_file *f = hash_get(&m->files, &key.key);

	if (!f) {
		char *path = mem_alloc(from->path_len + 1);

		if (m->files.n >= FILES_MAX) {
			struct mapped_file *old = oldest(m, NULL, false);

			hash_del(&m->files, &old->key);
			file_free(m, old);
		}
		memcpy(path, from->path, from->path_len);
		path[from->path_len] = '\0';
		f = mem_zalloc(sizeof(*f));
		f->key = key.key;
		f->at.path = path;
		f->fd = f->root = -1;
		hash_put(&m->files, f);
	}
	f->used = ++m->clock;
	return f;
}

/*
 * The process's root folder when it is not ours, else -1. What the link says is asked, and the
 * mounts: looking at the folder itself may wait for its file system.
 */
static int foreign_root(const struct mapped *m, int pid_dir)
{
	char ours[64], theirs[64], link[2], path[300];
	ssize_t a, b;

	snprintf(path, sizeof(path), "%s/self/ns/mnt", m->proc);
	a = readlink(path, ours, sizeof(ours));
	b = readlinkat(pid_dir, "ns/mnt", theirs, sizeof(theirs));
	if (readlinkat(pid_dir, "root", link, sizeof(link)) == 1 && link[0] == '/' && a > 0 &&
	    a == b && !memcmp(ours, theirs, (size_t)a))
		return -1;
	return openat(pid_dir, "root", O_PATH | O_DIRECTORY | O_CLOEXEC);
}

/*
 * The mapped file itself, through map_files; where that is refused, what has its path in the
 * process's root, if it is still the same inode.
 */
static int mapped_open(int pid_dir, int root, const struct helper_file *f, const char *path)
{
	char name[64];
	struct stat st;
	int fd, at;

	snprintf(name, sizeof(name), "map_files/%" PRIx64 "-%" PRIx64, f->start, f->end);
	at = openat(pid_dir, name, O_PATH | O_CLOEXEC);
	if (at >= 0) {
		snprintf(name, sizeof(name), "/proc/self/fd/%d", at);
		fd = debugfile_open(AT_FDCWD, name);
		close(at);
		return fd;
	}
	fd = debugfile_open(root >= 0 ? root : AT_FDCWD, path);
	if (fd >= 0 && (fstat(fd, &st) < 0 || st.st_ino != f->ino)) {
		close(fd);
		return -ESTALE;
	}
	return fd;
}

static uint64_t mtime_ns(const struct stat *st)
{
	return (uint64_t)st->st_mtim.tv_sec * NSEC_PER_SEC + (uint64_t)st->st_mtim.tv_nsec;
}

/*
 * Whether the file that is open is the one as it is now, and not one that was written in its place
 * under the same inode.
 */
static bool is_current(const struct mapped_file *f)
{
	struct stat st;

	return f->fd >= 0 && !fstat(f->fd, &st) && (uint64_t)st.st_size == f->at.size &&
	       mtime_ns(&st) == f->at.mtime;
}

/* Keeps what was opened, at the expense of who was not used for longest. */
static void file_keep(struct mapped *m, struct mapped_file *f, int fd, int root)
{
	struct mapped_file *old;

	file_close(m, f);
	f->fd = fd;
	f->root = root;
	m->open += (fd >= 0) + (root >= 0);
	while (m->open > m->open_max && (old = oldest(m, f, true)))
		file_close(m, old);
}

static void file_open(struct mapped *m, struct mapped_file *f, int pid_dir,
		      const struct helper_file *at)
{
	const char *path = f->at.path;
	int root = foreign_root(m, pid_dir), fd = mapped_open(pid_dir, root, at, path);
	uint64_t size = f->at.size, mtime = f->at.mtime;
	struct stat st;

	f->error = fd < 0 ? -fd : 0;
	if (fd < 0 || fstat(fd, &st) < 0) {
		fd_close(fd);
		fd_close(root);
		return;
	}
	f->at = *at;
	f->at.path = path;
	f->at.size = (uint64_t)st.st_size;
	f->at.mtime = mtime_ns(&st);
	/* Another file under the same name and inode: the table was of the one before. */
	if (f->at.size != size || f->at.mtime != mtime) {
		f->table = f->rows = 0;
		f->failed = false;
	}
	file_keep(m, f, fd, root);
}

void mapped_see(struct mapped *m, int pid_dir, struct helper_file *at)
{
	struct mapped_file *f;

	if (!at->path_len || at->path[0] != '/' ||
	    (at->path_len > 6 && !memcmp(at->path, "//anon", 6)))
		return;
	f = file_get(m, at);
	if (!is_current(f) && !at->slow)
		file_open(m, f, pid_dir, at);
	if (at->slow || f->fd < 0)
		return;
	at->size = f->at.size;
	at->mtime = f->at.mtime;
}

struct loading {
	struct parser *parser;
	uint32_t number;
};

static bool take_debug(void *arg, int fd)
{
	struct loading *l = arg;

	return !parser_debug(l->parser, l->number, fd);
}

static void table_load(struct mapped *m, struct mapped_file *f)
{
	struct debugfile_places places = { f->root, f->at.path, m->fetched };
	struct elfsyms_debug debug;

	f->table = parser_number(m->parser);
	if (parser_elf(m->parser, f->table, f->fd, &debug) < 0) {
		f->failed = true;
		f->table = 0;
		file_close(m, f);
		return;
	}
	debugfile_find(&debug, &places, take_debug, &(struct loading){ m->parser, f->table });
}

/*
 * Is it the file as it was when the other side heard of it? What was not opened then is whatever is
 * there now.
 */
static bool is_same(const struct mapped_file *f, const struct helper_file *wanted)
{
	return (!wanted->size && !wanted->mtime) ||
	       (f->at.size == wanted->size && f->at.mtime == wanted->mtime);
}

/*
 * It was closed in favour of others, or never opened: the process that had it may be there, or what
 * has its path now is it.
 */
static bool file_reopen(struct mapped *m, struct mapped_file *f, const struct helper_file *wanted)
{
	int dir = proc_pid_dir(m->proc, wanted->tgid);

	file_open(m, f, dir, wanted);
	fd_close(dir);
	if (f->fd >= 0 && is_same(f, wanted))
		return true;
	file_close(m, f);
	return false;
}

int mapped_names(struct mapped *m, const struct helper_file *wanted, const uint64_t *offsets,
		 size_t n, struct buf *out)
{
	struct mapped_file *f = file_get(m, wanted);
	bool there = true;

	if (f->table && is_same(f, wanted) && !parser_names(m->parser, f->table, offsets, n, out))
		return 0;
	/* The table had to make room, or was never read. */
	if (!f->failed || !is_same(f, wanted)) {
		there = (f->fd >= 0 && is_same(f, wanted)) || file_reopen(m, f, wanted);
		if (there)
			table_load(m, f);
		if (there && f->table && !parser_names(m->parser, f->table, offsets, n, out))
			return 0;
	}
	for (size_t i = 0; i < n; i++)
		wire_put_text(out, "", 0);
	if (there)
		return f->failed ? ENOEXEC : 0;
	return f->error ? f->error : ESTALE;
}

void mapped_unwind(struct mapped *m, const struct helper_file *wanted, uint32_t from,
		   struct buf *out)
{
	struct mapped_file *f = file_get(m, wanted);

	/* It is asked for in pieces; the parser keeps the last one. */
	if (from && f->rows && is_same(f, wanted)) {
		parser_rows(m->parser, f->rows, from, -1, out);
		return;
	}
	if (!(f->fd >= 0 && is_same(f, wanted)) && !file_reopen(m, f, wanted)) {
		wire_put_u32(out, ENOENT);
		return;
	}
	f->rows = parser_number(m->parser);
	parser_rows(m->parser, f->rows, from, f->fd, out);
}
