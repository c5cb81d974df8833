// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * victim FILE [perf | map UID | mapped PATH | argv PATH]: writes to FILE, past the page cache, 20
 * times a second, until it is killed; says "ready" when it begins. What makes it hard to look at:
 *
 * 	perf		its code is in memory of no file, and its perf-PID.map is leased: opening
 * 	that waits for us
 *	map UID		the same, not leased; the file is of this user
 *	mapped PATH	its code is in the file PATH, which is leased
 *	argv PATH	its command line lies in a mapping of PATH, of which nothing is in memory
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define BLOCK 4096

typedef long writer(int fd, const void *block, size_t n, off_t at);

static long own_write(int fd, const void *block, size_t n, off_t at)
{
	return syscall(SYS_pwrite64, fd, block, n, at);
}

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

static void lease(int fd)
{
	/* Whoever opens it is told of by a signal, and waits for 45 s. */
	signal(SIGIO, SIG_IGN);
	if (fcntl(fd, F_SETLEASE, F_WRLCK) < 0)
		fail("lease");
}

#ifdef __x86_64__

/* A frame, and in it the system call: pwrite64(fd, block, n, at). */
static const unsigned char code[] = {
	0x55, 0x48, 0x89, 0xe5, 0x49, 0x89, 0xca, 0xb8, 18, 0, 0, 0, 0x0f, 0x05, 0x5d, 0xc3,
};

/* owner: NULL: its list of names is leased. */
static writer *code_in_memory(const char *owner)
{
	void *page = mmap(NULL, BLOCK, PROT_READ | PROT_WRITE | PROT_EXEC,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char name[64];
	int fd;

	if (page == MAP_FAILED)
		fail("code");
	memcpy(page, code, sizeof(code));
	snprintf(name, sizeof(name), "/tmp/perf-%d.map", (int)getpid());
	fd = open(name, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd < 0 || dprintf(fd, "%lx 10 of_its_map\n", (unsigned long)(uintptr_t)page) < 0)
		fail(name);
	if (!owner)
		lease(fd);
	else if (fchown(fd, (uid_t)atoi(owner), (gid_t)-1) < 0)
		fail(owner);
	return (writer *)(uintptr_t)page;
}

static writer *code_in_file(const char *path)
{
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0700);
	void *page;

	if (fd < 0 || ftruncate(fd, BLOCK) < 0 || pwrite(fd, code, sizeof(code), 0) != sizeof(code))
		fail(path);
	page = mmap(NULL, BLOCK, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
	if (page == MAP_FAILED)
		fail(path);
	lease(fd);
	return (writer *)(uintptr_t)page;
}

#else

static writer *code_in_memory(const char *owner)
{
	(void)owner;
	return own_write;
}

static writer *code_in_file(const char *path)
{
	return own_write;
}

#endif

/* The pages that hold the arguments come from the file from now on; none of them is read. */
static void move_arguments(char **argv, const char *path)
{
	uintptr_t page = (uintptr_t)argv[0] & ~(uintptr_t)(BLOCK - 1);
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0 ||
	    mmap((void *)page, BLOCK, PROT_READ, MAP_PRIVATE | MAP_FIXED, fd, 0) == MAP_FAILED)
		fail(path);
}

int main(int argc, char **argv)
{
	const char *what = argc > 2 ? argv[2] : "", *path = argc > 3 ? strdup(argv[3]) : NULL;
	int fd = argc > 1 ? open(argv[1], O_RDWR | O_CREAT | O_DIRECT | O_DSYNC | O_CLOEXEC, 0600)
			  : -1;
	writer *write_block = own_write;
	void *block;

	if (fd < 0 || posix_memalign(&block, BLOCK, BLOCK))
		fail("victim");
	memset(block, 'x', BLOCK);
	if (!strcmp(what, "perf"))
		write_block = code_in_memory(NULL);
	else if (!strcmp(what, "map"))
		write_block = code_in_memory(path);
	else if (!strcmp(what, "mapped"))
		write_block = code_in_file(path);
	puts("ready");
	fflush(stdout);
	/* Last: what is read of them from here on waits. */
	if (!strcmp(what, "argv"))
		move_arguments(argv, path);
	for (long i = 0;; i++) {
		if (write_block(fd, block, BLOCK, i % 64 * BLOCK) < 0)
			_exit(1);
		usleep(50000);
	}
}
