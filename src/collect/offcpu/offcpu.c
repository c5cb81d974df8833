// SPDX-License-Identifier: GPL-2.0-or-later
/* Who blocked, where, for how long, and who woke it. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/i18n.h"
#include "bpf/offcpu/offcpu.skel.h"
#include "collect/bpf/addresses.h"
#include "collect/bpf/counters.h"
#include "collect/bpf/hooks.h"
#include "collect/bpf/kernel.h"
#include "collect/set.h"
#include "collect/stacks/store_inside.h"

_Static_assert((int)ABI_WAKER_NONE == WAKER_NONE && (int)ABI_WAKER_TASK == WAKER_TASK, "wakers");
_Static_assert((int)ABI_WAKER_IRQ == WAKER_IRQ && (int)ABI_WAKER_SOFTIRQ == WAKER_SOFTIRQ,
	       "wakers");
_Static_assert((int)ABI_WAKER_IDLE == WAKER_IDLE && (int)ABI_WAKER_UNKNOWN == WAKER_UNKNOWN,
	       "wakers");

#define STACKS_DEFAULT 32768
#define BLOCKS 16384
#define TASKS_HASHED 65536	/* before Linux 5.11 */
#define IDLE_ROUNDS 10		/* nothing was counted for so many samples: no row any more */
#define MIN_NS 1000		/* shorter blocks are left out unless asked for */

enum {
	SWITCH, WAKING, REQUEST, GOES_ON,
};

static const struct bpf_hook hooks[] = {
	[SWITCH] = { .program = "block_begin", .point = "sched_switch" },
	[WAKING] = { .program = "block_end", .point = "sched_waking" },
	[REQUEST] = { .program = "block_request_done",
		      .point = "block_rq_complete",
		      .args = 3,
		      .optional = true },
	[GOES_ON] = { .program = "block_goes_on", .optional = true },
};

struct offcpu {
	struct collect_set *set;
	struct bpf_hooks hooks;
	struct offcpu_bpf *skel;
	struct stackstore *store;
	struct stackmap map;
	struct counters blocks, rest;
};

static void set_filters(struct offcpu_bpf *skel, const struct collect_options *opt)
{
	size_t n = opt->tgids ? opt->tgids->n : 0;

	/* More than fit: all are taken here, and the rows filtered. */
	if (n <= ARRAY_SIZE(skel->rodata->want_pids)) {
		for (size_t i = 0; i < n; i++)
			*(uint32_t *)(uintptr_t)&skel->rodata->want_pids[i] = opt->tgids->items[i];
		skel->rodata->want_npids = (uint32_t)n;
	}
	skel->rodata->want_tid = opt->tid;
	skel->rodata->want_user_threads = opt->user_threads || !opt->kernel_threads;
	skel->rodata->want_kernel_threads = opt->kernel_threads || !opt->user_threads;
	skel->rodata->want_self = opt->self;
	skel->rodata->min_ns = opt->min_block ? opt->min_block : MIN_NS;
	if (opt->max_block)
		skel->rodata->max_ns = opt->max_block;
	for (const char *s = opt->state; s && *s; s++)
		skel->rodata->want_states |= 1ULL << (*s & 63);
}

static void set_sizes(struct offcpu_bpf *skel, const struct collect_options *opt)
{
	bool storage = kernel_has_task_storage();
	uint32_t max = opt->stack_storage ? MIN(MAX(opt->stack_storage, 16), 1u << 22)
					  : STACKS_DEFAULT;

	bpf_map__set_max_entries(skel->maps.stacks, max);
	skel->rodata->user_stacks_max = stackmap_for_users(max);
	bpf_map__set_max_entries(skel->maps.blocks, BLOCKS);
	bpf_map__set_max_entries(skel->maps.slots_hash, TASKS_HASHED);
	bpf_map__set_autocreate(skel->maps.slots, storage);
	bpf_map__set_autocreate(skel->maps.slots_hash, !storage);
	skel->rodata->has_task_storage = storage;
	skel->rodata->want_kernel_stacks = opt->stacks != STACKS_USER;
	skel->rodata->want_user_stacks = opt->stacks != STACKS_KERNEL;
}

static int load(struct offcpu *o, const struct collect_options *opt, struct err *err)
{
	int r;

	do {
		offcpu_bpf__destroy(o->skel);
		o->skel = offcpu_bpf__open_opts(bpf_host_open_opts());
		if (!o->skel)
			return err_set(err, errno, "the off-CPU programs cannot be read: %s",
				       strerror(errno));
		set_sizes(o->skel, opt);
		addresses_put(opt->proc, o->skel->rodata->addresses);
		set_filters(o->skel, opt);
		r = bpf_hooks_choose(&o->hooks, o->skel->obj, err);
		if (r < 0)
			return r;
		r = offcpu_bpf__load(o->skel);
	} while (r < 0 && bpf_hooks_retry(&o->hooks, r, err));
	return r;
}

/* The walk over all tasks; it writes nothing. */
static void walk(struct offcpu *o)
{
	struct bpf_link *link = o->hooks.state[GOES_ON].link;
	int fd = link ? bpf_iter_create(bpf_link__fd(link)) : -1;
	char none[16];
	ssize_t n;

	if (fd < 0)
		return;
	do {
		n = read(fd, none, sizeof(none));
	} while (n > 0 || (n < 0 && (errno == EINTR || errno == EAGAIN)));
	close(fd);
}

/* An interval ends now. */
static void offcpu_turn(void *state, uint64_t now)
{
	struct offcpu *o = state;
	uint32_t interval = o->skel->bss->epoch;

	/*
	 * In this order: a wake-up in between books too little by what it takes to get through
	 * here.
	 */
	o->skel->bss->last_sample_ns = o->skel->bss->sample_ns;
	o->skel->bss->sample_ns = now;
	o->skel->bss->epoch = interval + 1;
	walk(o);
}

static void offcpu_close(void *state)
{
	struct offcpu *o = state;

	bpf_hooks_detach(&o->hooks);
	stackmap_close(&o->map);
	counters_release(&o->blocks);
	counters_release(&o->rest);
	offcpu_bpf__destroy(o->skel);
	set_stacks_put(o->set);
	free(o);
}

static int offcpu_open(struct collect_set *set, unsigned wanted, void **ret_state, struct err *err)
{
	struct offcpu *o;
	int r = bpf_host_check(err);

	if (r < 0)
		return r;
	o = mem_zalloc(sizeof(*o));
	o->set = set;
	o->store = set_stacks_get(set);
	bpf_hooks_init(&o->hooks, hooks, ARRAY_SIZE(hooks));
	r = load(o, collect_set_options(set), err);
	if (!r) {
		counters_init(&o->blocks, o->skel->maps.blocks);
		counters_init(&o->rest, o->skel->maps.blocks_rest);
		r = stackmap_open(&o->map, set, o->skel->maps.stacks, o->skel->maps.spaces, err);
	}
	if (!r) {
		/* No interval has the number 0. */
		o->skel->bss->epoch = 1;
		o->skel->bss->sample_ns = clock_mono();
		o->skel->bss->want_all = set->every_block;
		r = bpf_hooks_attach(&o->hooks, o->skel->obj, wanted, err);
	}
	if (r < 0) {
		offcpu_close(o);
		return r;
	}
	/* Read here, where keys are answered meanwhile; with the names of our programs. */
	stackstore_kernel_reason(o->store);
	*ret_state = o;
	return 0;
}

struct reading {
	struct offcpu *offcpu;
	struct sample *sample;
	uint32_t interval;
	const struct counters *from;
	struct buf taken;	/* a byte for each row: whether its stacks were taken since the
				 * last sample */
};

static uint64_t longest(const __u64 max[2], uint32_t interval)
{
	uint64_t v = max[interval & 1];

	return ABI_MAX_EPOCH(v) == (interval & ABI_EPOCH_MASK) ? ABI_MAX_NS(v) : 0;
}

static void counter_row(void *arg, const void *key, const void *value)
{
	const struct abi_offcpu_key *k = key;
	const struct abi_offcpu *v = value;
	struct reading *r = arg;
	struct sample_offcpu *row = sample_add_row(r->sample, OFFCPU, struct sample_offcpu);
	bool fresh = v->fresh_epoch == r->interval + 1;

	collect_pause(r->offcpu->set);
	stackmap_want(&r->offcpu->map, k->ustack);
	stackmap_want(&r->offcpu->map, k->waker_ustack);
	buf_putc(&r->taken, !r->from->idle);
	*row = (struct sample_offcpu){
		.id = { k->tgid, k->tid, k->start }, .waker = { k->waker_tgid, k->waker_tid,
			k->waker_start },
		.kstack = k->kstack, .ustack = k->ustack, .waker_kstack = k->waker_kstack,
		.waker_ustack = k->waker_ustack,
		.dev = k->io_dev, .op = MIN(k->io_op, (uint32_t)OP_OTHER), .state = k->state & 127u,
		.iowait = !!(k->flags & ABI_OFFCPU_IOWAIT), .via = !!(k->flags & ABI_OFFCPU_VIA),
		.waker_kind = MIN(k->waker, (uint32_t)WAKER_UNKNOWN),
		.blocked_ns = v->blocked_ns - (fresh ? v->fresh_ns : 0),
		.count = v->count - (fresh ? v->fresh_count : 0),
		.io_ns = v->io_ns - (fresh ? v->fresh_io_ns : 0),
		.max_ns = longest(v->max, r->interval),
		.comm = k->tgid || k->tid || v->comm[0] ?
			sample_str(r->sample, v->comm, sizeof(v->comm)) : "[not kept]",
		.waker_comm = k->waker == ABI_WAKER_TASK ?
			sample_str(r->sample, v->waker_comm, sizeof(v->waker_comm)) : NULL,
	};
}

/*
 * Until now rows have the hashes of their stacks in the kernel: all were asked for before the first
 * is waited for.
 */
static void set_ids(struct reading *r)
{
	struct sample_rows *t = &r->sample->tables[TABLE_OFFCPU];
	struct stackmap *map = &r->offcpu->map;
	struct sample_offcpu *rows = t->rows;

	for (size_t i = 0; i < MIN(t->n, r->taken.len); i++) {
		bool taken = r->taken.data[i];

		rows[i].kstack = stackmap_id(map, rows[i].kstack, taken);
		rows[i].ustack = stackmap_id(map, rows[i].ustack, taken);
		rows[i].waker_kstack = stackmap_id(map, rows[i].waker_kstack, taken);
		rows[i].waker_ustack = stackmap_id(map, rows[i].waker_ustack, taken);
		collect_pause(r->offcpu->set);
	}
	buf_release(&r->taken);
}

static int by_key(const void *a, const void *b)
{
	return memcmp(a, b, offsetof(struct sample_offcpu, blocked_ns));
}

/* Address spaces of one process (before and after execve) can come to the same path. */
static void merge_rows(struct sample *sample)
{
	struct sample_rows *t = &sample->tables[TABLE_OFFCPU];
	struct sample_offcpu *rows = t->rows;
	size_t n = 0;

	if (t->n < 2)
		return;
	qsort(rows, t->n, sizeof(*rows), by_key);
	for (size_t i = 0; i < t->n; i++) {
		struct sample_offcpu *to = n ? &rows[n - 1] : NULL;

		if (!to || by_key(to, &rows[i])) {
			rows[n++] = rows[i];
			continue;
		}
		to->blocked_ns += rows[i].blocked_ns;
		to->count += rows[i].count;
		to->io_ns += rows[i].io_ns;
		to->max_ns = MAX(to->max_ns, rows[i].max_ns);
	}
	t->n = n;
}

static const char *limits(struct offcpu *o, char *text, size_t size)
{
	const char *reason = stackstore_reason(o->store);

	if (!reason && !o->hooks.state[GOES_ON].link)
		reason = N_("this kernel does not let blocks that go on be seen");
	return reason ? reason : bpf_hooks_missing(&o->hooks, SRC_OFFCPU, text, size);
}

static int offcpu_collect(void *state, struct sample *sample, _unused_ struct err *err)
{
	struct offcpu *o = state;
	struct reading r = { o, sample, o->skel->bss->epoch - 1, &o->blocks };
	const char *reason;
	char text[160];

	o->skel->bss->want_all = o->set->every_block;
	stackstore_impatient(o->store, o->set->turn);
	stackstore_round(o->store);
	stackmap_drain(&o->map, true);
	counters_read(&o->blocks, IDLE_ROUNDS, counter_row, &r);
	r.from = &o->rest;
	counters_read(&o->rest, IDLE_ROUNDS, counter_row, &r);
	set_ids(&r);
	merge_rows(sample);
	stackmap_age(&o->map, o->skel->bss->stacks_stored, &o->skel->bss->stacks_taken_out);
	stackmap_losses(&o->map, sample, "offcpu",
			(const volatile uint64_t *)o->skel->bss->stack_lost);
	sample_lose(sample, "offcpu.counters", o->skel->bss->offcpu_lost[ABI_OFFCPU_COUNTERS]);
	sample_lose(sample, "offcpu.tasks", o->skel->bss->offcpu_lost[ABI_OFFCPU_SLOTS]);
	sample_lose(sample, "offcpu.wakeups", o->skel->bss->offcpu_lost[ABI_OFFCPU_WAKEUPS]);
	sample_lose(sample, "offcpu.missed", bpf_hooks_misses(&o->hooks, o->skel->obj));
	reason = limits(o, text, sizeof(text));
	sample_source(sample, SRC_OFFCPU, reason ? SOURCE_PART : SOURCE_ON, reason);
	return 0;
}

static int offcpu_fd(void *state)
{
	return stackmap_fd(&((struct offcpu *)state)->map);
}

static void offcpu_drain(void *state)
{
	stackmap_drain(&((struct offcpu *)state)->map, false);
}

static void offcpu_probe(void *state, struct probe_list *list)
{
	struct offcpu *o = state;
	const char *reason = stackstore_kernel_reason(o->store);

	bpf_hooks_probe(&o->hooks, list);
	probe_add(list, "kernel symbols", !reason, "%s", reason ? reason : "/proc/kallsyms");
	probe_add(list, "block starts", true, "%s",
		  o->skel->rodata->has_task_storage ? "in task storage"
						    : "in a hash (before Linux 5.11)");
	bpf_maps_probe(o->skel->obj, list);
}

const struct collector collector_offcpu = {
	.name = "offcpu",
	.provides = SRC_OFFCPU,
	.privileges = PRIV_BPF | PRIV_SYMBOLS | PRIV_FILES,
	.open = offcpu_open,
	.turn = offcpu_turn,
	.collect = offcpu_collect,
	.fd = offcpu_fd,
	.drain = offcpu_drain,
	.probe = offcpu_probe,
	.close = offcpu_close,
};
