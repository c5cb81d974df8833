// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * I/O whose end no program saw. Some kernels run no program while certain tasks are current, nor
 * for a completion that interrupts them (seen on 6.18): such a bio would be in flight, and its disk
 * busy, until it is submitted again. What the kernel says of the disk tells how many there are, and
 * which entries are of none that is still in flight. Counts that two CPUs got wrong between them
 * are corrected here as well.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/macro.h"
#include "base/parse.h"
#include "bpf/abi.h"
#include "bpf/block/block.skel.h"
#include "collect/block/block.h"
#include "collect/collector.h"

/* What the kernel says of a disk. */
struct stat_line {
	uint64_t ios;		/* completed requests, without flushes */
	uint64_t in_flight;
};

static bool read_numbers(const struct block *b, uint32_t dev, const char *name, uint64_t *ret,
			 size_t n)
{
	_cleanup_(buf_release) struct buf text = { 0 };
	char path[512];
	const char *p;

	snprintf(path, sizeof(path), "%s/dev/block/%u:%u/%s", b->opt->sys, dev >> 20, dev & 0xfffff,
		 name);
	if (buf_read_file(&text, -1, path, 4096) < 0 || !text.len)
		return false;
	p = text.data;
	for (size_t i = 0; i < n && p[strspn(p, " ")] >= '0'; i++)
		ret[i] = scan_u64(&p);
	return true;
}

static bool read_stat(const struct block *b, uint32_t dev, struct stat_line *ret)
{
	/* Reads, writes and discards begin at these; one is in flight for both. */
	uint64_t v[12] = { 0 };

	if (!read_numbers(b, dev, "stat", v, ARRAY_SIZE(v)))
		return false;
	*ret = (struct stat_line){ .ios = v[0] + v[4] + v[11], .in_flight = v[8] };
	return true;
}

/* The same I/Os as the programs have counted them, and those of other kinds, which are few. */
static uint64_t ios_seen(const struct block *b, uint32_t index)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < b->stripes; i++) {
		const struct abi_diskop *op = b->diskstats[index * b->stripes + i].op;

		n += op[ABI_READ].ios + op[ABI_WRITE].ios + op[ABI_DISCARD].ios + op[ABI_OTHER].ios;
	}
	return n;
}

/* What the kernel says of a disk, and what the programs had counted before and after. */
struct comparison {
	struct stat_line stat;
	uint64_t before, after;
};

/* Where I/O ends all the time the two stay different. */
#define COMPARISONS 4

static bool compare(const struct block *b, uint32_t index, struct comparison *ret)
{
	uint64_t after = ios_seen(b, index);
	unsigned n = 0;

	do {
		ret->before = after;
		if (!read_stat(b, b->disks[index].dev, &ret->stat))
			return false;
		ret->after = after = ios_seen(b, index);
	} while (ret->before != ret->after && ++n < COMPARISONS);
	return true;
}

/*
 * Counts the requests of a disk whose end was not seen. The first time only notes by how much the
 * kernel is ahead, at most; then and later by how much at least: what ends between the two readings
 * is not among them. Drivers without requests may count other things than their bios.
 */
static void count_unseen(struct block *b, uint32_t index, const struct comparison *c)
{
	struct block_unseen *u = &b->unseen[index];
	int64_t ahead = (int64_t)(c->stat.ios - c->after);
	uint64_t again = b->skel->bss->queued_again[index];

	if (u->dev != b->disks[index].dev)
		*u = (struct block_unseen){ .dev = b->disks[index].dev,
					    .ahead = (int64_t)(c->stat.ios - c->before),
					    .again = again };
	u->dropped += again - u->again;
	u->again = again;
	if (!(b->disks[index].flags & ABI_DISK_BIO) && ahead - u->ahead > (int64_t)u->ends) {
		b->unseen_ends += (uint64_t)(ahead - u->ahead) - u->ends;
		u->ends = (uint64_t)(ahead - u->ahead);
	}
}

/* How many intervals ago a bio started that was in flight at the sample before; else 0. */
static uint64_t age(const struct block *b, const struct abi_inflight *f, uint64_t interval_ns)
{
	if (f->start_ns >= ABI_INFLIGHT_UNTIMED)
		return MAX((uint64_t)b->skel->bss->epoch - (uint32_t)f->start_ns, 1) - 1;
	return f->start_ns < b->looked_ns ? 1 + (b->looked_ns - f->start_ns) / interval_ns : 0;
}

struct old_entry {
	struct abi_inflight *entry;
	uint64_t age;
};

static int by_age(const void *a, const void *b)
{
	const struct old_entry *x = a, *y = b;

	return x->age > y->age ? -1 : x->age < y->age;
}

/*
 * Drops the entries of a disk that were there at the sample before, the oldest first, but for as
 * many as the kernel has in flight: a younger one may be of a bio without a request yet. Returns
 * how many it still has.
 */
static uint64_t drop(struct block *b, uint32_t index, uint64_t in_flight, uint64_t interval_ns)
{
	size_t most = (size_t)b->skel->rodata->inflight_sets * ABI_WAYS, n = 0, all = 0;
	struct abi_inflight *entries = b->inflight_window.memory;
	struct old_entry *old = mem_alloc(most * sizeof(*old));

	bpf_window_map_up_to(&b->inflight_window, b->inflight_window.size);
	for (size_t i = 0; i < most; i++) {
		if (!entries[i].bio || ABI_COUNTER_DISK(entries[i].counter) != index)
			continue;
		all++;
		old[n] = (struct old_entry){ &entries[i], age(b, &entries[i], interval_ns) };
		n += old[n].age != 0;
	}
	qsort(old, n, sizeof(*old), by_age);
	for (size_t i = 0; i + in_flight < n; i++) {
		uint32_t counter = old[i].entry->counter;

		if (!__atomic_exchange_n(&old[i].entry->bio, 0, __ATOMIC_RELAXED))
			continue;
		block_doubt(b, counter);
		__atomic_fetch_add(&b->disks[index].finished, 1, __ATOMIC_RELAXED);
		b->dropped++;
		b->unseen[index].dropped++;
		all--;
	}
	free(old);
	return all;
}

/*
 * Whether the kernel has nothing in flight at a disk. Statistics that are switched off have nothing
 * at all; drivers without requests need not count what is in flight, and do when it was seen once.
 */
static bool at_rest(const struct block *b, uint32_t index, const struct stat_line *stat)
{
	uint64_t on = 0;

	if (stat->in_flight)
		return false;
	if (b->disks[index].flags & ABI_DISK_BIO)
		return b->unseen[index].in_flight;
	return read_numbers(b, b->disks[index].dev, "queue/iostats", &on, 1) && on;
}

/*
 * Drops what ended unseen at one disk. Returns what is in flight there without an entry, where the
 * kernel has nothing; else 0.
 */
static int64_t drop_ended(struct block *b, uint32_t index, uint64_t interval_ns)
{
	struct block_unseen *u = &b->unseen[index];
	struct abi_disk *d = &b->disks[index];
	uint64_t finished = d->finished, left;
	struct comparison c;
	bool rest;

	/* Most disks are at rest, for the programs as for the kernel. */
	if (!d->dev || (d->started == finished && u->dev == d->dev) || !compare(b, index, &c))
		return 0;
	count_unseen(b, index, &c);
	u->in_flight |= c.stat.in_flight;
	rest = at_rest(b, index, &c.stat) && d->finished == finished;
	if (!rest && u->ends <= u->dropped)
		return 0;
	left = drop(b, index, c.stat.in_flight, interval_ns);
	return rest ? (int64_t)(d->started - d->finished - left) : 0;
}

void block_drop_ended(struct block *b, uint32_t disks)
{
	uint64_t now = clock_mono(), interval_ns = MAX(now - b->looked_ns, 1);

	for (uint32_t i = 1; i < disks; i++) {
		int64_t stray = drop_ended(b, i, interval_ns);

		/*
		 * Entries that two CPUs wrote or dropped at once; not one that is being written
		 * just now.
		 */
		if (stray == b->stray[i]) {
			__atomic_fetch_add(&b->disks[i].finished, (uint64_t)stray,
					   __ATOMIC_RELAXED);
			stray = 0;
		}
		b->stray[i] = stray;
	}
	b->looked_ns = now;
}
