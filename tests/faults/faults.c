// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * To be preloaded: a call fails at one place, or all from there on. A place is a chain of callers,
 * the same in each run and in children. IOTOP_FAULT="KIND:PLACE", the first call there, or
 * "KIND:PLACE+"; place 0 is the first one that is met. The file IOTOP_FAULT_PLACES (zeroes; struct
 * places) gets how many calls failed. With "KIND:" nothing fails, and it gets all places of this
 * kind in the order in which they were met.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
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
static uint64_t at;
static bool onwards, listing;
static atomic_bool begun;

#define PLACES 65535

static struct places {
	atomic_ulong failed;	/* calls */
	atomic_ulong last;	/* the place of the last one */
	atomic_ulong n;		/* that were met; some may be there twice */
	uint64_t place[PLACES];
} *places;

/* What is mapped: addresses count from its begin, which is another one in each run. */
static struct object {
	uintptr_t from, to;
	bool curses, libc;
} objects[64];
static size_t nobjects;
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t size);

static int object_add(struct dl_phdr_info *info, size_t size, void *arg)
{
	struct object o = { .from = UINTPTR_MAX };

	o.curses = strstr(info->dlpi_name, "ncurses") || strstr(info->dlpi_name, "libtinfo");
	o.libc = strstr(info->dlpi_name, "/libc.so");
	for (int i = 0; i < info->dlpi_phnum; i++) {
		uintptr_t from = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;

		if (info->dlpi_phdr[i].p_type != PT_LOAD)
			continue;
		o.from = from < o.from ? from : o.from;
		o.to = from + info->dlpi_phdr[i].p_memsz > o.to
			       ? from + info->dlpi_phdr[i].p_memsz : o.to;
	}
	if (nobjects < sizeof(objects) / sizeof(*objects))
		objects[nobjects++] = o;
	return 0;
}

static const struct object *object_of(uintptr_t address)
{
	for (size_t i = 0; i < nobjects; i++)
		if (address >= objects[i].from && address < objects[i].to)
			return &objects[i];
	return NULL;
}

/* The chain of callers as a number, never 0. It is odd where curses calls, or has libc call. */
static uint64_t place_of_call(void)
{
	const struct object *own = NULL, *caller = NULL;
	void *frames[64];
	int n = backtrace(frames, 64);
	uint64_t hash = 14695981039346656037ull;

	for (int i = 0; i < n; i++) {
		uintptr_t address = (uintptr_t)frames[i];
		const struct object *o = object_of(address);

		if (!o) {
			nobjects = 0;
			dl_iterate_phdr(object_add, NULL);
			o = object_of(address);
		}
		own = own ? own : o;
		if (!caller && o != own && !(o && o->libc))
			caller = o;
		if (o)
			hash ^= address - o->from + (o->to - o->from) * 31;
		hash *= 1099511628211ull;
	}
	return (hash & ~1ull) | 2 | (caller && caller->curses);
}

static void note(uint64_t place)
{
	unsigned long n = places->n;

	for (unsigned long i = 0; i < n && i < PLACES; i++)
		if (places->place[i] == place)
			return;
	n = atomic_fetch_add(&places->n, 1);
	if (n < PLACES)
		places->place[n] = place;
}

static bool fails_here(uint64_t place)
{
	if (listing)
		note(place);
	else if (!begun && (!at || place == at))
		return !atomic_exchange(&begun, true);
	return begun && onwards;
}

static __attribute__((noinline)) bool fails(enum kind k, int error)
{
	static _Thread_local bool within;
	uint64_t place;

	if (k != kind || within || (begun && !onwards))
		return false;
	within = true;
	place = place_of_call();
	within = false;
	if (!fails_here(place))
		return false;
	atomic_fetch_add(&places->failed, 1);
	places->last = place;
	errno = error;
	return true;
}

static __attribute__((constructor)) void begin(void)
{
	const char *text = getenv("IOTOP_FAULT"), *colon = text ? strchr(text, ':') : NULL,
		   *file = getenv("IOTOP_FAULT_PLACES");
	void *frames[8];
	char *rest;
	int fd;

	if (!colon)
		return;
	/* It loads a library the first time. */
	backtrace(frames, 8);
	at = strtoull(colon + 1, &rest, 16);
	onwards = *rest == '+';
	listing = !colon[1];
	fd = file ? open(file, O_RDWR | O_CLOEXEC) : -1;
	places = fd < 0 ? MAP_FAILED : mmap(NULL, sizeof(*places), PROT_READ | PROT_WRITE,
					    MAP_SHARED, fd, 0);
	if (places == MAP_FAILED)
		abort();
	close(fd);
	for (int k = 0; k < KIND_NONE; k++)
		if (!strncmp(text, kinds[k], strlen(kinds[k])) && text[strlen(kinds[k])] == ':')
			kind = (enum kind)k;
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
