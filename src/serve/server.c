// SPDX-License-Identifier: GPL-2.0-or-later
#include "serve/server.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/i18n.h"
#include "base/mem.h"
#include "collect/helper/descriptors.h"
#include "collect/helper/fork.h"
#include "collect/helper/sandbox.h"
#include "collect/helper/wire.h"

/* Descriptors of the process, whatever they were before the fork. */
#define CONTROL DESCRIPTOR_FIRST
#define LISTENER (DESCRIPTOR_FIRST + 1)

struct server {
	int control;
	pid_t pid;
};

/* On the control socket. */
enum message {
	MESSAGE_STARTED = 1,	/* from the process; with data: it could not, and why */
	MESSAGE_TEXTS,		/* struct texts_message, with the file that holds them */
};

struct texts_message {
	uint64_t sizes[HTTP_TEXTS], interval_ns;
};

/* Takes what came; false: the other side is gone. */
static bool take_texts(struct http *h, struct wire_packet *packet)
{
	int fd, r;

	while ((r = wire_recv(CONTROL, packet, &fd, false)) > 0) {
		struct texts_message texts;

		if (packet->head.kind == MESSAGE_TEXTS && packet->head.len == sizeof(texts) &&
		    fd >= 0) {
			memcpy(&texts, packet->data, sizeof(texts));
			http_snapshot(h, fd, texts.sizes, texts.interval_ns);
		} else if (fd >= 0) {
			close(fd);
		}
	}
	return r == -EAGAIN;
}

static void run(struct http *h)
{
	struct wire_packet *packet = mem_zalloc(sizeof(*packet));
	struct pollfd fds[] = {
		{ .fd = CONTROL, .events = POLLIN },
		{ .fd = http_fd(h), .events = POLLIN },
	};

	do {
		if (poll(fds, ARRAY_SIZE(fds), http_timeout(h)) < 0)
			continue;
		http_run(h);
	} while (!fds[0].revents || take_texts(h, packet));
	free(packet);
}

static void child(struct http_options *opt, int control)
{
	static const int ignored[] = { SIGINT, SIGTERM, SIGHUP, SIGPIPE };
	struct wire_head head = { .kind = MESSAGE_STARTED };
	struct err err = { "" };
	struct http *h;

	/* It ends with the other side. */
	for (size_t i = 0; i < ARRAY_SIZE(ignored); i++)
		signal(ignored[i], SIG_IGN);
	/* Others lead to processes with privileges. */
	descriptors_keep(control, opt->socket, true);
	opt->socket = LISTENER;
	h = http_new(opt, &err);
	head.len = (uint32_t)strlen(err.text);
	if (h)
		sandbox_enter(SANDBOX_SERVE);
	wire_send(CONTROL, &head, err.text, -1, true);
	if (h)
		run(h);
	http_free(h);
	_exit(0);
}

/* Its first message: whether it runs. */
static int wait_started(struct server *s, struct err *err)
{
	struct wire_packet *packet = mem_zalloc(sizeof(*packet));
	int r = wire_recv(s->control, packet, NULL, true);

	if (r <= 0 || packet->head.kind != MESSAGE_STARTED)
		r = err_set(err, ECONNRESET, _("the process that serves has ended"));
	else if (packet->head.len)
		r = err_set(err, EINVAL, "%.*s", (int)MIN(packet->head.len, sizeof(err->text)),
			    (const char *)packet->data);
	free(packet);
	return r < 0 ? r : 0;
}

int server_start(struct http_options *opt, struct server **ret, struct err *err)
{
	struct server *s;
	int control, r;
	pid_t pid;

	r = fork_wired("iotop-serve", &control, &pid);
	if (r < 0)
		return err_set(err, -r, _("cannot start a process: %s"), strerror(-r));
	if (!pid)
		child(opt, control);
	close(opt->socket);
	opt->socket = -1;
	s = mem_zalloc(sizeof(*s));
	s->control = control;
	s->pid = pid;
	r = wait_started(s, err);
	if (r < 0)
		server_stop(s);
	else
		*ret = s;
	return r;
}

void server_stop(struct server *s)
{
	if (!s)
		return;
	close(s->control);
	kill(s->pid, SIGKILL);
	waitpid(s->pid, NULL, 0);
	free(s);
}

static int put_texts(int fd, const struct buf texts[HTTP_TEXTS])
{
	for (size_t i = 0; i < HTTP_TEXTS; i++)
		for (size_t at = 0; at < texts[i].len;) {
			ssize_t n = write(fd, texts[i].data + at, texts[i].len - at);

			if (n < 0)
				return -errno;
			at += (size_t)n;
		}
	return 0;
}

int server_publish(struct server *s, const struct buf texts[HTTP_TEXTS], uint64_t interval_ns,
		   struct err *err)
{
	struct wire_head head = { .kind = MESSAGE_TEXTS };
	struct texts_message message = { .interval_ns = interval_ns };
	int fd = memfd_create("iotop-metrics", MFD_CLOEXEC), r;

	if (fd < 0)
		return err_set(err, errno, _("cannot keep the metrics: %s"), strerror(errno));
	for (size_t i = 0; i < HTTP_TEXTS; i++)
		message.sizes[i] = texts[i].len;
	head.len = sizeof(message);
	r = put_texts(fd, texts);
	if (!r)
		r = wire_send(s->control, &head, &message, fd, false);
	close(fd);
	if (r == -EPIPE || r == -ECONNRESET)
		return err_set(err, ECONNRESET, _("the process that serves has ended"));
	return r == -EAGAIN ? 0 : r;
}

pid_t server_pid(const struct server *s)
{
	return s->pid;
}
