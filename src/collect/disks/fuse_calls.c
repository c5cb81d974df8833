// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/disks/fuse_calls.h"

#include <stdlib.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "base/clock.h"
#include "base/macro.h"
#include "base/mem.h"
#include "bpf/abi_fuse.h"
#include "bpf/mounts/fuse.skel.h"
#include "collect/bpf/kernel.h"
#include "collect/bpf/programs.h"
#include "collect/privilege.h"
#include "collect/probe_list.h"

enum { SEND, END };

static const struct bpf_hook hooks[] = {
	[SEND] = { .program = "fuse_send", .point = "fuse_request_send", .raw = true },
	[END] = { .program = "fuse_end", .point = "fuse_request_end", .raw = true },
};

static int set_up(_unused_ void *state, void *skel, _unused_ struct err *err)
{
	((struct fuse_bpf *)skel)->rodata->pid_namespace = kernel_pid_namespace();
	return 0;
}

BPF_PROGRAMS(fuse, .what = "the programs at FUSE", .set_up = set_up);

struct fuse_calls {
	struct bpf_programs programs;
	bool open, failed;
	struct err why;	/* it failed */
};

struct fuse_calls *fuse_calls_new(void)
{
	struct fuse_calls *c = mem_zalloc(sizeof(*c));

	bpf_programs_init(&c->programs, &fuse_programs);
	return c;
}

static void unload(struct fuse_calls *c)
{
	if (c->open)
		bpf_programs_close(&c->programs);
	bpf_programs_init(&c->programs, &fuse_programs);
	c->open = false;
}

void fuse_calls_free(struct fuse_calls *c)
{
	uint64_t before;

	if (!c)
		return;
	before = privilege_raise(PRIV_PROGRAMS);
	unload(c);
	privilege_restore(before);
	free(c);
}

static bool attached(const struct fuse_calls *c)
{
	return c->programs.hooks.state[SEND].link && c->programs.hooks.state[END].link;
}

static void load(struct fuse_calls *c)
{
	int r = bpf_host_check(NULL, &c->why);

	c->open = !r;
	if (!r)
		r = bpf_programs_load(&c->programs, NULL, &c->why);
	if (!r)
		r = bpf_programs_attach(&c->programs, 0, &c->why);
	if (!r && !attached(c))
		r = err_set(&c->why, ENOENT, "%s: %s", hooks[END].point,
			    c->programs.hooks.state[END].why);
	c->failed = r < 0;
	if (c->failed)
		unload(c);
}

static int counters(const struct fuse_calls *c)
{
	const struct fuse_bpf *skel = c->programs.skel;

	return bpf_map__fd(skel->maps.mounts);
}

static bool has(const uint32_t *devs, size_t n, uint32_t dev)
{
	while (n--)
		if (devs[n] == dev)
			return true;
	return false;
}

static void forget_others(struct fuse_calls *c, const uint32_t *devs, size_t n)
{
	uint32_t gone[ABI_FUSE_MOUNTS], dev, *before = NULL;
	size_t ngone = 0;

	for (; ngone < ARRAY_SIZE(gone) && !bpf_map_get_next_key(counters(c), before, &dev);
	     before = &dev)
		if (!has(devs, n, dev))
			gone[ngone++] = dev;
	while (ngone--)
		bpf_map_delete_elem(counters(c), &gone[ngone]);
}

void fuse_calls_keep(struct fuse_calls *c, const uint32_t *devs, size_t n)
{
	uint64_t before = privilege_raise(PRIV_PROGRAMS);

	if (!n)
		unload(c);
	else if (!c->open && !c->failed)
		load(c);
	if (c->open)
		forget_others(c, devs, n);
	privilege_restore(before);
}

void fuse_calls_fill(struct fuse_calls *c, struct sample *s, struct sample_mount *row)
{
	struct abi_fuse counts = { 0 };
	uint64_t before;

	if (!c->open)
		return;
	before = privilege_raise(PRIV_PROGRAMS);
	/* Not there: no call has ended yet. */
	bpf_map_lookup_elem(counters(c), &row->dev, &counts);
	privilege_restore(before);
	row->have |= MOUNT_CALLS;
	row->answers = counts.answers;
	row->calls = counts.calls;
	row->errors = counts.errors;
	row->ns = row->rtt_ns = counts.ns;
	row->read = counts.read;
	row->write = counts.write;
	if (!counts.server)
		return;
	row->server = counts.server;
	row->server_comm = sample_str(s, counts.comm, sizeof(counts.comm));
}

struct caller {
	struct abi_fuse_task task;
	struct abi_fuse_wait wait;
};

static int by_tid(const void *pa, const void *pb)
{
	const struct caller *a = pa, *b = pb;

	return ORDER(a->task.tid, b->task.tid);
}

/* Keys may come again while entries change: the map's size bounds the walk. */
static size_t read_callers(const struct fuse_calls *c, struct caller *to)
{
	const struct fuse_bpf *skel = c->programs.skel;
	int fd = bpf_map__fd(skel->maps.callers);
	struct abi_fuse_task *before = NULL;
	size_t n = 0;

	for (; n < ABI_FUSE_CALLERS && !bpf_map_get_next_key(fd, before, &to[n].task); n++) {
		before = &to[n].task;
		if (bpf_map_lookup_elem(fd, before, &to[n].wait))
			to[n].wait = (struct abi_fuse_wait){ 0 };
	}
	return n;
}

static struct caller *find(struct caller *callers, size_t n, const struct abi_fuse_task *t)
{
	for (size_t i = 0; i < n; i++)
		if (callers[i].task.tid == t->tid && callers[i].task.start == t->start)
			return &callers[i];
	return NULL;
}

/* What goes on counts, too. Returns how many callers there are then. */
static size_t add_waiting(const struct fuse_calls *c, struct caller *callers, size_t n,
			  uint64_t now)
{
	const struct fuse_bpf *skel = c->programs.skel;
	int fd = bpf_map__fd(skel->maps.sent);
	uint64_t key, *before = NULL;

	for (size_t i = 0; i < ABI_FUSE_CALLS && !bpf_map_get_next_key(fd, before, &key); i++) {
		struct abi_fuse_call call;
		struct caller *who;

		before = &key;
		if (bpf_map_lookup_elem(fd, &key, &call) || !call.task.tid || call.since > now)
			continue;
		who = find(callers, n, &call.task);
		if (!who && n < ABI_FUSE_CALLERS) {
			who = &callers[n++];
			*who = (struct caller){ .task = call.task };
		}
		if (!who)
			continue;
		who->wait.ns += now - call.since;
		who->wait.dev = call.dev;
	}
	return n;
}

static bool is_task(const struct caller *c, const struct sample_task *t)
{
	/* Starts may be cut to ticks. */
	return c->task.tid == t->id.tid && c->task.start >= t->id.start &&
	       c->task.start - t->id.start < TASK_START_SLACK;
}

void fuse_calls_tasks(struct fuse_calls *c, struct sample *s)
{
	struct caller *callers;
	uint64_t before;
	size_t n;

	if (!c->open)
		return;
	callers = mem_alloc(ABI_FUSE_CALLERS * sizeof(*callers));
	before = privilege_raise(PRIV_PROGRAMS);
	n = read_callers(c, callers);
	n = add_waiting(c, callers, n, clock_mono());
	privilege_restore(before);
	qsort(callers, n, sizeof(*callers), by_tid);
	sample_each(s, TASK, struct sample_task, t) {
		struct caller like = { .task.tid = t->id.tid },
			      *who = n ? bsearch(&like, callers, n, sizeof(like), by_tid) : NULL;

		if (!who || !is_task(who, t))
			continue;
		t->server_ns = who->wait.ns;
		t->server_dev = who->wait.dev;
	}
	free(callers);
}

void fuse_calls_probe(const struct fuse_calls *c, struct probe_list *list)
{
	if (c->open)
		bpf_hooks_probe(&c->programs.hooks, list);
	else if (c->failed)
		probe_add(list, hooks[END].point, false, "%s", c->why.text);
	else
		probe_add(list, hooks[END].point, true, "raw_tp, not attached: not needed now");
}
