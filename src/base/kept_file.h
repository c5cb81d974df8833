/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A file of the kernel that is read again and again. It is opened once: finding and opening a file
 * of /proc takes the kernel longer than writing what is in most of them.
 */
#ifndef IOTOP_BASE_KEPT_FILE_H
#define IOTOP_BASE_KEPT_FILE_H

#include "base/buf.h"

struct kept_file {
	int fd;	/* -1: not open */
};

#define KEPT_FILE ((struct kept_file){ .fd = -1 })

void kept_file_close(struct kept_file *k);
/*
 * As buf_read_file(), with the same folder and path each time. Elsewhere than in /proc the file is
 * opened each time, for it may have become another one.
 */
int kept_file_read(struct kept_file *k, struct buf *b, int dirfd, const char *path, size_t max);

#endif
