// SPDX-License-Identifier: GPL-2.0-or-later
/* Names of addresses: other users' files. */
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "collect/elfsyms.h"
#include "folder.h"

START_TEST(only_regular_files_are_opened)
{
	int fd;

	ck_assert_int_eq(mkfifo(path_of("pipe"), 0600), 0);
	alarm(5);
	ck_assert_int_lt(elfsyms_open_file(AT_FDCWD, path_of("pipe")), 0);
	ck_assert_int_lt(elfsyms_open_file(AT_FDCWD, "/dev/null"), 0);
	ck_assert_int_lt(elfsyms_open_file(AT_FDCWD, folder), 0);
	ck_assert_int_lt(elfsyms_open_file(AT_FDCWD, path_of("nothing")), 0);
	alarm(0);
	fd = elfsyms_open_file(AT_FDCWD, "/proc/self/exe");
	ck_assert_int_ge(fd, 0);
	close(fd);
	/* A link that leads out of a root leads into it. */
	write_file("passwd", "x", 1);
	ck_assert_int_eq(symlink("/passwd", path_of("link")), 0);
	fd = open(folder, O_PATH | O_DIRECTORY);
	ck_assert_int_ge(elfsyms_open_file(fd, "/link"), 0);
	ck_assert_int_eq(symlink("/etc/fstab", path_of("out")), 0);
	ck_assert_int_lt(elfsyms_open_file(fd, "/out"), 0);
	close(fd);
}
END_TEST

static int read_elf(const void *data, size_t n)
{
	struct elfsyms *e;
	int fd, r;

	write_file("elf", data, n);
	fd = open(path_of("elf"), O_RDONLY);
	r = elfsyms_read(fd, -1, path_of("elf"), &e);
	close(fd);
	if (r < 0)
		return r;
	for (uint64_t at = 0; at < n + 4096; at += 509)
		elfsyms_name(e, at);
	ck_assert_uint_lt(elfsyms_size(e), 64u << 20);
	elfsyms_free(e);
	return 0;
}

/* Cut short, and with bytes changed where the headers and tables are. */
START_TEST(broken_files)
{
	_cleanup_(buf_release) struct buf self = { 0 };
	unsigned seed = 1;
	char *copy;

	read_self(&self);
	ck_assert_int_eq(read_elf(self.data, self.len), 0);
	ck_assert_int_lt(read_elf("", 0), 0);
	ck_assert_int_lt(read_elf("#!/bin/sh\n", 10), 0);
	for (size_t n = 1; n < self.len; n += self.len / 37)
		read_elf(self.data, n);
	copy = mem_alloc(self.len);
	for (int round = 0; round < 150; round++) {
		memcpy(copy, self.data, self.len);
		for (int i = 0; i < 20; i++) {
			size_t at = (size_t)rand_r(&seed);

			/* The header and what follows it, the section headers at the end, anywhere. */
			at = i % 3 == 0 ? at % 1024 : i % 3 == 1 ? self.len - 1 - at % 4096 : at % self.len;
			if (at >= 4)
				copy[at] = (char)rand_r(&seed);
		}
		read_elf(copy, self.len);
	}
	free(copy);
}
END_TEST

UNIT_FIXTURE_MAIN("elfsyms", folder_setup, folder_teardown, only_regular_files_are_opened, broken_files)
