// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/symfile.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "collect/elfsyms.h"

#define FILES_MAX 16384			/* known at a time; what comes later has no names */
#define OPEN_MAX 128			/* descriptors kept for later reading */
#define TABLES_MAX ((size_t)48 << 20)	/* bytes of symbol tables in memory */

struct symfile {
	struct {
		uint64_t dev, ino, path;	/* path: its hash */
	} key;
	uint64_t size, mtime;		/* of the file when it was opened */
	char *path;			/* raw */
	int fd, root;			/* -1: not open, or ours */
	struct elfsyms *syms;
	uint64_t used;			/* grows with every use */
	bool failed;			/* no ELF file, or it cannot be read any more */
	uint32_t number;
	struct symfile *newer;		/* what came to the same key later: written over in place */
};

struct symfiles {
	struct hash by_key;
	struct symfile **v;	/* by number; [0] is none */
	uint32_t n, cap;
	unsigned open;
	size_t bytes;
	uint64_t clock;
};

struct symfiles *symfiles_new(void)
{
	struct symfiles *f = mem_zalloc(sizeof(*f));

	hash_init(&f->by_key, offsetof(struct symfile, key), sizeof(((struct symfile *)0)->key));
	f->n = 1;
	return f;
}

static void file_close(struct symfiles *f, struct symfile *file)
{
	if (file->fd >= 0) {
		close(file->fd);
		f->open--;
	}
	if (file->root >= 0) {
		close(file->root);
		f->open--;
	}
	file->fd = file->root = -1;
}

static void table_drop(struct symfiles *f, struct symfile *file)
{
	if (!file->syms)
		return;
	f->bytes -= elfsyms_size(file->syms);
	elfsyms_free(file->syms);
	file->syms = NULL;
}

void symfiles_free(struct symfiles *f)
{
	if (!f)
		return;
	for (uint32_t i = 1; i < f->n; i++) {
		file_close(f, f->v[i]);
		table_drop(f, f->v[i]);
		free(f->v[i]->path);
		free(f->v[i]);
	}
	hash_release(&f->by_key);
	free(f->v);
	free(f);
}

/* The least recently used file that has a table, or is open. */
static struct symfile *oldest(const struct symfiles *f, const struct symfile *but, bool table)
{
	struct symfile *found = NULL;

	for (uint32_t i = 1; i < f->n; i++) {
		struct symfile *file = f->v[i];

		if (file != but && (table ? !!file->syms : file->fd >= 0) && (!found || file->used < found->used))
			found = file;
	}
	return found;
}

/* The process's root folder when it is not ours, else -1. */
static int foreign_root(int pid_dir)
{
	int root = openat(pid_dir, "root", O_PATH | O_DIRECTORY | O_CLOEXEC);
	struct stat ours, theirs;

	if (root < 0)
		return -1;
	if (!fstat(root, &theirs) && !stat("/", &ours) && (theirs.st_dev != ours.st_dev || theirs.st_ino != ours.st_ino))
		return root;
	close(root);
	return -1;
}

/*
 * The mapped file itself, through map_files; where that is refused, what has its path in the process's root, if it is still
 * the same inode.
 */
static int mapped_open(int pid_dir, int root, const struct mapping *m)
{
	char name[64];
	struct stat st;
	int fd, at;

	snprintf(name, sizeof(name), "map_files/%" PRIx64 "-%" PRIx64, m->start, m->end);
	at = openat(pid_dir, name, O_PATH | O_CLOEXEC);
	if (at >= 0) {
		snprintf(name, sizeof(name), "/proc/self/fd/%d", at);
		fd = elfsyms_open_file(AT_FDCWD, name);
		close(at);
		return fd;
	}
	fd = elfsyms_open_file(root >= 0 ? root : AT_FDCWD, m->path);
	if (fd >= 0 && (fstat(fd, &st) < 0 || st.st_ino != m->ino)) {
		close(fd);
		return -ESTALE;
	}
	return fd;
}

static struct symfile *file_new(struct symfiles *f, const struct mapping *m, const struct symfile *key)
{
	struct symfile *file;

	if (f->n >= FILES_MAX)
		return NULL;
	if (f->n >= f->cap) {
		f->cap = f->cap ? 2 * f->cap : 64;
		f->v = mem_realloc(f->v, f->cap * sizeof(struct symfile *));
	}
	file = mem_zalloc(sizeof(*file));
	file->key = key->key;
	file->path = mem_strdup(m->path);
	file->fd = file->root = -1;
	file->number = f->n;
	f->v[f->n++] = file;
	return file;
}

/* Keeps what was opened for later, at the expense of who was not used for longest. */
static void file_keep(struct symfiles *f, struct symfile *file, int fd, int root)
{
	struct symfile *old;

	file->fd = fd;
	file->root = root;
	f->open += (fd >= 0) + (root >= 0);
	while (f->open > OPEN_MAX && (old = oldest(f, file, false)))
		file_close(f, old);
}

/* The entry for what fd is: a file that was replaced under the same inode is another one. */
static struct symfile *file_match(struct symfiles *f, const struct mapping *m, const struct symfile *key, const struct stat *st)
{
	struct symfile *file = hash_get(&f->by_key, &key->key), *last = file;
	uint64_t mtime = (uint64_t)st->st_mtim.tv_sec * 1000000000u + (uint64_t)st->st_mtim.tv_nsec;

	for (; file; last = file, file = file->newer)
		if (file->size == (uint64_t)st->st_size && file->mtime == mtime)
			return file;
	file = file_new(f, m, key);
	if (!file)
		return NULL;
	file->size = (uint64_t)st->st_size;
	file->mtime = mtime;
	if (last)
		last->newer = file;
	else
		hash_put(&f->by_key, file);
	return file;
}

uint32_t symfile_get(struct symfiles *f, int pid_dir, const struct mapping *m)
{
	struct symfile key = { .key = { m->dev, m->ino, hash_bytes(m->path, strlen(m->path)) } }, *file;
	struct stat st = { .st_size = 0 };
	int fd = -1, root = -1;

	if (!m->path[0] || !strncmp(m->path, "//anon", 6))
		return 0;
	if (m->path[0] == '/') {
		root = foreign_root(pid_dir);
		fd = mapped_open(pid_dir, root, m);
	}
	if (fd >= 0)
		fstat(fd, &st);
	file = file_match(f, m, &key, &st);
	if (file && file->fd < 0 && !file->syms && fd >= 0) {
		file->used = ++f->clock;
		file->failed = false;
		file_keep(f, file, fd, root);
		return file->number;
	}
	if (fd >= 0)
		close(fd);
	if (root >= 0)
		close(root);
	return file ? file->number : 0;
}

uint64_t symfile_id(const struct symfiles *f, uint32_t number)
{
	const struct symfile *file = f->v[number];
	uint64_t parts[3] = { file->key.path, file->size, file->mtime };

	return hash_bytes(parts, sizeof(parts));
}

static void table_load(struct symfiles *f, struct symfile *file)
{
	struct symfile *old;

	if (file->fd < 0 || elfsyms_read(file->fd, file->root, file->path, &file->syms) < 0) {
		file->failed = true;
		file_close(f, file);
		return;
	}
	f->bytes += elfsyms_size(file->syms);
	while (f->bytes > TABLES_MAX && (old = oldest(f, file, true)))
		table_drop(f, old);
}

const char *symfile_name(struct symfiles *f, uint32_t number, uint64_t offset)
{
	struct symfile *file = f->v[number];

	if (!file->syms && !file->failed)
		table_load(f, file);
	file->used = ++f->clock;
	return file->syms ? elfsyms_name(file->syms, offset) : NULL;
}

const char *symfile_label(const struct symfiles *f, uint32_t number)
{
	const char *path = f->v[number]->path, *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}
