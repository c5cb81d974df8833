// SPDX-License-Identifier: GPL-2.0-or-later
/* Names of addresses: this process's own, of its children, and of files that are replaced. */
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "collect/symbols/maps.h"
#include "collect/symbols/symbols.h"
#include "folder.h"

static struct helper *helper;

static struct symbols *start(void)
{
	if (!helper)
		helper = helper_start("/proc", NULL);
	ck_assert_ptr_nonnull(helper);
	return symbols_new("/proc", helper);
}

static void stop(struct symbols *s)
{
	symbols_free(s);
	helper_stop(helper);
	helper = NULL;
}

struct found {
	struct place place;
	bool done;
};

static void found(void *arg, const struct place *places)
{
	struct found *f = arg;

	f->done = true;
	if (places)
		f->place = places[0];
}

static bool is_done(void *arg)
{
	return ((struct found *)arg)->done;
}

static uint64_t soon(void)
{
	return clock_mono() + 20 * NSEC_PER_SEC;
}

/* What the stacks know of an address of a process: to where a call returns, or exactly that. */
static char *all_of(struct symbols *s, uint32_t pid, uint64_t at, bool exact)
{
	static char text[1024];
	struct buf out = { 0 };
	struct space_key key = { .tgid = pid, .mm = 1 };
	struct found f = { .done = false };

	symbols_places(s, &key, &at, 1, found, &f);
	symbols_wait(s, soon(), is_done, &f);
	ck_assert(f.done);
	f.place.exact = exact;
	symbols_ask(s, &f.place, 1);
	symbols_wait(s, soon(), NULL, NULL);
	ck_assert(symbols_answered(s, &f.place));
	symbols_user_text(s, &f.place, &out);
	snprintf(text, sizeof(text), "%s", out.data);
	buf_release(&out);
	return text;
}

/* Its name. */
static const char *text_of(struct symbols *s, uint32_t pid, const void *address)
{
	static char text[1024];

	snprintf(text, sizeof(text), "%s", all_of(s, pid, (uintptr_t)address + 1, false));
	text[strcspn(text, "\t")] = '\0';
	return text;
}

void symbols_known_function(void);
void symbols_known_function(void)
{
	__asm__ volatile("nop; nop; nop" : : : "memory");
}

#ifdef __x86_64__

static inline __attribute__((always_inline)) void *here(void)
{
	void *at;

	__asm__ volatile("lea 0f(%%rip), %0; 0: nop; nop" : "=r"(at) : : "memory");
	return at;
}

static inline __attribute__((always_inline)) void *between(void)
{
	return here();
}

void *symbols_with_others(void);
__attribute__((noinline)) void *symbols_with_others(void)
{
	return between();
}

/* Functions that are in others, and lines, as far as this program has debug information. */
START_TEST(what_is_inlined)
{
	struct symbols *s = start();
	const char *text = all_of(s, (uint32_t)getpid(),
				  (uintptr_t)symbols_with_others() + 1, false);
	int line[3], n = 0;

	if (!strchr(text, ':')) {
		printf("not tried: no debug information\n");
		ck_assert_str_eq(text, "symbols_with_others\t\tsymbols");
	} else {
		ck_assert_msg(sscanf(text,
				     "here (inlined)\tsymbols.c:%d\tsymbols\n"
				     "between (inlined)\tsymbols.c:%d\tsymbols\n"
				     "symbols_with_others\tsymbols.c:%d\tsymbols%n",
				     &line[0], &line[1], &line[2], &n) == 3 && !text[n],
			      "%s", text);
		ck_assert(line[0] < line[1] && line[1] < line[2] && line[2] < __LINE__);
	}
	stop(s);
}
END_TEST

#endif

START_TEST(own_functions)
{
	struct symbols *s = start();
	char *text;

	ck_assert_str_eq(text_of(s, (uint32_t)getpid(), symbols_known_function),
			 "symbols_known_function");
	/* A fault at the first instruction: the call before it is of another function. */
	text = all_of(s, (uint32_t)getpid(), (uintptr_t)symbols_known_function, true);
	ck_assert_str_eq(strtok(text, "\t"), "symbols_known_function");
	text = all_of(s, (uint32_t)getpid(), (uintptr_t)symbols_known_function, false);
	ck_assert_ptr_null(strstr(text, "symbols_known_function"));
	ck_assert_ptr_nonnull(
		strstr(text_of(s, (uint32_t)getpid(), (void *)(uintptr_t)setlocale), "setlocale"));
	ck_assert_str_eq(text_of(s, (uint32_t)getpid(), (void *)16), "[unknown]");
	stop(s);
}
END_TEST

START_TEST(a_process_that_has_ended)
{
	struct symbols *s = start();
	pid_t pid = fork();

	ck_assert_int_ge(pid, 0);
	if (!pid) {
		pause();
		_exit(0);
	}
	symbols_register(s, &(struct space_key){ .tgid = (uint32_t)pid, .mm = 1 });
	symbols_wait(s, soon(), NULL, NULL);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	ck_assert_str_eq(text_of(s, (uint32_t)pid, symbols_known_function),
			 "symbols_known_function");
	ck_assert_uint_eq(symbols_missed(s), 0);
	/* Met too late: nothing is known, and that is said. */
	stop(s);
	s = start();
	ck_assert_str_eq(text_of(s, (uint32_t)pid, symbols_known_function), "[unknown]");
	ck_assert_uint_eq(symbols_missed(s), 1);
	stop(s);
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

/*
 * The code is mapped, then another file comes to its name: the old names, or none, never those of
 * the new file.
 */
START_TEST(a_file_that_was_replaced)
{
	struct symbols *s = start();
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
	stop(s);
}
END_TEST

#ifndef __x86_64__
#define what_is_inlined own_functions
#endif

UNIT_FIXTURE_MAIN("symbols", folder_setup, folder_teardown, own_functions, what_is_inlined,
		  a_process_that_has_ended, a_file_that_was_replaced)
