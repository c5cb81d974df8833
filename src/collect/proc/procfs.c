// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The tasks and their I/O from /proc alone: without BPF and without taskstats, or without the right
 * to use them.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/i18n.h"
#include "collect/delayacct.h"
#include "collect/probe_list.h"
#include "collect/proc/tasklist.h"
#include "collect/set.h"

/*
 * A task that seems idle has its stat read every so many rounds, and one whose io we may not read
 * its io.
 */
#define REFRESH 8

struct procfs {
	struct tasklist list;
	const struct delayacct *delayacct;
	unsigned sources;
	size_t denied;		/* tasks whose io we may not read */
};

static int procfs_open(struct collect_set *set, unsigned sources, void **ret_state, struct err *err)
{
	struct procfs *p = mem_alloc(sizeof(*p));
	int r;

	*p = (struct procfs){ .sources = sources, .delayacct = set->delayacct };
	r = tasklist_open(&p->list, set, err);
	if (r < 0) {
		free(p);
		return r;
	}
	*ret_state = p;
	return 0;
}

static int procfs_enable(void *state, unsigned sources, struct err *err)
{
	struct procfs *p = state;

	p->sources = sources;
	return 0;
}

static void procfs_close(void *state)
{
	struct procfs *p = state;

	tasklist_release(&p->list);
	free(p);
}

static int read_io(struct procfs *p, const char *path, struct proc_io *ret)
{
	int r = buf_read_file(&p->list.buf, p->list.proc, path, 4096);

	if (r < 0)
		return r;
	return p->list.buf.len ? proc_io_parse(p->list.buf.data, ret) : -ESRCH;
}

/* The I/O of a task. Returns whether it moved. */
static bool task_io(struct procfs *p, struct known *k)
{
	char path[64];
	struct proc_io io;
	bool moved, denied;
	int r;

	snprintf(path, sizeof(path), "%u/task/%u/io", k->tgid, k->tid);
	r = read_io(p, path, &io);
	if (r == -ENOENT && tasklist_stat(&p->list, k) < 0) {
		k->stat_round = 0;
		return false;
	}
	denied = r == -EACCES || r == -EPERM || r == -ENOENT;
	/* Who has other rights now may be another user. */
	if (k->denied != denied)
		k->user_read = false;
	k->denied = denied;
	if (denied)
		k->have &= ~SRC_TASKIO;
	if (r < 0)
		return false;
	moved = !(k->have & SRC_TASKIO) || memcmp(&io, &k->io, sizeof(io));
	k->io = io;
	k->have |= SRC_TASKIO;
	return moved;
}

/* Whether a process with several threads did anything that its own sums tell. */
static bool process_moved(struct procfs *p, struct known *leader)
{
	char path[32];
	struct proc_io io;
	bool moved;

	if (leader->denied || !(leader->have & SRC_TASKIO))
		return true;
	snprintf(path, sizeof(path), "%u/io", leader->tgid);
	if (read_io(p, path, &io) < 0)
		return true;
	moved = memcmp(&io, &leader->process, sizeof(io));
	leader->process = io;
	return moved;
}

static void update_task(struct procfs *p, struct known *k, bool quiet)
{
	unsigned round = p->list.round;
	bool fresh = k->stat_round == round, moved = false;
	bool turn = (round + k->tid) % REFRESH == 0;

	if ((p->sources & SRC_TASKIO) && (!k->denied || turn) &&
	    (!quiet || !(k->have & SRC_TASKIO)))
		moved = task_io(p, k);
	if (fresh)
		return;
	/* Running or waiting tasks change their state soon, the rest is looked at in turn. */
	if (moved || k->stat.state == 'R' || k->stat.state == 'D' || (k->denied && !quiet) ||
	    turn) {
		uint64_t start = k->stat.start;
		int r = tasklist_stat(&p->list, k);

		if (r < 0)
			k->stat_round = 0;
		else if (k->stat.start != start && (p->sources & SRC_TASKIO))
			task_io(p, k);
	}
}

/*
 * The waits for block I/O that delay accounting leaves in stat, for every user to read. Swap-in is
 * not there.
 */
static void take_waits(const struct procfs *p, struct known *k, uint64_t since)
{
	uint64_t tick = proc_tick_ns();

	k->have &= ~SRC_WAITS;
	k->iowait_ns = 0;
	if (!(p->sources & SRC_WAITS) || k->stat.start * tick < since)
		return;
	k->have |= SRC_WAITS;
	k->iowait_ns = k->stat.blkio * tick;
}

static void fill_sources(struct procfs *p, struct sample *s, uint64_t since)
{
	const char *limits = tasklist_limits(&p->list);
	enum source_state state = limits ? SOURCE_PART : SOURCE_ON;

	sample_source(s, SRC_TASKS, state, limits);
	if (p->sources & SRC_WAITS && since == UINT64_MAX)
		sample_source(s, SRC_WAITS, SOURCE_OFF, DELAYACCT_OFF);
	else if (p->sources & SRC_WAITS)
		sample_source(s, SRC_WAITS, SOURCE_PART,
			      N_("from /proc: in steps of 10 ms, without swap-in"));
	if (!(p->sources & SRC_TASKIO))
		return;
	if (p->denied && p->denied == p->list.n)
		sample_source(
			s, SRC_TASKIO, SOURCE_OFF,
			N_("/proc/PID/io is not readable: this kernel keeps no I/O accounting"));
	else if (p->denied && geteuid() != 0)
		/* README and the manual say the same. */
		sample_source(s, SRC_TASKIO, SOURCE_PART,
			      N_("only your own tasks: all of them as root, or after "
				 "setcap cap_bpf,cap_perfmon,cap_net_admin,cap_sys_ptrace,"
				 "cap_dac_read_search,cap_syslog+p on the program"));
	else if (p->denied)
		sample_source(s, SRC_TASKIO, SOURCE_PART,
			      N_("without the tasks that have more privileges than this process"));
	else
		sample_source(s, SRC_TASKIO, state, limits);
}

static int procfs_collect(void *state, struct sample *s, struct err *err)
{
	struct procfs *p = state;
	struct tasklist *l = &p->list;
	uint64_t since = delayacct_since(p->delayacct);
	bool quiet = false;
	int r = tasklist_scan(l, err);

	if (r < 0)
		return r;
	p->denied = 0;
	for (size_t i = 0; i < l->n; i++) {
		struct known *k = l->tasks[i];

		if (k->tid == k->tgid)
			quiet = (p->sources & SRC_TASKIO) && k->threads > 1 && !process_moved(p, k);
		update_task(p, k, quiet);
		take_waits(p, k, since);
		collect_yield(l->set);
		p->denied += k->denied;
	}
	tasklist_slow(l);
	tasklist_emit(l, s);
	fill_sources(p, s, since);
	return 0;
}

static void procfs_probe(void *state, struct probe_list *list)
{
	struct procfs *p = state;
	const char *limits = tasklist_limits(&p->list);

	probe_add(list, "procfs tasks", !limits, "%s",
		  limits ? _(limits) : _("all tasks of /proc"));
}

const struct collector collector_procfs = {
	.name = "procfs",
	.provides = SRC_TASKS | SRC_TASKIO | SRC_WAITS,
	.privileges = PRIV_TASKS,
	.open = procfs_open,
	.enable = procfs_enable,
	.collect = procfs_collect,
	.probe = procfs_probe,
	.close = procfs_close,
};
