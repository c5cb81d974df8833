// SPDX-License-Identifier: GPL-2.0-or-later
/* Names of addresses: other users' files. */
#include <elf.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "collect/symbols/debugfile.h"
#include "collect/symbols/elfsyms.h"
#include "folder.h"

START_TEST(only_regular_files_are_opened)
{
	int fd;

	ck_assert_int_eq(mkfifo(path_of("pipe"), 0600), 0);
	alarm(5);
	ck_assert_int_lt(debugfile_open(AT_FDCWD, path_of("pipe")), 0);
	ck_assert_int_lt(debugfile_open(AT_FDCWD, "/dev/null"), 0);
	ck_assert_int_lt(debugfile_open(AT_FDCWD, folder), 0);
	ck_assert_int_lt(debugfile_open(AT_FDCWD, path_of("nothing")), 0);
	alarm(0);
	fd = debugfile_open(AT_FDCWD, "/proc/self/exe");
	ck_assert_int_ge(fd, 0);
	close(fd);
	/* A link that leads out of a root leads into it. */
	write_file("passwd", "x", 1);
	ck_assert_int_eq(symlink("/passwd", path_of("link")), 0);
	fd = open(folder, O_PATH | O_DIRECTORY);
	ck_assert_int_ge(debugfile_open(fd, "/link"), 0);
	ck_assert_int_eq(symlink("/etc/fstab", path_of("out")), 0);
	ck_assert_int_lt(debugfile_open(fd, "/out"), 0);
	close(fd);
}
END_TEST

/* What write_file("elf") wrote. */
static int read_written(void)
{
	struct elfsyms_debug debug;
	struct elfsyms *e;
	struct stat st;
	int fd, r;

	fd = open(path_of("elf"), O_RDONLY);
	r = elfsyms_read(fd, &e, &debug);
	ck_assert_int_eq(fstat(fd, &st), 0);
	close(fd);
	if (r < 0)
		return r;
	for (uint64_t at = 0; at < (uint64_t)MIN(st.st_size, 8 << 20) + 4096; at += 509)
		elfsyms_name(e, at);
	ck_assert_uint_lt(elfsyms_size(e), 64u << 20);
	elfsyms_free(e);
	return 0;
}

static int read_elf(const void *data, size_t n)
{
	write_file("elf", data, n);
	return read_written();
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

			/*
			 * The header and what follows it, the section headers at the end, anywhere.
			 */
			at = i % 3 == 0	  ? at % 1024
			     : i % 3 == 1 ? self.len - 1 - at % 4096
					  : at % self.len;
			if (at >= 4)
				copy[at] = (char)rand_r(&seed);
		}
		read_elf(copy, self.len);
	}
	free(copy);
}
END_TEST

/* A section header of a file that is made here. */
static void put_section(struct buf *b, uint32_t type, uint64_t offset, uint64_t size, uint32_t link)
{
	Elf64_Shdr sh = {
		.sh_type = type,
		.sh_offset = offset,
		.sh_size = size,
		.sh_link = link,
		.sh_addralign = 8,
		.sh_entsize = type == SHT_SYMTAB ? sizeof(Elf64_Sym) : 0,
	};

	buf_putn(b, (const char *)&sh, sizeof(sh));
}

/*
 * The program itself with a table of n sections behind it: names, and symbol tables of `size` bytes
 * of nothing.
 */
static size_t many_tables(struct buf *ret, unsigned n, uint64_t size, uint64_t offset)
{
	Elf64_Ehdr *head;
	uint64_t at;

	read_self(ret);
	while (ret->len % 4096)
		buf_putc(ret, 0);
	at = ret->len;
	put_section(ret, SHT_NULL, 0, 0, 0);
	put_section(ret, SHT_STRTAB, 0, 1, 0);
	for (unsigned i = 0; i < n; i++)
		put_section(ret, SHT_SYMTAB, offset ? offset : at, size, 1);
	head = (Elf64_Ehdr *)(void *)ret->data;
	head->e_shoff = at;
	head->e_shnum = (Elf64_Half)(n + 2);
	head->e_shstrndx = 1;
	return at;
}

/*
 * What a file says of itself is no reason to take memory: one table of a type, as large as the file
 * really is, and no larger.
 */
START_TEST(greedy_files)
{
	_cleanup_(buf_release) struct buf file = { 0 };
	struct rlimit before;
	uint64_t end;

	if (sizeof(void *) < 8)
		return;
	ck_assert_int_eq(getrlimit(RLIMIT_AS, &before), 0);
#if !UNIT_SANITIZED
	ck_assert_int_eq(setrlimit(RLIMIT_AS, &(struct rlimit){ 300u << 20, before.rlim_max }), 0);
#endif
	/* Beyond the end of the file. */
	many_tables(&file, 1, 1ULL << 40, 0);
	ck_assert_int_eq(read_elf(file.data, file.len), 0);
	many_tables(&file, 1, 4096, UINT64_MAX - 100);
	ck_assert_int_eq(read_elf(file.data, file.len), 0);
	/* 1,000 tables of 90 MB, all holes: less than a second of work, not 1,000 times as much. */
	many_tables(&file, 1000, 90 << 20, file.len);
	end = clock_mono() + 20 * NSEC_PER_SEC;
	write_file("elf", file.data, file.len);
	ck_assert_int_eq(truncate(path_of("elf"), (off_t)(file.len + (200u << 20))), 0);
	ck_assert_int_eq(read_written(), 0);
	ck_assert_uint_lt(clock_mono(), end);
	/* A number of sections that is not in the header is a million or more. */
	many_tables(&file, 1, 24, 0);
	((Elf64_Ehdr *)(void *)file.data)->e_shnum = 0;
	((Elf64_Shdr *)(void *)(file.data + ((Elf64_Ehdr *)(void *)file.data)->e_shoff))->sh_size =
		1u << 24;
	ck_assert_int_lt(read_elf(file.data, file.len), 0);
	setrlimit(RLIMIT_AS, &before);
}
END_TEST

UNIT_FIXTURE_MAIN("elfsyms", folder_setup, folder_teardown, only_regular_files_are_opened,
		  broken_files, greedy_files)
