// SPDX-License-Identifier: GPL-2.0-or-later
/* What is found in a kernel's list of symbols. */
#include "unit.h"

#include <string.h>

#include "collect/bpf/addresses.h"
#include "folder.h"

static void look(const char *text, struct addresses *ret)
{
	/* A stream of no bytes is none. */
	FILE *f = fmemopen((void *)(uintptr_t)(text[0] ? text : "\n"),
			   text[0] ? strlen(text) : 1, "r");

	ck_assert_ptr_nonnull(f);
	addresses_find(f, ret);
	fclose(f);
}

static size_t found(const char *text, char *out, size_t size)
{
	struct addresses here;
	size_t n = 0;

	look(text, &here);
	for (size_t i = 0; i < layer_functions_count; i++)
		n += here.function[i] != 0;
	layer_functions_text(here.function, out, size);
	return n;
}

START_TEST(functions)
{
	static const struct {
		const char *kallsyms;
		size_t n;
		const char *names;
	} cases[] = {
		{ "", 0, "" },
		/* 5.10: vfs_readv was folded into its callers; the file system is a module */
		{ "ffffffff81300000 T vfs_read\nffffffff81300100 T vfs_write\nffffffff81300200 t "
		  "do_iter_read\n"
		  "ffffffffc0400000 t ext4_file_read_iter\t[ext4]\n", 3,
		  	"ext4_file_read_iter vfs_read vfs_write" },
		/* 6.12: split off, suffixed and twice */
		{ "0000000000000000 t vfs_readv\n0000000000000000 t "
		  "vfs_read.cold\n0000000000000000 t __pfx_vfs_read\n"
		  "0000000000000000 T vfs_read\n0000000000000000 t vfs_read\n", 2,
		  	"vfs_read vfs_readv" },
		/* data of that name, a longer and a shorter name, a line that is cut */
		{ "ffffffff82000000 d vfs_read\nffffffff82000000 T "
		  "vfs_read_folio\nffffffff82000000 T vfs_rea\nffffffff82000000 T", 0, "" },
		{ "ffffffff81300000 T vfs_write", 1, "vfs_write" },
		{ "\n\n \n x\n", 0, "" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		char text[256];

		ck_assert_uint_eq(found(cases[i].kallsyms, text, sizeof(text)), cases[i].n);
		ck_assert_str_eq(text, cases[i].names);
	}
}
END_TEST

/*
 * A module that is used more, or in another order of the list, is the same; one that is elsewhere
 * is not.
 */
START_TEST(modules)
{
	static const char before[] = "xfs 2072576 0 - Live 0xffffffffc0a00000\nlibcrc32c 12288 1 "
				     "xfs, Live 0xffffffffc0400000\n";
	uint64_t is = addresses_modules(before);

	ck_assert_uint_ne(is, 0);
	ck_assert_uint_ne(is, addresses_modules(""));
	ck_assert_uint_eq(is,
		addresses_modules("libcrc32c 12288 2 xfs,f2fs, Live 0xffffffffc0400000\nxfs "
				  "2072576 3 - Live 0xffffffffc0a00000 (E)\n"));
	ck_assert_uint_ne(is,
		addresses_modules("xfs 2072576 0 - Live 0xffffffffc0b00000\nlibcrc32c 12288 1 xfs, "
				  "Live 0xffffffffc0400000\n"));
	ck_assert_uint_ne(is, addresses_modules("libcrc32c 12288 1 - Live 0xffffffffc0400000\n"));
	/* Addresses that the kernel hides. */
	ck_assert_uint_ne(addresses_modules("xfs 1 0 - Live 0x0000000000000000\n"),
			  addresses_modules(""));
}
END_TEST

/* Names that find no room are left out, not cut. */
START_TEST(little_room)
{
	char text[12];

	ck_assert_uint_eq(found("0 T vfs_read\n0 T vfs_write\n", text, sizeof(text)), 2);
	ck_assert_str_eq(text, "vfs_read");
}
END_TEST

/* Of any type, once; hidden ones are not there. */
START_TEST(places)
{
	struct addresses here;

	look("ffffffff81000000 T _stext\nffffffff83000000 r "
		       "__start_orc_unwind\nffffffff81000010 t filemap_fault\n"
		       "ffffffff81000020 t filemap_fault\nffffffffc0500000 t "
		       "iomap_dio_bio_end_io\t[iomap]\n0000000000000000 T _etext\n"
		       "ffffffff81000030 T blk_update_request.cold\nffffffff81000040 T "
		       "folio_wait_bit_comm", &here);
	ck_assert_uint_eq(here.at[ABI_AT__stext], 0xffffffff81000000);
	ck_assert_uint_eq(here.at[ABI_AT___start_orc_unwind], 0xffffffff83000000);
	ck_assert_uint_eq(here.at[ABI_AT_filemap_fault], 0xffffffff81000010);
	ck_assert_uint_eq(here.at[ABI_AT_iomap_dio_bio_end_io], 0xffffffffc0500000);
	ck_assert_uint_eq(here.at[ABI_AT__etext], 0);
	ck_assert_uint_eq(here.at[ABI_AT_blk_update_request], 0);
	ck_assert_uint_eq(here.at[ABI_AT_folio_wait_bit_common], 0);
}
END_TEST

static void text(const char *name, const char *content)
{
	write_file(name, content, strlen(content));
}

/* Read again when a module has come, and only then. */
START_TEST(read_again)
{
	text("modules", "xfs 1 0 - Live 0xffffffffc0a00000\n");
	text("kallsyms", "ffffffff81000000 T _stext\n");
	ck_assert_uint_eq(addresses_of_kernel(folder)->at[ABI_AT__stext], 0xffffffff81000000);
	text("kallsyms", "ffffffff82000000 T _stext\n");
	ck_assert_uint_eq(addresses_of_kernel(folder)->at[ABI_AT__stext], 0xffffffff81000000);
	text("modules", "xfs 1 0 - Live 0xffffffffc0b00000\n");
	ck_assert_uint_eq(addresses_of_kernel(folder)->at[ABI_AT__stext], 0xffffffff82000000);
	text("modules", "");
	text("kallsyms", "");
	ck_assert_uint_eq(addresses_of_kernel(folder)->at[ABI_AT__stext], 0);
}
END_TEST

UNIT_FIXTURE_MAIN("addresses", folder_setup, folder_teardown, functions, modules, little_room,
		  places, read_again)
