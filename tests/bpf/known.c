// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * known DISK PATH: does known I/O by functions whose names say which, says "done", and waits for
 * the end of its input, so that its addresses can be looked up. Built with frame pointers. System
 * calls are made without the C library, whose wrappers have no frame and hide who called them.
 */
/* Packages ask for checks of sizes, which do not compile in functions that are not optimised. */
#undef _FORTIFY_SOURCE

#include <fcntl.h>
#include <linux/io_uring.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/*
 * Its CFLAGS come before the user's, who may ask for -O2: the functions must be there, and call
 * each other, whatever is asked.
 */
#ifdef __clang__
#pragma clang optimize off
#else
#pragma GCC optimize("O0")
#endif

#define MIB (1u << 20)
#ifdef __clang__
#define own __attribute__((noinline, optnone))
#else
#define own __attribute__((noinline, noclone))
#endif

static char buffer[4 * MIB] __attribute__((aligned(4096)));

static own long call(long number, long a, long b, long c, long d, long e, long f)
{
#ifdef __x86_64__
	register long r10 __asm__("r10") = d, r8 __asm__("r8") = e, r9 __asm__("r9") = f;
	long ret;

	__asm__ volatile("syscall"
			 : "=a"(ret)
			 : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	return ret;
#else
	return syscall(number, a, b, c, d, e, f);
#endif
}

static void must(int ok, const char *what)
{
	if (ok)
		return;
	fprintf(stderr, "known: %s\n", what);
	exit(1);
}

own void flush_inner(int fd)
{
	must(!call(SYS_fsync, fd, 0, 0, 0, 0, 0), "fsync");
	__asm__ volatile("");
}

/* 3 MiB through the page cache, written by the fsync. */
own void path_fsync(const char *disk)
{
	int fd = open(disk, O_RDWR);

	for (int i = 0; i < 3; i++)
		must(call(SYS_pwrite64, fd, (long)buffer, MIB, i * (long)MIB, 0, 0) == MIB,
		     "pwrite");
	flush_inner(fd);
	close(fd);
}

own void direct_inner(int fd)
{
	must(call(SYS_pwrite64, fd, (long)buffer, 4 * MIB, 8 * MIB, 0, 0) == 4 * MIB, "pwrite");
	__asm__ volatile("");
}

/* 4 MiB in one O_DIRECT write. */
own void path_direct(const char *disk)
{
	int fd = open(disk, O_RDWR | O_DIRECT);

	direct_inner(fd);
	close(fd);
}

own void sync_inner(char *map)
{
	must(!call(SYS_msync, (long)map, 2 * MIB, MS_SYNC, 0, 0, 0), "msync");
	__asm__ volatile("");
}

/* 2 MiB changed in memory, written by msync. */
own void path_mmap(const char *disk)
{
	int fd = open(disk, O_RDWR);
	char *map = mmap(NULL, 2 * MIB, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 16 * MIB);

	must(map != MAP_FAILED, "mmap");
	memset(map, 7, 2 * MIB);
	sync_inner(map);
	munmap(map, 2 * MIB);
	close(fd);
}

own void uring_inner(int ring)
{
	must(call(SYS_io_uring_enter, ring, 1, 1, IORING_ENTER_GETEVENTS, 0, 0) == 1,
	     "io_uring_enter");
	__asm__ volatile("");
}

/* 1 MiB by io_uring, O_DIRECT. */
own void path_uring(const char *disk)
{
	struct io_uring_params p = { 0 };
	int ring = (int)syscall(SYS_io_uring_setup, 4, &p), fd = open(disk, O_RDWR | O_DIRECT);
	struct io_uring_sqe *sqes;
	char *sq;

	if (ring < 0) {
		puts("none");
		exit(0);
	}
	sq = mmap(NULL, p.sq_off.array + p.sq_entries * sizeof(uint32_t), PROT_READ | PROT_WRITE,
		  MAP_SHARED, ring, IORING_OFF_SQ_RING);
	sqes = mmap(NULL, p.sq_entries * sizeof(*sqes), PROT_READ | PROT_WRITE, MAP_SHARED, ring,
		    IORING_OFF_SQES);
	must(sq != MAP_FAILED && sqes != MAP_FAILED, "rings");
	sqes[0] = (struct io_uring_sqe){ .opcode = IORING_OP_WRITE,
					 .fd = fd,
					 .addr = (uintptr_t)buffer,
					 .len = MIB,
					 .off = 24 * MIB };
	*(uint32_t *)(sq + p.sq_off.array) = 0;
	__atomic_store_n((uint32_t *)(sq + p.sq_off.tail), 1, __ATOMIC_RELEASE);
	uring_inner(ring);
	close(ring);
	close(fd);
}

#define READS 64

/*
 * Reads of 4 KiB without a frame: what would be one is on the stack or elsewhere, and holds
 * something else each time.
 */
own void path_frameless(const char *disk)
{
#ifdef __x86_64__
	static uint64_t elsewhere[2];
	uint64_t here[2], *frame;
	int fd = open(disk, O_RDONLY | O_DIRECT);

	for (uint64_t n = 1; n <= READS; n++) {
		register long r10 __asm__("r10") = 0;
		long ret = SYS_pread64;

		frame = n % 2 ? here : elsewhere;
		frame[0] = n % 4 < 2 ? 8 : (uintptr_t)(frame + 2);
		frame[1] = n << 32 | (n + 7);
		__asm__ volatile("push %%rbp; mov %[frame], %%rbp; syscall; pop %%rbp"
				 : "+a"(ret)
				 : "D"(fd), "S"(buffer), "d"(4096L), "r"(r10), [frame] "b"(frame)
				 : "rcx", "r11", "memory");
		must(ret == 4096, "pread");
	}
	close(fd);
#else
	(void)disk;
	puts("none");
	exit(0);
#endif
}

/* Every number is a way of its own through these two. */
own void way_one(int fd, unsigned number, unsigned depth);
own void way_two(int fd, unsigned number, unsigned depth);

static own void step(int fd, unsigned number, unsigned depth)
{
	if (!depth)
		must(call(SYS_pread64, fd, (long)buffer + (number % 32) * 4096, 4096,
			  (long)(number % 1024) * 4096, 0, 0) == 4096,
		     "pread");
	else if (number >> (depth - 1) & 1)
		way_one(fd, number, depth - 1);
	else
		way_two(fd, number, depth - 1);
	__asm__ volatile("");
}

own void way_one(int fd, unsigned number, unsigned depth)
{
	step(fd, number, depth);
	__asm__ volatile("");
}

own void way_two(int fd, unsigned number, unsigned depth)
{
	step(fd, number, depth);
	__asm__ volatile("");
}

#define WAYS 5000
#define THREADS 32
#define BITS 13

static const char *ways_disk;

static void *ways_thread(void *arg)
{
	int fd = open(ways_disk, O_RDONLY | O_DIRECT);

	for (unsigned n = (unsigned)(uintptr_t)arg; n < WAYS; n += THREADS)
		step(fd, n, BITS);
	close(fd);
	return NULL;
}

/* 5000 reads of 4 KiB on as many paths by 32 threads. */
own void path_many(const char *disk)
{
	pthread_t threads[THREADS];

	ways_disk = disk;
	for (uintptr_t i = 0; i < THREADS; i++)
		must(!pthread_create(&threads[i], NULL, ways_thread, (void *)i), "pthread_create");
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(const char *disk);
	} paths[] = {
		{ "fsync", path_fsync }, { "direct", path_direct }, { "mmap", path_mmap },
		{ "uring", path_uring }, { "many", path_many },	    { "frameless", path_frameless },
	};

	memset(buffer, 1, sizeof(buffer));
	for (size_t i = 0; argc > 2 && i < sizeof(paths) / sizeof(paths[0]); i++)
		if (!strcmp(paths[i].name, argv[2]))
			paths[i].run(argv[1]);
	puts("done");
	fflush(stdout);
	while (getchar() != EOF)
		;
	return 0;
}
