/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is kept of disks from tick to tick. Private to the disk_*.c files. */
#ifndef IOTOP_DATA_DISK_DISK_STATE_H
#define IOTOP_DATA_DISK_DISK_STATE_H

#include "base/hash.h"
#include "data/disk/disk.h"
#include "data/model.h"
#include "data/names.h"

/* Who counted: the kernel's own statistics, or the block programs. */
struct disk_source {
	struct disk_counters cur, last;		/* cumulative: of this sample, of the one before */
	uint64_t in_flight;			/* at the sample */
	bool seen;				/* in this sample */
	bool ever;
};

/* Histograms of the block programs. */
struct disk_hists {
	struct disk_hist last, now, sum;
};

struct disk_entry {
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
	/*
	 * Ticks of the state: first seen; last in the sample at all; last there as a disk; last I/O
	 * (0: never).
	 */
	unsigned first_tick, seen_tick, alive_tick, busy_tick;
	struct disk_counters now, sum;
	struct disk_hists *hists;		/* NULL: no histogram yet */
	struct disk_heat *heat;
	struct history history;
};

struct disk_state {
	struct hash disks;			/* disk_entry by dev */
	uint64_t serials;
	unsigned tick;				/* of this state, from 1 */
	uint64_t prev_mono;			/* of the sample before; 0: none */
	bool gap;				/* samples were left out: this interval is not
						 * the model's */
	bool keep_gone;				/* for ever */
	bool listed;				/* there was a list of disks in the sample before */
	uint64_t time_ns;			/* since the sample before */
	bool maps_on;				/* block programs are on in this sample */
	bool maps_whole;			/* … and were in the one before: they saw all
						 * that happened */
	bool hists_whole;			/* the same of histograms */
	bool hists_on;
};

struct disk_state *disk_state_new(void);
void disk_state_free(struct disk_state *st);
/* One sample into the state: what happened in the interval, sums, histories. */
void disk_state_update(struct disk_state *st, const struct model *m, const struct sample *s,
		       bool keep_gone);
/* Has a row: it is there, or was and did something not long ago. */
bool disk_entry_shown(const struct disk_state *st, const struct disk_entry *e);
struct disk_entry *disk_state_find(const struct disk_state *st, uint32_t dev);

/* Reads or writes. */
bool disk_has_moved(const struct disk_counters *c);

/*
 * disk_load.c: two measures of an interval, each completed with its time, and added to their sums;
 * which of them is shown.
 */
void disk_load_count(const struct disk_state *st, struct disk_entry *e, struct disk_counters *stats,
		     struct disk_counters *maps);
struct disk_load disk_load_now(const struct disk_state *st, const struct disk_entry *e,
			       const struct disk_load *by_stats, const struct disk_load *by_maps);
struct disk_load disk_load_sum(const struct disk_entry *e);
/* Requests at the time of the sample. */
uint64_t disk_in_flight(const struct disk_entry *e);

/* disk_heat.c: the interval at the end of each active disk's ring. */
void disk_heat_update(struct disk_state *st, const struct model *m);

#endif
