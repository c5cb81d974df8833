// SPDX-License-Identifier: GPL-2.0-or-later
#include "serve/listen.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/i18n.h"
#include "base/parse.h"

#define BACKLOG 64	/* connections that nobody has accepted yet */

static int refuse(const char *text, struct err *err)
{
	return err_set(err, EINVAL,
		       _("--listen: \"%s\" is no ADDRESS:PORT, [ADDRESS]:PORT or unix:/PATH"),
		       text);
}

static int parse_local(const char *text, const char *path, struct listen_address *ret,
		       struct err *err)
{
	if (*path != '/')
		return refuse(text, err);
	if (strlen(path) >= sizeof(ret->local.sun_path))
		return err_set(err, EINVAL, _("--listen: the path is too long for a socket"));
	ret->local.sun_family = AF_UNIX;
	strcpy(ret->local.sun_path, path);
	ret->len = sizeof(ret->local);
	return 0;
}

static bool parse_host(const char *host, uint16_t port, struct listen_address *ret)
{
	struct sockaddr_in6 *six = (struct sockaddr_in6 *)&ret->room;
	struct sockaddr_in *four = (struct sockaddr_in *)&ret->room;

	if (*host == '[' || !*host) {
		char text[64];

		snprintf(text, sizeof(text), "%s", *host ? host + 1 : "::]");
		if (!*text || text[strlen(text) - 1] != ']')
			return false;
		text[strlen(text) - 1] = '\0';
		six->sin6_family = AF_INET6;
		six->sin6_port = htons(port);
		ret->len = sizeof(*six);
		return inet_pton(AF_INET6, text, &six->sin6_addr) == 1;
	}
	four->sin_family = AF_INET;
	four->sin_port = htons(port);
	ret->len = sizeof(*four);
	return inet_pton(AF_INET, strcmp(host, "localhost") ? host : "127.0.0.1",
			 &four->sin_addr) == 1;
}

int listen_parse(const char *text, struct listen_address *ret, struct err *err)
{
	const char *colon = strrchr(text, ':');
	char host[64];
	uint64_t port;

	memset(ret, 0, sizeof(*ret));
	if (!strncmp(text, "unix:", 5))
		return parse_local(text, text + 5, ret, err);
	if (!colon || (size_t)(colon - text) >= sizeof(host) || parse_u64(colon + 1, &port) < 0 ||
	    !port || port > UINT16_MAX)
		return refuse(text, err);
	snprintf(host, sizeof(host), "%.*s", (int)(colon - text), text);
	return parse_host(host, (uint16_t)port, ret) ? 0 : refuse(text, err);
}

/* Left by one that was killed: nobody listens there. */
static bool is_stale(const struct listen_address *a)
{
	struct stat st;
	int fd;
	bool stale;

	if (lstat(a->local.sun_path, &st) || !S_ISSOCK(st.st_mode))
		return false;
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	stale = fd >= 0 && connect(fd, &a->any, a->len) && errno == ECONNREFUSED;
	fd_close(fd);
	return stale;
}

static int bind_to(int fd, const struct listen_address *a)
{
	const int on = 1, off = 0;
	mode_t mask;
	int r;

	if (a->any.sa_family == AF_UNIX) {
		if (is_stale(a))
			unlink(a->local.sun_path);
		/* The owner and the group may connect. */
		mask = umask(0117);
		r = bind(fd, &a->any, a->len);
		umask(mask);
		return r;
	}
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (a->any.sa_family == AF_INET6)
		setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof(off));
	return bind(fd, &a->any, a->len);
}

int listen_open(const struct listen_address *a, struct err *err)
{
	int fd = socket(a->any.sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), code;

	if (fd >= 0 && !bind_to(fd, a) && !listen(fd, BACKLOG))
		return fd;
	code = errno;
	fd_close(fd);
	return err_set(err, code, _("cannot listen (--listen): %s"), strerror(code));
}

void listen_remove(const struct listen_address *a)
{
	if (a->any.sa_family == AF_UNIX)
		unlink(a->local.sun_path);
}
