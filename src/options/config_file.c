// SPDX-License-Identifier: GPL-2.0-or-later
#include "options/config_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/i18n.h"
#include "base/mem.h"

#define FILE_MAX (1 << 20)	/* bytes */

/* By the XDG base directory specification, which says that relative paths are to be ignored. */
static char *user_path(const char *variable, const char *folder, const char *name)
{
	const char *xdg = getenv(variable), *home = getenv("HOME");
	struct buf path = { 0 };

	if (xdg && *xdg == '/')
		buf_printf(&path, "%s/%s", xdg, name);
	else if (home && *home == '/')
		buf_printf(&path, "%s/%s/%s", home, folder, name);
	return path.data;
}

char *config_file_path(void)
{
	return user_path("XDG_CONFIG_HOME", ".config", PACKAGE "/config");
}

char *history_file_path(void)
{
	return user_path("XDG_STATE_HOME", ".local/state", PACKAGE "/history");
}

char *debuginfod_cache_path(void)
{
	const char *path = getenv("DEBUGINFOD_CACHE_PATH");

	if (path && *path == '/')
		return mem_strdup(path);
	return user_path("XDG_CACHE_HOME", ".cache", "debuginfod_client");
}

int config_file_read(const char *path, struct buf *ret, const char **ret_problem)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	int r = fd < 0 ? -errno : 0;
	const char *problem = NULL;
	struct stat st;

	/* Root without CAP_DAC_OVERRIDE may not look into other users' folders. */
	if (r == -ENOENT || r == -ENOTDIR || (r == -EACCES && !geteuid()))
		return -ENOENT;
	if (!r && fstat(fd, &st) < 0)
		r = -errno;
	if (!r && !S_ISREG(st.st_mode))
		problem = _("this is no regular file");
	else if (!r && st.st_size > FILE_MAX)
		problem = _("this file is too large");
	if (!r && !problem)
		r = buf_read_fd(ret, fd, FILE_MAX);
	if (!r && !problem && ret->len != strlen(ret->data ? ret->data : ""))
		problem = _("this is no text");
	fd_close(fd);
	if (!r && !problem)
		return 0;
	*ret_problem = problem ? problem : strerror(-r);
	return -EINVAL;
}

static int make_folders(char *path)
{
	for (char *slash = path + 1;; slash++) {
		slash = strchrnul(slash, '/');
		char saved = *slash;
		int r;

		*slash = 0;
		r = mkdir(path, 0700);
		*slash = saved;
		if (r && errno != EEXIST)
			return -errno;
		if (!saved)
			return 0;
	}
}

static int write_all(int fd, const char *text, size_t len)
{
	while (len) {
		ssize_t n = write(fd, text, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n ? -errno : -EIO;
		text += n;
		len -= n;
	}
	return fsync(fd) ? -errno : 0;
}

/* Writes a temporary file and renames it: the file is never half written. */
static int replace_file(const char *path, const char *text)
{
	struct buf temporary = { 0 };
	int fd, r;

	buf_printf(&temporary, "%s.XXXXXX", path);
	fd = mkstemp(temporary.data);
	r = fd < 0 ? -errno : write_all(fd, text, strlen(text));
	if (fd >= 0) {
		close(fd);
		if (!r && rename(temporary.data, path))
			r = -errno;
		if (r)
			unlink(temporary.data);
	}
	buf_release(&temporary);
	return r;
}

/* In its folder, which is made. path: changed meanwhile. */
static int write_user_file(char *path, const char *text)
{
	char *slash = strrchr(path, '/');
	int r;

	*slash = '\0';
	r = make_folders(path);
	*slash = '/';
	return r ? r : replace_file(path, text);
}

int history_file_write(const char *text)
{
	_cleanup_(mem_freep) char *path = history_file_path();

	return path ? write_user_file(path, text) : -ENOENT;
}

int config_file_write(const char *text, char **ret_path, struct err *err)
{
	char *path = config_file_path(), *slash = path ? strrchr(path, '/') : NULL;
	int r;

	if (!path)
		return err_set(err, ENOENT,
			       _("settings not saved: neither XDG_CONFIG_HOME nor HOME is set"));
	r = write_user_file(path, text);
	if (!r && ret_path) {
		*ret_path = path;
		return 0;
	}
	*slash = '\0';
	if (r)
		err_set(err, -r, _("settings not saved in %s: %s"), path, strerror(-r));
	free(path);
	return r;
}
