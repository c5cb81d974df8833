/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The socket that scrapers connect to. */
#ifndef IOTOP_SERVE_LISTEN_H
#define IOTOP_SERVE_LISTEN_H

#include <sys/socket.h>
#include <sys/un.h>

#include "base/err.h"

#define LISTEN_DEFAULT "127.0.0.1:9963"

struct listen_address {
	union {
		struct sockaddr any;
		struct sockaddr_un local;
		struct sockaddr_storage room;
	};
	socklen_t len;
};

/*
 * "127.0.0.1:9963", "[::1]:9963", ":9963" (every address), "unix:/run/iotop.sock". No names: what
 * they mean is not asked of anybody. 0 or -EINVAL.
 */
int listen_parse(const char *text, struct listen_address *ret, struct err *err);
/* The descriptor, which listens and does not wait; or -errno. */
int listen_open(const struct listen_address *a, struct err *err);
/* Removes the file of a Unix socket. */
void listen_remove(const struct listen_address *a);
#endif
