// SPDX-License-Identifier: GPL-2.0-or-later
/* Names of addresses: the readers of what the kernel and other users' files say, and this process's own addresses. */
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "collect/demangle.h"
#include "collect/elfsyms.h"
#include "collect/ksyms.h"
#include "collect/maps.h"
#include "collect/perfmap.h"
#include "collect/symbols.h"
#include "unit.h"

static const struct collect_options options;
static char folder[64];

static void setup(void)
{
	strcpy(folder, "/tmp/iotop-symbols-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(folder));
}

static void teardown(void)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf %s", folder);
	ck_assert_int_eq(system(command), 0);
}

static const char *path_of(const char *name)
{
	static char path[128];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return path;
}

static void write_file(const char *name, const void *data, size_t n)
{
	FILE *f = fopen(path_of(name), "w");

	ck_assert_ptr_nonnull(f);
	ck_assert_uint_eq(fwrite(data, 1, n, f), n);
	fclose(f);
}

static void read_self(struct buf *b)
{
	ck_assert_int_eq(buf_read_file(b, AT_FDCWD, "/proc/self/exe", 0), 0);
}

START_TEST(names_become_readable)
{
	static const struct {
		const char *mangled, *text;
	} cases[] = {
#ifdef HAVE_LIBIBERTY
		{ "_ZN3foo3barEi", "foo::bar" },
		{ "_ZNSt6vectorIiSaIiEE9push_backERKi", "std::vector<int, std::allocator<int> >::push_back" },
		{ "_ZN4core3fmt9Formatter3pad17h2c5ac9cd3f5b4b6eE", "core::fmt::Formatter::pad" },
		{ "_RNvC6_123foo3bar", "123foo::bar" },
#endif
		{ "main", NULL },
		{ "_Z", NULL },
		{ "_ZN", NULL },
		{ "_R", NULL },
		{ "", NULL },
		{ "_ZN3foo99999999999999999999E", NULL },
	};
	char out[256];

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		bool done = demangle(out, sizeof(out), cases[i].mangled);

		ck_assert_msg(done == !!cases[i].text, "%s: %s", cases[i].mangled, done ? out : "none");
		if (done)
			ck_assert_str_eq(out, cases[i].text);
	}
}
END_TEST

/* Every level doubles what the one before stands for. */
START_TEST(a_name_without_end_is_left)
{
	char name[2000] = "_Z1fI", out[512];
	size_t n = strlen(name);

	n += (size_t)snprintf(name + n, sizeof(name) - n, "St4pairIiiE");
	for (int i = 0; i < 60; i++)
		n += (size_t)snprintf(name + n, sizeof(name) - n, "S_IS%c_S%c_E", i % 10 + '0', i % 10 + '0');
	snprintf(name + n, sizeof(name) - n, "EvT_");
	alarm(20);
	demangle(out, sizeof(out), name);
	memset(name, 'P', sizeof(name) - 1);
	memcpy(name, "_Z1f", 4);
	demangle(out, sizeof(out), name);
	alarm(0);
}
END_TEST

START_TEST(kernel_names)
{
	static const char list[] = "ffffffff81000000 T _text\n"
				   "ffffffff81000000 T _stext\n"
				   "ffffffff81000100 t vfs_write\n"
				   "ffffffff81000200 D some_data\n"
				   "ffffffff81000200 T vfs_read\n"
				   "garbage\n"
				   "ffffffff81000300\n"
				   "ffffffff81000300 T\n"
				   "ffffffff81000300 T \n"
				   "ffffffffc0000000 t ext4_write\t[ext4]\n"
				   "ffffffffc0000080 t ext4_read\t[ext4]\n"
				   "ffffffffc0001000 t dm_map\t[dm_mod]\n"
				   "ffffffffc0002000 t bpf_prog_0123_block\t[bpf]";
	static const struct {
		uint64_t address;
		const char *name, *module;
	} cases[] = {
		{ 0xffffffff81000000, "_text", NULL },
		{ 0xffffffff81000150, "vfs_write", NULL },
		{ 0xffffffff81000200, "vfs_read", NULL },
		{ 0xffffffffc0000000, "ext4_write", "ext4" },
		{ 0xffffffffc0000081, "ext4_read", "ext4" },
		{ 0xffffffffc0001fff, "dm_map", "dm_mod" },
		{ 0xffffffffc0002004, "bpf_prog_0123_block", "bpf" },
		{ 0xffffffff80ffffff, NULL, NULL },
		{ 0xffffffff90000000, NULL, NULL },
		{ 0, NULL, NULL },
		{ UINT64_MAX, NULL, NULL },
	};
	const char *module;
	struct ksyms *k;
	struct err err;

	write_file("kallsyms", list, sizeof(list) - 1);
	ck_assert_int_eq(ksyms_open(folder, &k, &err), 0);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const char *name;

		module = NULL;
		name = ksyms_name(k, cases[i].address, &module);
		ck_assert_pstr_eq(name, cases[i].name);
		if (name)
			ck_assert_pstr_eq(module, cases[i].module);
	}
	ksyms_close(k);
	ck_assert(ksyms_is_tracing("bpf_prog_0123_block"));
	ck_assert(!ksyms_is_tracing("vfs_write"));
}
END_TEST

START_TEST(hidden_kernel_names_are_said)
{
	static const char list[] = "0000000000000000 T _text\n0000000000000000 T vfs_write\n";
	struct ksyms *k;
	struct err err;

	write_file("kallsyms", list, sizeof(list) - 1);
	ck_assert_int_eq(ksyms_open(folder, &k, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "kptr_restrict"));
}
END_TEST

START_TEST(maps_lines)
{
	static const char text[] = "00400000-00401000 r--p 00000000 08:02 11 /bin/x\n"
				   "00401000-00402000 r-xp 00001000 08:02 11                   /bin/x\n"
				   "7f0000000000-7f0000001000 r-xp 00000000 00:00 0 \n"
				   "7f0000002000-7f0000003000 r-xp 00002000 103:05 99  /a b\\012c (deleted)\n"
				   "7f0000004000-7f0000003000 r-xp 00000000 08:02 11 /backwards\n"
				   "7fff00000000-7fff00001000 r-xp 00000000 00:00 0  [vdso]\n"
				   "nonsense\n"
				   "7f0000005000-7f0000006000 r-x\n"
				   "fffffffffffffffff-7f0000006000 r-xp 00000000 08:02 11 /x\n"
				   "7f0000007000-7f0000008000 r-xp 00000000 08:02 11 /last";
	const struct mapping *m;
	struct maps maps;

	maps_init(&maps);
	maps_parse(&maps, text);
	ck_assert_uint_eq(maps.n, 5);
	ck_assert_ptr_null(maps_find(&maps, 0x400500));
	m = maps_find(&maps, 0x401fff);
	ck_assert_str_eq(m->path, "/bin/x");
	ck_assert_uint_eq(m->offset, 0x1000);
	ck_assert_uint_eq(m->dev, 8ULL << 32 | 2);
	ck_assert_ptr_null(maps_find(&maps, 0x402000));
	ck_assert_str_eq(maps_find(&maps, 0x7f0000000000)->path, "");
	m = maps_find(&maps, 0x7f0000002001);
	ck_assert_str_eq(m->path, "/a b\\012c (deleted)");
	ck_assert_uint_eq(m->ino, 99);
	ck_assert_str_eq(maps_find(&maps, 0x7fff00000010)->path, "[vdso]");
	ck_assert_str_eq(maps_find(&maps, 0x7f0000007000)->path, "/last");
	maps_parse(&maps, "");
	ck_assert_ptr_null(maps_find(&maps, 0x401000));
	maps_release(&maps);
}
END_TEST

START_TEST(lists_of_runtimes)
{
	struct perfmap *m = perfmap_parse("1000 10 old name\n1000 20 new name\n\nzz\n2000 0 nothing\n3000 8\n4000 8 last");

	ck_assert_str_eq(perfmap_name(m, 0x1000), "new name");
	ck_assert_str_eq(perfmap_name(m, 0x101f), "new name");
	ck_assert_ptr_null(perfmap_name(m, 0x1020));
	ck_assert_ptr_null(perfmap_name(m, 0x2000));
	ck_assert_ptr_null(perfmap_name(m, 0x3000));
	ck_assert_str_eq(perfmap_name(m, 0x4007), "last");
	ck_assert_ptr_null(perfmap_name(m, 0));
	perfmap_free(m);
	m = perfmap_parse(NULL);
	ck_assert_ptr_null(perfmap_name(m, 0));
	perfmap_free(m);
}
END_TEST

/* The name of an address of a process as the stacks show it. */
static const char *text_of(struct symbols *s, uint32_t pid, const void *address)
{
	static char text[1024];
	struct buf out = { 0 };
	/* Looked up as the address a call returns to. */
	uint64_t at = (uintptr_t)address + 1;
	struct place p;

	symbols_places(s, pid, 0, 1, &at, 1, &p);
	symbols_user_text(s, &p, &out);
	snprintf(text, sizeof(text), "%s", out.data);
	buf_release(&out);
	return text;
}

void symbols_known_function(void);
void symbols_known_function(void)
{
	__asm__ volatile("nop; nop; nop" : : : "memory");
}

START_TEST(own_functions)
{
	struct symbols *s = symbols_new(&options);

	ck_assert_str_eq(text_of(s, (uint32_t)getpid(), symbols_known_function), "symbols_known_function");
	ck_assert_ptr_nonnull(strstr(text_of(s, (uint32_t)getpid(), (void *)(uintptr_t)setlocale), "setlocale"));
	ck_assert_str_eq(text_of(s, (uint32_t)getpid(), (void *)16), "[unknown]");
	symbols_free(s);
}
END_TEST

START_TEST(a_process_that_has_ended)
{
	struct symbols *s = symbols_new(&options);
	pid_t pid = fork();

	ck_assert_int_ge(pid, 0);
	if (!pid) {
		pause();
		_exit(0);
	}
	symbols_meet(s, (uint32_t)pid, 0, 1);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	ck_assert_str_eq(text_of(s, (uint32_t)pid, symbols_known_function), "symbols_known_function");
	ck_assert_uint_eq(symbols_missed(s), 0);
	/* Met too late: nothing is known, and that is said. */
	symbols_free(s);
	s = symbols_new(&options);
	ck_assert_str_eq(text_of(s, (uint32_t)pid, symbols_known_function), "[unknown]");
	ck_assert_uint_eq(symbols_missed(s), 1);
	symbols_free(s);
}
END_TEST

/* Where a function of this program is in its file. */
static uint64_t file_offset(const void *function)
{
	_cleanup_(buf_release) struct buf text = { 0 };
	const struct mapping *m;
	struct maps maps;
	uint64_t offset;

	ck_assert_int_eq(buf_read_file(&text, AT_FDCWD, "/proc/self/maps", 0), 0);
	maps_init(&maps);
	maps_parse(&maps, text.data);
	m = maps_find(&maps, (uintptr_t)function);
	ck_assert_ptr_nonnull(m);
	offset = (uintptr_t)function - m->start + m->offset;
	maps_release(&maps);
	return offset;
}

/* The code is mapped, then another file comes to its name: the old names, or none, never those of the new file. */
START_TEST(a_file_that_was_replaced)
{
	struct symbols *s = symbols_new(&options);
	_cleanup_(buf_release) struct buf self = { 0 };
	const char *text;
	void *code;
	int fd;

	read_self(&self);
	write_file("lib", self.data, self.len);
	fd = open(path_of("lib"), O_RDONLY);
	code = mmap(NULL, self.len, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
	ck_assert_ptr_ne(code, MAP_FAILED);
	close(fd);
	ck_assert_int_eq(unlink(path_of("lib")), 0);
	/* The same bytes, shifted: every name of it would be a wrong one. */
	memmove(self.data + 4096, self.data, self.len - 4096);
	write_file("lib", self.data, self.len);
	text = text_of(s, (uint32_t)getpid(), (char *)code + file_offset(symbols_known_function));
	if (geteuid())
		ck_assert_msg(!strncmp(text, "[unknown] lib (deleted)+0x", 26), "%s", text);
	else
		ck_assert_str_eq(text, "symbols_known_function");
	munmap(code, self.len);
	symbols_free(s);
}
END_TEST

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

UNIT_FIXTURE_MAIN("symbols", setup, teardown, names_become_readable, a_name_without_end_is_left, kernel_names,
		  hidden_kernel_names_are_said, maps_lines, lists_of_runtimes, own_functions, a_process_that_has_ended,
		  a_file_that_was_replaced, only_regular_files_are_opened, broken_files)
