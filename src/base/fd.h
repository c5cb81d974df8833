/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOTOP_BASE_FD_H
#define IOTOP_BASE_FD_H

#include <fcntl.h>
#include <unistd.h>

/* Closes a descriptor; of a negative one, which is none, nothing. */
static inline void fd_close(int fd)
{
	if (fd >= 0)
		close(fd);
}

/*
 * What is closed of standard input, output and error fails from now on when it is read or written.
 * Else whatever is opened next would have its number, and get what is meant for it.
 */
static inline void fd_fill_standard(void)
{
	int fd = open("/dev/null", O_RDONLY);

	/* The lowest one that is free is given. */
	while (fd >= 0 && fd <= STDERR_FILENO)
		fd = open("/dev/null", O_RDONLY);
	fd_close(fd);
}

/*
 * Makes the table of descriptors have room for so many; fd: one that is open. Once threads share
 * the table, the kernel waits for an RCU grace period, 10 ms or more, each time that it grows
 * (expand_fdtable(), fs/file.c). Where so many are not allowed it stays as it is.
 */
static inline void fd_table_grow(int fd, int n)
{
	fd_close(fcntl(fd, F_DUPFD_CLOEXEC, n - 1));
}

#endif
