// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Bios whose end no program saw. Some kernels call no program for a completion while others attach theirs (seen on 6.18): what
 * ended then would be in flight, and its disk busy, until its bio comes again. The same is put right here of counts that
 * processors got wrong between them.
 */
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/macro.h"
#include "base/parse.h"
#include "bpf/abi.h"
#include "bpf/block.skel.h"
#include "collect/block.h"
#include "collect/collector.h"

#define COUNTER_DISK(counter) ((counter) >> ABI_COUNTER_BITS)

/* The sum of the numbers in a file of /sys/dev/block/MAJOR:MINOR; -1: unknown. */
static int64_t read_numbers(const struct block *b, uint32_t dev, const char *name)
{
	_cleanup_(buf_release) struct buf text = { 0 };
	int64_t sum = 0;
	char path[512];
	const char *p;

	snprintf(path, sizeof(path), "%s/dev/block/%u:%u/%s", b->opt->sys, dev >> 20, dev & 0xfffff, name);
	if (buf_read_file(&text, -1, path, 4096) < 0 || !text.len)
		return -1;
	for (p = text.data; p[strspn(p, " ")] >= '0'; )
		sum += (int64_t)scan_u64(&p);
	return sum;
}

/*
 * The programs think that something is in flight, or less than nothing, and the kernel's statistics do not. They may not know of
 * what drivers without requests do.
 */
static bool at_rest(const struct block *b, const struct abi_disk *d)
{
	uint64_t finished = d->finished;

	if (!d->dev || d->flags & ABI_DISK_BIO || d->started == finished)
		return false;
	return read_numbers(b, d->dev, "inflight") == 0 && read_numbers(b, d->dev, "queue/iostats") == 1 && d->finished == finished;
}

static void drop(struct block *b, uint32_t place)
{
	struct abi_flight_set *sets = b->flight_window.memory;
	struct abi_disk *d = &b->disks[place];
	uint64_t more;

	for (uint32_t i = 0; i < b->skel->rodata->flight_sets; i++) {
		for (unsigned way = 0; way < ABI_WAYS; way++) {
			struct abi_flight *f = &sets[i].way[way];

			if (!f->bio || COUNTER_DISK(f->counter) != place)
				continue;
			f->bio = 0;
			__atomic_fetch_add(&d->finished, 1, __ATOMIC_RELAXED);
			b->dropped++;
		}
	}
	/* Notes that two processors wrote, or took away, at the same time. */
	more = d->started - d->finished;
	__atomic_fetch_add(&d->finished, more, __ATOMIC_RELAXED);
	d->waking = false;
}

void block_drop_ended(struct block *b, uint32_t disks)
{
	for (uint32_t i = 1; i < disks; i++) {
		bool before = b->at_rest[i];

		b->at_rest[i] = at_rest(b, &b->disks[i]);
		/* Once, it may be a bio that has no request yet. */
		if (!before || !b->at_rest[i])
			continue;
		bpf_window_reach(&b->flight_window, b->flight_window.size);
		drop(b, i);
		b->at_rest[i] = false;
	}
}
