/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * HTTP for scrapers: texts that were made before anybody asked, and who may have them. All of it is
 * bounded: connections, what a request may be, how long one may take. One thread, which never
 * waits for a client.
 */
#ifndef IOTOP_SERVE_HTTP_H
#define IOTOP_SERVE_HTTP_H

#include <stdint.h>

#include "base/err.h"
#include "serve/web_config.h"

enum http_text {
	HTTP_OPENMETRICS,
	HTTP_PROMETHEUS,
	HTTP_PAGE,
	HTTP_TEXTS,
};

struct http_options {
	int socket;		/* that listens */
	struct web_config web;
};

struct http;

/* NULL: it cannot, err says why: no such certificate. opt is borrowed. */
struct http *http_new(const struct http_options *opt, struct err *err);
void http_free(struct http *h);
/*
 * The newest texts: one after the other in a file, which is the callee's now. The next ones come
 * after the interval.
 */
void http_snapshot(struct http *h, int fd, const uint64_t sizes[HTTP_TEXTS], uint64_t interval_ns);
/* Readable when http_run() has something to do; it has after so many ms, too. */
int http_fd(const struct http *h);
int http_timeout(struct http *h);
void http_run(struct http *h);

#endif
