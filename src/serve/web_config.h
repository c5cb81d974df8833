/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who may scrape, and over TLS: a file in the layout that Prometheus' own exporters read (the web
 * configuration file of its exporter-toolkit). What this program cannot do is refused, not ignored.
 */
#ifndef IOTOP_SERVE_WEB_CONFIG_H
#define IOTOP_SERVE_WEB_CONFIG_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

struct web_user {
	char *name, *hash;	/* hash: of bcrypt, as crypt(3) takes it */
};

struct web_config {
	char *cert, *key;	/* PEM; NULL: no TLS */
	bool tls13;		/* nothing older */
	struct web_user *users;
	size_t nusers;		/* 0: everybody may */
};

/* Files that it names are beside it, unless they have a path. 0 or -errno; -EINVAL: its content. */
int web_config_read(const char *path, struct web_config *ret, struct err *err);
/* The keys and hashes in memory are overwritten. */
void web_config_release(struct web_config *c);

#endif
