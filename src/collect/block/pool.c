// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Numbers for tasks and places for counters: handed out, and taken back when a task is long gone.
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
 * What is ready for tasks that begin between two samples: at first, and more after each; or some
 * times what the last interval took.
 */
#define READY 4096
#define READY_MORE 2048
#define READY_TIMES 4
/* Of all places, what shall be free. */
#define FREE_PART 4
#define FREE_MOST 2
/*
 * What they did reaches the disk up to this much later (dirty pages expire after 30 s), and is
 * still theirs.
 */
#define KEEP_S 120
/* Ages of tasks that ended, in half seconds. */
#define AGE_NS (NSEC_PER_SEC / 2)
#define AGES (2 * KEEP_S)
/* A task that ended so long ago submits nothing any more: it has closed its files. */
#define OVER 10
_Static_assert(AGES < BLOCK_ALIVE, "an age is a byte");

static void pool_fill(struct pool *p, uint64_t taken)
{
	uint64_t ready = MAX((taken - p->taken) * READY_TIMES, p->ready);

	p->taken = taken;
	p->ready = MIN(p->ready + READY_MORE, MAX(p->max / FREE_PART, READY));
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
	*p = (struct pool){ .queue = queue,
			    .first = first,
			    .next = first,
			    .max = max,
			    .ready = READY,
			    .back = mem_alloc(max * sizeof(*p->back)) };
}

/* Places that can be given away without taking one back. */
static uint64_t pool_free(const struct pool *p, uint64_t taken)
{
	return p->put - taken + p->nback + (p->max - p->next);
}

uint64_t block_pool_taken(const struct pool *p, uint64_t taken)
{
	return p->max - p->first - pool_free(p, taken);
}

/*
 * What has to be free for the next interval: places are kept as long as there is room, and no
 * longer.
 */
static uint64_t pool_need(const struct pool *p, uint64_t taken)
{
	return MIN(MAX((taken - p->taken) * READY_TIMES, p->max / FREE_PART), p->max / FREE_MOST);
}

static bool pool_is_short(const struct pool *p, uint64_t taken)
{
	return pool_free(p, taken) < pool_need(p, taken);
}

int block_pools_init(struct block *b, struct err *err)
{
	struct bpf_map *disks = b->skel->maps.disks_free;

	pool_init(&b->ref_pool, b->skel->maps.task_refs_free, ABI_REF_FIRST,
		  bpf_map__max_entries(b->skel->maps.task_refs));
	pool_init(&b->counter_pool, b->skel->maps.counters_free, ABI_COUNTER_FIRST,
		  bpf_map__max_entries(b->skel->maps.counters));
	b->age = mem_alloc(b->ref_pool.max);
	b->leaving = BLOCK_ALIVE;
	/* Residuals never end. */
	memset(b->age, BLOCK_ALIVE, b->ref_pool.max);
	/* Place 0 is for disks that got none. */
	for (uint32_t place = 1; place < ABI_DISKS; place++) {
		if (bpf_map_update_elem(bpf_map__fd(disks), NULL, &place, BPF_ANY) != 0)
			return err_set(err, errno, "a BPF queue takes no entries: %s",
				       strerror(errno));
	}
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

/* Nobody charges to it any more: who submitted is gone. The owner may still have dirty pages. */
static bool counter_is_over(const struct block *b, const struct abi_counter *c)
{
	unsigned age = b->age[ABI_REF_INDEX(c->key.submitter)];

	return age != BLOCK_ALIVE && age >= OVER && c->done >= c->ios;
}

/*
 * From what age on places have to come back, so that so many do; at least the oldest. Ages: how
 * many there are of each.
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

static uint64_t pool_lacks(const struct pool *p, uint64_t taken)
{
	uint64_t have = pool_free(p, taken), need = pool_need(p, taken);

	return need > have ? need - have : 0;
}

/* The age from which on tasks that ended leave. */
static unsigned leaving_age(const struct block *b, uint64_t refs, uint64_t counters)
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
	age = age_to_leave(ref_ages, pool_lacks(&b->ref_pool, refs));
	counter = age_to_leave(counter_ages, pool_lacks(&b->counter_pool, counters));
	return MIN(age, counter);
}

/*
 * Its last numbers go into the sample: nothing is charged to the counter any more once it has no
 * key, neither by the index nor by those that remember its place.
 */
static void counter_return(struct block *b, struct sample *s, uint32_t place, uint32_t interval)
{
	struct abi_counter *c = &b->counters[place];
	struct abi_counter_key key;

	memcpy(&key, &c->key, sizeof(key));
	bpf_map_delete_elem(bpf_map__fd(b->skel->maps.counter_index), &key);
	__atomic_store_n(&c->key.owner, 0, __ATOMIC_SEQ_CST);
	block_read_counter(b, s, place, &key, interval);
	memset(c, 0, sizeof(*c));
	b->counter_pool.back[b->counter_pool.nback++] = place;
}

static void counters_over_return(struct block *b, struct sample *s, uint32_t interval)
{
	for (uint32_t i = ABI_COUNTER_FIRST; i < b->counter_pool.used; i++) {
		if (b->counters[i].key.owner && counter_is_over(b, &b->counters[i]))
			counter_return(b, s, i, interval);
	}
}

static void ref_return(struct block *b, struct sample *s, uint32_t place)
{
	struct abi_task_ref *o = &b->refs[place];
	struct {
		uint64_t start, tid;
	} key = { .start = o->start, .tid = o->tid };
	uint32_t gen = o->gen;

	block_read_ref(b, s, place);
	bpf_map_delete_elem(bpf_map__fd(b->skel->maps.task_ref_index), &key);
	if (!b->skel->rodata->has_task_storage)
		bpf_map_delete_elem(bpf_map__fd(b->skel->maps.task_hash), &key);
	memset(o, 0, sizeof(*o));
	o->gen = gen;
	b->ref_pool.back[b->ref_pool.nback++] = place;
}

/*
 * The sample has what they did up to now; what is still to come of it has no ref any more: their
 * numbers are old from here on.
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
	uint64_t refs = b->skel->bss->task_refs_taken, counters = b->skel->bss->counters_taken;

	/* Every task is looked at only now and then: the list may be long. */
	if (b->ticks % 16 && !pool_is_short(&b->ref_pool, refs) &&
	    !pool_is_short(&b->counter_pool, counters))
		return;
	block_map_refs(b);
	block_map_counters(b);
	note_ages(b);
	if (pool_is_short(&b->counter_pool, counters))
		counters_over_return(b, s, interval);
	b->leaving = leaving_age(b, refs, counters);
	if (b->leaving < AGES)
		b->skel->bss->refs_reclaimed_early = true;
	take_back(b, s, interval);
	b->leaving = BLOCK_ALIVE;
}

void block_pools_fill(struct block *b)
{
	pool_fill(&b->ref_pool, b->skel->bss->task_refs_taken);
	pool_fill(&b->counter_pool, b->skel->bss->counters_taken);
}
