// SPDX-License-Identifier: GPL-2.0-or-later
/* I/O by disk, process and path. */
#include <stdlib.h>
#include <string.h>

#include <bpf/libbpf.h>

#include "base/arena.h"
#include "bpf/stacks/stacks.skel.h"
#include "collect/block/attribution.h"
#include "collect/block/task_refs.h"
#include "collect/bpf/addresses.h"
#include "collect/bpf/calls.h"
#include "collect/bpf/kernel.h"
#include "collect/bpf/programs.h"
#include "collect/probe_list.h"
#include "collect/set.h"
#include "collect/stacks/map.h"

#define IDLE_ROUNDS 10	/* a path without I/O for so many samples is no row any more */

static const struct bpf_hook hooks[] = {
	STACKMAP_FILL,
	BPF_TWO_FORMS(stack_bio_queue, block_bio_queue, 1, 2),
	{ .program = "stack_rq_complete", .point = "block_rq_complete", .args = 3,
	  .optional = true },
	{ .program = "stack_bio_complete", .point = "block_bio_complete", .args = 2,
	  .optional = true },
};

struct stacks {
	struct collect_set *set;
	struct bpf_programs programs;
	struct stacks_bpf *skel;
	struct stackmap map;
	struct block_attribution block;	/* all NULL: owners are not known */
	struct task_refs refs;
};

/* Opened after the block collector, in whose maps the owners are. */
static int share_attribution(struct stacks *s, struct err *err)
{
	struct stacks_bpf *skel = s->skel;

	skel->rodata->has_attribution = block_attribution(s->set, &s->block);
	if (!skel->rodata->has_attribution)
		return 0;
	skel->rodata->block_inflight_sets = s->block.inflight_sets;
	skel->rodata->block_anchor_at = s->block.anchor_at;
	skel->rodata->block_throttled_flag = s->block.throttled_flag;
	return block_attribution_share(&s->block, skel->obj, err);
}

static int set_up(void *state, void *programs, struct err *err)
{
	struct stacks *s = state;
	struct stacks_bpf *skel = s->skel = programs;
	const struct collect_options *opt = collect_set_options(s->set);
	uint32_t max = stackmap_set_size(skel->obj, opt, &skel->rodata->user_stacks_max);

	/* The same stacks serve several processes, disks and operations. */
	bpf_map__set_max_entries(skel->maps.stackios, 4 * max);
	skel->rodata->pid_namespace = kernel_pid_namespace();
	skel->rodata->has_cast = bpf_calls_cast() > 0;
	skel->rodata->want_kernel_stacks = opt->stacks != STACKS_USER;
	skel->rodata->want_user_stacks = opt->stacks != STACKS_KERNEL;
	addresses_set(opt->proc, skel->rodata->addresses);
	stackmap_unwind(&s->map, skel->obj, &skel->rodata->want_unwind_tables);
	return share_attribution(s, err);
}

static bool fewer(void *state)
{
	struct stacks *s = state;

	return stackmap_unwind_refused(&s->map, &s->programs);
}

BPF_PROGRAMS(stacks, .what = "the stack programs", .set_up = set_up, .fewer = fewer);

static void stacks_close(void *state)
{
	struct stacks *s = state;

	stackmap_close(&s->map);
	task_refs_release(&s->refs);
	bpf_programs_close(&s->programs);
	free(s);
}

/* The end of an I/O that is on its way finds its counter still there. */
static bool all_done(const void *value)
{
	const struct abi_stackio *v = value;

	return v->done + v->untimed >= v->ios;
}

static int stacks_open(struct collect_set *set, unsigned sources, void **ret_state, struct err *err)
{
	struct stacks *s = *ret_state = mem_zalloc(sizeof(*s));
	int r;

	s->set = set;
	stackmap_init(&s->map, set);
	bpf_programs_init(&s->programs, &stacks_programs);
	r = bpf_programs_load(&s->programs, s, err);
	if (r < 0)
		return r;
	task_refs_init(&s->refs, s->block.refs);
	r = stackmap_open(&s->map, &(struct stackmap_object){
		.obj = s->skel->obj,
		.counters = s->skel->maps.stackios,
		.rest = s->skel->maps.stackios_rest,
		.stored = &s->skel->bss->stacks_stored,
		.taken_out = &s->skel->bss->stacks_taken_out,
		.lost = s->skel->bss->stack_lost,
		.losses = "stacks",
	}, err);
	s->map.counters.settled = all_done;
	return r < 0 ? r : bpf_programs_attach(&s->programs, sources, err);
}

struct reading {
	struct stacks *stacks;
	struct sample *sample;
};

static void *add_row(void *arg, const void *key, const void *value)
{
	const struct abi_stackio_key *k = key;
	const struct abi_stackio *v = value;
	struct reading *r = arg;
	struct sample_stackio *row = sample_add_row(r->sample, STACKIO, struct sample_stackio);
	const struct task_ref *owner = task_refs_get(&r->stacks->refs, k->owner);

	*row = (struct sample_stackio){
		.submitter = { k->tgid, k->tgid, k->start },
		.dev = k->dev,
		.op = MIN(k->op, (uint32_t)OP_OTHER),
		.kstack = k->kstack, .ustack = k->ustack,
		.ios = v->ios, .bytes = v->bytes, .done = v->done, .lat_ns = v->lat_ns,
		.untimed = v->untimed,
		.cause = owner ? owner->process : (struct task_id){ 0 },
		.cause_comm = owner ? sample_str(r->sample, owner->comm, sizeof(owner->comm))
				    : NULL,
		.comm = k->tgid || k->start || v->comm[0]
				? sample_str(r->sample, v->comm, sizeof(v->comm))
				: "[not kept]",
	};
	return row;
}

static int by_key(const void *a, const void *b)
{
	return memcmp(a, b, offsetof(struct sample_stackio, ios));
}

static void merge(void *to, const void *from)
{
	const struct sample_stackio *row = from;
	struct sample_stackio *sum = to;

	sum->ios += row->ios;
	sum->bytes += row->bytes;
	sum->done += row->done;
	sum->lat_ns += row->lat_ns;
	sum->untimed += row->untimed;
}

static const struct stackmap_rows rows = {
	.table = TABLE_STACKIO,
	.stacks = offsetof(struct sample_stackio, kstack),
	.nstacks = 2,
	.add = add_row,
	.order = by_key,
	.merge = merge,
};

static void watch_block(struct stacks *s)
{
	if (!s->block.anchor || block_attribution_valid(s->set, s->block.anchor))
		return;
	s->block = (struct block_attribution){ .inflight = NULL };
	s->refs.map = NULL;
	s->skel->bss->attribution_ended = true;
}

static int stacks_collect(void *state, struct sample *sample, struct err *err)
{
	struct stacks *s = state;
	struct reading r = { s, sample };
	const char *reason;
	char text[160];

	task_refs_round(&s->refs);
	watch_block(s);
	stackmap_read(&s->map, sample, &rows, IDLE_ROUNDS, &r);
	sample_lose(sample, "stacks.counters", s->skel->bss->counters_full);
	sample_lose(sample, "stacks.latency-lost", s->skel->bss->latencies_lost);
	sample_lose(sample, "stacks.missed",
		    bpf_program_misses(s->skel->progs.stack_bio_queue) +
			    bpf_program_misses(s->skel->progs.stack_bio_queue_q));
	reason = stackstore_reason(s->map.store);
	if (!reason)
		reason = bpf_hooks_missing(&s->programs.hooks, SRC_STACKS, text, sizeof(text));
	sample_source(sample, SRC_STACKS, reason ? SOURCE_PART : SOURCE_ON, reason);
	return 0;
}

static int stacks_fd(void *state)
{
	return stackmap_fd(&((struct stacks *)state)->map);
}

static void stacks_drain(void *state)
{
	stackmap_drain(&((struct stacks *)state)->map);
}

static void stacks_probe(void *state, struct probe_list *list)
{
	struct stacks *s = state;

	bpf_hooks_probe(&s->programs.hooks, list);
	stackmap_probe(&s->map, list);
	probe_add(list, "causes", s->block.refs, "%s",
		  s->block.refs ? "from the block programs" : "the block programs are not there");
	bpf_maps_probe(s->skel->obj, list);
}

const struct collector collector_stacks = {
	.name = "stacks",
	.bpf = true,
	.places = true,
	.provides = SRC_STACKS,
	.privileges = PRIV_PROGRAMS,
	.open = stacks_open,
	.collect = stacks_collect,
	.fd = stacks_fd,
	.drain = stacks_drain,
	.probe = stacks_probe,
	.close = stacks_close,
};
