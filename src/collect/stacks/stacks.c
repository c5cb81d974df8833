// SPDX-License-Identifier: GPL-2.0-or-later
/* I/O by disk, process and path. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/libbpf.h>

#include "base/arena.h"
#include "base/buf.h"
#include "bpf/stacks/stacks.skel.h"
#include "collect/block/block.h"
#include "collect/block/task_refs.h"
#include "collect/bpf/addresses.h"
#include "collect/bpf/counters.h"
#include "collect/bpf/hooks.h"
#include "collect/set.h"
#include "collect/stacks/store_inside.h"

#define STACKS_DEFAULT 16384
#define IDLE_ROUNDS 10	/* a path without I/O for so many samples is no row any more */

static const struct bpf_hook hooks[] = {
	{ .program = "stack_bio_queue", .point = "block_bio_queue", .args = 1 },
	{ .program = "stack_bio_queue_q", .point = "block_bio_queue", .args = 2,
	  .first = "request_queue" },
	{ .program = "stack_rq_complete", .point = "block_rq_complete", .args = 3,
	  .optional = true },
	{ .program = "stack_bio_complete", .point = "block_bio_complete", .args = 2,
	  .optional = true },
};

struct stacks {
	struct collect_set *set;
	struct bpf_hooks hooks;
	struct stacks_bpf *skel;
	struct stackstore *store;
	struct stackmap map;
	struct counters ios, rest;
	struct block_causes block;	/* all NULL: nothing is known of causes */
	struct causes causes;
};

static void set_sizes(struct stacks *s, const struct collect_options *opt)
{
	uint32_t max = opt->stack_storage ? MIN(MAX(opt->stack_storage, 16), 1u << 22)
					  : STACKS_DEFAULT;

	bpf_map__set_max_entries(s->skel->maps.stacks, max);
	/* The same stacks serve several processes, disks and operations. */
	bpf_map__set_max_entries(s->skel->maps.stackios, 4 * max);
	s->skel->rodata->user_stacks_max = stackmap_for_users(max);
	s->skel->rodata->want_kernel_stacks = opt->stacks != STACKS_USER;
	s->skel->rodata->want_user_stacks = opt->stacks != STACKS_KERNEL;
}

/* Opened after the block collector, in whose maps the causes are. */
static int share_causes(struct stacks *s)
{
	struct stacks_bpf *skel = s->skel;
	int r;

	skel->rodata->has_causes = block_causes(s->set, &s->block);
	if (!skel->rodata->has_causes)
		return 0;
	skel->rodata->block_flight_sets = s->block.flight_sets;
	r = bpf_map__reuse_fd(skel->maps.block_flights, bpf_map__fd(s->block.flights));
	return r ? r : bpf_map__reuse_fd(skel->maps.block_counters, bpf_map__fd(s->block.counters));
}

static int load(struct stacks *s, const struct collect_options *opt, struct err *err)
{
	int r;

	do {
		stacks_bpf__destroy(s->skel);
		s->skel = stacks_bpf__open_opts(bpf_host_open_opts());
		if (!s->skel)
			return err_set(err, errno, "the stack programs cannot be read: %s",
				       strerror(errno));
		set_sizes(s, opt);
		addresses_put(opt->proc, s->skel->rodata->addresses);
		r = share_causes(s);
		if (r < 0)
			return err_set(err, -r, "the maps of the block programs: %s", strerror(-r));
		r = bpf_hooks_choose(&s->hooks, s->skel->obj, err);
		if (r < 0)
			return r;
		r = stacks_bpf__load(s->skel);
	} while (r < 0 && bpf_hooks_retry(&s->hooks, r, err));
	return r;
}

static void stacks_close(void *state)
{
	struct stacks *s = state;

	bpf_hooks_detach(&s->hooks);
	stackmap_close(&s->map);
	counters_release(&s->ios);
	counters_release(&s->rest);
	causes_release(&s->causes);
	stacks_bpf__destroy(s->skel);
	set_stacks_put(s->set);
	free(s);
}

/* The end of an I/O that is on its way finds its counter still there. */
static bool all_done(const void *value)
{
	const struct abi_stackio *v = value;

	return v->done >= v->ios;
}

static int stacks_open(struct collect_set *set, unsigned wanted, void **ret_state, struct err *err)
{
	struct stacks *s;
	int r = bpf_host_check(err);

	if (r < 0)
		return r;
	s = mem_zalloc(sizeof(*s));
	s->set = set;
	s->store = set_stacks_get(set);
	bpf_hooks_init(&s->hooks, hooks, ARRAY_SIZE(hooks));
	r = load(s, collect_set_options(set), err);
	if (!r) {
		counters_init(&s->ios, s->skel->maps.stackios);
		s->ios.settled = all_done;
		counters_init(&s->rest, s->skel->maps.stackios_rest);
		causes_init(&s->causes, s->block.owners);
		r = stackmap_open(&s->map, set, s->skel->maps.stacks, s->skel->maps.spaces, err);
	}
	if (!r)
		r = bpf_hooks_attach(&s->hooks, s->skel->obj, wanted, err);
	if (r < 0) {
		stacks_close(s);
		return r;
	}
	/* Read here, where keys are answered meanwhile; with the names of our programs. */
	stackstore_kernel_reason(s->store);
	*ret_state = s;
	return 0;
}

struct reading {
	struct stacks *stacks;
	struct sample *sample;
	const struct counters *from;
	struct buf taken;	/* a byte for each row: whether its stacks were taken since the
				 * last sample */
};

static void counter_row(void *arg, const void *key, const void *value)
{
	const struct abi_stackio_key *k = key;
	const struct abi_stackio *v = value;
	struct reading *r = arg;
	struct sample_stackio *row = sample_add_row(r->sample, STACKIO, struct sample_stackio);
	const struct cause *cause = causes_get(&r->stacks->causes, k->cause);

	collect_pause(r->stacks->set);
	stackmap_want(&r->stacks->map, k->ustack);
	buf_putc(&r->taken, !r->from->idle);
	*row = (struct sample_stackio){
		.submitter = { k->tgid, k->tgid, k->start },
		.dev = k->dev,
		.op = MIN(k->op, (uint32_t)OP_OTHER),
		.kstack = k->kstack, .ustack = k->ustack,
		.ios = v->ios, .bytes = v->bytes, .done = v->done, .lat_ns = v->lat_ns,
		.cause = cause ? cause->id : (struct task_id){ 0 },
		.cause_comm = cause ? sample_str(r->sample, cause->comm, sizeof(cause->comm)) :
			NULL,
		.comm = k->tgid || k->start || v->comm[0] ?
			sample_str(r->sample, v->comm, sizeof(v->comm)) : "[not kept]",
	};
}

/*
 * Until now rows have the hashes of their stacks in the kernel: all were asked for before the first
 * is waited for.
 */
static void set_ids(struct reading *r)
{
	struct sample_rows *t = &r->sample->tables[TABLE_STACKIO];
	struct stackmap *map = &r->stacks->map;
	struct sample_stackio *rows = t->rows;

	for (size_t i = 0; i < MIN(t->n, r->taken.len); i++) {
		rows[i].kstack = stackmap_id(map, rows[i].kstack, r->taken.data[i]);
		rows[i].ustack = stackmap_id(map, rows[i].ustack, r->taken.data[i]);
		collect_pause(r->stacks->set);
	}
	buf_release(&r->taken);
}

/* Different address spaces of one process (before and after execve) can come to the same path. */
static int by_key(const void *a, const void *b)
{
	return memcmp(a, b, offsetof(struct sample_stackio, ios));
}

static void merge_rows(struct sample *sample)
{
	struct sample_rows *t = &sample->tables[TABLE_STACKIO];
	struct sample_stackio *rows = t->rows;
	size_t n = 0;

	if (t->n < 2)
		return;
	qsort(rows, t->n, sizeof(*rows), by_key);
	for (size_t i = 0; i < t->n; i++) {
		if (n && !by_key(&rows[n - 1], &rows[i])) {
			rows[n - 1].ios += rows[i].ios;
			rows[n - 1].bytes += rows[i].bytes;
			rows[n - 1].done += rows[i].done;
			rows[n - 1].lat_ns += rows[i].lat_ns;
		} else {
			rows[n++] = rows[i];
		}
	}
	t->n = n;
}

/* The block collector may have been closed meanwhile, and its maps with it. */
static void watch_block(struct stacks *s)
{
	struct block_causes now;

	if (!s->block.anchor)
		return;
	if (!block_causes(s->set, &now) || now.anchor != s->block.anchor) {
		s->block = (struct block_causes){ .flights = NULL };
		s->causes.owners = NULL;
		s->skel->bss->block_anchor = 0;
		return;
	}
	s->skel->bss->block_anchor = *now.anchor;
}

static int stacks_collect(void *state, struct sample *sample, struct err *err)
{
	struct stacks *s = state;
	struct reading r = { s, sample, &s->ios };
	const char *reason;
	char text[160];

	stackstore_impatient(s->store, s->set->turn);
	stackstore_round(s->store);
	causes_round(&s->causes);
	watch_block(s);
	stackmap_drain(&s->map, true);
	counters_read(&s->ios, IDLE_ROUNDS, counter_row, &r);
	r.from = &s->rest;
	counters_read(&s->rest, IDLE_ROUNDS, counter_row, &r);
	set_ids(&r);
	merge_rows(sample);
	stackmap_age(&s->map, s->skel->bss->stacks_stored, &s->skel->bss->stacks_taken_out);
	stackmap_losses(&s->map, sample, "stacks",
			(const volatile uint64_t *)s->skel->bss->stack_lost);
	sample_lose(sample, "stacks.counters", s->skel->bss->counters_full);
	sample_lose(sample, "stacks.latency-lost", s->skel->bss->latencies_lost);
	sample_lose(sample, "stacks.missed",
		    bpf_program_misses(s->skel->progs.stack_bio_queue) +
			    bpf_program_misses(s->skel->progs.stack_bio_queue_q));
	reason = stackstore_reason(s->store);
	if (!reason)
		reason = bpf_hooks_missing(&s->hooks, SRC_STACKS, text, sizeof(text));
	sample_source(sample, SRC_STACKS, reason ? SOURCE_PART : SOURCE_ON, reason);
	return 0;
}

static int stacks_fd(void *state)
{
	return stackmap_fd(&((struct stacks *)state)->map);
}

static void stacks_drain(void *state)
{
	stackmap_drain(&((struct stacks *)state)->map, false);
}

static void stacks_probe(void *state, struct probe_list *list)
{
	struct stacks *s = state;
	const char *reason = stackstore_kernel_reason(s->store);

	bpf_hooks_probe(&s->hooks, list);
	probe_add(list, "kernel symbols", !reason, "%s", reason ? reason : "/proc/kallsyms");
	probe_add(list, "causes", s->block.owners, "%s",
		  s->block.owners ? "from the block programs" : "the block programs are not there");
	bpf_maps_probe(s->skel->obj, list);
}

const struct collector collector_stacks = {
	.name = "stacks",
	.provides = SRC_STACKS,
	.privileges = PRIV_BPF | PRIV_SYMBOLS | PRIV_FILES,
	.open = stacks_open,
	.collect = stacks_collect,
	.fd = stacks_fd,
	.drain = stacks_drain,
	.probe = stacks_probe,
	.close = stacks_close,
};
