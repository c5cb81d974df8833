// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/proc/genl.h"

#include <errno.h>
#include <linux/taskstats.h>
#include <netlink/genl/ctrl.h>
#include <netlink/genl/genl.h>
#include <netlink/netlink.h>
#include <stdio.h>
#include <string.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/parse.h"

#define REPLIES 32	/* received at once */
#define REPLY_MAX 2048	/* bytes of one message */

struct genl {
	struct nl_sock *sock;
	int family;
	char replies[REPLIES][REPLY_MAX] __attribute__((aligned(8)));
};

/* More than net.core.rmem_max needs CAP_NET_ADMIN, which taskstats needs anyway. */
static void set_buffer(struct nl_sock *sock, int bytes)
{
	int fd = nl_socket_get_fd(sock);

	if (setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &bytes, sizeof(bytes)) < 0)
		setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof(bytes));
}

int genl_open(struct genl **ret, int buffer, struct err *err)
{
	struct nl_sock *sock = nl_socket_alloc();
	struct genl *g;
	int r;

	if (!sock)
		mem_exhausted();
	r = genl_connect(sock);
	if (r < 0) {
		nl_socket_free(sock);
		return err_set(err, EPROTO, "generic netlink: %s", nl_geterror(r));
	}
	r = genl_ctrl_resolve(sock, TASKSTATS_GENL_NAME);
	if (r < 0) {
		nl_socket_free(sock);
		/* The family is registered in the first network namespace only. */
		return err_set(err, ENOENT,
			"no taskstats: the kernel lacks CONFIG_TASKSTATS, or this is another "
			"network namespace");
	}
	set_buffer(sock, buffer);
	g = mem_alloc(sizeof(*g));
	*g = (struct genl){ .sock = sock, .family = r };
	*ret = g;
	return 0;
}

void genl_close(struct genl *g)
{
	if (!g)
		return;
	nl_socket_free(g->sock);
	free(g);
}

int genl_fd(const struct genl *g)
{
	return nl_socket_get_fd(g->sock);
}

int genl_family(const struct genl *g)
{
	return g->family;
}

uint32_t genl_sequence(struct genl *g, uint32_t n)
{
	uint32_t first = nl_socket_use_seq(g->sock);

	while (--n)
		nl_socket_use_seq(g->sock);
	return first;
}

static int refused(int r, struct err *err)
{
	if (r == -NLE_PERM || r == -NLE_NOACCESS)
		return err_set(
			err, EPERM,
			"taskstats needs root, or CAP_NET_ADMIN in the first user namespace");
	if (r == -NLE_INVAL)
		return err_set(
			err, EINVAL,
			"taskstats tells of ended tasks in the first pid and user namespace only");
	return err_set(err, EPROTO, "taskstats: %s", nl_geterror(r));
}

int genl_request(struct genl *g, int attr, const void *data, size_t len, struct err *err)
{
	struct nl_msg *msg = nlmsg_alloc();
	int r;

	if (!msg ||
	    !genlmsg_put(msg, NL_AUTO_PORT, NL_AUTO_SEQ, g->family, 0, NLM_F_ACK, TASKSTATS_CMD_GET,
			 TASKSTATS_GENL_VERSION) ||
	    nla_put(msg, attr, (int)len, data) < 0)
		mem_exhausted();
	r = nl_send_auto(g->sock, msg);
	nlmsg_free(msg);
	if (r >= 0)
		r = nl_wait_for_ack(g->sock);
	return r < 0 ? refused(r, err) : 0;
}

/* Up to REPLIES messages. Returns how many, or -errno; lens gets their sizes. */
static int receive_some(struct genl *g, unsigned lens[static REPLIES])
{
	struct mmsghdr msgs[REPLIES];
	struct iovec iov[REPLIES];
	int n;

	memset(msgs, 0, sizeof(msgs));
	for (size_t i = 0; i < REPLIES; i++) {
		iov[i] = (struct iovec){ .iov_base = g->replies[i], .iov_len = REPLY_MAX };
		msgs[i].msg_hdr.msg_iov = &iov[i];
		msgs[i].msg_hdr.msg_iovlen = 1;
	}
	do {
		n = recvmmsg(genl_fd(g), msgs, REPLIES, MSG_DONTWAIT, NULL);
	} while (n < 0 && errno == EINTR);
	if (n < 0)
		return -errno;
	for (int i = 0; i < n; i++)
		lens[i] = msgs[i].msg_hdr.msg_flags & MSG_TRUNC ? 0 : msgs[i].msg_len;
	return n;
}

int genl_receive(struct genl *g, void (*take)(const struct nlmsghdr *h, void *arg), void *arg)
{
	unsigned lens[REPLIES];
	int n;

	while ((n = receive_some(g, lens)) > 0) {
		for (int i = 0; i < n; i++) {
			struct nlmsghdr *h = (struct nlmsghdr *)g->replies[i];
			unsigned left = lens[i];

			for (; NLMSG_OK(h, left); h = NLMSG_NEXT(h, left))
				take(h, arg);
		}
	}
	return n;
}

const void *genl_payload(const struct genl *g, const struct nlmsghdr *h, size_t *ret_len)
{
	if (h->nlmsg_type != g->family || h->nlmsg_len < NLMSG_LENGTH(GENL_HDRLEN))
		return NULL;
	*ret_len = h->nlmsg_len - NLMSG_LENGTH(GENL_HDRLEN);
	return (const char *)h + NLMSG_HDRLEN + GENL_HDRLEN;
}

uint64_t genl_drops(const struct genl *g)
{
	_cleanup_(buf_release) struct buf b = { 0 };
	uint32_t port = nl_socket_get_local_port(g->sock);

	if (buf_read_file(&b, -1, "/proc/net/netlink", 0) < 0 || !b.len)
		return 0;
	for (const char *p = b.data; *p; scan_line(&p)) {
		unsigned protocol, id;
		unsigned long drops;

		if (sscanf(p, "%*s %u %u %*s %*s %*s %*s %*s %lu", &protocol, &id, &drops) == 3 &&
		    protocol == NETLINK_GENERIC && id == port)
			return drops;
	}
	return 0;
}
