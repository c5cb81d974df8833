/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOTOP_BASE_FD_H
#define IOTOP_BASE_FD_H

#include <unistd.h>

/* Closes a descriptor; of a negative one, which is none, nothing. */
static inline void fd_close(int fd)
{
	if (fd >= 0)
		close(fd);
}

#endif
