// SPDX-License-Identifier: GPL-2.0-or-later
#include "unit.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <bpf/libbpf.h>

#include "bpf/abi.h"
#include "bpf/offcpu/waits.skel.h"
#include "collect/bpf/calls.h"

static struct bpf_object *object;
static struct bpf_program *program;

static void setup(void)
{
	size_t size;
	const void *elf = waits_bpf__elf_bytes(&size);

	object = bpf_object__open_mem(elf, size, NULL);
	ck_assert_ptr_nonnull(object);
	program = bpf_object__next_program(object, NULL);
	ck_assert_ptr_nonnull(program);
}

static void teardown(void)
{
	bpf_object__close(object);
}

/* Where the array ends the memory ends. */
START_TEST(as_many_names_as_there_may_be)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *pages =
		mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	const char **names = (const char **)(void *)(pages + page) - BPF_CALLS_MAX;
	const char *missing;

	ck_assert(pages != MAP_FAILED && !mprotect(pages + page, page, PROT_NONE));
	for (unsigned i = 0; i < BPF_CALLS_MAX; i++)
		names[i] = "vfs_read";
	missing = bpf_calls_bind(program, names, -1);
	/* Where the kernel does not tell its types, the first is missing. */
	if (!access("/sys/kernel/btf/vmlinux", R_OK))
		ck_assert_ptr_null(missing);
	names[BPF_CALLS_MAX - 1] = "no_function_of_this_name";
	missing = bpf_calls_bind(program, names, -1);
	ck_assert_ptr_nonnull(missing);
	munmap(pages, 2 * page);
}
END_TEST

START_TEST(the_first_that_is_missing)
{
	static const char *const names[] = { "no_function_of_this_name", "vfs_read", NULL };

	ck_assert_str_eq(bpf_calls_bind(program, names, -1), names[0]);
	ck_assert_ptr_null(bpf_calls_bind(program, NULL, -1));
}
END_TEST

UNIT_FIXTURE_MAIN("calls", setup, teardown, as_many_names_as_there_may_be,
		  the_first_that_is_missing)
