// SPDX-License-Identifier: GPL-2.0-or-later
/* Built without libmicrohttpd: metrics can be written to a file. */
#include <errno.h>

#include "base/i18n.h"
#include "serve/server.h"

int server_start(struct http_options *opt, struct server **ret, struct err *err)
{
	return err_set(err, EINVAL,
		       _("built without libmicrohttpd: only --textfile, nothing can listen"));
}

void server_stop(struct server *s)
{
}

int server_publish(struct server *s, const struct buf texts[HTTP_TEXTS], uint64_t interval_ns,
		   struct err *err)
{
	return 0;
}

pid_t server_pid(const struct server *s)
{
	return 0;
}

int web_config_read(const char *path, struct web_config *ret, struct err *err)
{
	return err_set(err, EINVAL, _("built without libmicrohttpd: there is no --web-config"));
}

void web_config_release(struct web_config *c)
{
}
