/* SPDX-License-Identifier: GPL-2.0-or-later */
/* "iotop serve": a session without a screen, whose counters others scrape. */
#ifndef IOTOP_SERVE_H
#define IOTOP_SERVE_H

#include "base/err.h"
#include "options/options.h"

struct helper;
struct serve;

/* Looks at what was asked for, and opens nothing that stays; NULL: bad usage, err says why. */
struct serve *serve_new(const struct options *o, struct err *err);
void serve_free(struct serve *s);
/*
 * Until a stop request, or as many samples as were asked for. There is no thread yet, and the
 * helpers were forked. -EINVAL: what was asked for cannot be; else -errno.
 */
int serve_run(struct serve *s, struct helper *helper, struct err *err);

#endif
