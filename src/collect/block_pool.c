// SPDX-License-Identifier: GPL-2.0-or-later
/* Numbers for tasks and places for counters: handed out, and taken back when a task is long gone. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/macro.h"
#include "bpf/block.skel.h"
#include "collect/block.h"

/* What is ready for tasks that begin between two samples, at least; else some times what the last interval took. */
#define READY 4096
#define READY_TIMES 4
/* What they did reaches the disk up to this much later (dirty pages expire after 30 s), and is still theirs. */
#define KEEP_NS (120 * NSEC_PER_SEC)
/* When places run short. When they are all but gone not at all: the sample just taken has the last numbers. */
#define KEEP_SHORT_NS (10 * NSEC_PER_SEC)

static void pool_fill(struct pool *p, uint64_t taken)
{
	uint64_t ready = MAX((taken - p->taken) * READY_TIMES, READY);

	p->taken = taken;
	while (p->put - taken < ready) {
		uint32_t place;

		if (p->nback)
			place = p->back[--p->nback];
		else if (p->next < p->max)
			place = p->next++;
		else
			return;
		if (bpf_map_update_elem(bpf_map__fd(p->queue), NULL, &place, BPF_ANY) != 0) {
			p->back[p->nback++] = place;
			return;
		}
		p->put++;
	}
}

static void pool_init(struct pool *p, struct bpf_map *queue, uint32_t first, uint32_t max)
{
	*p = (struct pool){ .queue = queue, .next = first, .max = max, .back = mem_alloc(max * sizeof(*p->back)) };
}

/* How long places are kept for tasks that ended: what is free must do for the next interval, which may take more than the last. */
static uint64_t pool_keep(const struct pool *p, uint64_t taken)
{
	uint64_t free_places = p->put - taken + p->nback + (p->max - p->next);
	uint64_t interval = (taken - p->taken) * READY_TIMES;

	if (free_places < MAX(interval, p->max / 8))
		return 0;
	return free_places < MAX(2 * interval, p->max / 4) ? KEEP_SHORT_NS : KEEP_NS;
}

int block_pools_init(struct block *b, struct err *err)
{
	struct bpf_map *disks = b->skel->maps.disks_free;

	pool_init(&b->owner_pool, b->skel->maps.owners_free, ABI_OWNER_FIRST, bpf_map__max_entries(b->skel->maps.owners));
	pool_init(&b->counter_pool, b->skel->maps.counters_free, ABI_COUNTER_FIRST,
		  bpf_map__max_entries(b->skel->maps.counters));
	b->leaving = mem_alloc(b->owner_pool.max);
	memset(b->leaving, 0, b->owner_pool.max);
	/* Place 0 is for disks that got none. */
	for (uint32_t place = 1; place < ABI_DISKS; place++) {
		if (bpf_map_update_elem(bpf_map__fd(disks), NULL, &place, BPF_ANY) != 0)
			return err_set(err, errno, "a BPF queue takes no entries: %s", strerror(errno));
	}
	block_pools_tend(b);
	return 0;
}

void block_pools_release(struct block *b)
{
	free(b->owner_pool.back);
	free(b->counter_pool.back);
	free(b->leaving);
}

/* Marks the owners that go; returns how many. */
static uint32_t mark_leaving(struct block *b, uint64_t keep)
{
	uint64_t now = clock_mono();
	uint32_t n = 0;

	for (uint32_t i = ABI_OWNER_FIRST; i < b->owner_pool.next; i++) {
		uint64_t ended = b->owners[i].ended;

		b->leaving[i] = ended && ended + keep < now;
		n += b->leaving[i];
	}
	return n;
}

static void counter_return(struct block *b, uint32_t place)
{
	struct abi_counter_key key;
	struct abi_counter *c = &b->counters[place];

	memcpy(&key, &c->key, sizeof(key));
	bpf_map_delete_elem(bpf_map__fd(b->skel->maps.counter_index), &key);
	memset(c, 0, sizeof(*c));
	b->counter_pool.back[b->counter_pool.nback++] = place;
}

static void owner_return(struct block *b, uint32_t place)
{
	struct abi_owner *o = &b->owners[place];
	struct {
		uint64_t start, tid;
	} key = { .start = o->start, .tid = o->tid };
	uint32_t gen = o->gen + 1;

	if (!b->skel->rodata->has_task_storage)
		bpf_map_delete_elem(bpf_map__fd(b->skel->maps.task_hash), &key);
	memset(o, 0, sizeof(*o));
	o->gen = gen;
	b->owner_pool.back[b->owner_pool.nback++] = place;
}

static void take_back(struct block *b, uint64_t keep)
{
	if (!mark_leaving(b, keep))
		return;
	for (uint32_t i = ABI_COUNTER_FIRST; i < b->counter_pool.next; i++) {
		const struct abi_counter_key *key = &b->counters[i].key;

		if (key->cause &&
		    (b->leaving[ABI_OWNER_PLACE(key->cause)] || b->leaving[ABI_OWNER_PLACE(key->submitter)]))
			counter_return(b, i);
	}
	for (uint32_t i = ABI_OWNER_FIRST; i < b->owner_pool.next; i++) {
		if (b->leaving[i])
			owner_return(b, i);
	}
}

void block_pools_tend(struct block *b)
{
	uint64_t owners = b->skel->bss->owners_taken, counters = b->skel->bss->counters_taken;
	uint64_t keep = MIN(pool_keep(&b->owner_pool, owners), pool_keep(&b->counter_pool, counters));

	/* Every task is looked at only now and then: the list may be long. */
	if (keep < KEEP_NS || b->ticks % 16 == 0)
		take_back(b, keep);
	pool_fill(&b->owner_pool, owners);
	pool_fill(&b->counter_pool, counters);
	bpf_window_reach(&b->owner_window, b->owner_pool.next * sizeof(*b->owners));
	bpf_window_reach(&b->counter_window, b->counter_pool.next * sizeof(*b->counters));
}
