// SPDX-License-Identifier: GPL-2.0-or-later
#include "record/recording_files.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/i18n.h"

/* O_NONBLOCK: a FIFO that took the file's place, or a lease on the file, does not stop us. */
#define OPEN_FLAGS (O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
/* What SQLite locks in a database (its documentation of the file format, "lock-byte page"). */
#define RESERVED_BYTE 0x40000001
#define SHARED_FIRST 0x40000002
#define SHARED_SIZE 510
#define SPACE_LEFT (1 << 20)	/* bytes that a copy leaves free */

static int system_failed(const char *path, int code, struct err *err)
{
	return err_set(err, code, "%s: %m", path);
}

static int not_a_recording(const char *path, struct err *err)
{
	return err_set(err, EINVAL, _("%s is not a recording of iotop"), path);
}

static int being_written(const char *path, struct err *err)
{
	return err_set(err, EBUSY, _("%s is being written: try again"), path);
}

static void close_fd(const int *fd)
{
	if (*fd >= 0)
		close(*fd);
}

static void free_text(char **text)
{
	free(*text);
}

/* The folder of a path; what is left of it is the name in there. */
static int open_folder(const char *path, const char **ret_name)
{
	_cleanup_(free_text) char *folder = mem_alloc(strlen(path) + 2);
	char *slash;
	int fd;

	strcpy(folder, path);
	slash = strrchr(folder, '/');
	if (slash)
		slash[slash == folder] = '\0';
	else
		strcpy(folder, ".");
	fd = guard_move_fd(open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC));
	if (fd < 0)
		return -errno;
	slash = strrchr(path, '/');
	*ret_name = slash ? slash + 1 : path;
	return fd;
}

/* A regular file; anything else is -EINVAL and was not opened: opening some devices acts. */
static int open_regular(int folder, const char *name, int flags, struct stat *ret_st)
{
	struct stat st;
	int fd;

	if (fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return -errno;
	*ret_st = st;
	if (!S_ISREG(st.st_mode))
		return -EINVAL;
	fd = guard_move_fd(openat(folder, name, flags | OPEN_FLAGS));
	if (fd < 0)
		return -errno;
	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode)) {
		close(fd);
		return -EINVAL;
	}
	*ret_st = st;
	return fd;
}

/* Whether a file may be taken for a new recording; 0 or a failure. */
static int check_new(const char *path, const struct stat *st, struct err *err)
{
	const char *refusal = guard_refusal(st, geteuid(), 0);

	if (S_ISDIR(st->st_mode))
		return system_failed(path, EISDIR, err);
	if (refusal)
		return err_set(err, EEXIST, _("%s %s: a recording starts a new file"), path,
			       _(refusal));
	if (st->st_size)
		return err_set(err, EEXIST,
			       _("%s exists and is not empty: a recording starts a new file"),
			       path);
	return 0;
}

/* A file as recording_create() says. */
static int open_new(int folder, const char *name, const char *path, bool *ret_created,
		    struct stat *ret_st, struct err *err)
{
	const int create = O_RDWR | O_CREAT | O_EXCL | OPEN_FLAGS;
	int result, fd = guard_move_fd(openat(folder, name, create, 0600));

	*ret_created = fd >= 0;
	if (fd >= 0)
		return fstat(fd, ret_st) < 0 ? system_failed(path, errno, err) : fd;
	if (errno != EEXIST)
		return system_failed(path, errno, err);
	fd = open_regular(folder, name, O_RDWR, ret_st);
	if (fd < 0 && fd != -EINVAL)
		return system_failed(path, -fd, err);
	result = check_new(path, ret_st, err);
	if (result == 0)
		return fd;
	close_fd(&fd);
	return result;
}

int recording_create(const char *path, struct guard **ret, bool *ret_created, struct err *err)
{
	struct guard *g;
	struct stat st;
	const char *name;
	int fd, folder = open_folder(path, &name);

	if (folder < 0)
		return system_failed(path, -folder, err);
	fd = open_new(folder, name, path, ret_created, &st, err);
	if (fd < 0) {
		close(folder);
		return fd;
	}
	g = guard_new(GUARD_RECORD, folder, name, fd);
	/* Some file systems give what we make to others, and let others write it. */
	g->owner = st.st_uid;
	g->writable = st.st_mode;
	if (fstatat(folder, g->names[GUARD_JOURNAL], &st, AT_SYMLINK_NOFOLLOW) == 0)
		g->refused = guard_refusal(&st, g->owner, g->writable);
	if (g->refused) {
		err_set(err, EEXIST, _("%s-journal %s: a recording starts a new file"), path,
			_(g->refused));
		if (*ret_created)
			unlinkat(folder, name, 0);
		guard_free(g);
		return -EEXIST;
	}
	*ret = g;
	return 0;
}

/* In this mode of SQLite's a reader writes beside the database. */
static bool has_wal(int fd)
{
	unsigned char head[20];

	return pread(fd, head, sizeof(head), 0) == sizeof(head) &&
	       !memcmp(head, "SQLite format 3", 16) && (head[18] == 2 || head[19] == 2);
}

int recording_open(const char *path, struct guard **ret, struct err *err)
{
	_cleanup_(free_text) char *real = realpath(path, NULL);
	struct stat st;
	const char *name;
	int fd, folder;

	if (!real)
		return system_failed(path, errno, err);
	folder = open_folder(real, &name);
	if (folder < 0)
		return system_failed(path, -folder, err);
	fd = open_regular(folder, name, O_RDONLY, &st);
	if (fd < 0 || has_wal(fd)) {
		close(folder);
		close_fd(&fd);
		if (fd == -EINVAL)
			return not_a_recording(path, err);
		if (fd < 0)
			return system_failed(path, -fd, err);
		return err_set(err, EINVAL,
			       _("%s is in WAL mode: sqlite3 %s 'PRAGMA journal_mode = DELETE'"),
			       path, path);
	}
	*ret = guard_new(GUARD_READ, folder, name, fd);
	return 0;
}

/* A file without a name, in a folder that has so many bytes left. */
static int open_private(const char *folder, uint64_t size)
{
	_cleanup_(free_text) char *name = NULL;
	struct statvfs vfs;
	int fd = open(folder, O_TMPFILE | O_EXCL | O_RDWR | O_CLOEXEC, 0600);

	if (fd < 0) {
		/* The file system has no such files, so its name goes at once. */
		name = mem_alloc(strlen(folder) + 16);
		strcat(strcpy(name, folder), "/iotop-XXXXXX");
		fd = mkostemp(name, O_CLOEXEC);
		if (fd < 0)
			return -errno;
		unlink(name);
	}
	fd = guard_move_fd(fd);
	if (fd < 0 || fstatvfs(fd, &vfs) < 0 ||
	    (uint64_t)vfs.f_bavail * vfs.f_frsize < size + SPACE_LEFT) {
		close_fd(&fd);
		return -ENOSPC;
	}
	return fd;
}

/* The same in the first folder that can. */
static int open_private_somewhere(uint64_t size)
{
	const char *folders[] = { secure_getenv("TMPDIR"), "/var/tmp", "/tmp" };
	int fd = -ENOENT;

	for (size_t i = 0; i < ARRAY_SIZE(folders) && fd < 0; i++) {
		if (folders[i])
			fd = open_private(folders[i], size);
	}
	return fd;
}

static int copy_content(int from, int to)
{
	char part[65536];
	ssize_t n;

	if (ioctl(to, FICLONE, from) == 0)
		return 0;
	while ((n = read(from, part, sizeof(part))) > 0) {
		for (ssize_t done = 0, w; done < n; done += w) {
			w = write(to, part + done, (size_t)(n - done));
			if (w < 0)
				return -errno;
		}
	}
	return n < 0 ? -errno : 0;
}

/* A journal that names a "super-journal" ends so. None of iotop's does. */
static bool names_another(int journal)
{
	static const char magic[8] = "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7";
	off_t size = lseek(journal, 0, SEEK_END);
	char end[sizeof(magic)];

	return size >= 8 && pread(journal, end, sizeof(end), size - 8) == sizeof(end) &&
	       !memcmp(end, magic, sizeof(end));
}

/* So that nobody writes while it is copied. False: somebody does. */
static bool lock_database(int fd)
{
	struct flock shared = { .l_type = F_RDLCK, .l_start = SHARED_FIRST, .l_len = SHARED_SIZE };
	struct flock reserved = { .l_type = F_RDLCK, .l_start = RESERVED_BYTE, .l_len = 1 };

	if (fcntl(fd, F_OFD_SETLK, &shared) < 0 && (errno == EAGAIN || errno == EACCES))
		return false;
	return fcntl(fd, F_OFD_GETLK, &reserved) < 0 || reserved.l_type == F_UNLCK;
}

/* Opens what is to be copied. Only its owner's journal can be trusted to be what iotop left. */
static int open_own(const struct guard *g, bool journal, const char *path, struct stat *ret_st,
		    struct err *err)
{
	int fd = open_regular(g->folder, g->names[journal ? GUARD_JOURNAL : GUARD_DB], O_RDONLY,
			      ret_st);
	const char *refusal;

	/* Somebody else has just recovered it. */
	if (fd == -ENOENT && journal)
		return being_written(path, err);
	if (fd < 0 && fd != -EINVAL && fd != -EACCES)
		return system_failed(path, -fd, err);
	refusal = guard_refusal(ret_st, geteuid(), S_IWGRP | S_IWOTH);
	if (fd >= 0 && !refusal)
		return fd;
	close_fd(&fd);
	return err_set(err, EACCES, _("%s was not closed and cannot be recovered: %s%s %s"), path,
		       path, journal ? "-journal" : "", refusal ? _(refusal) : strerror(EACCES));
}

static int copy_file(int from, const char *path, uint64_t size, struct err *err)
{
	int copy = open_private_somewhere(size), result;

	if (copy == -ENOSPC)
		return err_set(
			err, ENOSPC,
			_("%s was not closed, and a copy to recover has no room: set TMPDIR"),
			path);
	result = copy < 0 ? copy : copy_content(from, copy);
	if (result < 0) {
		close_fd(&copy);
		return err_set(err, -result, _("%s was not closed, and cannot be copied: %s"),
			       path, strerror(-result));
	}
	return copy;
}

int recording_copy(const char *path, const struct guard *original, struct guard **ret,
		   struct err *err)
{
	_cleanup_(close_fd) int db = -1, journal = -1;
	struct stat db_st, journal_st;
	struct guard *g;
	uint64_t size;

	db = open_own(original, false, path, &db_st, err);
	if (db < 0)
		return db;
	journal = open_own(original, true, path, &journal_st, err);
	if (journal < 0)
		return journal;
	if (!lock_database(db))
		return being_written(path, err);
	size = (uint64_t)db_st.st_size + (uint64_t)journal_st.st_size;
	g = guard_new(GUARD_COPY, -1, NULL, -1);
	g->db = copy_file(db, path, size, err);
	g->journal = g->db;
	if (g->db >= 0)
		g->journal = copy_file(journal, path, (uint64_t)journal_st.st_size, err);
	if (g->journal < 0) {
		int result = g->journal;

		guard_free(g);
		return result;
	}
	if (names_another(g->journal)) {
		guard_free(g);
		return err_set(err, EINVAL, _("%s-journal is not of a recording of iotop"), path);
	}
	*ret = g;
	return 0;
}
