// SPDX-License-Identifier: GPL-2.0-or-later
/* Who blocked, where, for how long, and who woke it. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/i18n.h"
#include "bpf/offcpu/offcpu.skel.h"
#include "collect/block/attribution.h"
#include "collect/bpf/addresses.h"
#include "collect/bpf/calls.h"
#include "collect/bpf/iterator.h"
#include "collect/bpf/kernel.h"
#include "collect/bpf/programs.h"
#include "collect/probe_list.h"
#include "collect/set.h"
#include "collect/stacks/map.h"

_Static_assert((int)ABI_WAKER_NONE == WAKER_NONE && (int)ABI_WAKER_TASK == WAKER_TASK, "wakers");
_Static_assert((int)ABI_WAKER_IRQ == WAKER_IRQ && (int)ABI_WAKER_SOFTIRQ == WAKER_SOFTIRQ,
	       "wakers");
_Static_assert((int)ABI_WAKER_IDLE == WAKER_IDLE && (int)ABI_WAKER_UNKNOWN == WAKER_UNKNOWN,
	       "wakers");
_Static_assert((int)ABI_LOCK_MUTEX == WAIT_MUTEX && (int)ABI_LOCK_RWSEM == WAIT_RWSEM &&
	       (int)ABI_LOCK_JOURNAL == WAIT_JOURNAL, "locks");

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
	STACKMAP_FILL,
};

struct offcpu {
	struct collect_set *set;
	struct bpf_programs programs;
	struct offcpu_bpf *skel;
	struct stackmap map;
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
	skel->rodata->self_tgid = kernel_own_pid();
	skel->rodata->min_ns = opt->min_block ? opt->min_block : MIN_NS;
	if (opt->max_block)
		skel->rodata->max_ns = opt->max_block;
	for (const char *s = opt->state; s && *s; s++)
		skel->rodata->want_states |= 1ULL << (*s & 63);
}

static void set_sizes(struct offcpu_bpf *skel, const struct collect_options *opt)
{
	stackmap_set_size(skel->obj, opt, &skel->rodata->user_stacks_max);
	bpf_map__set_max_entries(skel->maps.blocks, BLOCKS);
	skel->rodata->pid_namespace = kernel_pid_namespace();
	skel->rodata->has_cast = bpf_calls_cast() > 0;
	skel->rodata->has_task_storage =
		bpf_task_state(skel->maps.slots, skel->maps.slots_hash, TASKS_HASHED);
	skel->rodata->want_kernel_stacks = opt->stacks != STACKS_USER;
	skel->rodata->want_user_stacks = opt->stacks != STACKS_KERNEL;
}

static int set_up(void *state, void *skel, struct err *err)
{
	struct block_attribution block;
	struct offcpu *o = state;
	const struct collect_options *opt = collect_set_options(o->set);

	o->skel = skel;
	set_sizes(o->skel, opt);
	addresses_set(opt->proc, o->skel->rodata->addresses);
	set_filters(o->skel, opt);
	stackmap_unwind(&o->map, o->skel->obj, &o->skel->rodata->want_unwind_tables);
	return block_attribution(o->set, &block)
		       ? block_attribution_share(&block, o->skel->obj, err)
		       : 0;
}

static bool fewer(void *state)
{
	struct offcpu *o = state;

	return stackmap_unwind_refused(&o->map, &o->programs);
}

BPF_PROGRAMS(offcpu, .what = "the off-CPU programs", .set_up = set_up, .fewer = fewer);

/* An interval ends now. */
static void offcpu_end_interval(void *state, uint64_t now)
{
	struct offcpu *o = state;
	uint32_t interval = o->skel->bss->epoch;
	const struct bpf_link *list = o->programs.hooks.state[GOES_ON].link;

	/*
	 * In this order: a wake-up in between charges too little by what it takes to get through
	 * here.
	 */
	o->skel->bss->last_sample_ns = o->skel->bss->sample_ns;
	o->skel->bss->sample_ns = now;
	o->skel->bss->epoch = interval + 1;
	if (list)
		bpf_iterator_run(list, NULL, 0, 0, NULL, NULL);
}

static void offcpu_close(void *state)
{
	struct offcpu *o = state;

	stackmap_close(&o->map);
	bpf_programs_close(&o->programs);
	free(o);
}

static int offcpu_open(struct collect_set *set, unsigned sources, void **ret_state, struct err *err)
{
	struct offcpu *o = *ret_state = mem_zalloc(sizeof(*o));
	int r;

	o->set = set;
	stackmap_init(&o->map, set);
	bpf_programs_init(&o->programs, &offcpu_programs);
	r = bpf_programs_load(&o->programs, o, err);
	if (r < 0)
		return r;
	r = stackmap_open(&o->map, &(struct stackmap_object){
		.obj = o->skel->obj,
		.counters = o->skel->maps.blocks,
		.rest = o->skel->maps.blocks_rest,
		.stored = &o->skel->bss->stacks_stored,
		.taken_out = &o->skel->bss->stacks_taken_out,
		.lost = o->skel->bss->stack_lost,
		.losses = "offcpu",
	}, err);
	if (r < 0)
		return r;
	/* No interval has the number 0. */
	o->skel->bss->epoch = 1;
	o->skel->bss->sample_ns = clock_mono();
	o->skel->bss->want_all = set->every_block;
	return bpf_programs_attach(&o->programs, sources, err);
}

struct reading {
	struct sample *sample;
	uint32_t interval;
};

static void *add_row(void *arg, const void *key, const void *value)
{
	const struct abi_offcpu_key *k = key;
	const struct abi_offcpu *v = value;
	struct reading *r = arg;
	struct sample_offcpu *row = sample_add_row(r->sample, OFFCPU, struct sample_offcpu);
	bool fresh = v->fresh_epoch == r->interval + 1;

	*row = (struct sample_offcpu){
		.id = { k->tgid, k->tid, k->start },
		.waker = { k->waker_tgid, k->waker_tid, k->waker_start },
		.holder = { k->holder_tgid, k->holder_tid, k->holder_start },
		.kstack = k->kstack, .ustack = k->ustack,
		.waker_kstack = k->waker_kstack, .waker_ustack = k->waker_ustack,
		.dev = k->io_dev, .op = MIN(k->io_op, (uint32_t)OP_OTHER), .state = k->state & 127u,
		.iowait = !!(k->flags & ABI_OFFCPU_IOWAIT), .via = !!(k->flags & ABI_OFFCPU_VIA),
		.lock = MIN((uint32_t)k->flags >> ABI_OFFCPU_LOCK, (uint32_t)WAIT_JOURNAL),
		.memstall = !!(k->flags & ABI_OFFCPU_MEMSTALL),
		.limited = !!(k->flags & ABI_OFFCPU_LIMITED),
		.waker_kind = MIN(k->waker, (uint32_t)WAKER_UNKNOWN),
		.blocked_ns = v->blocked_ns - (fresh ? v->fresh_ns : 0),
		.count = v->count - (fresh ? v->fresh_count : 0),
		.io_ns = v->io_ns - (fresh ? v->fresh_io_ns : 0),
		.max_ns = bpf_longest(v->max, r->interval),
		.cgroup = v->cgroup, .uid = v->uid,
		.comm = k->tgid || k->tid || v->comm[0]
				? sample_str(r->sample, v->comm, sizeof(v->comm))
				: "[not kept]",
		.waker_comm = k->waker == ABI_WAKER_TASK
				      ? sample_str(r->sample, v->waker_comm, sizeof(v->waker_comm))
				      : NULL,
		.holder_comm = k->holder_tid ? sample_str(r->sample, v->holder_comm,
							  sizeof(v->holder_comm))
					     : NULL,
	};
	return row;
}

static int by_key(const void *a, const void *b)
{
	return memcmp(a, b, sample_tables[TABLE_OFFCPU].key);
}

static void merge(void *to, const void *from)
{
	const struct sample_offcpu *row = from;
	struct sample_offcpu *sum = to;

	sum->blocked_ns += row->blocked_ns;
	sum->count += row->count;
	sum->io_ns += row->io_ns;
	sum->max_ns = MAX(sum->max_ns, row->max_ns);
}

static const struct stackmap_rows rows = {
	.table = TABLE_OFFCPU,
	.stacks = offsetof(struct sample_offcpu, kstack),
	.nstacks = 4,
	.add = add_row,
	.order = by_key,
	.merge = merge,
};

static const char *limits(struct offcpu *o, char *text, size_t size)
{
	const char *reason = stackstore_reason(o->map.store);

	if (!reason && !o->programs.hooks.state[GOES_ON].link)
		reason = N_("this kernel does not let blocks that go on be seen");
	return reason ? reason : bpf_hooks_missing(&o->programs.hooks, SRC_OFFCPU, text, size);
}

static int offcpu_collect(void *state, struct sample *sample, _unused_ struct err *err)
{
	struct offcpu *o = state;
	struct reading r = { sample, o->skel->bss->epoch - 1 };
	const char *reason;
	char text[160];

	o->skel->bss->want_all = o->set->every_block;
	stackmap_read(&o->map, sample, &rows, IDLE_ROUNDS, &r);
	sample_lose(sample, "offcpu.counters", o->skel->bss->offcpu_lost[ABI_OFFCPU_COUNTERS]);
	sample_lose(sample, "offcpu.wakeups", o->skel->bss->offcpu_lost[ABI_OFFCPU_WAKEUPS]);
	sample_lose(sample, "offcpu.missed",
		    bpf_hooks_misses(&o->programs.hooks, o->skel->obj) +
			    o->skel->bss->offcpu_lost[ABI_OFFCPU_SLOTS]);
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
	stackmap_drain(&((struct offcpu *)state)->map);
}

static void offcpu_probe(void *state, struct probe_list *list)
{
	struct offcpu *o = state;

	bpf_hooks_probe(&o->programs.hooks, list);
	stackmap_probe(&o->map, list);
	bpf_task_state_probe(o->skel->rodata->has_task_storage, "block starts", list);
	bpf_maps_probe(o->skel->obj, list);
}

const struct collector collector_offcpu = {
	.name = "offcpu",
	.bpf = true,
	.places = true,
	.provides = SRC_OFFCPU,
	.privileges = PRIV_PROGRAMS,
	.open = offcpu_open,
	.end_interval = offcpu_end_interval,
	.collect = offcpu_collect,
	.fd = offcpu_fd,
	.drain = offcpu_drain,
	.probe = offcpu_probe,
	.close = offcpu_close,
};
