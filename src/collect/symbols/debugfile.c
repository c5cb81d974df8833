// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/symbols/debugfile.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/macro.h"

#define DEBUG_FOLDER "/usr/lib/debug"

static int open_path(int root, const char *path)
{
	struct open_how how = { .flags = O_PATH | O_CLOEXEC,
				.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS };

	if (root == AT_FDCWD)
		return open(path, O_PATH | O_CLOEXEC);
	return (int)syscall(SYS_openat2, root, path, &how, sizeof(how));
}

int debugfile_open(int root, const char *path)
{
	int at = open_path(root, path), fd;
	char name[40];
	struct stat st;

	if (at < 0)
		return -errno;
	if (fstat(at, &st) < 0 || !S_ISREG(st.st_mode)) {
		close(at);
		return -EINVAL;
	}
	snprintf(name, sizeof(name), "/proc/self/fd/%d", at);
	fd = open(name, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (fd < 0)
		fd = -errno;
	close(at);
	return fd;
}

int debugfile_fetched(const char *folder)
{
	int fd = folder ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
	struct stat st;

	if (fd >= 0 && (fstat(fd, &st) < 0 || st.st_uid != getuid())) {
		close(fd);
		return -1;
	}
	return fd;
}

/*
 * The owner of the folder could read them without the privileges of this process; a file in which
 * debuginfod-find notes that there is none is empty.
 */
static int fetched_open(int folder, const char *path)
{
	int fd = folder >= 0 ? debugfile_open(folder, path) : -1;
	struct stat st, of_folder;

	if (fd >= 0 && !fstat(fd, &st) && st.st_size && !fstat(folder, &of_folder) &&
	    st.st_uid == of_folder.st_uid)
		return fd;
	fd_close(fd);
	return -1;
}

struct search {
	const struct debugfile_places *places;
	bool (*take)(void *arg, int fd);
	void *arg;
};

/* Ends fd; negative: there is none. */
static bool offer_fd(const struct search *s, int fd)
{
	bool taken = fd >= 0 && s->take(s->arg, fd);

	fd_close(fd);
	return taken;
}

static bool offer(const struct search *s, const char *path)
{
	const int roots[] = { s->places->root, AT_FDCWD };

	for (size_t i = s->places->root < 0; i < ARRAY_SIZE(roots); i++)
		if (offer_fd(s, debugfile_open(roots[i], path)))
			return true;
	return false;
}

static bool by_build_id(const struct search *s, const unsigned char *id, size_t len)
{
	char hex[2 * ELFSYMS_ID_MAX + 1], path[sizeof(DEBUG_FOLDER) + sizeof(hex) + 32];

	for (size_t i = 0; i < len; i++)
		snprintf(hex + 2 * i, 3, "%02x", id[i]);
	snprintf(path, sizeof(path), DEBUG_FOLDER "/.build-id/%.2s/%s.debug", hex, hex + 2);
	if (offer(s, path))
		return true;
	snprintf(path, sizeof(path), "%s/debuginfo", hex);
	return offer_fd(s, fetched_open(s->places->fetched, path));
}

static bool by_link(const struct search *s, const char *link, const char *file)
{
	static const char *const forms[] = { "%.*s/%s", "%.*s/.debug/%s", DEBUG_FOLDER "%.*s/%s" };
	const char *slash = strrchr(file, '/');
	int folder = slash ? (int)(slash - file) : 0;

	if (strchr(link, '/') || !*link)
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(forms); i++) {
		char path[4096];
		int n = snprintf(path, sizeof(path), forms[i], folder, file, link);

		if (n >= 0 && (size_t)n < sizeof(path) && offer(s, path))
			return true;
	}
	return false;
}

bool debugfile_find(const struct elfsyms_debug *wanted, const struct debugfile_places *places,
		    bool (*take)(void *arg, int fd), void *arg)
{
	struct search s = { places, take, arg };

	if (wanted->id_len >= 2 && wanted->id_len <= ELFSYMS_ID_MAX &&
	    by_build_id(&s, wanted->id, wanted->id_len))
		return true;
	return places->path && by_link(&s, wanted->link, places->path);
}
