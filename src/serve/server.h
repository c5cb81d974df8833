/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The process that answers scrapers. It has no privilege, opens nothing and gets finished texts:
 * whoever takes it over has what it serves.
 */
#ifndef IOTOP_SERVE_SERVER_H
#define IOTOP_SERVE_SERVER_H

#include <stdint.h>
#include <sys/types.h>

#include "base/buf.h"
#include "serve/http.h"

struct server;

/*
 * Forks it, before there is a thread. The socket is its own from then on, and closed here. 0;
 * -EINVAL: what opt->web says cannot be used; -errno.
 */
int server_start(struct http_options *opt, struct server **ret, struct err *err);
void server_stop(struct server *s);
/*
 * Hands over the newest texts; the next ones come after the interval. It never waits: a server that
 * hangs misses some.
 */
int server_publish(struct server *s, const struct buf texts[HTTP_TEXTS], uint64_t interval_ns,
		   struct err *err);
pid_t server_pid(const struct server *s);

#endif
