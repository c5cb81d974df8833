// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * To be preloaded: one call fails, or all from one on. IOTOP_FAULT="KIND:NUMBER" or
 * "KIND:NUMBER+"; the calls of a process are counted from 1 on, those of its children go on from
 * there. IOTOP_FAULT_COUNT is a file that the process writes at its end: how many there were.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum kind {
	KIND_MALLOC,
	KIND_OPEN,
	KIND_READ,
	KIND_WRITE,
	KIND_MMAP,
	KIND_BPF,
	KIND_NETLINK,
	KIND_SQLITE,
	KIND_NONE,
};

static const char *const kinds[] = { "malloc", "open",	"read",	  "write",
				     "mmap",   "bpf",	"netlink", "sqlite" };

static enum kind kind = KIND_NONE;
static unsigned long at;
static bool onwards;
static atomic_ulong calls;
static pid_t first;
static const char *count_file;

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t size);

static bool fails(enum kind k, int error)
{
	unsigned long n;

	if (k != kind)
		return false;
	n = atomic_fetch_add(&calls, 1) + 1;
	if (!at || (n != at && !(onwards && n > at)))
		return false;
	errno = error;
	return true;
}

static __attribute__((constructor)) void begin(void)
{
	const char *text = getenv("IOTOP_FAULT"), *colon = text ? strchr(text, ':') : NULL;
	char *rest;

	count_file = getenv("IOTOP_FAULT_COUNT");
	first = getpid();
	if (!colon)
		return;
	at = strtoul(colon + 1, &rest, 10);
	onwards = *rest == '+';
	for (int k = 0; k < KIND_NONE; k++)
		if (!strncmp(text, kinds[k], strlen(kinds[k])) && text[strlen(kinds[k])] == ':')
			kind = (enum kind)k;
}

static __attribute__((destructor)) void end(void)
{
	char text[32];
	int n = snprintf(text, sizeof(text), "%lu\n", (unsigned long)calls), fd;

	kind = KIND_NONE;
	if (!count_file || getpid() != first)
		return;
	fd = open(count_file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd >= 0 && write(fd, text, (size_t)n) == n)
		close(fd);
}

void *malloc(size_t size)
{
	return fails(KIND_MALLOC, ENOMEM) ? NULL : __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
	return fails(KIND_MALLOC, ENOMEM) ? NULL : __libc_calloc(n, size);
}

void *realloc(void *p, size_t size)
{
	return fails(KIND_MALLOC, ENOMEM) ? NULL : __libc_realloc(p, size);
}

/* Each stands in for the function of the same name in a library behind this one. */
#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static mode_t mode_of(int flags, va_list args)
{
	return flags & (O_CREAT | __O_TMPFILE) ? (mode_t)va_arg(args, int) : 0;
}

#define OPEN(name)                                                  \
	int name(const char *path, int flags, ...)                  \
	{                                                           \
		va_list args;                                       \
		mode_t mode;                                        \
		va_start(args, flags);                              \
		mode = mode_of(flags, args);                        \
		va_end(args);                                       \
		return fails(KIND_OPEN, EMFILE) ? -1 : REAL(name)(path, flags, mode); \
	}
#define OPENAT(name)                                                \
	int name(int folder, const char *path, int flags, ...)      \
	{                                                           \
		va_list args;                                       \
		mode_t mode;                                        \
		va_start(args, flags);                              \
		mode = mode_of(flags, args);                        \
		va_end(args);                                       \
		return fails(KIND_OPEN, EMFILE) ? -1 : REAL(name)(folder, path, flags, mode); \
	}
OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)

/* What the C library's checks make of these (_FORTIFY_SOURCE). */
int __open_2(const char *path, int flags)
{
	return open(path, flags);
}

int __openat_2(int folder, const char *path, int flags)
{
	return openat(folder, path, flags);
}

FILE *fopen(const char *path, const char *mode)
{
	return fails(KIND_OPEN, EMFILE) ? NULL : REAL(fopen)(path, mode);
}

ssize_t read(int fd, void *to, size_t size)
{
	return fails(KIND_READ, EIO) ? -1 : REAL(read)(fd, to, size);
}

ssize_t pread(int fd, void *to, size_t size, off_t offset)
{
	return fails(KIND_READ, EIO) ? -1 : REAL(pread)(fd, to, size, offset);
}

ssize_t pread64(int fd, void *to, size_t size, off64_t offset)
{
	return fails(KIND_READ, EIO) ? -1 : REAL(pread64)(fd, to, size, offset);
}

ssize_t write(int fd, const void *from, size_t size)
{
	return fails(KIND_WRITE, EIO) ? -1 : REAL(write)(fd, from, size);
}

ssize_t writev(int fd, const struct iovec *from, int n)
{
	return fails(KIND_WRITE, EIO) ? -1 : REAL(writev)(fd, from, n);
}

ssize_t pwrite64(int fd, const void *from, size_t size, off64_t offset)
{
	return fails(KIND_WRITE, EIO) ? -1 : REAL(pwrite64)(fd, from, size, offset);
}

void *mmap(void *where, size_t size, int prot, int flags, int fd, off_t offset)
{
	return fails(KIND_MMAP, ENOMEM) ? MAP_FAILED
					: REAL(mmap)(where, size, prot, flags, fd, offset);
}

void *mmap64(void *where, size_t size, int prot, int flags, int fd, off64_t offset)
{
	return mmap(where, size, prot, flags, fd, offset);
}

/* As libbpf calls bpf(2), which has no function of its own. */
long syscall(long number, ...)
{
	va_list args;
	long a[6];

	va_start(args, number);
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(args, long);
	va_end(args);
	if (number == SYS_bpf && fails(KIND_BPF, EPERM))
		return -1;
	return REAL(syscall)(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

ssize_t sendmsg(int fd, const struct msghdr *m, int flags)
{
	return fails(KIND_NETLINK, ENOBUFS) ? -1 : REAL(sendmsg)(fd, m, flags);
}

ssize_t recvmsg(int fd, struct msghdr *m, int flags)
{
	return fails(KIND_NETLINK, ENOBUFS) ? -1 : REAL(recvmsg)(fd, m, flags);
}

int sqlite3_step(void *statement);
int sqlite3_prepare_v2(void *db, const char *text, int size, void **ret, const char **rest);
int sqlite3_open_v2(const char *path, void **ret, int flags, const char *vfs);

#define SQLITE_IOERR_ 10

int sqlite3_step(void *statement)
{
	return fails(KIND_SQLITE, EIO) ? SQLITE_IOERR_ : REAL(sqlite3_step)(statement);
}

int sqlite3_prepare_v2(void *db, const char *text, int size, void **ret, const char **rest)
{
	if (!fails(KIND_SQLITE, EIO))
		return REAL(sqlite3_prepare_v2)(db, text, size, ret, rest);
	*ret = NULL;
	return SQLITE_IOERR_;
}

int sqlite3_open_v2(const char *path, void **ret, int flags, const char *vfs)
{
	if (!fails(KIND_SQLITE, EIO))
		return REAL(sqlite3_open_v2)(path, ret, flags, vfs);
	*ret = NULL;
	return SQLITE_IOERR_;
}
