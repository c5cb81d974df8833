// SPDX-License-Identifier: GPL-2.0-or-later
#include "serve/textfile.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/i18n.h"
#include "base/mem.h"

struct textfile {
	int folder;
	char *path, *name;	/* name: of the file in the folder */
};

static int complain(const char *path, int code, struct err *err)
{
	return err_set(err, code, _("cannot write %s (--textfile): %s"), path, strerror(code));
}

int textfile_open(const char *path, struct textfile **ret, struct err *err)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	char *folder = slash ? mem_strndup(path, (size_t)(slash - path) + 1) : mem_strdup(".");
	struct textfile *t;
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC), code = errno;

	free(folder);
	if (fd < 0)
		return complain(path, code, err);
	if (!*name || !strcmp(name, ".") || !strcmp(name, "..")) {
		close(fd);
		return complain(path, EISDIR, err);
	}
	t = mem_zalloc(sizeof(*t));
	t->folder = fd;
	t->path = mem_strdup(path);
	t->name = mem_strdup(name);
	*ret = t;
	return 0;
}

static int write_all(int fd, const char *data, size_t len)
{
	while (len) {
		ssize_t n = write(fd, data, len);

		if (n < 0 && errno != EINTR)
			return -errno;
		data += MAX(n, 0);
		len -= (size_t)MAX(n, 0);
	}
	return 0;
}

/*
 * The name of the new file cannot be guessed, and what is there already is not opened. It does not
 * end as the other: collectors read files by their ending.
 */
static int write_new(const struct textfile *t, const char *temporary, const char *data, size_t len)
{
	int fd = openat(t->folder, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
			0600);
	int r;

	if (fd < 0)
		return -errno;
	r = write_all(fd, data, len);
	if (!r && fchmod(fd, 0644))
		r = -errno;
	if (close(fd) && !r)
		r = -errno;
	if (!r && renameat(t->folder, temporary, t->folder, t->name))
		r = -errno;
	if (r < 0)
		unlinkat(t->folder, temporary, 0);
	return r;
}

int textfile_write(struct textfile *t, const char *data, size_t len, struct err *err)
{
	_cleanup_(buf_release) struct buf temporary = { 0 };
	uint64_t number = 0;
	int r;

	if (getrandom(&number, sizeof(number), 0) < 0)
		return complain(t->path, errno, err);
	buf_printf(&temporary, ".iotop-%016" PRIx64 ".tmp", number);
	r = write_new(t, temporary.data, data, len);
	return r < 0 ? complain(t->path, -r, err) : 0;
}

void textfile_close(struct textfile *t)
{
	if (!t)
		return;
	close(t->folder);
	free(t->path);
	free(t->name);
	free(t);
}
