// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * From raw stacks to the rows of a sample, without kernel programs: addresses are this process's
 * own.
 */
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "stack_stores.h"

/* The path is one, whoever goes it; and it keeps its names when nobody is there any more. */
START_TEST(one_path_in_two_processes)
{
	pid_t child = fork();
	struct abi_stack own, other;
	uint64_t id;

	if (!child) {
		pause();
		_exit(0);
	}
	own = user(getpid(), 0);
	other = user(child, 0);
	stackstore_round(store, false);
	id = stackstore_add(store, 1, &own);
	ck_assert_uint_ne(id, 0);
	ck_assert_uint_eq(stackstore_add(store, 2, &other), id);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	ck_assert_uint_eq(stackstore_known(store, 2, true), id);
	ck_assert_uint_eq(stackstore_known(store, 3, true), 0);
	ck_assert_str_eq(names(id), "stackstore_inner\nstackstore_outer");
	ck_assert_uint_eq(frames(id)->flags, FRAMES_USER | FRAMES_BROKEN);
	own.flags |= ABI_STACK_CUT;
	own.n = 1;
	ck_assert_uint_ne(stackstore_add(store, 4, &own), id);
	ck_assert_uint_eq(frames(stackstore_known(store, 4, true))->flags,
			  FRAMES_USER | FRAMES_CUT);
}
END_TEST

/* A number of frames that cannot be: a map that something else wrote to. */
START_TEST(nonsense)
{
	struct abi_stack s = {
		.n = UINT16_MAX, .flags = ABI_STACK_USER, .tgid = UINT32_MAX, .mm = 1
	};
	uint64_t ids[2] = { stackstore_add(store, 1, &s), 12345 };

	ck_assert_uint_ne(ids[0], 0);
	ck_assert_uint_eq(stackstore_missed(store), 1);
	ck_assert_uint_eq(stackstore_resolve(store, sample, ids, 2, 0), 0);
	ck_assert_uint_eq(sample->tables[TABLE_FRAMES].n, 1);
	s.n = 0;
	ck_assert_str_eq(names(stackstore_add(store, 2, &s)), "");
}
END_TEST

static void write_kallsyms(const char *text)
{
	char path[128];
	FILE *f;

	snprintf(path, sizeof(path), "%s/kallsyms", folder);
	f = fopen(path, "w");
	ck_assert_ptr_nonnull(f);
	fputs(text, f);
	fclose(f);
	stackstore_free(store);
	helper_stop(helper);
	helper = helper_start(folder, NULL);
	ck_assert_ptr_nonnull(helper);
	store = stackstore_new(folder, helper);
}

START_TEST(kernel_stacks)
{
	struct abi_stack s = {
		.n = 6,
		.ip = { 0xffffffffc0000010, 0xffffffff81000210, 0xffffffff81000010,
			0xffffffff81000110, 0xffffffffc0001010, 0x1234 },
	};

	write_kallsyms("ffffffff81000000 T submit_bio\nffffffff81000100 T "
		       "vfs_write\nffffffff81000200 T bpf_trace_run1\n"
		       "ffffffffc0000000 t bpf_prog_6deef_stack\t[bpf]\nffffffffc0001000 t "
		       "ext4_sync\t[ext4]\n");
	ck_assert_ptr_null(stackstore_reason(store));
	ck_assert_str_eq(names(stackstore_add(store, 7, &s)),
			 "submit_bio\nvfs_write\next4_sync [ext4]\n0x1234");
	ck_assert_uint_eq(frames(7)->flags, 0);
	/* A program that came after the list was read. */
	s.ip[0] = 0xffffffffd0000010;
	ck_assert_str_eq(names(stackstore_add(store, 8, &s)),
			 "submit_bio\nvfs_write\next4_sync [ext4]\n0x1234");
}
END_TEST

START_TEST(hidden_kernel_symbols)
{
	struct abi_stack s = { .n = 1, .ip = { 0xffffffff81000010 } };

	write_kallsyms("0000000000000000 T submit_bio\n");
	ck_assert_ptr_nonnull(strstr(stackstore_reason(store), "hides its symbols"));
	ck_assert_str_eq(names(stackstore_add(store, 7, &s)), "0xffffffff81000010");
}
END_TEST

START_TEST(what_nobody_asks_for)
{
	struct abi_stack s = user(getpid(), 0);

	stackstore_add(store, 1, &s);
	for (int i = 0; i < 5; i++) {
		stackstore_round(store, false);
		ck_assert(!stackstore_idle(store, 1, 6));
		ck_assert(!stackstore_idle(store, 2, 6));
	}
	stackstore_round(store, false);
	ck_assert(stackstore_idle(store, 1, 6));
	ck_assert(!stackstore_idle(store, 2, 6));
	ck_assert_uint_ne(stackstore_known(store, 1, true), 0);
	ck_assert(!stackstore_idle(store, 1, 6));
	ck_assert_uint_eq(stackstore_known(store, 2, true), 0);
	/* A row that stands still asks for its stack, and the kernel need not have it. */
	for (int i = 0; i < 30; i++) {
		stackstore_round(store, false);
		ck_assert_uint_ne(stackstore_known(store, 1, false), 0);
	}
	ck_assert(stackstore_idle(store, 1, 6));
	ck_assert(stackstore_idle(store, 2, 6));
}
END_TEST

/* New stacks for hours: those that nobody asks for are forgotten, those in use are not. */
START_TEST(hours_of_new_stacks)
{
	struct abi_stack s = { .n = 1 };
	uint64_t hash = 1;
	size_t known = 0;

	stackstore_room(store, 16384);
	for (unsigned round = 0; round < 100; round++) {
		stackstore_round(store, false);
		for (unsigned i = 0; i < 2000; i++, hash++) {
			s.ip[0] = hash;
			ck_assert_uint_eq(stackstore_add(store, hash, &s), hash);
		}
		ck_assert_uint_eq(stackstore_known(store, 1, true), 1);
	}
	for (uint64_t h = hash - 4 * 2000; h < hash; h++)
		ck_assert_uint_eq(stackstore_known(store, h, true), h);
	for (uint64_t h = 1; h < hash; h++)
		known += !!stackstore_known(store, h, true);
	ck_assert_uint_le(known, 32768 + 2000);
}
END_TEST

/* A process of number 7 that maps n files, all of them gone: file i at the page i + 1. */
static void write_maps(unsigned n)
{
	char path[128];
	FILE *f;

	snprintf(path, sizeof(path), "%s/7", folder);
	ck_assert_int_eq(mkdir(path, 0700), 0);
	strcat(path, "/maps");
	f = fopen(path, "w");
	ck_assert_ptr_nonnull(f);
	for (unsigned i = 0; i < n; i++)
		fprintf(f, "%x000-%x000 r-xp 00000000 fe:00 %u /gone/%u\n", i + 1, i + 2, i + 1, i);
	fclose(f);
}

/*
 * New files for hours: those that nobody uses are forgotten, which is said; those in use are not,
 * and what comes back is known again.
 */
START_TEST(hours_of_new_files)
{
	struct abi_stack s = { .n = 1, .tgid = 7, .mm = 1, .flags = ABI_STACK_USER };
	uint64_t ids[16], hash = 0;

	write_kallsyms("ffffffff81000000 T submit_bio\n");
	write_maps(16000);
	for (unsigned round = 0; round < 16; round++) {
		stackstore_round(store, false);
		for (unsigned i = 0; i < 1000; i++) {
			s.ip[0] = (round * 1000 + i + 1) << 12 | 0x10;
			ids[round] = stackstore_add(store, ++hash, &s);
		}
		s.ip[0] = 0x1010 + round;
		stackstore_add(store, ++hash, &s);
	}
	ck_assert_uint_eq(stackstore_forgotten(store), 0);
	ck_assert_str_eq(names(ids[0]), "[unknown]");
	ck_assert_uint_eq(stackstore_forgotten(store), 1);
	ck_assert_str_eq(names(ids[15]), "[unknown] 15999+0x10");
	ck_assert_ptr_nonnull(strstr(frames(ids[15])->text, "\tthe file is gone"));
	ck_assert_str_eq(names(stackstore_known(store, 1, true)), "[unknown] 0+0x10");
	s.ip[0] = 1000 << 12 | 0x20;
	ck_assert_str_eq(names(stackstore_add(store, ++hash, &s)), "[unknown] 999+0x20");
	ck_assert_uint_eq(stackstore_forgotten(store), 1);
}
END_TEST

/* Page i of a file of its own, as code. */
static char *map_file(unsigned i)
{
	long page = sysconf(_SC_PAGESIZE);
	char path[128], *ret;
	int fd;

	snprintf(path, sizeof(path), "%s/code-%u", folder, i);
	fd = open(path, O_RDWR | O_CREAT, 0600);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(ftruncate(fd, page), 0);
	ret = mmap(NULL, (size_t)page, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
	close(fd);
	return ret;
}

/* A file whose descriptor had to be closed for others is opened again when its names are wanted. */
START_TEST(more_files_than_descriptors)
{
	struct abi_stack s = user(getpid(), 0);
	char *code[400];
	uint64_t first;

	for (unsigned i = 0; i < ARRAY_SIZE(code); i++) {
		code[i] = map_file(i);
		ck_assert_ptr_ne(code[i], MAP_FAILED);
	}
	first = stackstore_add(store, 1, &s);
	s.n = 1;
	for (unsigned i = 0; i < ARRAY_SIZE(code); i++) {
		s.ip[0] = (uintptr_t)code[i] + 8;
		stackstore_add(store, 2 + i, &s);
	}
	ck_assert_str_eq(names(first), "stackstore_inner\nstackstore_outer");
	ck_assert_uint_eq(stackstore_forgotten(store), 0);
}
END_TEST

/* 50,000 mappings: bounded time, and the code is still found. */
START_TEST(many_mappings)
{
	struct abi_stack s = user(getpid(), 0);
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *area = mmap(NULL, 50000 * page, PROT_NONE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	uint64_t begin;

	ck_assert_ptr_ne(area, MAP_FAILED);
	for (size_t i = 0; i < 25000; i++)
		if (mprotect(area + 2 * i * page, page, i % 4 ? PROT_READ : PROT_READ | PROT_EXEC))
			break;
	begin = clock_mono();
	ck_assert_str_eq(names(stackstore_add(store, 1, &s)),
			 "stackstore_inner\nstackstore_outer");
	ck_assert_uint_lt(clock_mono() - begin, 30 * NSEC_PER_SEC);
	munmap(area, 50000 * page);
}
END_TEST

UNIT_FIXTURE_MAIN("stack_collector", setup, teardown, one_path_in_two_processes, nonsense,
		  kernel_stacks, hidden_kernel_symbols, what_nobody_asks_for,
		  hours_of_new_stacks, hours_of_new_files, more_files_than_descriptors,
		  many_mappings)
