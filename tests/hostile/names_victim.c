// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * names FILE COMM [SYMBOL]...: writes to FILE at the disk, again and again, through a function of
 * this program and one that is in no file and called SYMBOL in its perf-PID.map, which is made with
 * a name that this process gets as its own (COMM).
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#define SIZE 4096

static void *buffer;
static int file;

/* A frame is left out where the C library has none: this one. */
__attribute__((noinline)) static int write_it(long i)
{
	int r = pwrite(file, buffer, SIZE, i % 16 * SIZE) == SIZE;

	usleep(3000);
	return r;
}

__attribute__((noinline)) int hostile_symbol(long i);
__attribute__((noinline)) int hostile_symbol(long i)
{
	int r = write_it(i);

	/* No tail call. */
	return r + 1;
}

#if defined(__x86_64__)
/* push %rbp; mov %rsp,%rbp; call *%rsi; pop %rbp; ret */
static const unsigned char code[] = { 0x55, 0x48, 0x89, 0xe5, 0xff, 0xd6, 0x5d, 0xc3 };
#elif defined(__aarch64__)
/* stp x29,x30,[sp,-16]!; mov x29,sp; blr x1; ldp x29,x30,[sp],16; ret */
static const uint32_t code[] = { 0xa9bf7bfd, 0x910003fd, 0xd63f0020, 0xa8c17bfd, 0xd65f03c0 };
#else
static const unsigned char code[1];
#endif

typedef int call(long i, int (*fn)(long));

/* NULL where it is not known how code looks. */
static call *make_code(const char *symbol)
{
	char path[64];
	void *at = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	call *fn;
	FILE *f;

	if (at == MAP_FAILED || sizeof(code) == 1)
		return NULL;
	memcpy(at, code, sizeof(code));
	if (mprotect(at, SIZE, PROT_READ | PROT_EXEC))
		return NULL;
	snprintf(path, sizeof(path), "/tmp/perf-%d.map", getpid());
	f = fopen(path, "wx");
	if (!f)
		return NULL;
	fprintf(f, "%lx %x %s\n", (unsigned long)(uintptr_t)at, SIZE, symbol);
	fclose(f);
	memcpy(&fn, &at, sizeof(fn));
	return fn;
}

int main(int argc, char **argv)
{
	call *fn;

	if (argc < 4)
		return 2;
	prctl(PR_SET_PDEATHSIG, 9);
	prctl(PR_SET_NAME, argv[2]);
	fn = make_code(argv[3]);
	file = open(argv[1], O_RDWR | O_CREAT | O_DIRECT | O_DSYNC, 0600);
	if (file < 0 || posix_memalign(&buffer, SIZE, SIZE))
		return 1;
	memset(buffer, 'x', SIZE);
	for (long i = 0;; i++)
		if (!(fn ? fn(i, hostile_symbol) : hostile_symbol(i)))
			return 1;
}
