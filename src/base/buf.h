/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A growing string: what every writer of text appends to. */
#ifndef IOTOP_BASE_BUF_H
#define IOTOP_BASE_BUF_H

#include <stddef.h>
#include <stdint.h>

#include "base/macro.h"

/* data is always NUL-terminated once something was appended; the owner calls buf_release(). */
struct buf {
	char *data;
	size_t len, cap;
};

void buf_release(struct buf *b);
void buf_reset(struct buf *b);
/* No more room than what is in it needs. */
void buf_trim(struct buf *b);
void buf_putc(struct buf *b, char c);
void buf_puts(struct buf *b, const char *s);
void buf_putn(struct buf *b, const char *s, size_t n);
/* n times c. */
void buf_fill(struct buf *b, char c, size_t n);
void buf_u64(struct buf *b, uint64_t v);
void buf_printf(struct buf *b, const char *fmt, ...) _printf_(2, 3);

/*
 * The whole of a file, e.g. of /proc, into b (replacing its content), at most max bytes (0: no
 * limit). Returns 0 or a negative errno. dirfd may be AT_FDCWD.
 */
int buf_read_file(struct buf *b, int dirfd, const char *path, size_t max);
/* The same of a descriptor, from where it stands; it stays open and the caller's. */
int buf_read_fd(struct buf *b, int fd, size_t max);

#endif
