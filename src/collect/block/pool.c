// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Pools: entries for tasks and counters are handed out, and taken back long after the task ended.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/macro.h"
#include "bpf/abi.h"
#include "bpf/block/block.skel.h"
#include "collect/block/block.h"

/*
 * Entries in the queue for what begins between two samples: at first, more after each sample, or a
 * multiple of what the last interval took.
 */
#define READY 4096
#define READY_MORE 2048
#define READY_TIMES 4
/* Parts of all entries that shall be free. */
#define FREE_PART 4
#define FREE_MOST 2
/*
 * What an ended task did reaches the disk up to this much later (dirty pages expire after 30 s) and
 * is still charged to it.
 */
#define KEEP_S 120
/* Time since a task ended, in half seconds. */
#define AGE_NS (NSEC_PER_SEC / 2)
#define AGES (2 * KEEP_S)
/* An ended task of this age submits nothing any more: its files are closed. */
#define OVER 10
_Static_assert(AGES < BLOCK_ALIVE, "an age is a byte");

/* Entries from the first on that are new. Returns how many. */
static uint32_t push_new(const struct block *b, unsigned number, const struct bpf_map *queue,
			 uint32_t first, uint32_t n)
{
	return bpf_fill(b->skel->obj, "block_fill", number, queue, first, n);
}

/* Places in the queue. Read in this order: programs take some meanwhile, and it is not below 0. */
static uint64_t pool_ready(const struct pool *p)
{
	uint64_t taken = p->places->taken;

	return p->put + p->places->back - taken;
}

/* There shall be room for so many until the next sample, by what was taken since the last one. */
static uint64_t pool_ahead(const struct pool *p)
{
	return (p->places->taken - p->taken) * READY_TIMES;
}

static void pool_fill(const struct block *b, struct pool *p)
{
	uint64_t wanted = MAX(pool_ahead(p), p->ready), ready;
	uint32_t n;

	p->taken = p->places->taken;
	p->ready = MIN(p->ready + READY_MORE, MAX(p->max / FREE_PART, READY));
	while (pool_ready(p) < wanted && p->nback) {
		uint32_t index = p->back[p->nback - 1];

		if (bpf_map_update_elem(bpf_map__fd(p->queue), NULL, &index, BPF_ANY) != 0)
			return;
		p->nback--;
		p->put++;
	}
	ready = pool_ready(p);
	n = push_new(b, p->number, p->queue, p->next,
		     (uint32_t)MIN(wanted > ready ? wanted - ready : 0, p->max - p->next));
	p->next += n;
	p->put += n;
}

static void pool_init(struct pool *p, struct bpf_map *queue,
		      const volatile struct abi_places *places, unsigned number, uint32_t first,
		      uint32_t max)
{
	*p = (struct pool){ .queue = queue,
			    .places = places,
			    .number = number,
			    .first = first,
			    .next = first,
			    .max = max,
			    .ready = READY,
			    .back = mem_alloc(max * sizeof(*p->back)) };
}

/* Places that can be given away without taking one back. */
static uint64_t pool_free(const struct pool *p)
{
	return pool_ready(p) + p->nback + (p->max - p->next);
}

uint64_t block_pool_used(const struct pool *p)
{
	return p->max - p->first - pool_free(p);
}

/* What has to be free for the next interval. Entries are kept while there is room. */
static uint64_t pool_need(const struct pool *p)
{
	return MIN(MAX(pool_ahead(p), p->max / FREE_PART), p->max / FREE_MOST);
}

static bool pool_is_short(const struct pool *p)
{
	return pool_free(p) < pool_need(p);
}

int block_pools_init(struct block *b, struct err *err)
{
	struct bpf_map *disks = b->skel->maps.disks_free;

	pool_init(&b->ref_pool, b->skel->maps.task_refs_free, &b->skel->bss->task_ref_places,
		  ABI_FILL_REFS, ABI_REF_FIRST, bpf_map__max_entries(b->skel->maps.task_refs));
	pool_init(&b->counter_pool, b->skel->maps.counters_free, &b->skel->bss->counter_places,
		  ABI_FILL_COUNTERS, ABI_COUNTER_FIRST,
		  bpf_map__max_entries(b->skel->maps.counters));
	b->age = mem_alloc(b->ref_pool.max);
	b->leaving = BLOCK_ALIVE;
	/* Residuals never end. */
	memset(b->age, BLOCK_ALIVE, b->ref_pool.max);
	/* Entry 0 is for disks without one. */
	if (push_new(b, ABI_FILL_DISKS, disks, 1, ABI_DISKS - 1) < ABI_DISKS - 1)
		return err_set(err, errno, "a BPF queue takes no entries: %m");
	block_pools_fill(b);
	return 0;
}

void block_pools_release(struct block *b)
{
	free(b->ref_pool.back);
	free(b->counter_pool.back);
	free(b->age);
}

/* That of the older of its tasks; BLOCK_ALIVE also for one that is not in use. */
static unsigned counter_age(const struct block *b, const struct abi_counter *c)
{
	unsigned owner = b->age[ABI_REF_INDEX(c->key.owner)],
		 submitter = b->age[ABI_REF_INDEX(c->key.submitter)];

	if (!c->key.owner)
		return BLOCK_ALIVE;
	if (owner == BLOCK_ALIVE || submitter == BLOCK_ALIVE)
		return owner == BLOCK_ALIVE ? submitter : owner;
	return MAX(owner, submitter);
}

/*
 * Nothing is charged to the counter any more: its submitter is gone. The owner may still have dirty
 * pages.
 */
static bool counter_is_over(const struct block *b, const struct abi_counter *c)
{
	unsigned age = b->age[ABI_REF_INDEX(c->key.submitter)];

	return age != BLOCK_ALIVE && age >= OVER && c->done >= c->ios;
}

/*
 * The age from which on entries are taken back, so that enough are free; at least the oldest. ages:
 * how many there are of each.
 */
static unsigned age_to_leave(const uint32_t ages[AGES + 1], uint64_t wanted)
{
	unsigned age = AGES;
	uint64_t n = ages[AGES];

	while (n < wanted && age)
		n += ages[--age];
	return age;
}

static void note_ages(struct block *b)
{
	uint64_t now = clock_mono();

	for (uint32_t i = ABI_REF_FIRST; i < b->ref_pool.used; i++) {
		uint64_t ended = b->refs[i].ended;

		b->age[i] = !ended	? BLOCK_ALIVE
			    : ended > now ? 0
					  : MIN((now - ended) / AGE_NS, AGES);
	}
}

static uint64_t pool_lacks(const struct pool *p)
{
	uint64_t have = pool_free(p), need = pool_need(p);

	return need > have ? need - have : 0;
}

/* The age from which on ended tasks leave. */
static unsigned leaving_age(const struct block *b)
{
	uint32_t ref_ages[AGES + 1] = { 0 }, counter_ages[AGES + 1] = { 0 };
	unsigned age, counter;

	for (uint32_t i = ABI_REF_FIRST; i < b->ref_pool.used; i++) {
		if (b->age[i] != BLOCK_ALIVE)
			ref_ages[b->age[i]]++;
	}
	for (uint32_t i = ABI_COUNTER_FIRST; i < b->counter_pool.used; i++) {
		unsigned of = counter_age(b, &b->counters[i]);

		if (of != BLOCK_ALIVE)
			counter_ages[of]++;
	}
	age = age_to_leave(ref_ages, pool_lacks(&b->ref_pool));
	counter = age_to_leave(counter_ages, pool_lacks(&b->counter_pool));
	return MIN(age, counter);
}

/*
 * Takes back a counter; its last numbers go into the sample. Without a key nothing is charged to it
 * any more, neither by the index nor by a task that remembers the entry.
 */
static void counter_return(struct block *b, struct sample *s, uint32_t index, uint32_t interval)
{
	struct abi_counter *c = &b->counters[index];
	struct abi_counter_key key;

	memcpy(&key, &c->key, sizeof(key));
	bpf_map_delete_elem(bpf_map__fd(b->skel->maps.counter_index), &key);
	__atomic_store_n(&c->key.owner, 0, __ATOMIC_SEQ_CST);
	block_read_counter(b, s, index, &key, interval);
	block_throttled_return(b, index, &key);
	memset(c, 0, sizeof(*c));
	block_pattern_return(b, index);
	b->counter_pool.back[b->counter_pool.nback++] = index;
}

static void counters_over_return(struct block *b, struct sample *s, uint32_t interval)
{
	for (uint32_t i = ABI_COUNTER_FIRST; i < b->counter_pool.used; i++) {
		if (b->counters[i].key.owner && counter_is_over(b, &b->counters[i]))
			counter_return(b, s, i, interval);
	}
}

static void ref_return(struct block *b, struct sample *s, uint32_t index)
{
	struct abi_task_ref *o = &b->refs[index];
	struct {
		uint64_t start, tid;
	} key = { .start = o->start, .tid = o->tid };
	uint32_t gen = o->gen;

	block_read_ref(b, s, index);
	bpf_map_delete_elem(bpf_map__fd(b->skel->maps.task_ref_index), &key);
	memset(o, 0, sizeof(*o));
	o->gen = gen;
	b->ref_pool.back[b->ref_pool.nback++] = index;
}

/*
 * Takes back all that leave. What still comes of these tasks has no owner: their refs are invalid
 * from here on.
 */
static void take_back(struct block *b, struct sample *s, uint32_t interval)
{
	for (uint32_t i = ABI_REF_FIRST; i < b->ref_pool.used; i++)
		b->refs[i].gen += block_is_leaving(b, i);
	for (uint32_t i = ABI_COUNTER_FIRST; i < b->counter_pool.used; i++) {
		unsigned of = counter_age(b, &b->counters[i]);

		if (of != BLOCK_ALIVE && of >= b->leaving)
			counter_return(b, s, i, interval);
	}
	for (uint32_t i = ABI_REF_FIRST; i < b->ref_pool.used; i++) {
		if (block_is_leaving(b, i))
			ref_return(b, s, i);
	}
}

void block_pools_return(struct block *b, struct sample *s, uint32_t interval)
{
	/* All tasks are scanned only now and then: there may be many. */
	if (b->ticks % 16 && !pool_is_short(&b->ref_pool) && !pool_is_short(&b->counter_pool))
		return;
	block_map_refs(b);
	block_map_counters(b);
	note_ages(b);
	if (pool_is_short(&b->counter_pool))
		counters_over_return(b, s, interval);
	b->leaving = leaving_age(b);
	if (b->leaving < AGES)
		b->skel->bss->refs_reclaimed_early = true;
	take_back(b, s, interval);
	b->leaving = BLOCK_ALIVE;
}

void block_pools_fill(struct block *b)
{
	pool_fill(b, &b->ref_pool);
	pool_fill(b, &b->counter_pool);
}
