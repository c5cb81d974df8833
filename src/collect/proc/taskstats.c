// SPDX-License-Identifier: GPL-2.0-or-later
/* The kernel's accounting over netlink: what a task did, and a message for every task that ends. */
#include <errno.h>
#include <linux/netlink.h>
#include <linux/genetlink.h>
#include <linux/taskstats.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/i18n.h"
#include "collect/probe_list.h"
#include "collect/proc/acct.h"
#include "collect/proc/exits.h"
#include "collect/proc/genl.h"
#include "collect/proc/tasklist.h"
#include "collect/set.h"

#define SOCKET_BUFFER (1 << 20)	/* bytes: the replies to a batch */
#define BATCH 128		/* queries sent at once */
#define EXIT_HOLD NSEC_PER_SEC
#define REFRESH 64		/* a task that sleeps has its stat read every so many rounds */

struct taskstats_state {
	struct collect_set *set;
	unsigned sources;
	struct exits *exits;	/* NULL: not wanted, or why says it */
	struct err why;
	/* Listing, when wanted has SRC_TASKS */
	bool listing;
	struct tasklist list;
	struct genl *query;
	unsigned gives;		/* enum source bits of a reply */
	unsigned version;	/* of struct taskstats, 0: not seen yet */
};

static int start_listing(struct taskstats_state *t, struct err *err)
{
	uint32_t self = (uint32_t)getpid();
	int r = genl_open(&t->query, SOCKET_BUFFER, err);

	if (r < 0)
		return r;
	r = genl_request(t->query, TASKSTATS_CMD_ATTR_PID, &self, sizeof(self), err);
	if (r == 0)
		r = tasklist_open(&t->list, t->set, err);
	if (r < 0) {
		genl_close(t->query);
		t->query = NULL;
		return r;
	}
	t->listing = true;
	/* Without CONFIG_TASK_IO_ACCOUNTING the members are there, and 0. */
	t->gives = SRC_DELAYS | (access("/proc/self/io", F_OK) == 0 ? SRC_TASKIO : 0);
	return 0;
}

static void stop_listing(struct taskstats_state *t)
{
	if (t->listing)
		tasklist_release(&t->list);
	genl_close(t->query);
	t->query = NULL;
	t->listing = false;
}

static int taskstats_enable(void *state, unsigned sources, struct err *err)
{
	struct taskstats_state *t = state;
	int r = 0;

	if (!(sources & SRC_TASKS))
		stop_listing(t);
	else if (!t->listing)
		r = start_listing(t, err);
	if (r < 0)
		return r;
	if (!(sources & SRC_EXITS)) {
		exits_close(t->exits);
		t->exits = NULL;
	} else if (!t->exits) {
		r = exits_open(collect_set_options(t->set), &t->exits, &t->why);
		if (r < 0 && !t->listing) {
			*err = t->why;
			return r;
		}
	}
	t->sources = sources;
	return 0;
}

static void taskstats_close(void *state)
{
	struct taskstats_state *t = state;

	stop_listing(t);
	exits_close(t->exits);
	free(t);
}

static int taskstats_open(struct collect_set *set, unsigned sources, void **ret_state,
			  struct err *err)
{
	const char *proc = collect_set_options(set)->proc;
	struct taskstats_state *t;

	if (strcmp(proc, "/proc"))
		return err_set(err, ENOTSUP, "%s is not of this machine", proc);
	t = *ret_state = mem_alloc(sizeof(*t));
	*t = (struct taskstats_state){ .set = set };
	return taskstats_enable(t, sources, err);
}

static int taskstats_fd(void *state)
{
	struct taskstats_state *t = state;

	return t->exits ? exits_fd(t->exits) : -1;
}

static void taskstats_drain(void *state)
{
	struct taskstats_state *t = state;

	if (t->exits)
		exits_drain(t->exits);
}

/* Queries that were sent together, and the tasks they are for. */
struct batch {
	struct taskstats_state *t;
	struct known **tasks;
	uint32_t first, n;	/* sequence number of the first */
};

static void take_reply(const struct nlmsghdr *h, void *arg)
{
	struct batch *b = arg;
	uint32_t i = h->nlmsg_seq - b->first;
	struct acct_message m;
	struct known *k;
	size_t len;
	const void *data;

	if (i >= b->n)
		return;
	k = b->tasks[i];
	if (h->nlmsg_type == NLMSG_ERROR) {
		/* It ended since the folder was read. */
		k->stat_round = 0;
		return;
	}
	data = genl_payload(b->t->query, h, &len);
	if (!data || acct_message_parse(data, len, &m) < 0 || !m.has_task || m.tid != k->tid)
		return;
	b->t->version = m.task.version;
	k->have = b->t->gives;
	k->reused = m.task.etime_us < k->age_us;
	k->age_us = m.task.etime_us;
	k->moved = m.task.switches != k->switches;
	k->switches = m.task.switches;
	k->io.read_bytes = m.task.read_bytes;
	k->io.write_bytes = m.task.write_bytes;
	k->io.cancelled_bytes = m.task.cancelled_bytes;
	k->blkio_ns = m.task.blkio_ns;
	k->swapin_ns = m.task.swapin_ns;
}

/* A query as it goes over the wire. */
struct query {
	struct nlmsghdr header;
	struct genlmsghdr genl;
	struct nlattr attr;
	uint32_t tid;
};

_Static_assert(sizeof(struct query) == 28, "a query has no padding");

static int send_batch(const struct batch *b)
{
	struct query q[BATCH];

	for (uint32_t i = 0; i < b->n; i++) {
		q[i] = (struct query){
			.header = { .nlmsg_len = sizeof(q[i]),
				    .nlmsg_type = (uint16_t)genl_family(b->t->query),
				    .nlmsg_flags = NLM_F_REQUEST,
				    .nlmsg_seq = b->first + i },
			.genl = { .cmd = TASKSTATS_CMD_GET, .version = TASKSTATS_GENL_VERSION },
			.attr = { .nla_len = NLA_HDRLEN + sizeof(uint32_t),
				  .nla_type = TASKSTATS_CMD_ATTR_PID },
			.tid = b->tasks[i]->tid,
		};
	}
	return send(genl_fd(b->t->query), q, b->n * sizeof(q[0]), 0) < 0 ? -errno : 0;
}

/*
 * Asks for every task of the list. The kernel answers while it takes the queries: after send() all
 * replies are there.
 */
static int query_all(struct taskstats_state *t, struct err *err)
{
	struct tasklist *l = &t->list;

	for (size_t i = 0; i < l->n; i += BATCH) {
		struct batch b = { .t = t,
				   .tasks = l->tasks + i,
				   .n = (uint32_t)MIN(l->n - i, BATCH) };
		int r;

		b.first = genl_sequence(t->query, b.n);
		r = send_batch(&b);
		if (r < 0)
			return err_set(err, -r, "taskstats: %m");
		genl_receive(t->query, take_reply, &b);
		collect_yield(t->set);
	}
	return 0;
}

/*
 * Name, state and the like of tasks that ran, and of the rest in turn: its priority may be changed
 * while it sleeps.
 */
static void refresh(struct taskstats_state *t, struct known *k)
{
	unsigned round = t->list.round;
	bool idle = !k->moved && !k->reused && k->stat.state != 'R';
	struct known answer = *k;

	if (!k->stat_round || k->stat_round == round || (idle && (round + k->tid) % REFRESH != 0))
		return;
	if (tasklist_stat(&t->list, k) < 0) {
		k->stat_round = 0;
		return;
	}
	/* Had the tid gone to another task, then the answer was already that one's. */
	k->have = answer.have;
	k->io = answer.io;
	k->blkio_ns = answer.blkio_ns;
	k->swapin_ns = answer.swapin_ns;
	k->age_us = answer.age_us;
	k->switches = answer.switches;
	k->reused = false;
}

static int collect_listing(struct taskstats_state *t, struct sample *s, struct err *err)
{
	struct tasklist *l = &t->list;
	const char *limits;
	int r = tasklist_scan(l, err);

	if (r == 0)
		r = query_all(t, err);
	if (r < 0)
		return r;
	for (size_t i = 0; i < l->n; i++)
		refresh(t, l->tasks[i]);
	tasklist_slow(l);
	tasklist_emit(l, s);
	limits = tasklist_limits(l);
	for (unsigned bit = SRC_TASKS; bit <= SRC_DELAYS; bit <<= 1) {
		if (t->sources & bit & ~(SRC_TASKS | t->gives))
			sample_source(s, bit, SOURCE_OFF,
				N_("this kernel keeps no I/O accounting "
				   "(CONFIG_TASK_IO_ACCOUNTING)"));
		else if (t->sources & bit)
			sample_source(s, bit, limits ? SOURCE_PART : SOURCE_ON, limits);
	}
	return 0;
}

static int taskstats_collect(void *state, struct sample *s, struct err *err)
{
	struct taskstats_state *t = state;
	int r = t->listing ? collect_listing(t, s, err) : 0;

	if (t->exits) {
		/*
		 * After the listing: who ended since is told now, and not forgotten until the next
		 * time.
		 */
		exits_drain(t->exits);
		/*
		 * BPF tells more exactly, but a large process may take long between the two: time
		 * for it to come first.
		 */
		exits_emit(t->exits, s, set_told_by_bpf(t->set, SRC_EXITS) ? EXIT_HOLD : 0);
	}
	if (t->sources & SRC_EXITS)
		sample_source(s, SRC_EXITS, t->exits ? SOURCE_ON : SOURCE_OFF, t->why.text);
	return r;
}

/* Version of struct taskstats, by asking for ourselves; 0: no answer. */
static unsigned ask_version(struct taskstats_state *t)
{
	struct known self = { .tid = (uint32_t)getpid() }, *tasks[] = { &self };
	struct batch b = { .t = t, .tasks = tasks, .n = 1 };
	struct err err;

	if (!t->query && genl_open(&t->query, SOCKET_BUFFER, &err) < 0)
		return 0;
	b.first = genl_sequence(t->query, b.n);
	if (send_batch(&b) == 0)
		genl_receive(t->query, take_reply, &b);
	return t->version;
}

static void taskstats_probe(void *state, struct probe_list *list)
{
	struct taskstats_state *t = state;
	unsigned version = ask_version(t);

	if (t->exits)
		probe_add(list, "taskstats exits", true, _("told of tasks that end on CPUs %s"),
			  exits_cpus(t->exits));
	else
		probe_add(list, "taskstats exits", false, "%s",
			  t->why.text[0] ? t->why.text : _("not needed"));
	probe_add(list, "taskstats queries", t->listing, "%s",
		  t->listing ? _("one a task") : _("not needed: the tasks are read otherwise"));
	if (version)
		probe_add(list, "taskstats version", true, "%u", version);
}

const struct collector collector_taskstats = {
	.name = "taskstats",
	.accounting = ACCOUNTING_NETLINK,
	.provides = SRC_TASKS | SRC_TASKIO | SRC_DELAYS | SRC_EXITS,
	.privileges = PRIV_ACCOUNTING | PRIV_TASKS,
	.open = taskstats_open,
	.enable = taskstats_enable,
	.collect = taskstats_collect,
	.fd = taskstats_fd,
	.drain = taskstats_drain,
	.probe = taskstats_probe,
	.close = taskstats_close,
};
