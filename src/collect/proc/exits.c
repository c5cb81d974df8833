// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/proc/exits.h"

#include <errno.h>
#include <linux/netlink.h>
#include <linux/taskstats.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "collect/proc/acct.h"
#include "collect/proc/genl.h"

#define SOCKET_BUFFER (8 << 20)	/* bytes: some thousand messages */
#define EXITS_MAX 100000	/* kept between two samples */

/* A task that ended, as its message came. */
struct gone {
	struct acct acct;
	uint32_t tid, tgid;	/* tgid 0: unknown */
	uint64_t boot;		/* CLOCK_BOOTTIME ns when the message was read */
	uint64_t real;
};

struct exits {
	const struct collect_options *opt;
	struct genl *genl;
	char cpus[64];		/* what was registered for */
	struct gone *gone;
	size_t ngone, capgone;
	uint64_t lost;
	uint64_t drops;		/* the socket's own count, as of the last time */
};

/* All CPUs that may ever come: one that is registered for needs no more when it goes online. */
static void possible_cpus(const struct collect_options *opt, char *out, size_t size)
{
	_cleanup_(buf_release) struct buf b = { 0 };
	char path[256];

	snprintf(path, sizeof(path), "%s/devices/system/cpu/possible", opt->sys);
	if (buf_read_file(&b, -1, path, 60) == 0 && b.len > 1)
		snprintf(out, size, "%.*s", (int)strcspn(b.data, "\n"), b.data);
	else
		snprintf(out, size, "0-%ld", MAX(sysconf(_SC_NPROCESSORS_CONF), 1) - 1);
}

/*
 * Closing the socket would do: the kernel drops the listener at the next message. This is at once.
 */
void exits_close(struct exits *e)
{
	if (!e)
		return;
	genl_request(e->genl, TASKSTATS_CMD_ATTR_DEREGISTER_CPUMASK, e->cpus, strlen(e->cpus) + 1,
		     NULL);
	genl_close(e->genl);
	free(e->gone);
	free(e);
}

int exits_fd(const struct exits *e)
{
	return genl_fd(e->genl);
}

const char *exits_cpus(const struct exits *e)
{
	return e->cpus;
}

static void count_drops(struct exits *e)
{
	uint64_t drops = genl_drops(e->genl);

	/* At least one where the kernel does not say how many. */
	e->lost += drops > e->drops ? drops - e->drops : 1;
	e->drops = MAX(drops, e->drops);
}

static void take(const struct nlmsghdr *h, void *arg)
{
	struct exits *e = arg;
	struct acct_message m;
	size_t len;
	const void *data = genl_payload(e->genl, h, &len);

	if (!data || acct_message_parse(data, len, &m) < 0 || !m.has_task)
		return;
	if (e->ngone == EXITS_MAX) {
		e->lost++;
		return;
	}
	e->gone = mem_grow(e->gone, e->ngone, &e->capgone, sizeof(*e->gone));
	e->gone[e->ngone++] = (struct gone){
		.acct = m.task,
		.tid = m.tid,
		.tgid = m.has_group ? m.tgid : m.task.tgid,
		.boot = clock_boot(),
		.real = clock_real(),
	};
}

void exits_drain(struct exits *e)
{
	int r;

	do {
		r = genl_receive(e->genl, take, e);
		if (r == -ENOBUFS)
			count_drops(e);
	} while (r == -ENOBUFS);
}

/*
 * In another network namespace one can register, but the messages go to the first one (kernel:
 * send_cpu_listeners()). A child that ends at once tells: its message is sent before waitpid()
 * returns.
 */
static int self_test(struct exits *e, struct err *err)
{
	struct pollfd fd = { .fd = genl_fd(e->genl), .events = POLLIN };
	size_t kept = 0;
	bool told = false;
	pid_t child = vfork();

	if (child == 0)
		_exit(0);
	if (child < 0)
		return 0;
	while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
		;
	poll(&fd, 1, 100);
	exits_drain(e);
	for (size_t i = 0; i < e->ngone; i++) {
		if (e->gone[i].tid == (uint32_t)child)
			told = true;
		else
			e->gone[kept++] = e->gone[i];
	}
	e->ngone = kept;
	if (!told)
		return err_set(
			err, ENOTSUP,
			"taskstats tells of ended tasks in the first network namespace only");
	return 0;
}

int exits_open(const struct collect_options *opt, struct exits **ret, struct err *err)
{
	struct exits *e = mem_alloc(sizeof(*e));
	int r;

	*e = (struct exits){ .opt = opt };
	possible_cpus(opt, e->cpus, sizeof(e->cpus));
	r = genl_open(&e->genl, SOCKET_BUFFER, err);
	if (r == 0)
		r = genl_request(e->genl, TASKSTATS_CMD_ATTR_REGISTER_CPUMASK, e->cpus,
				 strlen(e->cpus) + 1, err);
	if (r == 0)
		r = self_test(e, err);
	if (r < 0) {
		genl_close(e->genl);
		free(e->gone);
		free(e);
		return r;
	}
	*ret = e;
	return 0;
}

/* When it started: the message has only its age and a second. The merge finds the task it was. */
static uint64_t gone_start(const struct gone *g)
{
	uint64_t age = g->acct.etime_us * 1000, since = g->acct.btime * NSEC_PER_SEC;

	/*
	 * A message that was read late: then the second is the better witness, of which it may be
	 * the end. Too early would be before it could have been seen, and what it did not counted.
	 */
	if (since < g->real && g->real - since > age + 2 * NSEC_PER_SEC)
		age = g->real - since - NSEC_PER_SEC;
	return age < g->boot ? g->boot - age : 1;
}

/* Whether a process is one of those that are looked at; 0 is an unknown one. */
static bool asked_for(const struct exits *e, uint32_t tgid)
{
	return !e->opt->tgids || !tgid || number_set_has(e->opt->tgids, tgid);
}

void exits_emit(struct exits *e, struct sample *s, uint64_t hold_ns)
{
	uint64_t now = clock_boot();
	size_t held = 0;

	for (size_t i = 0; i < e->ngone; i++) {
		const struct gone *g = &e->gone[i];
		struct sample_task *row;

		if (hold_ns && now - g->boot < hold_ns) {
			e->gone[held++] = *g;
			continue;
		}
		if (!asked_for(e, g->tgid))
			continue;
		row = sample_add_row(s, TASK, struct sample_task);
		row->id =
			(struct task_id){ .tgid = g->tgid, .tid = g->tid, .start = gone_start(g) };
		row->exit = row->id.start + g->acct.etime_us * 1000;
		row->ppid = g->acct.ppid;
		row->uid = g->acct.uid;
		row->nice = g->acct.nice;
		row->flags = TASK_ENDED;
		row->have = SRC_TASKIO | SRC_DELAYS | SRC_EXITS;
		row->comm = arena_strdup(&s->arena, g->acct.comm);
		row->read_bytes = g->acct.read_bytes;
		row->write_bytes = g->acct.write_bytes;
		row->cancelled_bytes = g->acct.cancelled_bytes;
		row->blkio_ns = g->acct.blkio_ns;
		row->swapin_ns = g->acct.swapin_ns;
	}
	e->ngone = held;
	sample_lose(s, "taskstats.exits-lost", e->lost);
}
