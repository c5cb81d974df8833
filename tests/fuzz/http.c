// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Any bytes as what a scraper sends, to a server that has texts, and users if the first byte says
 * so; the others arrive in two parts. It answers, or ends the connection, and another client gets
 * what it asks for.
 */
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "fuzz.h"
#include "serve/accept.h"
#include "serve/http.h"
#include "serve/listen.h"

#define TEXT "# EOF\n"

static struct http *servers[2];
static struct sockaddr_un addresses[2];
static socklen_t lengths[2];

static void start(int which)
{
	static char name[] = "alice",
		    hash[] = "$2y$04$qGYXUyFSRYBff8awceyTXO5KfBn4URbjdyYyKJhU9rQwf701ttxO2";
	static struct web_user user = { name, hash };
	static const uint64_t sizes[HTTP_TEXTS] = { 6, 6, 6 };
	static struct http_options options[2];
	struct http_options *opt = &options[which];
	struct err err = { "" };
	int fd = memfd_create("fuzz", MFD_CLOEXEC);

	/* A name that the kernel makes up, in no file system. */
	opt->socket = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	addresses[which].sun_family = AF_UNIX;
	lengths[which] = sizeof(addresses[which]);
	FUZZ_CHECK(opt->socket >= 0 &&
		   !bind(opt->socket, (struct sockaddr *)&addresses[which], sizeof(sa_family_t)) &&
		   !getsockname(opt->socket, (struct sockaddr *)&addresses[which],
				&lengths[which]) && !listen(opt->socket, 16));
	if (which)
		opt->web = (struct web_config){ .users = &user, .nusers = 1 };
	servers[which] = http_new(opt, &err);
	FUZZ_CHECK(servers[which] && fd >= 0 &&
		   write(fd, TEXT TEXT TEXT, 18) == 18);
	http_snapshot(servers[which], fd, sizes, 1000000000000000);
}

static int client(int which)
{
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

	FUZZ_CHECK(fd >= 0 &&
		   !connect(fd, (struct sockaddr *)&addresses[which], lengths[which]));
	return fd;
}

/* Lets it work; returns the bytes that came back, as far as there is room, ended by a zero. */
static size_t hear(int which, int fd, char *answer, size_t room)
{
	size_t n = 0;
	ssize_t r;

	for (int i = 0; i < 8; i++) {
		http_run(servers[which]);
		while (n + 1 < room && (r = read(fd, answer + n, room - n - 1)) > 0)
			n += (size_t)r;
	}
	answer[n] = '\0';
	return n;
}

static void say(int which, int fd, const void *data, size_t size)
{
	/* It may have ended the connection. */
	if (size)
		(void)!send(fd, data, size, MSG_NOSIGNAL);
	http_run(servers[which]);
}

static void ask_header(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);
	struct listen_address address;
	struct err err = { "" };

	memcpy(text, data, size);
	text[size] = '\0';
	accept_openmetrics(text);
	if (listen_parse(text, &address, &err) < 0)
		FUZZ_CHECK(err.text[0] && !strchr(err.text, '\n'));
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char answer[4096];
	size_t part;
	int which, fd;

	if (size < 2)
		return 0;
	which = data[0] & 1;
	part = (size - 2) * data[1] / 256;
	if (!servers[which])
		start(which);
	ask_header(data + 2, size - 2);
	fd = client(which);
	say(which, fd, data + 2, part);
	say(which, fd, data + 2 + part, size - 2 - part);
	if (hear(which, fd, answer, sizeof(answer)))
		FUZZ_CHECK(!strncmp(answer, "HTTP/1.", 7));
	/* Without the password nothing is told. */
	FUZZ_CHECK(!which || !strstr(answer, TEXT) || strstr((const char *)answer, " 200 "));
	close(fd);
	http_run(servers[which]);
	fd = client(which);
	say(which, fd, "GET /metrics HTTP/1.0\r\n\r\n", 25);
	hear(which, fd, answer, sizeof(answer));
	FUZZ_CHECK(!strncmp(answer, which ? "HTTP/1.0 401" : "HTTP/1.0 200", 12) ||
		   !strncmp(answer, which ? "HTTP/1.1 401" : "HTTP/1.1 200", 12));
	close(fd);
	http_run(servers[which]);
	return 0;
}
