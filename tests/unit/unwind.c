// SPDX-License-Identifier: GPL-2.0-or-later
/* What kernel programs see of unwind tables: made by helpers of this process itself. */
#include <sys/mman.h>

#include "base/clock.h"
#include "collect/helper/file.h"
#include "collect/helper/helper.h"
#include "collect/stacks/unwind.h"
#include "collect/stacks/unwind_maps.h"
#include "folder.h"

#ifdef __x86_64__

static struct helper *helper;
static struct unwind *unwind;
static struct space_key self;

/* It needs to make maps. */
static bool begin(uint64_t bytes)
{
	struct err err;

	helper = helper_start("/proc", NULL);
	ck_assert_ptr_nonnull(helper);
	self = (struct space_key){ .mm = 0x12345680, .tgid = (uint32_t)getpid() };
	unwind = unwind_new(helper, bytes, &err);
	if (!unwind)
		printf("not tried: %s\n", err.text);
	return unwind;
}

static void end(void)
{
	unwind_free(unwind);
	helper_stop(helper);
}

static const struct abi_unwind_space *space(void)
{
	const struct abi_unwind_set *set =
		&unwind_memory(unwind)->sets[ABI_UNWIND_SET(self.mm, self.start)];

	for (int i = 0; i < ABI_UNWIND_WAYS; i++)
		if (set->way[i].mm == self.mm && set->way[i].tgid == self.tgid)
			return &set->way[i];
	return NULL;
}

static bool never(void *arg)
{
	return false;
}

/* Until all that is asked for, and what is asked for because of that, has been told. */
static void see(bool changed)
{
	unwind_see(unwind, &self, changed);
	while (helper_pending(helper, HELPER_NAMES))
		ck_assert(helper_wait(helper, HELPER_NAMES, clock_mono() + 20 * NSEC_PER_SEC,
				      never, NULL));
}

static const struct abi_unwind_mapping *mapping_of(const void *code)
{
	const struct abi_unwind_space *s = space();
	uint64_t at = (uint64_t)(uintptr_t)code;

	for (uint32_t i = 0; s && i < s->n; i++) {
		const struct abi_unwind_mapping *m =
			&unwind_memory(unwind)->mappings[s->mapping + i];

		ck_assert(!i || m[-1].start + m[-1].size <= m->start);
		if (at - m->start < m->size)
			return m;
	}
	return NULL;
}

/* The row as a program finds it. */
static const struct abi_unwind_row *row_of(const void *code)
{
	const struct abi_unwind_mapping *m = mapping_of(code);
	const struct abi_unwind_row *rows;
	uint64_t pc;
	size_t n = 0;

	ck_assert_ptr_nonnull(m);
	ck_assert_uint_gt(m->npages, 0);
	rows = unwind_memory(unwind)->pages[m->page].row;
	pc = (uint64_t)(uintptr_t)code - m->start + m->pc;
	while (n + 1 < m->npages * ABI_UNWIND_ROWS && rows[n + 1].pc <= pc)
		n++;
	return &rows[n];
}

/* At its first instruction the return address is at the stack pointer. */
static void check_entry(const void *function)
{
	const struct abi_unwind_row *row = row_of(function);

	ck_assert_uint_eq(row->how, ABI_UNWIND_HOW(ABI_UNWIND_SP, ABI_UNWIND_BP_SAME));
	ck_assert_int_eq(row->cfa, 1);
}

START_TEST(functions_of_this_process)
{
	uint64_t number;

	if (!begin(8 << 20))
		return;
	ck_assert_ptr_null(space());
	see(false);
	ck_assert_ptr_nonnull(space());
	check_entry((const void *)(uintptr_t)helper_start);
#ifdef __GLIBC__	/* musl comes without tables */
	check_entry((const void *)(uintptr_t)qsort);
#endif
	number = space()->number;
	/* Nothing was mapped since: the programs keep what they know. */
	usleep(1200000);
	see(true);
	ck_assert_uint_eq(space()->number, number);
	end();
}
END_TEST

/* Where this program is mapped from its beginning on: by the linker. */
extern const char __executable_start;

/* What of this program is mapped as code, in the copy. */
static char *map_code(const char *path)
{
	const struct abi_unwind_mapping *own = mapping_of((const void *)(uintptr_t)helper_start);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	char *p;

	ck_assert_ptr_nonnull(own);
	p = mmap(NULL, 1 << 16, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd,
		 (off_t)(own->start - (uint64_t)(uintptr_t)&__executable_start));

	ck_assert_ptr_ne(p, MAP_FAILED);
	close(fd);
	return p;
}

static void copy_self(const char *name)
{
	char command[300];

	snprintf(command, sizeof(command), "cp /proc/%d/exe %s", getpid(), path_of(name));
	ck_assert_int_eq(system(command), 0);
}

/* A file that came later; and the same rows under another name are there once. */
START_TEST(files_that_come_later)
{
	const struct abi_unwind_mapping *own, *copy;
	const struct unwind_maps *maps;
	uint32_t used;
	char *code;

	if (!begin(8 << 20))
		return;
	see(false);
	maps = unwind_memory(unwind);
	used = maps->page_room.used;
	copy_self("copy");
	code = map_code(path_of("copy"));
	usleep(1200000);
	see(true);
	copy = mapping_of(code);
	own = mapping_of((const void *)(uintptr_t)helper_start);
	ck_assert_ptr_nonnull(copy);
	ck_assert_ptr_nonnull(own);
	ck_assert_uint_gt(copy->npages, 0);
	ck_assert_uint_eq(copy->page, own->page);
	ck_assert_uint_eq(copy->pc, own->pc);
	usleep(1200000);
	unwind_round(unwind);
	ck_assert_uint_eq(maps->page_room.used, used);
	munmap(code, 1 << 16);
	end();
}
END_TEST

/* What has no room is said to be away: it is not taken to have frame pointers. */
START_TEST(no_room)
{
	const struct abi_unwind_mapping *m;
	size_t away = 0;

	if (!begin(1))
		return;
	see(false);
	ck_assert_ptr_nonnull(space());
	for (uint32_t i = 0; i < space()->n; i++) {
		m = &unwind_memory(unwind)->mappings[space()->mapping + i];
		ck_assert_uint_le(m->page + m->npages, unwind_memory(unwind)->page_room.n);
		away += !m->npages && m->page == 1;
	}
	ck_assert_uint_gt(away, 0);
	end();
}
END_TEST

/* Code that is in no file has none, and may have frame pointers. */
START_TEST(code_without_a_file)
{
	char *code;

	if (!begin(8 << 20))
		return;
	code = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	see(false);
	ck_assert_ptr_nonnull(mapping_of(code));
	ck_assert_uint_eq(mapping_of(code)->npages, 0);
	ck_assert_uint_eq(mapping_of(code)->page, 0);
	end();
}
END_TEST

/* A process that is not there has no mappings, and is no harm. */
START_TEST(nobody)
{
	if (!begin(8 << 20))
		return;
	self.tgid = 0x7ffffff0;
	see(false);
	ck_assert_ptr_null(space());
	unwind_round(unwind);
	end();
}
END_TEST

UNIT_FIXTURE_MAIN("unwind", folder_setup, folder_teardown, functions_of_this_process,
		  files_that_come_later, no_room, code_without_a_file, nobody)

#else

int main(void)
{
	return 77;
}

#endif
