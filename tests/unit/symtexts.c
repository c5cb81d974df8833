// SPDX-License-Identifier: GPL-2.0-or-later
/* Names of addresses: the readers of what the kernel, runtimes and compilers write. */
#include <string.h>
#include <unistd.h>

#include "collect/symbols/demangle.h"
#include "collect/symbols/ksyms.h"
#include "collect/symbols/maps.h"
#include "collect/symbols/perfmap.h"
#include "folder.h"

START_TEST(names_become_readable)
{
	static const struct {
		const char *mangled, *text;
	} cases[] = {
#ifdef HAVE_LIBIBERTY
		{ "_ZN3foo3barEi", "foo::bar" },
		{ "_ZNSt6vectorIiSaIiEE9push_backERKi",
		  "std::vector<int, std::allocator<int> >::push_back" },
		{ "_ZN4core3fmt9Formatter3pad17h2c5ac9cd3f5b4b6eE", "core::fmt::Formatter::pad" },
		{ "_RNvC6_123foo3bar", "123foo::bar" },
		{ "_D5store5table5outerFAyaAiHQgQiZi", "store.table.outer" },
		{ "_D5store5table__T6WriterTlZQk3putMFlSQBjQBg__T4PairTlTHlAyaZQoZ9__lambda3MFiZv",
		  "store.table.Writer!(long).Writer.put.__lambda3" },
		{ "_D5store5table__T4PairTlTHlAyaZQo11__xopEqualsMxFKxSQByQBv__TQBsTlTQBqZQCcZb",
		  "store.table.Pair!(long, immutable(char)[][long]).Pair.__xopEquals" },
		/* No compiler makes that. */
		{ "_D9p(ush_bb9p", "p" },
#endif
		{ "main", NULL },
		{ "_Z", NULL },
		{ "_ZN", NULL },
		{ "_R", NULL },
		{ "_D", NULL },
		{ "_D5stor", NULL },
		{ "", NULL },
		{ "_ZN3foo99999999999999999999E", NULL },
	};
	char out[256];

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		bool done = demangle(out, sizeof(out), cases[i].mangled);

		ck_assert_msg(done == !!cases[i].text, "%s: %s", cases[i].mangled,
			      done ? out : "none");
		if (done)
			ck_assert_str_eq(out, cases[i].text);
	}
}
END_TEST

/* Every level stands for twice the one before: 400 bytes for a text of 600 GB. */
START_TEST(a_name_without_end_is_left)
{
	static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	char name[2000] = "_Z1fISt4pairIiiE", out[512];
	size_t n = strlen(name);

	for (int i = 1; digits[i]; i++)
		n += (size_t)snprintf(name + n, sizeof(name) - n, "S0_IS%c_S%c_E", digits[i],
				      digits[i]);
	snprintf(name + n, sizeof(name) - n, "EvT_");
	alarm(20);
	ck_assert(!demangle(out, sizeof(out), name));
	memset(name, 'P', sizeof(name) - 1);
	memcpy(name, "_Z1f", 4);
	ck_assert(!demangle(out, sizeof(out), name));
	/* Pairs of pairs of D: each is twice the one before. */
	n = (size_t)snprintf(name, sizeof(name), "_D1aFS1b__T1cTiZQf");
	for (int i = 0; i < 60; i++)
		n += (size_t)snprintf(name + n, sizeof(name) - n, "S1b__T1cTQbTQbZQf");
	snprintf(name + n, sizeof(name) - n, "Zv");
	ck_assert(!demangle(out, sizeof(out), name));
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
	ck_assert_int_eq(ksyms_tracing("bpf_prog_0123_block"), KSYMS_PROGRAM);
	ck_assert_int_eq(ksyms_tracing("bpf_trampoline_31016_1"), KSYMS_DETOUR);
	ck_assert_int_eq(ksyms_tracing("vfs_write"), KSYMS_TRACED);
}
END_TEST

START_TEST(hidden_kernel_names_are_said)
{
	static const char list[] = "0000000000000000 T _text\n0000000000000000 T vfs_write\n";
	struct ksyms *k;
	struct err err;

	write_file("kallsyms", list, sizeof(list) - 1);
	ck_assert_int_eq(ksyms_open(folder, &k, &err), -1);
	/* Why depends on who runs the test: packages are built by who is not root. */
	ck_assert_ptr_nonnull(strstr(err.text, "the kernel hides its symbols"));
}
END_TEST

START_TEST(maps_lines)
{
	static const char text[] = "00400000-00401000 r--p 00000000 08:02 11 /bin/x\n"
				   "00401000-00402000 r-xp 00001000 08:02 11                   "
				   "/bin/x\n"
				   "7f0000000000-7f0000001000 r-xp 00000000 00:00 0 \n"
				   "7f0000002000-7f0000003000 r-xp 00002000 103:05 99  /a b\\012c "
				   "(deleted)\n"
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
	struct perfmap *m = perfmap_parse(
		"1000 10 old name\n1000 20 new name\n\nzz\n2000 0 nothing\n3000 8\n4000 8 last");

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

UNIT_FIXTURE_MAIN("symtexts", folder_setup, folder_teardown, names_become_readable,
		  a_name_without_end_is_left, kernel_names, hidden_kernel_names_are_said,
		  maps_lines, lists_of_runtimes)
