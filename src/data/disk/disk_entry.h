/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is kept of disks from sample to sample. Private to the files of this folder. */
#ifndef IOTOP_DATA_DISK_DISK_ENTRY_H
#define IOTOP_DATA_DISK_DISK_ENTRY_H

#include "data/counters.h"
#include "data/disk/disk.h"
#include "data/disk/disk_past.h"
#include "data/history.h"

/* Who counted: the kernel's own statistics, or the block programs. */
struct disk_source {
	struct disk_counters cur, last;		/* cumulative: of this sample, of the one before */
	uint64_t in_flight;			/* at the sample */
	bool seen;				/* in this sample */
	bool ever;
	bool tags_told;				/* as in sample_diskload */
};

/* Histograms of the block programs. */
struct disk_hists {
	struct disk_hist last, now, sum;
	uint64_t place_bytes;	/* as in sample_diskop, of the newest sample; 0: none */
};

/* c.seen: last in the sample at all; c.active: last I/O. */
struct disk_entry {
	struct counters c;			/* struct disk_counters */
	uint32_t dev;				/* hash key */
	uint64_t serial;			/* another disk under the same number gets
						 * another */
	struct disk_source stats, maps;
	/*
	 * Ticks in which the block programs saw I/O that the kernel's statistics did not, and what
	 * it was in the first of them.
	 */
	unsigned still;
	struct disk_counters held;
	struct disk_load by_stats, by_maps;	/* since the start: two measures that never meet
						 * in one number */
	uint32_t flags;				/* enum disk_flag */
	bool listed;				/* in this sample's table of disks */
	unsigned first_tick, alive_tick;	/* first seen; last there as a disk */
	struct disk_hists *hists;		/* NULL: no histogram yet */
	struct disk_heat *heat;
	struct disk_past *past;			/* NULL: none yet */
	struct disk_usual usual;		/* of the interval */
	enum disk_limits limits_told;		/* in this sample */
	struct disk_limit_counters limits;	/* of the interval in which it told last */
	uint64_t limits_at;			/* the end of that, CLOCK_MONOTONIC ns */
	struct history history;
};

struct disk_state {
	struct counter_table *disks;		/* struct disk_entry by dev */
	struct watch maps, hists;		/* the block programs, and their histograms */
	uint64_t serials;
	bool listed;				/* there was a list of disks in the sample before */
	uint64_t time_ns;			/* since the sample before */
	uint64_t mono;				/* of the sample, CLOCK_MONOTONIC ns */
};

static inline struct disk_counters *disk_now(const struct disk_entry *e)
{
	return (struct disk_counters *)e->c.now;
}

static inline struct disk_counters *disk_sum(const struct disk_entry *e)
{
	return (struct disk_counters *)e->c.sum;
}

/* Reads or writes. */
static inline bool disk_has_moved(const struct disk_counters *c)
{
	return c->op[OP_READ].ios || c->op[OP_WRITE].ios;
}

#endif
