// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/debugfile.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <elfutils/libdwelf.h>

#include "base/macro.h"
#include "collect/elfsyms.h"

#define DEBUG_FOLDER "/usr/lib/debug"
#define BUILD_ID_MAX 64
#define CHECKED_MAX (512u << 20)	/* a larger debug file is not read for its checksum */

static int open_path(int root, const char *path)
{
	struct open_how how = { .flags = O_PATH | O_CLOEXEC, .resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS };

	if (root == AT_FDCWD)
		return open(path, O_PATH | O_CLOEXEC);
	return (int)syscall(SYS_openat2, root, path, &how, sizeof(how));
}

int elfsyms_open_file(int root, const char *path)
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
	fd = open(name, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	close(at);
	return fd < 0 ? -errno : fd;
}

/* The checksum of debug links: CRC-32 as in zip. */
static int file_crc(int fd, uint32_t *ret)
{
	static uint32_t table[256];
	uint32_t crc = ~0u;
	size_t all = 0;
	char buf[65536];
	ssize_t n;

	for (uint32_t i = 0; !table[255] && i < 256; i++) {
		table[i] = i;
		for (int bit = 0; bit < 8; bit++)
			table[i] = table[i] >> 1 ^ (table[i] & 1 ? 0xedb88320u : 0);
	}
	while ((n = pread(fd, buf, sizeof(buf), (off_t)all)) > 0) {
		for (ssize_t i = 0; i < n; i++)
			crc = crc >> 8 ^ table[(crc ^ (unsigned char)buf[i]) & 0xff];
		all += (size_t)n;
		if (all > CHECKED_MAX)
			return -EFBIG;
	}
	*ret = ~crc;
	return n < 0 ? -errno : 0;
}

/* True when both carry the same build id. */
static bool same_build(int fd, const void *id, size_t len)
{
	Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
	const void *other = NULL;
	ssize_t n = elf ? dwelf_elf_gnu_build_id(elf, &other) : -1;
	bool same = n > 0 && (size_t)n == len && !memcmp(other, id, len);

	elf_end(elf);
	return same;
}

struct wanted {
	const void *id;		/* build id, NULL: none */
	size_t len;
	uint32_t crc;		/* else this decides */
};

static int open_checked(int root, const char *path, const struct wanted *w)
{
	const int roots[] = { root, AT_FDCWD };

	for (size_t i = root < 0; i < ARRAY_SIZE(roots); i++) {
		int fd = elfsyms_open_file(roots[i], path);
		uint32_t crc;

		if (fd < 0)
			continue;
		if (w->id ? same_build(fd, w->id, w->len) : !file_crc(fd, &crc) && crc == w->crc)
			return fd;
		close(fd);
	}
	return -ENOENT;
}

static int by_build_id(int root, const struct wanted *w)
{
	char path[sizeof(DEBUG_FOLDER) + 2 * BUILD_ID_MAX + 32];
	const unsigned char *id = w->id;
	int n = snprintf(path, sizeof(path), DEBUG_FOLDER "/.build-id/%02x/", id[0]);

	for (size_t i = 1; i < w->len; i++)
		n += snprintf(path + n, sizeof(path) - (size_t)n, "%02x", id[i]);
	snprintf(path + n, sizeof(path) - (size_t)n, ".debug");
	return open_checked(root, path, w);
}

static int by_link(int root, const char *link, const char *file, const struct wanted *w)
{
	static const char *const forms[] = { "%.*s/%s", "%.*s/.debug/%s", DEBUG_FOLDER "%.*s/%s" };
	const char *slash = strrchr(file, '/');
	int folder = slash ? (int)(slash - file) : 0;

	if (strchr(link, '/') || !*link)
		return -ENOENT;
	for (size_t i = 0; i < ARRAY_SIZE(forms); i++) {
		char path[4096];
		int fd, n = snprintf(path, sizeof(path), forms[i], folder, file, link);

		if (n < 0 || (size_t)n >= sizeof(path))
			continue;
		fd = open_checked(root, path, w);
		if (fd >= 0)
			return fd;
	}
	return -ENOENT;
}

int debugfile_open(Elf *elf, int root, const char *path)
{
	struct wanted w = { .id = NULL };
	ssize_t len = dwelf_elf_gnu_build_id(elf, &w.id);
	const char *link;
	GElf_Word crc = 0;
	int fd;

	if (len >= 2 && len <= BUILD_ID_MAX) {
		w.len = (size_t)len;
		fd = by_build_id(root, &w);
		if (fd >= 0)
			return fd;
	} else {
		w.id = NULL;
	}
	link = dwelf_elf_gnu_debuglink(elf, &crc);
	w.crc = crc;
	return link && path ? by_link(root, link, path, &w) : -ENOENT;
}
