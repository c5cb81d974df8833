// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * For LD_PRELOAD: as long as the file named by $STOP_HANG is there, whoever reads …/diskstats
 * hangs, as one does who waits for a file system that does not answer: no handler of a signal runs
 * any more.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The parent sleeps in vfork() until the child ends, which does not by itself. */
static void hang(void)
{
	if (vfork() != 0)
		return;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_NAME, "stop-hang");
	for (;;)
		pause();
}

/* The descriptor of …/diskstats, which may stay open. */
static int diskstats = -1;

static int open_at(int dir, const char *path, int flags, mode_t mode)
{
	int fd = (int)syscall(SYS_openat, dir, path, flags, mode);

	if (strstr(path, "diskstats"))
		diskstats = fd;
	else if (fd == diskstats)
		diskstats = -1;
	return fd;
}

ssize_t read(int fd, void *data, size_t n)
{
	const char *name = getenv("STOP_HANG");

	if (fd >= 0 && fd == diskstats && name && !access(name, F_OK))
		hang();
	return syscall(SYS_read, fd, data, n);
}

int openat(int dir, const char *path, int flags, ...)
{
	va_list args;
	mode_t mode;

	va_start(args, flags);
	mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(args, mode_t) : 0;
	va_end(args);
	return open_at(dir, path, flags, mode);
}

int openat64(int dir, const char *path, int flags, ...)
{
	va_list args;
	mode_t mode;

	va_start(args, flags);
	mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(args, mode_t) : 0;
	va_end(args);
	return open_at(dir, path, flags, mode);
}
