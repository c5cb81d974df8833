// SPDX-License-Identifier: GPL-2.0-or-later
#include "serve/http.h"

#include <errno.h>
#include <fcntl.h>
#include <microhttpd.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/i18n.h"
#include "base/macro.h"
#include "base/mem.h"
#include "serve/accept.h"
#include "serve/auth.h"

#define CONNECTIONS 64
#define CROWDED (CONNECTIONS * 3 / 4)
#define HEADERS (16u << 10)		/* bytes of memory that a connection has for a request */
#define REQUEST (20 * NSEC_PER_SEC)	/* that one may take, with its answer */
#define IDLE (75 * NSEC_PER_SEC)	/* that a connection may wait for the next one */
/* The same while there are many connections. */
#define REQUEST_CROWDED (3 * NSEC_PER_SEC)
#define IDLE_CROWDED (5 * NSEC_PER_SEC)
#define SWEEP_MS 1000
#define STALE 3		/* intervals without a new text, and some time to take a sample */
#define STALE_MORE (5 * NSEC_PER_SEC)

struct place {
	struct MHD_Connection *connection;	/* NULL: free */
	uint64_t since;		/* CLOCK_MONOTONIC ns, when the request began or the one before
				 * ended */
	bool idle;		/* between two requests */
};

/* What is answered beside the texts. */
enum fixed {
	FIXED_HEALTHY,
	FIXED_STALE,
	FIXED_STARTING,
	FIXED_NOT_FOUND,
	FIXED_METHOD,
	FIXED_WHO,
	FIXED_LATER,
	FIXED_COUNT,
};

static const struct {
	unsigned status;
	const char *text, *header, *value;
} fixed[FIXED_COUNT] = {
	[FIXED_HEALTHY] = { MHD_HTTP_OK, "ok\n", NULL, NULL },
	[FIXED_STALE] = { MHD_HTTP_SERVICE_UNAVAILABLE, "the newest sample is too old\n", NULL,
			  NULL },
	[FIXED_STARTING] = { MHD_HTTP_SERVICE_UNAVAILABLE, "there is no sample yet\n",
			     "Retry-After", "1" },
	[FIXED_NOT_FOUND] = { MHD_HTTP_NOT_FOUND, "there are /, /metrics and /healthz\n", NULL,
			      NULL },
	[FIXED_METHOD] = { MHD_HTTP_METHOD_NOT_ALLOWED, "GET and HEAD\n", "Allow", "GET, HEAD" },
	[FIXED_WHO] = { MHD_HTTP_UNAUTHORIZED, "name and password\n", "WWW-Authenticate",
			"Basic realm=\"iotop\"" },
	[FIXED_LATER] = { MHD_HTTP_SERVICE_UNAVAILABLE, "too many tries\n", "Retry-After", "1" },
};

static const char *const types[HTTP_TEXTS] = {
	[HTTP_OPENMETRICS] = "application/openmetrics-text; version=1.0.0; charset=utf-8",
	[HTTP_PROMETHEUS] = "text/plain; version=0.0.4; charset=utf-8",
	[HTTP_PAGE] = "text/html; charset=utf-8",
};

struct http {
	const struct http_options *opt;
	struct MHD_Daemon *daemon;
	struct auth *auth;
	struct MHD_Response *texts[HTTP_TEXTS], *fixed[FIXED_COUNT];
	uint64_t newest;	/* CLOCK_MONOTONIC ns, of the texts; 0: there are none */
	uint64_t interval_ns;	/* until the next ones */
	struct place places[CONNECTIONS];
	unsigned connections;
	char said[200];		/* the library's last complaint */
};

static void header(struct MHD_Response *r, const char *name, const char *value)
{
	MHD_add_response_header(r, name, value);
}

static void headers(struct MHD_Response *r, const char *type)
{
	header(r, MHD_HTTP_HEADER_CONTENT_TYPE, type);
	header(r, MHD_HTTP_HEADER_CACHE_CONTROL, "no-store");
	header(r, "X-Content-Type-Options", "nosniff");
	header(r, "Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'");
}

static void make_fixed(struct http *h)
{
	for (size_t i = 0; i < FIXED_COUNT; i++) {
		h->fixed[i] = MHD_create_response_from_buffer(
			strlen(fixed[i].text), (void *)(uintptr_t)fixed[i].text,
			MHD_RESPMEM_PERSISTENT);
		headers(h->fixed[i], "text/plain; charset=utf-8");
		if (fixed[i].header)
			header(h->fixed[i], fixed[i].header, fixed[i].value);
	}
}

/* Answers that are still being sent keep theirs. */
void http_snapshot(struct http *h, int fd, const uint64_t sizes[HTTP_TEXTS], uint64_t interval_ns)
{
	uint64_t offset = 0;

	for (size_t i = 0; i < HTTP_TEXTS; i++) {
		int copy = fcntl(fd, F_DUPFD_CLOEXEC, 3);

		if (h->texts[i])
			MHD_destroy_response(h->texts[i]);
		h->texts[i] = copy < 0 ? NULL : MHD_create_response_from_fd_at_offset64(
						       sizes[i], copy, offset);
		if (h->texts[i])
			headers(h->texts[i], types[i]);
		offset += sizes[i];
	}
	close(fd);
	h->newest = clock_mono();
	h->interval_ns = interval_ns;
}

static enum auth_answer who(struct http *h, struct MHD_Connection *c)
{
	char *name, *password = NULL;
	enum auth_answer answer;

	if (!h->opt->web.nusers)
		return AUTH_YES;
	name = MHD_basic_auth_get_username_password(c, &password);
	answer = name && password ? auth_check(h->auth, name, password, clock_mono()) : AUTH_NO;
	if (password)
		explicit_bzero(password, strlen(password));
	MHD_free(name);
	MHD_free(password);
	return answer;
}

static enum MHD_Result send_fixed(struct http *h, struct MHD_Connection *c, enum fixed which)
{
	return MHD_queue_response(c, fixed[which].status, h->fixed[which]);
}

static enum MHD_Result send_text(struct http *h, struct MHD_Connection *c, enum http_text which)
{
	if (!h->texts[which])
		return send_fixed(h, c, FIXED_STARTING);
	return MHD_queue_response(c, MHD_HTTP_OK, h->texts[which]);
}

static bool is_stale(const struct http *h)
{
	return clock_mono() - h->newest > STALE * h->interval_ns + STALE_MORE;
}

static enum MHD_Result answer(void *arg, struct MHD_Connection *c, const char *url,
			      const char *method, _unused_ const char *version,
			      _unused_ const char *body, _unused_ size_t *body_size,
			      void **state)
{
	static char seen;	/* its address marks a request */
	struct http *h = arg;
	const char *accept;
	enum auth_answer may;

	if (strcmp(method, "GET") && strcmp(method, "HEAD"))
		return send_fixed(h, c, FIXED_METHOD);
	/* Who answers before all of a request was read ends the connection. */
	if (*state != &seen) {
		*state = &seen;
		return MHD_YES;
	}
	may = who(h, c);
	if (may != AUTH_YES)
		return send_fixed(h, c, may == AUTH_LATER ? FIXED_LATER : FIXED_WHO);
	if (!strcmp(url, "/metrics")) {
		accept = MHD_lookup_connection_value(c, MHD_HEADER_KIND, MHD_HTTP_HEADER_ACCEPT);
		return send_text(h, c,
				 accept_openmetrics(accept) ? HTTP_OPENMETRICS : HTTP_PROMETHEUS);
	}
	if (!strcmp(url, "/"))
		return send_text(h, c, HTTP_PAGE);
	if (!strcmp(url, "/healthz"))
		return send_fixed(h, c, !h->newest    ? FIXED_STARTING
					: is_stale(h) ? FIXED_STALE
						      : FIXED_HEALTHY);
	return send_fixed(h, c, FIXED_NOT_FOUND);
}

static struct place *place_of(struct http *h, const struct MHD_Connection *c)
{
	for (size_t i = 0; i < CONNECTIONS; i++)
		if (h->places[i].connection == c)
			return &h->places[i];
	return NULL;
}

static void on_connection(void *arg, struct MHD_Connection *c, _unused_ void **context,
			  enum MHD_ConnectionNotificationCode code)
{
	struct http *h = arg;
	bool begins = code == MHD_CONNECTION_NOTIFY_STARTED;
	struct place *p = place_of(h, begins ? NULL : c);

	if (p)
		*p = (struct place){ .connection = begins ? c : NULL, .since = clock_mono() };
	h->connections += begins ? 1u : -1u;
}

static void *on_request(void *arg, _unused_ const char *uri, struct MHD_Connection *c)
{
	struct place *p = place_of(arg, c);

	if (p) {
		p->since = clock_mono();
		p->idle = false;
	}
	return NULL;
}

static void on_answered(void *arg, struct MHD_Connection *c, _unused_ void **state,
			_unused_ enum MHD_RequestTerminationCode why)
{
	struct place *p = place_of(arg, c);

	if (p) {
		p->since = clock_mono();
		p->idle = true;
	}
}

/* Who takes too long is cut off: the library sees the end of the connection. */
static void sweep(struct http *h)
{
	bool crowded = h->connections >= CROWDED;
	uint64_t now = clock_mono();

	for (size_t i = 0; i < CONNECTIONS; i++) {
		const struct place *p = &h->places[i];
		uint64_t most = p->idle ? crowded ? IDLE_CROWDED : IDLE
				: crowded ? REQUEST_CROWDED
					  : REQUEST;
		const union MHD_ConnectionInfo *info;

		if (!p->connection || now - p->since < most)
			continue;
		info = MHD_get_connection_info(p->connection, MHD_CONNECTION_INFO_CONNECTION_FD);
		if (info)
			shutdown(info->connect_fd, SHUT_RDWR);
	}
}

static _printf_(2, 0) void on_complaint(void *arg, const char *fmt, va_list args)
{
	struct http *h = arg;

	vsnprintf(h->said, sizeof(h->said), fmt, args);
}

static struct MHD_Daemon *start(struct http *h)
{
	const struct web_config *web = &h->opt->web;
	unsigned flags = MHD_USE_EPOLL | MHD_USE_ERROR_LOG | (web->cert ? MHD_USE_TLS : 0);
	struct MHD_OptionItem tls[] = {
		{ MHD_OPTION_HTTPS_MEM_CERT, 0, web->cert },
		{ MHD_OPTION_HTTPS_MEM_KEY, 0, web->key },
		{ MHD_OPTION_HTTPS_PRIORITIES, 0,
		  (void *)(uintptr_t)(web->tls13 ? "NORMAL:-VERS-ALL:+VERS-TLS1.3"
						 : "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2") },
		{ MHD_OPTION_END, 0, NULL },
	};

	return MHD_start_daemon(flags, 0, NULL, NULL, answer, h,
				MHD_OPTION_EXTERNAL_LOGGER, on_complaint, h,
				MHD_OPTION_LISTEN_SOCKET, h->opt->socket,
				MHD_OPTION_CONNECTION_LIMIT, (unsigned)CONNECTIONS,
				MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)HEADERS,
				MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)(IDLE / NSEC_PER_SEC + 5),
				MHD_OPTION_STRICT_FOR_CLIENT, 1,
				MHD_OPTION_NOTIFY_CONNECTION, on_connection, h,
				MHD_OPTION_NOTIFY_COMPLETED, on_answered, h,
				MHD_OPTION_URI_LOG_CALLBACK, on_request, h,
				MHD_OPTION_ARRAY, web->cert ? tls : tls + ARRAY_SIZE(tls) - 1,
				MHD_OPTION_END);
}

struct http *http_new(const struct http_options *opt, struct err *err)
{
	struct http *h = mem_zalloc(sizeof(*h));

	h->opt = opt;
	if (opt->web.cert && MHD_is_feature_supported(MHD_FEATURE_TLS) != MHD_YES) {
		err_set(err, EINVAL, _("libmicrohttpd was built without TLS"));
		free(h);
		return NULL;
	}
	h->daemon = start(h);
	if (!h->daemon) {
		err_set(err, EINVAL, _("cannot serve HTTP: %s"),
			*h->said ? h->said : _("libmicrohttpd does not say why"));
		free(h);
		return NULL;
	}
	h->auth = auth_new(&opt->web);
	make_fixed(h);
	return h;
}

void http_free(struct http *h)
{
	if (!h)
		return;
	MHD_stop_daemon(h->daemon);
	for (size_t i = 0; i < HTTP_TEXTS; i++)
		if (h->texts[i])
			MHD_destroy_response(h->texts[i]);
	for (size_t i = 0; i < FIXED_COUNT; i++)
		MHD_destroy_response(h->fixed[i]);
	auth_free(h->auth);
	free(h);
}

int http_fd(const struct http *h)
{
	return MHD_get_daemon_info(h->daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd;
}

int http_timeout(struct http *h)
{
	MHD_UNSIGNED_LONG_LONG ms;

	if (MHD_get_timeout(h->daemon, &ms) == MHD_YES && ms < SWEEP_MS)
		return (int)ms;
	return h->connections ? SWEEP_MS : -1;
}

void http_run(struct http *h)
{
	MHD_run(h->daemon);
	sweep(h);
}
