// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/buf.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/units.h"

/* Room for n more bytes and the NUL. */
static void buf_reserve(struct buf *b, size_t n)
{
	size_t cap = b->cap ? b->cap : 128;

	if (n >= SIZE_MAX / 4 - b->len)
		mem_exhausted();
	if (b->cap > b->len + n)
		return;
	while (cap <= b->len + n)
		cap *= 2;
	b->data = mem_realloc(b->data, cap);
	b->cap = cap;
}

void buf_release(struct buf *b)
{
	free(b->data);
	*b = (struct buf){ 0 };
}

void buf_trim(struct buf *b)
{
	if (!b->data)
		return;
	b->cap = b->len + 1;
	b->data = mem_realloc(b->data, b->cap);
}

void buf_reset(struct buf *b)
{
	b->len = 0;
	if (b->data)
		b->data[0] = '\0';
}

void buf_putn(struct buf *b, const char *s, size_t n)
{
	buf_reserve(b, n);
	if (n)
		memcpy(b->data + b->len, s, n);
	b->len += n;
	b->data[b->len] = '\0';
}

void buf_putc(struct buf *b, char c)
{
	if (b->len + 1 >= b->cap)
		buf_reserve(b, 1);
	b->data[b->len++] = c;
	b->data[b->len] = '\0';
}

void buf_fill(struct buf *b, char c, size_t n)
{
	buf_reserve(b, n);
	memset(b->data + b->len, c, n);
	b->len += n;
	b->data[b->len] = '\0';
}

void buf_u64(struct buf *b, uint64_t v)
{
	char text[WHOLE_FORMAT];
	int n = whole_format(text, v);

	buf_putn(b, text, (size_t)n);
}

void buf_puts(struct buf *b, const char *s)
{
	buf_putn(b, s, strlen(s));
}

void buf_printf(struct buf *b, const char *fmt, ...)
{
	va_list args;
	int n;

	buf_reserve(b, 127);
	va_start(args, fmt);
	n = vsnprintf(b->data + b->len, b->cap - b->len, fmt, args);
	va_end(args);
	if (n < 0) {
		b->data[b->len] = '\0';
		return;
	}
	if ((size_t)n >= b->cap - b->len) {
		buf_reserve(b, (size_t)n);
		va_start(args, fmt);
		vsnprintf(b->data + b->len, b->cap - b->len, fmt, args);
		va_end(args);
	}
	b->len += (size_t)n;
}

int buf_read_fd(struct buf *b, int fd, size_t max)
{
	int ret = 0;

	buf_reset(b);
	while (!max || b->len < max) {
		size_t want;
		ssize_t n;

		buf_reserve(b, 4095);
		want = b->cap - b->len - 1;
		if (max && want > max - b->len)
			want = max - b->len;
		n = read(fd, b->data + b->len, want);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			ret = -errno;
		if (n <= 0)
			break;
		b->len += (size_t)n;
	}
	if (b->data)
		b->data[b->len] = '\0';
	return ret;
}

int buf_read_file(struct buf *b, int dirfd, const char *path, size_t max)
{
	int fd = openat(dirfd, path, O_RDONLY | O_CLOEXEC), ret;

	if (fd < 0)
		return -errno;
	ret = buf_read_fd(b, fd, max);
	close(fd);
	return ret;
}
