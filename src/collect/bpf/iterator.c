// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/bpf/iterator.h"

#include <errno.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

int bpf_iterator_run(const struct bpf_link *link, void *buffer, size_t record_size, size_t n,
		     void (*each)(void *arg, const void *record), void *arg)
{
	char nothing[16], *at = n ? buffer : nothing;
	size_t size = n ? n * record_size : sizeof(nothing), have = 0;
	int fd = bpf_iter_create(bpf_link__fd(link)), r = 0;

	if (fd < 0)
		return -errno;
	for (;;) {
		ssize_t got = read(fd, at + have, size - have);
		size_t whole;

		if (got < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		if (got <= 0) {
			r = got < 0 ? -errno : 0;
			break;
		}
		if (!n)
			continue;
		/* A read ends in the middle of a record only where the buffer ends. */
		have += (size_t)got;
		whole = have - have % record_size;
		for (size_t i = 0; i < whole; i += record_size)
			each(arg, at + i);
		have -= whole;
		memmove(at, at + whole, have);
	}
	close(fd);
	return r;
}
