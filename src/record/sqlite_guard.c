// SPDX-License-Identifier: GPL-2.0-or-later
#include "record/sqlite_guard.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/fd.h"
#include "base/i18n.h"

static struct guard *guards;
/* SQLite's own fstat(): what struct stat it was built with is its affair. */
static int (*sqlite_fstat)(int, void *);

const char *guard_refusal(const struct stat *st, uid_t owner, mode_t writable)
{
	if (S_ISLNK(st->st_mode))
		return N_("is a symbolic link");
	if (!S_ISREG(st->st_mode))
		return N_("is not a regular file");
	if (st->st_uid != owner)
		return N_("belongs to another user");
	if (st->st_nlink != 1)
		return N_("has several names (hard links)");
	if (st->st_mode & (S_IWGRP | S_IWOTH) & ~writable)
		return N_("can be written by other users");
	return NULL;
}

int guard_move_fd(int fd)
{
	int moved = fd;

	if (fd >= 0 && fd <= STDERR_FILENO) {
		moved = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
		close(fd);
	}
	return moved;
}

static const char *const suffixes[GUARD_FILES] = {
	[GUARD_DB] = "",
	[GUARD_JOURNAL] = "-journal",
	[GUARD_WAL] = "-wal",
	[GUARD_SHM] = "-shm",
};

/* The guard of a name of SQLite's, and which of its files that is. */
static struct guard *find(const char *path, enum guard_file *ret_file)
{
	for (struct guard *g = guards; g; g = g->next) {
		size_t len = strlen(g->path);
		unsigned files = g->wal ? GUARD_FILES : GUARD_WAL;

		if (strncmp(path, g->path, len))
			continue;
		for (unsigned i = 0; i < files; i++)
			if (!strcmp(path + len, suffixes[i])) {
				*ret_file = i;
				return g;
			}
	}
	return NULL;
}

static int refuse(int code)
{
	errno = code;
	return -1;
}

/*
 * Why a file beside the database is not used. A journal is read whoever wrote it: it has checksums,
 * and nothing is done to other files. A WAL shares memory with who writes it.
 */
static const char *refusal_beside(const struct guard *g, enum guard_file file,
				  const struct stat *st)
{
	if (g->mode == GUARD_READ && file == GUARD_JOURNAL)
		return NULL;
	return guard_refusal(st, g->owner, g->writable);
}

/*
 * What belongs to a database in WAL mode is not there. Without the shared memory, whoever wrote is
 * gone (the power was lost): SQLite makes its own where there is an empty one that it cannot
 * write. Without the WAL, whoever closed the database took it along: all is in the database.
 */
static int empty_file(void)
{
	return guard_move_fd(memfd_create("iotop-empty", MFD_CLOEXEC));
}

/* A file beside the database. It is looked at before it is opened: opening some devices acts. */
static int open_beside(struct guard *g, enum guard_file file, int flags)
{
	const char *name = g->names[file];
	struct stat st;
	int fd;

	fd = fstatat(g->folder, name, &st, AT_SYMLINK_NOFOLLOW);
	if (fd == 0 && !S_ISREG(st.st_mode)) {
		g->refused = guard_refusal(&st, st.st_uid, 0);
		return refuse(EACCES);
	}
	/*
	 * SQLite asks once more, for reading: then it knows that it cannot write. Not after EACCES,
	 * where there is none yet.
	 */
	if (g->mode == GUARD_READ && file != GUARD_JOURNAL && flags & O_ACCMODE)
		return refuse(EPERM);
	if (g->no_frame && file == GUARD_WAL)
		return empty_file();
	flags &= g->mode == GUARD_READ ? 0 : O_ACCMODE | O_CREAT | O_EXCL;
	flags |= O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
	fd = openat(g->folder, name, flags, 0600);
	if (fd < 0 && errno == ENOENT && g->mode == GUARD_READ && file != GUARD_JOURNAL)
		return empty_file();
	if (fd < 0)
		return fd;
	fd = guard_move_fd(fd);
	if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode)) {
		close(fd);
		return refuse(EACCES);
	}
	g->refused = refusal_beside(g, file, &st);
	if (g->refused) {
		close(fd);
		return refuse(EACCES);
	}
	return fd;
}

static int duplicate(int fd)
{
	return fd < 0 ? refuse(ENOENT) : fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
}

/*
 * A database of one's own is handed over rather than duplicated: to close another descriptor of it
 * would drop the locks that SQLite holds.
 */
static int guarded_open(const char *path, int flags, int mode)
{
	enum guard_file file;
	struct guard *g = find(path, &file);
	int fd;

	if (!g) {
		bool harmless = !strcmp(path, "/dev/urandom") || !strcmp(path, "/dev/null");

		return harmless ? open(path, O_RDONLY | O_CLOEXEC) : refuse(EACCES);
	}
	if (g->mode == GUARD_COPY)
		return duplicate(file == GUARD_JOURNAL ? g->journal : g->db);
	if (file != GUARD_DB)
		return open_beside(g, file, flags);
	fd = g->db;
	g->db = -1;
	return fd < 0 ? refuse(EACCES) : fd;
}

static int guarded_stat(const char *path, void *st)
{
	enum guard_file file;
	struct guard *g = find(path, &file);
	int fd, result;

	if (!g)
		return refuse(ENOENT);
	if (g->mode == GUARD_COPY)
		fd = duplicate(file == GUARD_JOURNAL ? g->journal : g->db);
	else
		fd = openat(g->folder, g->names[file], O_PATH | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return fd;
	result = sqlite_fstat(fd, st);
	close(fd);
	return result;
}

/* For the links in a path: a name of ours has none. */
static int guarded_lstat(const char *path, void *st)
{
	return refuse(ENOENT);
}

/* Older versions ask whether a file exists; all ask for folders of temporary files. */
static int guarded_access(const char *path, int mode)
{
	_Alignas(max_align_t) char st[1024];

	return mode == F_OK ? guarded_stat(path, st) : refuse(EACCES);
}

static int guarded_unlink(const char *path)
{
	enum guard_file file;
	struct guard *g = find(path, &file);
	struct stat st;

	if (!g || file == GUARD_DB || g->mode == GUARD_READ)
		return refuse(EACCES);
	if (g->mode == GUARD_COPY) {
		if (g->journal < 0)
			return refuse(ENOENT);
		close(g->journal);
		g->journal = -1;
		return 0;
	}
	if (fstatat(g->folder, g->names[file], &st, AT_SYMLINK_NOFOLLOW) < 0)
		return -1;
	g->refused = guard_refusal(&st, g->owner, g->writable);
	return g->refused ? refuse(EACCES) : unlinkat(g->folder, g->names[file], 0);
}

/* What is made is made with its mode and owner. */
static int guarded_fchmod(int fd, mode_t mode)
{
	return refuse(EPERM);
}

static int guarded_fchown(int fd, uid_t uid, gid_t gid)
{
	return refuse(EPERM);
}

static int guarded_mkdir(const char *path, mode_t mode)
{
	return refuse(EACCES);
}

static int guarded_rmdir(const char *path)
{
	return refuse(EACCES);
}

/*
 * All calls of SQLite's that take a path or change what is not the content of a descriptor; the
 * others are bounded by how the descriptor is open. Those that an SQLite may lack it does not use.
 */
static const struct {
	const char *name;
	sqlite3_syscall_ptr function;
	bool optional;
} calls[] = {
	{ "open", (sqlite3_syscall_ptr)guarded_open },
	{ "stat", (sqlite3_syscall_ptr)guarded_stat },
	{ "lstat", (sqlite3_syscall_ptr)guarded_lstat, .optional = true },
	{ "access", (sqlite3_syscall_ptr)guarded_access },
	{ "unlink", (sqlite3_syscall_ptr)guarded_unlink },
	{ "fchmod", (sqlite3_syscall_ptr)guarded_fchmod },
	{ "fchown", (sqlite3_syscall_ptr)guarded_fchown, .optional = true },
	{ "mkdir", (sqlite3_syscall_ptr)guarded_mkdir, .optional = true },
	{ "rmdir", (sqlite3_syscall_ptr)guarded_rmdir, .optional = true },
};

#define VFS "unix"

/* Puts the calls above in place of SQLite's, or its own back. */
static bool replace_calls(bool guarded)
{
	sqlite3_vfs *vfs = sqlite3_vfs_find(VFS);

	if (!vfs || vfs->iVersion < 3 || !vfs->xSetSystemCall)
		return false;
	sqlite_fstat = (int (*)(int, void *))vfs->xGetSystemCall(vfs, "fstat");
	if (!sqlite_fstat)
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(calls); i++) {
		sqlite3_syscall_ptr function = guarded ? calls[i].function : NULL;
		int code = vfs->xSetSystemCall(vfs, calls[i].name, function);

		if (code != SQLITE_OK && !calls[i].optional)
			return false;
	}
	return true;
}

struct guard *guard_new(enum guard_mode mode, int folder, const char *name, int db)
{
	static unsigned number;
	struct guard *g = mem_alloc(sizeof(*g));

	*g = (struct guard){ .mode = mode, .folder = folder, .db = db, .journal = -1 };
	/* Nothing can lie below a file that is no folder. */
	snprintf(g->path, sizeof(g->path), "/dev/null/%u", ++number);
	for (unsigned i = 0; name && i < GUARD_FILES; i++) {
		struct buf beside = { 0 };

		buf_puts(&beside, name);
		buf_puts(&beside, suffixes[i]);
		g->names[i] = beside.data;
	}
	return g;
}

void guard_free(struct guard *g)
{
	if (!g)
		return;
	for (struct guard **at = &guards; *at; at = &(*at)->next) {
		if (*at == g) {
			*at = g->next;
			break;
		}
	}
	if (!guards)
		replace_calls(false);
	fd_close(g->folder);
	fd_close(g->db);
	fd_close(g->journal);
	for (unsigned i = 0; i < GUARD_FILES; i++)
		free(g->names[i]);
	free(g);
}

int guard_connect(struct guard *g, sqlite3 **ret_db)
{
	int flags = g->mode == GUARD_READ ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE;

	*ret_db = NULL;
	if (!replace_calls(true))
		return SQLITE_INTERNAL;
	g->next = guards;
	guards = g;
	return sqlite3_open_v2(g->path, ret_db, flags, VFS);
}
