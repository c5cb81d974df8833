// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How long limits of control groups held I/O back: what the block programs counted, and what is
 * held back now.
 */
#include <stdlib.h>
#include <string.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "base/macro.h"
#include "base/mem.h"
#include "bpf/abi.h"
#include "bpf/block/block.skel.h"
#include "collect/block/block.h"
#include "collect/bpf/bpf.h"

/* Of one counter. */
struct total {
	uint32_t place;
	struct abi_throttled t;
};

struct throttled {
	struct total *totals;	/* by place */
	size_t n;
	struct abi_held *held;	/* held back now; of each task, disk and operation the oldest */
	size_t nheld;
	/* By disk and operation: of counters that were taken back. */
	struct abi_throttled gone[ABI_DISKS][ABI_OPS];
};

static int by_place(const void *a, const void *b)
{
	const struct total *x = a, *y = b;

	return ORDER(x->place, y->place);
}

static void read_totals(const struct block *b, struct throttled *t)
{
	int fd = bpf_map__fd(b->skel->maps.throttled_ios);
	uint32_t *before = NULL, key;

	for (t->n = 0; !bpf_map_get_next_key(fd, before, &key); before = &key) {
		struct total one = { .place = key };

		if (bpf_map_lookup_elem(fd, &key, &one.t) < 0)
			continue;
		t->totals = mem_realloc(t->totals, (t->n + 1) * sizeof(*t->totals));
		t->totals[t->n++] = one;
	}
	if (t->n)
		qsort(t->totals, t->n, sizeof(*t->totals), by_place);
}

static bool same(const struct abi_held *a, const struct abi_held *b)
{
	return a->start == b->start && a->tid == b->tid && a->dev == b->dev && a->op == b->op;
}

static void held_add(struct throttled *t, const struct abi_held *h)
{
	size_t i = 0;

	if (h->queued)
		return;
	while (i < t->nheld && !same(&t->held[i], h))
		i++;
	if (i < t->nheld) {
		t->held[i].since = MIN(t->held[i].since, h->since);
		return;
	}
	t->held = mem_realloc(t->held, (t->nheld + 1) * sizeof(*t->held));
	t->held[t->nheld++] = *h;
}

static void read_held(const struct block *b, struct throttled *t)
{
	_cleanup_(mem_freep) struct abi_held *values = mem_alloc(ABI_HELD * sizeof(*values));
	_cleanup_(mem_freep) uint64_t *keys = mem_alloc(ABI_HELD * sizeof(*keys));
	uint32_t n = ABI_HELD, position;

	t->nheld = 0;
	/* All at once; that there are no more is an error of its own. */
	bpf_map_lookup_batch(bpf_map__fd(b->skel->maps.held), NULL, &position, keys, values, &n,
			     NULL);
	for (uint32_t i = 0; i < n && i < ABI_HELD; i++)
		held_add(t, &values[i]);
}

void block_throttled_read(struct block *b)
{
	struct throttled *t = b->throttled;

	if (!b->skel->bss->any_held)
		return;
	if (!t)
		t = b->throttled = mem_zalloc(sizeof(*t));
	read_totals(b, t);
	read_held(b, t);
}

/* What is held back now of this counter, since when; 0: nothing. */
static uint64_t held_since(const struct block *b, const struct abi_counter_key *key)
{
	const struct throttled *t = b->throttled;
	uint32_t ref = ABI_REF_INDEX(key->owner);

	if (key->owner != key->submitter || key->how != ABI_EXACT || ref >= b->ref_pool.used)
		return 0;
	/* Only one task began at that ns. */
	for (size_t i = 0; i < t->nheld; i++)
		if (t->held[i].dev == key->dev && t->held[i].op == key->op &&
		    t->held[i].start == b->refs[ref].start)
			return t->held[i].since;
	return 0;
}

bool block_throttled(const struct block *b, uint32_t index, const struct abi_counter_key *key,
		     uint64_t now, struct abi_throttled *ret)
{
	const struct throttled *t = b->throttled;
	const struct total *found;
	struct total wanted = { .place = index };
	uint64_t since;

	if (!t || (!t->n && !t->nheld))
		return false;
	found = t->n ? bsearch(&wanted, t->totals, t->n, sizeof(*t->totals), by_place) : NULL;
	*ret = found ? found->t : (struct abi_throttled){ 0 };
	since = held_since(b, key);
	if (since) {
		since = MAX(since, ret->until);
		ret->ns += now > since ? now - since : 0;
	}
	return found || since;
}

/* The disk of a counter, by its place, and the operation. */
static struct abi_throttled *gone_of(const struct block *b, uint32_t index,
				     const struct abi_counter_key *key)
{
	uint32_t disk = index < ABI_COUNTER_FIRST ? index / ABI_OPS : key->disk,
		 op = index < ABI_COUNTER_FIRST ? index % ABI_OPS : key->op;

	return &b->throttled->gone[disk % ABI_DISKS][op % ABI_OPS];
}

static void total_add(struct abi_throttled *to, const struct abi_throttled *from)
{
	to->held += from->held;
	to->held_ns += from->held_ns;
	to->unseen += from->unseen;
}

void block_throttled_return(struct block *b, uint32_t index, const struct abi_counter_key *key)
{
	int fd = bpf_map__fd(b->skel->maps.throttled_ios);
	struct abi_throttled last;

	if (!b->throttled || bpf_map_lookup_elem(fd, &index, &last) < 0)
		return;
	total_add(gone_of(b, index, key), &last);
	bpf_map_delete_elem(fd, &index);
}

struct abi_throttled block_throttled_disk(const struct block *b, uint32_t disk, uint32_t op)
{
	const struct throttled *t = b->throttled;
	struct abi_throttled sum = { 0 };

	if (!t)
		return sum;
	sum = t->gone[disk][op];
	for (size_t i = 0; i < t->n; i++) {
		uint32_t place = t->totals[i].place;

		if (gone_of(b, place, &b->counters[place].key) == &t->gone[disk][op])
			total_add(&sum, &t->totals[i].t);
	}
	return sum;
}

void block_throttled_free(struct block *b)
{
	if (!b->throttled)
		return;
	free(b->throttled->totals);
	free(b->throttled->held);
	free(b->throttled);
	b->throttled = NULL;
}
