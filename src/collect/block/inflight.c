// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Bios whose end no program saw. Some kernels run no program while certain tasks are current, nor
 * for a completion that interrupts them (seen on 6.18): such a bio would be in flight, and its disk
 * busy, until it is submitted again. Counts that two CPUs got wrong between them are corrected here
 * as well.
 */
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/macro.h"
#include "base/parse.h"
#include "bpf/abi.h"
#include "bpf/block/block.skel.h"
#include "collect/block/block.h"
#include "collect/collector.h"

/* The sum of the numbers in a file of /sys/dev/block/MAJOR:MINOR; -1: unknown. */
static int64_t read_numbers(const struct block *b, uint32_t dev, const char *name)
{
	_cleanup_(buf_release) struct buf text = { 0 };
	int64_t sum = 0;
	char path[512];
	const char *p;

	snprintf(path, sizeof(path), "%s/dev/block/%u:%u/%s", b->opt->sys, dev >> 20, dev & 0xfffff,
		 name);
	if (buf_read_file(&text, -1, path, 4096) < 0 || !text.len)
		return -1;
	for (p = text.data; p[strspn(p, " ")] >= '0'; )
		sum += (int64_t)scan_u64(&p);
	return sum;
}

/*
 * Whether the programs count something in flight, or less than nothing, where the statistics of the
 * kernel have none. These do not count for drivers without requests.
 */
static bool at_rest(const struct block *b, const struct abi_disk *d)
{
	uint64_t finished = d->finished;

	if (!d->dev || d->flags & ABI_DISK_BIO || d->started == finished)
		return false;
	return read_numbers(b, d->dev, "inflight") == 0 &&
	       read_numbers(b, d->dev, "queue/iostats") == 1 && d->finished == finished;
}

/*
 * Whether the entry was there at the sample before. A younger one may be of a bio without a request
 * yet.
 */
static bool is_old(const struct block *b, const struct abi_inflight *f)
{
	return f->start_ns < ABI_INFLIGHT_TIME ? f->start_ns + 1 < b->skel->bss->epoch
					     : f->start_ns < b->looked_ns;
}

/* Drops the old entries of a disk; returns how many it still has. */
static uint64_t drop(struct block *b, uint32_t index)
{
	struct abi_inflight_set *sets = b->inflight_window.memory;
	uint64_t left = 0;

	bpf_window_map_up_to(&b->inflight_window, b->inflight_window.size);
	for (uint32_t i = 0; i < b->skel->rodata->inflight_sets; i++) {
		for (unsigned way = 0; way < ABI_WAYS; way++) {
			struct abi_inflight *f = &sets[i].way[way];

			if (!f->bio || ABI_COUNTER_DISK(f->counter) != index)
				continue;
			if (!is_old(b, f)) {
				left++;
				continue;
			}
			f->bio = 0;
			__atomic_fetch_add(&b->disks[index].finished, 1, __ATOMIC_RELAXED);
			b->dropped++;
		}
	}
	return left;
}

void block_drop_ended(struct block *b, uint32_t disks)
{
	for (uint32_t i = 1; i < disks; i++) {
		struct abi_disk *d = &b->disks[i];
		int64_t stray = 0;

		if (at_rest(b, d)) {
			uint64_t left = drop(b, i);

			stray = (int64_t)(d->started - d->finished - left);
			/*
			 * Entries that two CPUs wrote or dropped at once; not one that is being
			 * written just now.
			 */
			if (stray == b->stray[i]) {
				__atomic_fetch_add(&d->finished, (uint64_t)stray, __ATOMIC_RELAXED);
				stray = 0;
			}
		}
		b->stray[i] = stray;
	}
	b->looked_ns = clock_mono();
}
