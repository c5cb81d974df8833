// SPDX-License-Identifier: GPL-2.0-or-later
/* What the block programs counted, as rows of a sample. */
#include <string.h>

#include "base/clock.h"
#include "base/macro.h"
#include "bpf/abi.h"
#include "bpf/block/block.skel.h"
#include "collect/block/block.h"

_Static_assert((int)ABI_READ == OP_READ && (int)ABI_WRITE == OP_WRITE &&
		       (int)ABI_DISCARD == OP_DISCARD,
	       "operations");
_Static_assert((int)ABI_FLUSH == OP_FLUSH && (int)ABI_OTHER == OP_OTHER && (int)ABI_OPS == OP_COUNT,
	       "operations");
_Static_assert((int)ABI_EXACT == HOW_EXACT && (int)ABI_INODE == HOW_INODE, "how sure");
_Static_assert((int)ABI_DEVICE == HOW_DEVICE && (int)ABI_CGROUP == HOW_CGROUP, "how sure");
_Static_assert((int)ABI_KERNEL == HOW_KERNEL && (int)ABI_LOST == HOW_LOST, "how sure");
_Static_assert(ABI_UNATTRIBUTED == RESIDUAL_UNATTRIBUTED && ABI_JOURNAL == RESIDUAL_JOURNAL,
	       "residuals");
_Static_assert(ABI_METADATA == RESIDUAL_METADATA && ABI_SWAP == RESIDUAL_SWAP &&
		       ABI_OUTSIDE == RESIDUAL_OUTSIDE,
	       "residuals");

static const char *const lost_names[ABI_LOST_COUNT] = {
	[ABI_LOST_TASK_REFS] = "block.owners-full",
	[ABI_LOST_COUNTERS] = "block.counters-full",
	[ABI_LOST_DISKS] = "block.disks-full",
	[ABI_LOST_LATENCY] = "block.latency-lost",
	[ABI_LOST_WALK] = "block.bios-skipped",
	[ABI_LOST_INODES] = "block.inodes-full",
	[ABI_LOST_FORGOTTEN] = "block.owners-forgotten",
	[ABI_LOST_THROTTLED] = "block.throttled-full",
	[ABI_LOST_PASSING] = "block.passing-lost",
};

/* Entries that a program took and has not counted yet. */
#define TAKING 64

/* Those never taken need not be mapped. */
static void map_taken(struct pool *p, struct bpf_window *w, size_t size)
{
	p->used = MIN(p->next, p->first + p->places->taken + TAKING);
	bpf_window_map_up_to(w, p->used * size);
}

void block_map_refs(struct block *b)
{
	map_taken(&b->ref_pool, &b->ref_window, sizeof(*b->refs));
}

void block_map_counters(struct block *b)
{
	map_taken(&b->counter_pool, &b->counter_window, sizeof(*b->counters));
}

/* The generation of an entry; while it is being taken back, the one before. */
static uint32_t generation(const struct block *b, uint32_t index)
{
	return (b->refs[index].gen - block_is_leaving(b, index)) &
	       ((1u << (32 - ABI_REF_BITS)) - 1);
}

bool block_ref_id(const struct block *b, uint32_t ref, struct task_id *ret_id)
{
	uint32_t index = ABI_REF_INDEX(ref);
	const struct abi_task_ref *o;

	if (index < ABI_REF_FIRST) {
		*ret_id = (struct task_id){ .tid = index };
		return index != 0;
	}
	if (index >= b->ref_pool.max)
		return false;
	o = &b->refs[index];
	*ret_id = (struct task_id){ .tgid = o->tgid, .tid = o->tid, .start = o->start };
	return o->start && ABI_REF(index, generation(b, index)) == ref;
}

void block_read_counter(struct block *b, struct sample *s, uint32_t index,
			const struct abi_counter_key *key, uint32_t interval)
{
	const struct abi_counter *c = &b->counters[index];
	struct task_id owner = { .tid = RESIDUAL_UNATTRIBUTED }, submitter = owner;
	struct abi_throttled throttled;
	struct abi_pattern pattern;
	struct sample_io *io;

	if (!c->ios && !c->bytes && !c->done)
		return;
	if (index >= ABI_COUNTER_FIRST &&
	    (!block_ref_id(b, key->owner, &owner) || !block_ref_id(b, key->submitter, &submitter)))
		return;
	io = sample_add_row(s, IO, struct sample_io);
	io->cause = owner;
	io->submitter = submitter;
	io->dev = index < ABI_COUNTER_FIRST ? b->disks[index / ABI_OPS].dev : key->dev;
	io->op = index < ABI_COUNTER_FIRST ? index % ABI_OPS : key->op;
	io->how = index < ABI_COUNTER_FIRST ? HOW_LOST : key->how;
	io->ios = c->ios;
	io->bytes = c->bytes;
	io->done = c->done;
	io->lat_ns = c->lat_ns;
	io->max_ns = bpf_longest_read(c->max, interval);
	pattern = block_pattern(b, index);
	io->pattern_ios = pattern.ios;
	io->sequential = pattern.sequential;
	io->flagged = pattern.flagged;
	if (!block_throttled(b, index, key, s->counted, &throttled))
		return;
	io->throttled_ns = throttled.ns;
	io->held_ns = throttled.held_ns;
	io->held_unseen = throttled.unseen;
}

void block_read_ref(struct block *b, struct sample *s, uint32_t index)
{
	const struct abi_task_ref *o = &b->refs[index];
	struct sample_owner *row;

	if (!o->start)
		return;
	row = sample_add_row(s, OWNER, struct sample_owner);
	row->id = (struct task_id){ .tgid = o->tgid, .tid = o->tid, .start = o->start };
	row->uid = o->uid;
	row->cgroup = o->cgroup;
	row->flags = (o->flags & ABI_TASK_KTHREAD ? TASK_KTHREAD : 0) |
		     (o->flags & ABI_TASK_ENDED ? TASK_ENDED : 0);
	if (b->tells_dirtied)
		row->flags |= TASK_DIRTIED;
	row->dirtied = (uint64_t)o->dirtied << b->skel->rodata->page_shift;
	row->comm = sample_str(s, o->comm, ABI_COMM);
}

static void read_hist(struct block *b, struct sample *s, struct sample_diskop *row, uint32_t disk)
{
	struct abi_disk_hist *sum;
	size_t n = ABI_HIST_BUCKETS, sizes = ABI_SIZES;

	if (disk >= b->hist_disks)
		return;
	sum = arena_new(&s->arena, struct abi_disk_hist, 1);

	for (uint32_t i = 0; i < b->stripes; i++) {
		const struct abi_disk_hist *hist =
			&b->hists[ABI_HIST_INDEX(disk, row->op, i, b->stripes)];

		for (unsigned k = 0; k < ABI_HIST_BUCKETS; k++)
			sum->time.count[k] += hist->time.count[k];
		for (unsigned k = 0; k < ABI_SIZES; k++)
			sum->size[k] += hist->size[k];
	}
	/* Empty buckets at the end are left out: a recording stays small. */
	while (n && !sum->time.count[n - 1])
		n--;
	while (sizes && !sum->size[sizes - 1])
		sizes--;
	row->hist = (struct blob){ .data = sum->time.count, .len = n * sizeof(sum->size[0]) };
	row->sizes = (struct blob){ .data = sum->size, .len = sizes * sizeof(sum->size[0]) };
}

static void read_places(const struct block *b, uint32_t disk, uint32_t op, struct sample *s,
			struct sample_diskop *row)
{
	const uint64_t *counts = block_places(b, disk, op);
	uint64_t *copy;

	if (!counts || !b->disks[disk].shift)
		return;
	copy = arena_new(&s->arena, uint64_t, ABI_PLACES);
	memcpy(copy, counts, ABI_PLACES * sizeof(*copy));
	row->places = (struct blob){ .data = copy, .len = ABI_PLACES * sizeof(*copy) };
	row->place_bytes = 512ull << b->disks[disk].shift;
}

static void read_diskop(struct block *b, struct sample *s, uint32_t disk, uint32_t op,
			uint32_t interval)
{
	struct abi_throttled throttled = block_throttled_disk(b, disk, op);
	struct abi_pattern pattern = block_pattern_of_disk(b, disk, op);
	struct sample_diskop sum = {
		.dev = b->disks[disk].dev,
		.op = op,
		.held_ns = throttled.held_ns,
		.held_unseen = throttled.unseen,
		.pattern_ios = pattern.ios,
		.sequential = pattern.sequential,
		.flagged = pattern.flagged,
	}, *row;
	uint64_t unsplit = 0;

	for (uint32_t i = 0; i < b->stripes; i++) {
		const struct abi_diskop *stat = &b->diskstats[disk * b->stripes + i].op[op];

		sum.ios += stat->ios;
		sum.bytes += stat->bytes;
		sum.lat_ns += stat->lat_ns;
		sum.queue_ns += stat->queue_ns;
		sum.unsplit += stat->unsplit;
		unsplit += stat->unsplit_ns;
		sum.errors += stat->errors;
		sum.requeues += stat->requeues;
		sum.merges += stat->merges;
		sum.tag_ns += stat->tag_ns;
		sum.max_ns = MAX(sum.max_ns, bpf_longest_read(stat->max, interval));
	}
	if (!sum.ios && !sum.bytes && !sum.errors && !sum.requeues && !sum.merges)
		return;
	/* Programs add to these meanwhile. */
	if (sum.lat_ns > sum.queue_ns + unsplit)
		sum.device_ns = sum.lat_ns - sum.queue_ns - unsplit;
	if (b->disks[disk].flags & ABI_DISK_TIMED)
		sum.timed = sum.ios;
	row = sample_add_row(s, DISKOP, struct sample_diskop);
	*row = sum;
	if (b->sources & SRC_HIST)
		read_hist(b, s, row, disk);
	read_places(b, disk, op, s, row);
}

static void read_disk(struct block *b, struct sample *s, uint32_t disk, uint32_t interval)
{
	const struct abi_disk *d = &b->disks[disk];
	uint64_t started = d->started, finished = d->finished, last = d->last_ns,
		 now = clock_mono();
	struct sample_diskload *load;

	load = sample_add_row(s, DISKLOAD, struct sample_diskload);
	load->dev = d->dev;
	load->in_flight = started > finished ? started - finished : 0;
	load->busy_ns = d->busy_ns;
	load->tags_told = bpf_hooks_attached(&b->programs.hooks, "tag_wait");
	load->tag_waits = b->skel->bss->tag_waits[disk];
	load->timeouts = b->skel->bss->timeouts[disk];
	if (load->in_flight && now > last)
		load->busy_ns += now - last;
	for (uint32_t op = 0; op < ABI_OPS; op++) {
		read_diskop(b, s, disk, op, interval);
		for (uint32_t i = 0; i < b->stripes; i++)
			load->depth_ns += b->diskstats[disk * b->stripes + i].op[op].lat_ns;
	}
}

/*
 * Events for which no program ran: those that the kernel tells of, and those that are told by what
 * lacks its other end. A bio whose entry made room for another has none at its end, either.
 */
static void read_misses(struct block *b, struct sample *s)
{
	const struct block_bpf *skel = b->skel;
	uint64_t ends = bpf_program_misses(skel->progs.rq_complete) +
			bpf_program_misses(skel->progs.bio_complete);
	uint64_t starts = bpf_program_misses(skel->progs.bio_queue) +
			  bpf_program_misses(skel->progs.bio_queue_q);
	const volatile __u64 *lost = skel->bss->lost;
	uint64_t seen = skel->bss->completions_recovered, queued = skel->bss->submissions_recovered,
		 bios = lost[ABI_LOST_ENDS] + b->dropped, made_room = lost[ABI_LOST_LATENCY];
	uint64_t alone = lost[ABI_LOST_STARTS];

	ends = MAX(ends > seen ? ends - seen : 0, b->unseen_ends);
	starts = starts > queued ? starts - queued : 0;
	sample_lose(s, "block.completions-missed", MAX(ends, bios));
	sample_lose(s, "block.submissions-missed",
		    MAX(starts, alone > made_room ? alone - made_room : 0));
}

void block_map_disks(struct block *b, uint32_t disks)
{
	bpf_window_map_up_to(&b->counter_window, (size_t)disks * ABI_OPS * sizeof(*b->counters));
	bpf_window_map_up_to(&b->stat_window, (size_t)disks * b->stripes * sizeof(*b->diskstats));
	if (b->sources & SRC_HIST)
		bpf_window_map_up_to(&b->hist_window,
				 (size_t)disks * ABI_OPS * b->stripes * sizeof(*b->hists));
}

void block_read(struct block *b, struct sample *s, uint32_t interval)
{
	uint32_t disks = MIN(b->skel->bss->disk_places.taken + 1, ABI_DISKS);

	block_map_disks(b, disks);
	block_drop_ended(b, disks);
	/* Counters before refs: a ref is there before its counters. */
	for (uint32_t i = 0; i < disks * ABI_OPS; i++)
		block_read_counter(b, s, i, &b->counters[i].key, interval);
	block_map_counters(b);
	block_map_refs(b);
	for (uint32_t i = ABI_COUNTER_FIRST; i < b->counter_pool.used; i++)
		block_read_counter(b, s, i, &b->counters[i].key, interval);
	block_map_refs(b);
	for (uint32_t i = ABI_REF_FIRST; i < b->ref_pool.used; i++)
		block_read_ref(b, s, i);
	block_settle_asked(b, s->mono);
	for (uint32_t i = 0; i < disks; i++) {
		if (b->disks[i].dev)
			read_disk(b, s, i, interval);
	}
	for (unsigned i = 0; i < ABI_LOST_COUNT; i++)
		if (lost_names[i])
			sample_lose(s, lost_names[i], b->skel->bss->lost[i]);
	read_misses(b, s);
}
