// SPDX-License-Identifier: GPL-2.0-or-later
#include "serve.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fd.h"
#include "base/i18n.h"
#include "base/mem.h"
#include "base/parse.h"
#include "collect/privilege.h"
#include "keep.h"
#include "out/metrics/metrics.h"
#include "out/status_page.h"
#include "serve/listen.h"
#include "serve/server.h"
#include "serve/textfile.h"
#include "service.h"
#include "session.h"
#include "session_options.h"
#include "stop.h"

/* For names of stacks, which say why tasks are blocked. */
#define STACKS_BUDGET (NSEC_PER_SEC / 5)
#define PROCESSES 2

struct serve {
	const struct options *o;
	bool listens;
	struct listen_address address;
	struct http_options http;
	struct server *server;		/* NULL: nothing listens */
	struct textfile *textfile;	/* NULL: none */
	int runs;			/* of collect_count_runs(); -1: none */
	struct service service;
	bool told;			/* that it could not be written, the last time */
	struct metrics *metrics;
	struct buf texts[HTTP_TEXTS];
};

/* Sources of each part of --metrics. */
static const unsigned sources[METRICS_GROUPS] = {
	[METRICS_DISKS] = SRC_DISKS | SRC_BLOCK | SRC_HIST,
	[METRICS_CGROUPS] = SRC_DISKS | SRC_BLOCK | SRC_TASKS | SRC_TASKIO | SRC_WAITS |
			    SRC_THROTTLE | SRC_EXITS | SRC_NAMES,
	[METRICS_LAYERS] = SRC_DISKS | SRC_LAYERS,
	[METRICS_BLOCKED] = SRC_OFFCPU,
	[METRICS_DIRTY] = SRC_DISKS | SRC_BLOCK | SRC_TASKS | SRC_NAMES | SRC_FILES,
	[METRICS_PROGRAMS] = 0,
};

static unsigned needs_of(const struct options *o)
{
	unsigned needs = SRC_SYSTEM;

	for (unsigned i = 0; i < METRICS_GROUPS; i++)
		if (o->metrics & 1u << i)
			needs |= sources[i];
	return needs;
}

struct serve *serve_new(const struct options *o, struct err *err)
{
	struct serve *s = mem_zalloc(sizeof(*s));
	int r = 0;

	s->o = o;
	s->runs = -1;
	s->listens = o->listen || !o->textfile;
	s->http.socket = -1;
	if (o->store) {
		s->service.keep = keep_new(o, err);
		r = s->service.keep ? 0 : -EINVAL;
	}
	if (!r && s->listens)
		r = listen_parse(o->listen ? o->listen : LISTEN_DEFAULT, &s->address, err);
	if (!r && o->web_config && !s->listens)
		r = err_set(err, EINVAL, _("--web-config does nothing where nothing listens"));
	if (!r && o->web_config)
		r = web_config_read(o->web_config, &s->http.web, err);
	if (r < 0) {
		keep_free(s->service.keep);
		free(s);
		return NULL;
	}
	return s;
}

void serve_free(struct serve *s)
{
	if (!s)
		return;
	server_stop(s->server);
	if (s->server)
		listen_remove(&s->address);
	textfile_close(s->textfile);
	metrics_free(s->metrics);
	keep_free(s->service.keep);
	fd_close(s->runs);
	web_config_release(&s->http.web);
	for (size_t i = 0; i < HTTP_TEXTS; i++)
		buf_release(&s->texts[i]);
	free(s);
}

/* Another user's folder may be meant; root's privilege for that is its own only here. */
static int open_textfile(struct serve *s, struct err *err)
{
	uint64_t before;
	int r;

	if (!s->o->textfile)
		return 0;
	before = privilege_raise(PRIV_RECORD);
	r = textfile_open(s->o->textfile, &s->textfile, err);
	privilege_restore(before);
	return r;
}

/* The socket, and the process that answers. */
static int open_server(struct serve *s, struct err *err)
{
	int r = open_textfile(s, err);
	uint64_t before;

	if (r < 0 || !s->listens)
		return r;
	before = privilege_raise(PRIV_LISTEN);
	s->http.socket = listen_open(&s->address, err);
	privilege_restore(before);
	privilege_drop(PRIV_LISTEN);
	if (s->http.socket < 0)
		return s->http.socket;
	r = server_start(&s->http, &s->server, err);
	if (r < 0)
		listen_remove(&s->address);
	/* It has them; here nobody needs them. */
	web_config_release(&s->http.web);
	return r;
}

/* Nothing is shown, but stacks get their names. */
static void show(_unused_ void *arg, _unused_ const struct model *m)
{
}

static const struct view_spec *spec(_unused_ void *arg)
{
	static const struct view_spec nothing;

	return &nothing;
}

static const struct row *row(_unused_ void *arg, _unused_ size_t i)
{
	return NULL;
}

static uint64_t resident(pid_t pid)
{
	struct buf text = { 0 };
	uint64_t pages = 0;
	char path[32];

	snprintf(path, sizeof(path), "/proc/%d/statm", (int)pid);
	if (!buf_read_file(&text, AT_FDCWD, path, 256) && text.data) {
		const char *p = text.data;

		scan_u64(&p);
		pages = scan_u64(&p);
	}
	buf_release(&text);
	return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

static struct metrics_process cost(const char *name, pid_t pid)
{
	struct metrics_process ret = { .name = name, .resident = resident(pid) };
	struct timespec used;
	clockid_t clock;

	if (!clock_getcpuclockid(pid, &clock) && !clock_gettime(clock, &used))
		ret.cpu_ns = (uint64_t)used.tv_sec * NSEC_PER_SEC + (uint64_t)used.tv_nsec;
	return ret;
}

static void put_program(void *arg, const struct collect_program *p)
{
	metrics_program(arg, p->object, p->name, p->runs, p->run_ns);
}

/* All is written before it is asked for: who scrapes often costs no more. */
static void write_texts(struct serve *s, const struct model *m)
{
	struct metrics_process own[PROCESSES];
	size_t n = 0;

	own[n++] = cost("collector", getpid());
	if (s->server)
		own[n++] = cost("server", server_pid(s->server));
	metrics_update(s->metrics, m);
	collect_programs(put_program, s->metrics);
	metrics_processes(s->metrics, own, n);
	for (size_t i = 0; i < HTTP_TEXTS; i++)
		buf_reset(&s->texts[i]);
	metrics_write(s->metrics, METRICS_PROMETHEUS, &s->texts[HTTP_PROMETHEUS]);
	if (!s->server)
		return;
	metrics_write(s->metrics, METRICS_OPENMETRICS, &s->texts[HTTP_OPENMETRICS]);
	status_page(&s->texts[HTTP_PAGE], m, s->metrics, own, n);
}

/* A full disk is no reason to end: it is said once, until it is gone. */
static void put_textfile(struct serve *s)
{
	const struct buf *text = &s->texts[HTTP_PROMETHEUS];
	uint64_t before = privilege_raise(PRIV_RECORD);
	struct err err = { "" };
	bool failed = textfile_write(s->textfile, text->data, text->len, &err) < 0;

	privilege_restore(before);
	if (failed && !s->told)
		fprintf(stderr, "iotop: %s\n", err.text);
	s->told = failed;
}

/* 1: go on; -errno. */
static int tick(void *arg, struct session *session, struct err *err)
{
	struct serve *s = arg;
	const struct session_viewer nobody = {
		.stacks_ns = STACKS_BUDGET, .show = show, .spec = spec, .row = row, .arg = s,
	};
	struct keep *keep = s->service.keep;
	const struct session_viewer viewer = keep ? keep_viewer(keep, session) : nobody;
	/* One set of programs serves both. */
	int r = session_step(session, needs_of(s->o) | options_recorded(s->o), &viewer, err);

	if (r <= 0)
		return r;
	write_texts(s, session->model);
	if (s->textfile)
		put_textfile(s);
	if (s->server)
		r = server_publish(s->server, s->texts,
				   (uint64_t)(service_delay(&s->service) * NSEC_PER_SEC), err);
	return r < 0 ? r : 1;
}

int serve_run(struct serve *s, struct helper *helper, struct err *err)
{
	int r = open_server(s, err);

	if (r < 0)
		return r;
	/* Behind the fork: what is kept is none of the business of who answers. */
	r = s->service.keep ? keep_open(s->service.keep, err) : 0;
	if (r >= 0 && s->o->metrics & 1u << METRICS_PROGRAMS)
		r = s->runs = collect_count_runs(err);
	if (r >= 0) {
		s->metrics = metrics_new(s->o->max_series, needs_of(s->o));
		s->service.o = s->o;
		s->service.tick = tick;
		s->service.arg = s;
		r = service_run(&s->service, helper, err);
	}
	/* Only what was asked for is bad usage. */
	return r == -EINVAL ? -EIO : r < 0 ? r : 0;
}
