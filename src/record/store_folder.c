// SPDX-License-Identifier: GPL-2.0-or-later
#include "record/store_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/i18n.h"
#include "base/mem.h"
#include "record/sqlite_guard.h"

#define OPEN_FLAGS (O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
#define LOCK	   "lock"
#define WAL_HEADER 32 /* bytes, SQLite's file format */

static int failed(const struct store_folder *f, const char *name, int code, struct err *err)
{
	return err_set(err, code, "%s%s%s: %m", f->path, *name ? "/" : "", name);
}

static int check_folder(struct store_folder *f, bool write, struct err *err)
{
	struct stat st;

	if (fstat(f->fd, &st) < 0)
		return failed(f, "", errno, err);
	f->owner = st.st_uid;
	if (st.st_uid != geteuid() && (write || st.st_uid != 0))
		return err_set(err, EACCES,
			       _("%s belongs to another user: it is not used as a "
				 "store"),
			       f->path);
	if (st.st_mode & (S_IWGRP | S_IWOTH))
		return err_set(err, EACCES,
			       _("%s can be written by other users: it is not used as "
				 "a store"),
			       f->path);
	return 0;
}

int store_folder_open(const char *path, bool write, struct store_folder *ret, struct err *err)
{
	int flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | (write ? O_NOFOLLOW : 0), r;

	*ret = (struct store_folder){ .path = path };
	if (write && mkdir(path, 0700) < 0 && errno != EEXIST)
		return failed(ret, "", errno, err);
	ret->fd = guard_move_fd(open(path, flags));
	if (ret->fd < 0)
		return errno == ENOENT && !write
			       ? err_set(err, ENOENT,
					 _("there is no store in %s: iotop record makes one"), path)
			       : failed(ret, "", errno, err);
	r = check_folder(ret, write, err);
	if (!r && write && faccessat(ret->fd, ".", W_OK, AT_EACCESS) < 0)
		r = failed(ret, "", errno, err);
	if (r < 0)
		store_folder_close(ret);
	return r;
}

void store_folder_close(struct store_folder *f)
{
	close(f->fd);
	f->fd = -1;
}

#define NAME_FORMAT "%010" PRIu64 "-%04d%02d%02dT%02d%02d%02dZ.iotop"

void store_file_name(char *name, size_t size, uint64_t number, uint64_t begin)
{
	time_t seconds = (time_t)(begin / NSEC_PER_SEC);
	struct tm t;

	gmtime_r(&seconds, &t);
	snprintf(name, size, NAME_FORMAT, number, t.tm_year + 1900, t.tm_mon + 1, t.tm_mday,
		 t.tm_hour, t.tm_min, t.tm_sec);
}

/* False: it is no name of a segment. */
static bool parse_name(const char *name, struct store_file *ret)
{
	struct tm t = { 0 };
	time_t begin;
	char again[64];

	if (strlen(name) >= sizeof(ret->name) ||
	    sscanf(name, "%10" SCNu64 "-%4d%2d%2dT%2d%2d%2dZ", &ret->number, &t.tm_year, &t.tm_mon,
		   &t.tm_mday, &t.tm_hour, &t.tm_min, &t.tm_sec) != 7)
		return false;
	t.tm_year -= 1900;
	t.tm_mon--;
	begin = timegm(&t);
	if (begin < 0)
		return false;
	ret->begin = (uint64_t)begin * NSEC_PER_SEC;
	store_file_name(again, sizeof(again), ret->number, ret->begin);
	strcpy(ret->name, name);
	return !strcmp(name, again);
}

static uint64_t size_of(const struct store_folder *f, const char *name, const char *suffix,
			struct store_file *file)
{
	struct stat st = { 0 };
	char path[64];

	snprintf(path, sizeof(path), "%s%s", name, suffix);
	if (fstatat(f->fd, path, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return 0;
	file->inode = st.st_ino;
	file->changed = st.st_ctim;
	return (uint64_t)st.st_size;
}

static int by_number(const void *a, const void *b)
{
	uint64_t x = ((const struct store_file *)a)->number,
		 y = ((const struct store_file *)b)->number;

	return ORDER(x, y);
}

int store_folder_list(const struct store_folder *f, struct store_list *ret, struct err *err)
{
	int fd = openat(f->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;
	size_t cap = 0;

	*ret = (struct store_list){ 0 };
	if (!dir)
		return failed(f, "", errno, err);
	while ((entry = readdir(dir))) {
		struct store_file file = { 0 };

		if (!parse_name(entry->d_name, &file))
			continue;
		file.bytes = size_of(f, file.name, "-wal", &file);
		file.wal = file.bytes > 0;
		file.bytes += size_of(f, file.name, "", &file);
		ret->files = mem_grow(ret->files, ret->n, &cap, sizeof(*ret->files));
		ret->files[ret->n++] = file;
	}
	closedir(dir);
	if (ret->n)
		qsort(ret->files, ret->n, sizeof(*ret->files), by_number);
	return 0;
}

void store_list_release(struct store_list *l)
{
	free(l->files);
	*l = (struct store_list){ 0 };
}

void store_file_remove(const struct store_folder *f, const char *name)
{
	/* The database goes last: without it the others would be left behind for ever. */
	static const char *const suffixes[] = { "-journal", "-shm", "-wal", "" };
	char path[64];

	for (size_t i = 0; i < ARRAY_SIZE(suffixes); i++) {
		snprintf(path, sizeof(path), "%s%s", name, suffixes[i]);
		unlinkat(f->fd, path, 0);
	}
}

int store_file_replace(const struct store_folder *f, const char *unfinished, struct err *err)
{
	size_t len = strlen(unfinished) - strlen(STORE_UNFINISHED);
	int fd = openat(f->fd, unfinished, OPEN_FLAGS | O_RDONLY), code;
	char name[STORE_NAME];

	if (fd < 0)
		return failed(f, unfinished, errno, err);
	snprintf(name, sizeof(name), "%.*s", (int)len, unfinished);
	if (fsync(fd) < 0 || faccessat(f->fd, name, F_OK, AT_SYMLINK_NOFOLLOW) < 0 ||
	    renameat(f->fd, unfinished, f->fd, name) < 0) {
		code = errno;
		close(fd);
		return failed(f, name, code, err);
	}
	close(fd);
	fsync(f->fd);
	return 0;
}

static bool is_unfinished(const char *name)
{
	size_t len = strlen(name), end = strlen(STORE_UNFINISHED);
	struct store_file file;
	char segment[64];

	if (len <= end || len >= sizeof(segment) || strcmp(name + len - end, STORE_UNFINISHED))
		return false;
	snprintf(segment, sizeof(segment), "%.*s", (int)(len - end), name);
	return parse_name(segment, &file);
}

void store_folder_clean(const struct store_folder *f)
{
	int fd = openat(f->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;

	while (dir && (entry = readdir(dir)))
		if (is_unfinished(entry->d_name))
			store_file_remove(f, entry->d_name);
	if (dir)
		closedir(dir);
}

/*
 * A recorder that was killed when it had written the header of a WAL and nothing behind it: SQLite
 * would wait for it in vain.
 */
static bool has_frame(const struct store_folder *f, const char *name)
{
	struct store_file file;

	return size_of(f, name, "-wal", &file) > WAL_HEADER || store_folder_is_written(f);
}

int store_file_open(const struct store_folder *f, const char *name, bool write, bool create,
		    struct guard **ret, struct err *err)
{
	int flags = OPEN_FLAGS | (write ? O_RDWR : O_RDONLY) | (create ? O_CREAT | O_EXCL : 0);
	int folder, fd = guard_move_fd(openat(f->fd, name, flags, 0600));
	const char *refusal;
	struct stat st;

	if (fd < 0)
		return failed(f, name, errno, err);
	refusal =
		fstat(fd, &st) < 0 ? N_("is not a regular file") : guard_refusal(&st, f->owner, 0);
	folder = refusal ? -1 : guard_move_fd(fcntl(f->fd, F_DUPFD_CLOEXEC, 0));
	if (refusal || folder < 0) {
		close(fd);
		return refusal ? err_set(err, EACCES, "%s/%s %s", f->path, name, _(refusal))
			       : failed(f, name, errno, err);
	}
	*ret = guard_new(write ? GUARD_RECORD : GUARD_READ, folder, name, fd);
	(*ret)->owner = f->owner;
	(*ret)->wal = true;
	(*ret)->no_frame = !write && !has_frame(f, name);
	return 0;
}

bool store_folder_is_written(const struct store_folder *f)
{
	int fd = openat(f->fd, LOCK, OPEN_FLAGS | O_RDONLY);
	struct flock lock = { .l_type = F_WRLCK };
	bool yes;

	if (fd < 0)
		return false;
	yes = !fcntl(fd, F_OFD_GETLK, &lock) && lock.l_type != F_UNLCK;
	close(fd);
	return yes;
}

int store_folder_lock(const struct store_folder *f, struct err *err)
{
	int fd = guard_move_fd(openat(f->fd, LOCK, OPEN_FLAGS | O_RDWR | O_CREAT, 0600));
	struct flock lock = { .l_type = F_WRLCK };
	char other[16] = "";
	const char *refusal;
	struct stat st;
	ssize_t n;

	if (fd < 0)
		return failed(f, LOCK, errno, err);
	refusal =
		fstat(fd, &st) < 0 ? N_("is not a regular file") : guard_refusal(&st, f->owner, 0);
	if (!refusal && !fcntl(fd, F_OFD_SETLK, &lock)) {
		if (ftruncate(fd, 0) < 0 || dprintf(fd, "%d\n", (int)getpid()) < 0)
			errno = 0; /* for people only */
		return fd;
	}
	n = refusal ? 0 : pread(fd, other, sizeof(other) - 1, 0);
	other[n > 0 ? strspn(other, "0123456789") : 0] = '\0';
	close(fd);
	if (refusal)
		return err_set(err, EACCES, "%s/%s %s", f->path, LOCK, _(refusal));
	return err_set(err, EBUSY, _("another iotop records into %s (process %s)"), f->path,
		       *other ? other : "?");
}
