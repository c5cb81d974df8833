// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * All tasks by one call of a program or in one read of an iterator, and those that ended in between
 * from a ring buffer.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "base/arena.h"
#include "base/i18n.h"
#include "base/macro.h"
#include "bpf/abi.h"
#include "bpf/tasks/tasks.skel.h"
#include "collect/bpf/iterator.h"
#include "collect/bpf/kernel.h"
#include "collect/bpf/programs.h"
#include "collect/collector.h"
#include "collect/delayacct.h"
#include "collect/probe_list.h"
#include "collect/proc/cgroup_names.h"
#include "collect/proc/task_walk.h"
#include "collect/set.h"

#define EXITS_SIZE (1u << 20)	/* about 8,700 tasks */
#define ENDED_MAX 262144	/* tasks that end between two samples */
enum { LIST, WALK };	/* indices in hooks[] */

static const char *const walk_calls[] = {
	"bpf_iter_task_new", "bpf_iter_task_next", "bpf_iter_task_destroy",
	"bpf_rcu_read_lock", "bpf_rcu_read_unlock", NULL,
};

static const struct bpf_hook hooks[] = {
	[LIST] = { .program = "list", .needs = SRC_TASKS | SRC_TASKIO | SRC_DELAYS },
	[WALK] = { .program = "walk", .calls = walk_calls, .optional = true },
	{ .program = "task_exit", .point = "sched_process_exit", .needs = SRC_EXITS },
};

struct tasks {
	const struct collect_options *opt;
	const struct delayacct *delayacct;
	struct tasks_bpf *skel;
	struct bpf_programs programs;
	unsigned sources;
	struct ring_buffer *ring;
	struct abi_task *ended;	/* since the last sample */
	size_t nended, capended;
	uint64_t dropped;	/* ended tasks beyond ENDED_MAX */
	struct task_walk walk;
	struct abi_task *records;	/* buffer of a read */
	bool delays;	/* kernel.task_delayacct is on, or there is no such switch */
};

#define RECORDS 2048

static int take_exit(void *arg, void *data, size_t size)
{
	struct tasks *t = arg;

	if (size < sizeof(*t->ended))
		return 0;
	if (t->nended == ENDED_MAX) {
		t->dropped++;
		return 0;
	}
	t->ended = mem_grow(t->ended, t->nended, &t->capended, sizeof(*t->ended));
	memcpy(&t->ended[t->nended++], data, sizeof(*t->ended));
	return 0;
}

static int set_up(void *state, void *skel, _unused_ struct err *err)
{
	struct tasks *t = state;
	const char *no_walk;

	t->skel = skel;
	bpf_map__set_max_entries(t->skel->maps.exits, EXITS_SIZE);
	t->skel->rodata->exits_size = EXITS_SIZE;
	t->skel->rodata->pid_namespace = kernel_pid_namespace();
	t->skel->rodata->cgroup_v1_marks = cgroup_names_marks(t->opt->proc);
	no_walk = task_walk_prepare(t->skel, t->opt->proc);
	if (no_walk)
		bpf_hooks_refuse(&t->programs.hooks, WALK, no_walk);
	return 0;
}

BPF_PROGRAMS(tasks, .what = "the task programs", .set_up = set_up);

static void tasks_close(void *state)
{
	struct tasks *t = state;

	ring_buffer__free(t->ring);
	task_walk_close(&t->walk);
	bpf_programs_close(&t->programs);
	free(t->ended);
	free(t->records);
	free(t);
}

static int tasks_enable(void *state, unsigned sources, struct err *err)
{
	struct tasks *t = state;

	t->sources = sources;
	return bpf_programs_attach(&t->programs, sources, err);
}

static int tasks_open(struct collect_set *set, unsigned sources, void **ret_state, struct err *err)
{
	struct tasks *t = *ret_state = mem_alloc(sizeof(*t));
	int r;

	*t = (struct tasks){ .opt = collect_set_options(set), .delayacct = set->delayacct };
	bpf_programs_init(&t->programs, &tasks_programs);
	t->records = mem_alloc(RECORDS * sizeof(*t->records));
	r = bpf_programs_load(&t->programs, t, err);
	if (r < 0)
		return r;
	r = task_walk_open(&t->walk, t->skel);
	if (r < 0)
		return err_set(err, -r, "the list of tasks cannot be mapped: %m");
	t->ring = ring_buffer__new(bpf_map__fd(t->skel->maps.exits), take_exit, t, NULL);
	if (!t->ring)
		return err_set(err, errno, "the ring buffer cannot be mapped: %m");
	return tasks_enable(t, sources, err);
}

static bool asked_for(const struct tasks *t, uint32_t tgid)
{
	return !t->opt->tgids || number_set_has(t->opt->tgids, tgid);
}

/* The threads of a process mostly share their name: so do their rows. */
static const char *comm_of(struct sample *s, const struct sample_task *row,
			   const struct abi_task *from)
{
	bool first = row == s->tables[TABLE_TASK].rows;

	if (!first && row[-1].comm && !strncmp(row[-1].comm, from->comm, sizeof(from->comm)))
		return row[-1].comm;
	return sample_str(s, from->comm, sizeof(from->comm));
}

static void add_task(const struct tasks *t, struct sample *s, const struct abi_task *from)
{
	struct sample_task *to;

	if (!asked_for(t, from->tgid))
		return;
	to = sample_add_row(s, TASK, struct sample_task);
	to->id = (struct task_id){ .tgid = from->tgid, .tid = from->tid, .start = from->start };
	to->process = from->process;
	to->ppid = from->ppid;
	to->uid = from->uid;
	to->state = from->state;
	to->asleep_ns = from->asleep_ns;
	to->frozen_dev = from->frozen_dev;
	to->ioprio = from->ioprio;
	to->nice = from->nice;
	to->cgroup = from->cgroup;
	to->comm = comm_of(s, to, from);
	to->have = SRC_TASKS;
	if (from->flags & ABI_TASK_KTHREAD)
		to->flags |= TASK_KTHREAD;
	if (from->flags & ABI_TASK_EXITING)
		to->flags |= TASK_EXITING;
	if (from->flags & ABI_TASK_IO) {
		to->have |= SRC_TASKIO;
		to->read_bytes = from->read_bytes;
		to->write_bytes = from->write_bytes;
		to->cancelled_bytes = from->cancelled_bytes;
	}
	if (from->flags & ABI_TASK_DELAYS && t->delays) {
		to->have |= SRC_DELAYS;
		to->blkio_ns = from->blkio_ns;
		to->swapin_ns = from->swapin_ns;
	}
	if (from->flags & ABI_TASK_ENDED) {
		to->flags |= TASK_ENDED;
		to->have |= SRC_EXITS;
		to->exit = from->exit_ns + (s->boot - s->mono);
	} else {
		to->flags |= TASK_LISTED;
	}
}

struct taker {
	const struct tasks *t;
	struct sample *s;
};

static void take_record(void *arg, const void *record)
{
	const struct taker *to = arg;

	add_task(to->t, to->s, record);
}

/* 1: not to be had. */
static int walk_tasks(struct tasks *t, struct sample *s)
{
	struct taker to = { t, s };
	int r = 1;

	if (bpf_hooks_can_call(&t->programs.hooks, WALK))
		r = task_walk(&t->walk, t->delays, take_record, &to);
	return r;
}

static int list_tasks(struct tasks *t, struct sample *s, const struct bpf_link *list,
		      struct err *err)
{
	struct taker to = { t, s };
	int r = bpf_iterator_run(list, t->records, sizeof(*t->records), RECORDS, take_record, &to);

	return r < 0 ? err_set(err, -r, "the list of tasks cannot be read: %m") : 0;
}

static void tasks_drain(void *state)
{
	struct tasks *t = state;

	ring_buffer__consume(t->ring);
}

static int tasks_fd(void *state)
{
	struct tasks *t = state;

	return t->sources & SRC_EXITS ? ring_buffer__epoll_fd(t->ring) : -1;
}

/*
 * Delays of tasks that started while it was on stand still when it is off: they are not measured
 * then, nor read.
 */
static void read_switch(struct tasks *t)
{
	t->delays = delayacct_now(t->delayacct) != 0;
	t->skel->bss->delays_off = !t->delays;
}

static int tasks_collect(void *state, struct sample *s, struct err *err)
{
	struct tasks *t = state;
	const struct bpf_link *list = t->programs.hooks.state[LIST].link;
	int r = 0;

	read_switch(t);
	/* What ended before the listing began is not in it. */
	ring_buffer__consume(t->ring);
	for (size_t i = 0; i < t->nended; i++)
		add_task(t, s, &t->ended[i]);
	t->nended = 0;
	if (list)
		r = walk_tasks(t, s);
	if (r > 0)
		r = list_tasks(t, s, list, err);
	if (r < 0)
		return r;
	if (t->sources & SRC_EXITS) {
		sample_lose(s, "tasks.exits-lost", t->skel->bss->exits_lost + t->dropped +
				bpf_program_misses(t->skel->progs.task_exit));
		sample_source(s, SRC_EXITS, SOURCE_ON, NULL);
	}
	if (t->sources & SRC_TASKS)
		sample_source(s, SRC_TASKS, SOURCE_ON, NULL);
	if (t->sources & SRC_TASKIO)
		sample_source(s, SRC_TASKIO, SOURCE_ON, NULL);
	if (t->sources & SRC_DELAYS)
		sample_source(s, SRC_DELAYS, t->delays ? SOURCE_ON : SOURCE_OFF,
			      t->delays ? NULL : "kernel.task_delayacct is 0");
	return 0;
}

static void tasks_probe(void *state, struct probe_list *list)
{
	struct tasks *t = state;

	bpf_hooks_probe(&t->programs.hooks, list);
	if (t->ring)
		probe_add(list, "tasks that end", true, _("a buffer of %u KiB, %llu did not fit"),
			  EXITS_SIZE >> 10, (unsigned long long)t->skel->bss->exits_lost);
}

const struct collector collector_tasks = {
	.name = "tasks",
	.bpf = true,
	.accounting = ACCOUNTING_BPF,
	.provides = SRC_TASKS | SRC_TASKIO | SRC_DELAYS | SRC_EXITS,
	.privileges = PRIV_PROGRAMS,
	.open = tasks_open,
	.enable = tasks_enable,
	.collect = tasks_collect,
	.fd = tasks_fd,
	.drain = tasks_drain,
	.probe = tasks_probe,
	.close = tasks_close,
};
