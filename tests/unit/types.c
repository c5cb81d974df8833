// SPDX-License-Identifier: GPL-2.0-or-later
/* The types of the kernel that programs refer to: found, and copied with what is in them. */
#include "unit.h"

#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include "bpf/abi.h"
#include "bpf/block/block.skel.h"
#include "collect/bpf/relocations.h"
#include "collect/bpf/types.h"

struct names {
	unsigned bio, own, all;
};

static void count(void *arg, const char *name)
{
	struct names *n = arg;

	n->all++;
	n->bio += !strcmp(name, "bio");
	n->own += !strncmp(name, "abi_", 4);
}

/* What the block programs refer to is in their file: of the kernel's, none of ours. */
START_TEST(referred)
{
	struct block_bpf *skel = block_bpf__open();
	struct names n = { 0 };
	char short_file[40];
	size_t size;
	const void *elf = block_bpf__elf_bytes(&size);

	ck_assert_ptr_nonnull(skel);
	ck_assert_int_eq(relocations_each(elf, size, bpf_object__btf(skel->obj), count, &n), 0);
	ck_assert_uint_gt(n.bio, 0);
	ck_assert_uint_eq(n.own, 0);
	ck_assert_uint_gt(n.all, 10);
	/* Files that end too early, or are none. */
	for (size_t cut = 0; cut < size; cut += size / 97)
		relocations_each(elf, cut, bpf_object__btf(skel->obj), count, &n);
	memset(short_file, 'x', sizeof(short_file));
	ck_assert_int_lt(relocations_each(short_file, sizeof(short_file),
					  bpf_object__btf(skel->obj), count, &n), 0);
	block_bpf__destroy(skel);
}
END_TEST

struct kernel {
	struct btf *btf;
	int number, pointer, page, pair, list, bio, unused;
};

/* struct bio { struct page *page; struct { int low; struct list list[4]; } pair; const int n; } */
static struct kernel made_up(void)
{
	struct kernel k = { .btf = btf__new_empty() };
	struct btf *b = k.btf;
	int array, constant;

	k.unused = btf__add_struct(b, "of_nobody", 4);
	k.number = btf__add_int(b, "int", 4, BTF_INT_SIGNED);
	k.page = btf__add_struct(b, "page_of_bio", 4096);
	k.pointer = btf__add_ptr(b, k.page);
	k.list = btf__add_struct(b, "list", 8);
	btf__add_field(b, "next", k.number, 0, 0);
	btf__add_field(b, "before", k.number, 32, 0);
	array = btf__add_array(b, k.number, k.list, 4);
	constant = btf__add_const(b, k.number);
	k.pair = btf__add_struct(b, NULL, 36);
	btf__add_field(b, "low", k.number, 0, 0);
	btf__add_field(b, "list", array, 32, 0);
	k.bio = btf__add_struct(b, "bio", 56);
	btf__add_field(b, "page", k.pointer, 0, 0);
	btf__add_field(b, "pair", k.pair, 64, 0);
	btf__add_field(b, "n", constant, 352, 0);
	return k;
}

static const struct btf_type *member(const struct btf *b, const struct btf_type *of, unsigned i)
{
	return btf__type_by_id(b, btf_members(of)[i].type);
}

START_TEST(copied)
{
	struct block_bpf *skel = block_bpf__open();
	struct kernel k = made_up();
	const struct btf_type *bio, *pair;
	const char *path = bpf_types_file();
	size_t size;
	const void *elf = block_bpf__elf_bytes(&size);
	struct btf *b;
	int id;

	ck_assert_ptr_nonnull(path);
	ck_assert_int_eq(bpf_types_write(skel->obj, elf, size, k.btf), 0);
	b = btf__parse(path, NULL);
	ck_assert_ptr_nonnull(b);
	id = btf__find_by_name_kind(b, "bio", BTF_KIND_STRUCT);
	ck_assert_int_gt(id, 0);
	bio = btf__type_by_id(b, id);
	ck_assert_uint_eq(bio->size, 56);
	ck_assert_uint_eq(btf_vlen(bio), 3);
	ck_assert_str_eq(btf__name_by_offset(b, btf_members(bio)[1].name_off), "pair");
	ck_assert_uint_eq(btf_members(bio)[2].offset, 352);
	ck_assert(btf_is_ptr(member(b, bio, 0)));
	pair = member(b, bio, 1);
	ck_assert(btf_is_struct(pair));
	ck_assert_int_eq(btf__resolve_size(b, btf_members(pair)[1].type), 32);
	ck_assert_str_eq(btf__name_by_offset(b, member(b, pair, 0)->name_off), "int");
	ck_assert(btf_is_const(member(b, bio, 2)));
	/* Neither what is behind a pointer nor what nobody asks for. */
	ck_assert_int_lt(btf__find_by_name(b, "page_of_bio"), 0);
	ck_assert_int_lt(btf__find_by_name(b, "of_nobody"), 0);
	/* The file is empty again for the next object. */
	ck_assert_ptr_eq(bpf_types_file(), path);
	ck_assert_ptr_null(btf__parse(path, NULL));
	btf__free(b);
	btf__free(k.btf);
	block_bpf__destroy(skel);
}
END_TEST

UNIT_MAIN("types", referred, copied)
