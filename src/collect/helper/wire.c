// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/helper/wire.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/macro.h"

union control {
	struct cmsghdr head;
	char room[CMSG_SPACE(sizeof(int))];
};

int wire_pair(int ret_fds[2])
{
	return socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ret_fds) ? -errno : 0;
}

static void attach(struct msghdr *msg, union control *control, int fd)
{
	struct cmsghdr *c;

	memset(control, 0, sizeof(*control));
	msg->msg_control = control->room;
	msg->msg_controllen = sizeof(control->room);
	c = CMSG_FIRSTHDR(msg);
	c->cmsg_level = SOL_SOCKET;
	c->cmsg_type = SCM_RIGHTS;
	c->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(c), &fd, sizeof(fd));
}

int wire_send(int socket, const struct wire_head *head, const void *data, int fd, bool wait)
{
	struct iovec parts[2] = {
		{ .iov_base = (void *)(uintptr_t)head, .iov_len = sizeof(*head) },
		{ .iov_base = (void *)(uintptr_t)data, .iov_len = head->len },
	};
	struct msghdr msg = { .msg_iov = parts, .msg_iovlen = ARRAY_SIZE(parts) };
	union control control;

	if (head->len > WIRE_DATA)
		return -EMSGSIZE;
	if (fd >= 0)
		attach(&msg, &control, fd);
	while (sendmsg(socket, &msg, MSG_NOSIGNAL | (wait ? 0 : MSG_DONTWAIT)) < 0)
		if (errno != EINTR)
			return -errno;
	return 0;
}

int wire_send_all(int socket, uint32_t kind, uint32_t id, const void *data, size_t len)
{
	const unsigned char *from = data;
	int r;

	do {
		struct wire_head head = { kind, id, (uint32_t)MIN(len, (size_t)WIRE_DATA),
					  len > WIRE_DATA };

		r = wire_send(socket, &head, from, -1, true);
		from += head.len;
		len -= head.len;
	} while (!r && len);
	return r;
}

/* The one descriptor that may come with a packet; -1: none. */
static int received(struct msghdr *msg)
{
	int fd = -1;

	for (struct cmsghdr *c = CMSG_FIRSTHDR(msg); c; c = CMSG_NXTHDR(msg, c))
		if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS &&
		    c->cmsg_len == CMSG_LEN(sizeof(int)))
			memcpy(&fd, CMSG_DATA(c), sizeof(fd));
	return fd;
}

int wire_recv(int socket, struct wire_packet *ret, int *ret_fd, bool wait)
{
	struct iovec part = { .iov_base = ret, .iov_len = sizeof(*ret) };
	union control control;
	struct msghdr msg = {
		.msg_iov = &part,
		.msg_iovlen = 1,
		.msg_control = control.room,
		.msg_controllen = sizeof(control.room),
	};
	ssize_t n;
	int fd;

	do {
		n = recvmsg(socket, &msg, MSG_CMSG_CLOEXEC | (wait ? 0 : MSG_DONTWAIT));
	} while (n < 0 && errno == EINTR);
	if (n <= 0)
		return n ? -errno : 0;
	fd = received(&msg);
	if (ret_fd)
		*ret_fd = fd;
	else if (fd >= 0)
		close(fd);
	if (msg.msg_flags & (MSG_TRUNC | MSG_CTRUNC) || (size_t)n < sizeof(ret->head) ||
	    ret->head.len > WIRE_DATA || (size_t)n != sizeof(ret->head) + ret->head.len ||
	    ret->head.more > 1 || (fd >= 0 && !ret_fd)) {
		if (ret_fd && fd >= 0)
			close(fd);
		return -EPROTO;
	}
	return 1;
}

void wire_read(struct wire_reader *r, void *ret, size_t n)
{
	if (r->short_ || (size_t)(r->end - r->at) < n) {
		r->short_ = true;
		memset(ret, 0, n);
		return;
	}
	memcpy(ret, r->at, n);
	r->at += n;
}

uint32_t wire_u32(struct wire_reader *r)
{
	uint32_t v;

	wire_read(r, &v, sizeof(v));
	return v;
}

uint64_t wire_u64(struct wire_reader *r)
{
	uint64_t v;

	wire_read(r, &v, sizeof(v));
	return v;
}

const char *wire_text(struct wire_reader *r, size_t max, size_t *ret_len)
{
	size_t n = wire_u32(r);
	const char *text = (const char *)r->at;

	if (r->short_ || n > max || (size_t)(r->end - r->at) < n) {
		r->short_ = true;
		*ret_len = 0;
		return "";
	}
	r->at += n;
	*ret_len = n;
	return text;
}

void wire_put_u32(struct buf *b, uint32_t v)
{
	buf_putn(b, (const char *)&v, sizeof(v));
}

void wire_put_u64(struct buf *b, uint64_t v)
{
	buf_putn(b, (const char *)&v, sizeof(v));
}

void wire_put_text(struct buf *b, const char *s, size_t n)
{
	wire_put_u32(b, (uint32_t)n);
	buf_putn(b, s, n);
}
