// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Requests in flight by who asked for them. A count goes wrong where the end of a bio was not seen
 * and where two CPUs wrote an entry at once, and its task would wait for I/O ever after. It is
 * corrected to the entries that there are.
 */
#include "base/macro.h"
#include "base/mem.h"
#include "bpf/abi.h"
#include "bpf/block/block.skel.h"
#include "collect/block/block.h"

struct count {
	uint32_t started, finished;	/* before the entries were counted */
	uint32_t entries, ahead;
	bool doubtful;	/* one of them may have ended */
};

static void count(const struct block *b, struct count *c, const struct abi_inflight *f)
{
	const struct block_unseen *u = &b->unseen[ABI_COUNTER_DISK(f->counter)];

	c->entries++;
	c->doubtful |= u->ends > u->dropped;
	c->ahead += !!(f->counter & ABI_INFLIGHT_AHEAD);
}

/* Who waits for the bio of an entry (its counter): refs of its task and of its ring's maker. */
static unsigned waiting(const struct block *b, uint32_t counter, uint32_t ret[2])
{
	uint32_t refs = b->ref_pool.used, place = ABI_COUNTER_PLACE(counter);

	if (!(counter & ABI_INFLIGHT_ASKED) || place >= b->counter_pool.used)
		return 0;
	ret[0] = ABI_REF_INDEX(b->counters[place].key.submitter);
	if (ret[0] >= refs)
		return 0;
	ret[1] = b->asked[ret[0]].also;
	return ret[1] && ret[1] < refs ? 2 : 1;
}

static void count_entry(const struct block *b, struct count *counts, const struct abi_inflight *f)
{
	uint32_t refs[2];
	unsigned n = f->bio ? waiting(b, f->counter, refs) : 0;

	for (unsigned i = 0; i < n; i++)
		count(b, &counts[refs[i]], f);
}

void block_doubt(struct block *b, uint32_t counter)
{
	uint32_t refs[2];
	unsigned n = waiting(b, counter, refs);

	for (unsigned i = 0; i < n; i++)
		b->asked[refs[i]].doubtful = ABI_DOUBT_SINCE;
}

void block_settle_asked(struct block *b, uint64_t now)
{
	const struct abi_inflight_set *sets = b->inflight_window.memory;
	uint32_t refs = b->ref_pool.used, first = ABI_REF_FIRST;
	_cleanup_(mem_freep) struct count *counts = NULL;

	bpf_window_map_up_to(&b->asked_window, refs * sizeof(*b->asked));
	while (first < refs && b->asked[first].started == b->asked[first].finished &&
	       b->asked[first].doubtful != ABI_DOUBT_SINCE)
		first++;
	if (first >= refs)
		return;
	bpf_window_map_up_to(&b->inflight_window, b->inflight_window.size);
	counts = mem_zalloc(refs * sizeof(*counts));
	for (uint32_t i = first; i < refs; i++) {
		counts[i].started = b->asked[i].started;
		counts[i].finished = b->asked[i].finished;
	}
	for (uint32_t i = 0; i < b->skel->rodata->inflight_sets; i++)
		for (unsigned way = 0; way < ABI_WAYS; way++)
			count_entry(b, counts, &sets[i].way[way]);
	for (uint32_t i = first; i < refs; i++) {
		const struct count *c = &counts[i];
		struct abi_asked *a = &b->asked[i];
		uint32_t stray = c->started - c->finished - c->entries,
			 ahead = c->ahead - a->ahead;

		if (c->doubtful || a->doubtful == ABI_DOUBT_SINCE)
			a->doubtful = ABI_DOUBT(now);
		/* Not where something began or ended meanwhile. */
		if (!(stray | ahead) || a->started != c->started || a->finished != c->finished)
			continue;
		a->doubtful = ABI_DOUBT(now);
		__atomic_fetch_add(&a->finished, stray, __ATOMIC_RELAXED);
		__atomic_fetch_add(&a->ahead, ahead, __ATOMIC_RELAXED);
	}
}
