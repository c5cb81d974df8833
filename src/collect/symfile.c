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

#include "base/clock.h"
#include "base/hash.h"
#include "collect/elfsyms.h"
#include "collect/proc.h"

#define FILES_MAX 4096			/* known at a time, unless more are in use */
#define IDLE_ROUNDS 60			/* without use after which one may go */
#define OPEN_MAX 256			/* descriptors kept for later reading */
#define TABLES_MAX ((size_t)48 << 20)	/* bytes of symbol tables in memory */

struct symfile {
	/* What is replaced under the same inode is another file. */
	struct {
		uint64_t dev, ino, path;	/* path: its hash */
		uint64_t size, mtime;		/* when it was opened */
	} key;
	char *path;			/* raw */
	struct mapping mapping;		/* where it was seen last, its path is the one above */
	uint32_t tgid;			/* by whom */
	int fd, root;			/* -1: not open, or ours */
	struct elfsyms *syms;
	uint64_t used;			/* grows with every use */
	bool failed;			/* no ELF file, or it cannot be read any more */
	uint32_t number;
	unsigned round;			/* of the last use */
};

struct symfiles {
	const char *proc;
	struct hash by_key, by_number;
	uint32_t numbers;	/* given so far; 0 is none */
	unsigned open, round;
	size_t bytes;
	uint64_t clock, forgotten;	/* forgotten: how often one was asked for that had gone */
};

struct symfiles *symfiles_new(const char *proc)
{
	struct symfiles *f = mem_zalloc(sizeof(*f));

	f->proc = proc;
	hash_init(&f->by_key, offsetof(struct symfile, key), sizeof(((struct symfile *)0)->key));
	hash_init(&f->by_number, offsetof(struct symfile, number), sizeof(uint32_t));
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

static void file_drop(void *value, void *arg)
{
	struct symfile *file = value;
	struct symfiles *f = arg;

	hash_del(&f->by_number, &file->number);
	file_close(f, file);
	table_drop(f, file);
	free(file->path);
	free(file);
}

void symfiles_free(struct symfiles *f)
{
	if (!f)
		return;
	hash_filter(&f->by_key, NULL, file_drop, f);
	hash_release(&f->by_key);
	hash_release(&f->by_number);
	free(f);
}

static unsigned file_age(const void *value, const void *arg)
{
	return ((const struct symfiles *)arg)->round - ((const struct symfile *)value)->round;
}

void symfiles_round(struct symfiles *f)
{
	f->round++;
	hash_age(&f->by_key, FILES_MAX, IDLE_ROUNDS, file_age, file_drop, f);
}

uint64_t symfiles_forgotten(const struct symfiles *f)
{
	return f->forgotten;
}

/* NULL: it was not used for long, and had to go. */
static struct symfile *file_use(struct symfiles *f, uint32_t number)
{
	struct symfile *file = hash_get(&f->by_number, &number);

	if (file) {
		file->round = f->round;
		file->used = ++f->clock;
	}
	return file;
}

/* The least recently used file that has a table, or is open. */
static struct symfile *oldest(const struct symfiles *f, const struct symfile *but, bool table)
{
	struct symfile *found = NULL, *file;
	size_t i = 0;

	while ((file = hash_next(&f->by_key, &i))) {
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

static uint64_t mtime_ns(const struct stat *st)
{
	return (uint64_t)st->st_mtim.tv_sec * NSEC_PER_SEC + (uint64_t)st->st_mtim.tv_nsec;
}

static struct symfile *file_get(struct symfiles *f, uint32_t tgid, const struct mapping *m, const struct stat *st)
{
	struct symfile key = { .key = {
		m->dev, m->ino, hash_bytes(m->path, strlen(m->path)), (uint64_t)st->st_size, mtime_ns(st),
	} }, *file = hash_get(&f->by_key, &key.key);

	if (!file) {
		file = mem_zalloc(sizeof(*file));
		file->key = key.key;
		file->path = mem_strdup(m->path);
		file->fd = file->root = -1;
		file->number = ++f->numbers;
		hash_put(&f->by_key, file);
		hash_put(&f->by_number, file);
	}
	file->mapping = *m;
	file->mapping.path = file->path;
	file->tgid = tgid;
	file->round = f->round;
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

uint32_t symfile_get(struct symfiles *f, int pid_dir, uint32_t tgid, const struct mapping *m)
{
	struct symfile *file;
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
	file = file_get(f, tgid, m, &st);
	if (file->fd < 0 && !file->syms && fd >= 0) {
		file->used = ++f->clock;
		file->failed = false;
		file_keep(f, file, fd, root);
		return file->number;
	}
	if (fd >= 0)
		close(fd);
	if (root >= 0)
		close(root);
	return file->number;
}

bool symfile_known(struct symfiles *f, uint32_t number)
{
	return file_use(f, number);
}

uint64_t symfile_id(struct symfiles *f, uint32_t number)
{
	const struct symfile *file = file_use(f, number);
	uint64_t parts[3] = { number };

	if (file)
		memcpy(parts, &file->key.path, sizeof(parts));
	return hash_bytes(parts, sizeof(parts));
}

/* It was closed in favour of others: the process that had it may be there, or what has its path by now may be it. */
static void file_reopen(struct symfiles *f, struct symfile *file)
{
	int dir = proc_pid_dir(f->proc, file->tgid), root = dir < 0 ? -1 : foreign_root(dir);
	int fd = mapped_open(dir, root, &file->mapping);
	struct stat st;

	if (dir >= 0)
		close(dir);
	if (fd >= 0 && !fstat(fd, &st) && st.st_ino == file->key.ino && (uint64_t)st.st_size == file->key.size &&
	    mtime_ns(&st) == file->key.mtime) {
		file_keep(f, file, fd, root);
		return;
	}
	if (fd >= 0)
		close(fd);
	if (root >= 0)
		close(root);
	f->forgotten++;
}

static void table_load(struct symfiles *f, struct symfile *file)
{
	struct symfile *old;

	/* Without a size it never was open. */
	if (file->fd < 0 && file->key.size)
		file_reopen(f, file);
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
	struct symfile *file = file_use(f, number);

	if (!file) {
		f->forgotten++;
		return NULL;
	}
	if (!file->syms && !file->failed)
		table_load(f, file);
	return file->syms ? elfsyms_name(file->syms, offset) : NULL;
}

const char *symfile_label(const struct symfiles *f, uint32_t number)
{
	const struct symfile *file = hash_get(&f->by_number, &number);
	const char *slash = file ? strrchr(file->path, '/') : NULL;

	if (!file)
		return NULL;
	return slash && slash[1] ? slash + 1 : file->path;
}
