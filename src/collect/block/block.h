/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The inside of the block collector: its state, private to block.c, sizes.c, pool.c, read.c,
 * inflight.c, asked.c, hold.c, throttled.c, events.c, pattern.c and lower.c, and to files.c the
 * number of files.
 */
#ifndef IOTOP_COLLECT_BLOCK_BLOCK_H
#define IOTOP_COLLECT_BLOCK_BLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "bpf/abi.h"
#include "collect/bpf/programs.h"
#include "data/sample.h"

struct block_bpf;
struct hold;
struct probe_list;
struct throttled;
struct block_events;
struct collect_options;

/*
 * Entries of an array map that are handed out through a BPF queue: we push free ones, the programs
 * pop them. Only as many as may be needed soon are pushed, so that what a sample has to read stays
 * small.
 */
struct pool {
	struct bpf_map *queue;
	const volatile struct abi_places *places;	/* what programs took, in their memory */
	unsigned number;	/* of the queue: enum abi_fill */
	uint32_t first, next, max;	/* first entry, first one never pushed, entries there are */
	uint32_t used;		/* entries below may have been taken: they are mapped */
	uint32_t ready;		/* so many are in the queue at least */
	uint64_t put;		/* pushed by us so far */
	uint64_t taken;		/* places->taken as of the last sample */
	uint32_t *back;		/* entries that were taken back and not pushed again */
	uint32_t nback;
};

/* I/O of a disk whose end no program saw. */
struct block_unseen {
	uint32_t dev;		/* 0: the kernel's statistics were not read yet */
	int64_t ahead;		/* requests they were ahead of the programs by then, at least */
	uint64_t ends;		/* requests that ended unseen */
	uint64_t dropped;	/* entries dropped for them, by us or by the programs */
	uint64_t again;		/* those of the programs, as they count them */
	uint64_t in_flight;	/* not 0: the kernel had something in flight once */
};

#define BLOCK_ALIVE 255	/* as an age: its task has not ended */

struct block {
	const struct collect_options *opt;
	struct block_bpf *skel;
	struct bpf_programs programs;
	struct hold *hold;	/* of hold.c */
	struct block_events *events;	/* of events.c; NULL: nobody asks for them */
	struct abi_pattern *patterns;	/* of pattern.c; NULL: nobody asks for them */
	struct err patterns_why;	/* … or they are not to be had */
	struct throttled *throttled;	/* of throttled.c; NULL: nothing was held back */
	unsigned sources;	/* enum source bits */
	uint32_t hist_disks;	/* for so many disks there are histograms */
	uint32_t stripes, ticks;	/* ticks: intervals since the start */
	/* Maps, as memory shared with the kernel programs. */
	struct abi_task_ref *refs;
	struct abi_counter *counters;
	struct abi_disk *disks;
	struct abi_diskstat *diskstats;
	struct abi_disk_hist *hists;
	struct abi_asked *asked;
	struct bpf_window ref_window, counter_window, disk_window, stat_window, hist_window,
		inflight_window, asked_window;
	struct pool ref_pool, counter_pool;
	uint8_t *age;		/* by ref's entry, since its task ended, while entries are taken
				 * back */
	unsigned leaving;	/* from this age on they leave; more than all ages: none does at
				 * present */
	uint16_t above[ABI_DISKS], below[ABI_DISKS];	/* as in struct abi_disk */
	uint32_t unplaced;	/* of the loop device whose file is not known, as the programs
				 * have it */
	uint32_t stacked;	/* disks there were when the stack was looked at */
	int64_t stray[ABI_DISKS];	/* by entry: what is in flight without an entry, at the
					 * sample before, while the kernel knew of no request */
	struct block_unseen unseen[ABI_DISKS];	/* by entry */
	uint64_t unseen_ends;	/* of all disks there were */
	uint64_t looked_ns;	/* CLOCK_MONOTONIC of the sample before */
	uint64_t dropped;	/* bios whose end was not seen, and that nothing replaced */
	bool tells_dirtied;	/* a program sees pages become dirty */
};

/* Whether the entry of this task is being taken back just now. */
static inline bool block_is_leaving(const struct block *b, uint32_t index)
{
	return b->age[index] != BLOCK_ALIVE && b->age[index] >= b->leaving;
}

/* Of how many files with dirty pages it is kept who dirtied them: --max-files, or by the memory. */
uint32_t block_files_max(const struct collect_options *opt);
/* Before loading: how large maps are, and what the programs are told of this machine. */
void block_sizes_set(struct block *b);

/* Sizes by the options, or the defaults. 0, or -errno and the reason. */
int block_pools_init(struct block *b, struct err *err);
void block_pools_release(struct block *b);
/* Entries in use. */
uint64_t block_pool_used(const struct pool *p);
/*
 * Takes back the entries of tasks that ended long enough ago; what was still charged to them goes
 * into the sample.
 */
void block_pools_return(struct block *b, struct sample *s, uint32_t interval);
/* Pushes free entries for the programs. */
void block_pools_fill(struct block *b);

/* Tells the programs the file of each loop device, and which disk lies on which. */
void block_refresh_lower(struct block *b);
/* major << 20 | minor of "8:16"; 0: it is none. */
uint32_t block_parse_dev(const char *s);

/*
 * Programs that note what blk-throttle holds back; refreshed after each sample. Where there can be
 * none, the time of what is held back stays unknown.
 */
void block_hold_open(struct block *b);
void block_hold_refresh(struct block *b);
void block_hold_close(struct block *b);
/* Why the time of what was held back so far is not known; NULL: it is, or nothing was. */
const char *block_hold_missing(const struct block *b);
void block_hold_probe(const struct block *b, struct probe_list *list);

/* Reads what limits held back; the questions below are about that. */
void block_throttled_read(struct block *b);
/* Of a counter, with what is held back now. False: nothing was. */
bool block_throttled(const struct block *b, uint32_t index, const struct abi_counter_key *key,
		     uint64_t now, struct abi_throttled *ret);
/* Of all counters of a disk: how many, how long, and how many without a time. */
struct abi_throttled block_throttled_disk(const struct block *b, uint32_t disk, uint32_t op);
/* The counter of this key is taken back, after it was read. */
void block_throttled_return(struct block *b, uint32_t index, const struct abi_counter_key *key);
void block_throttled_free(struct block *b);

/*
 * Single requests as they end. Set before the programs are loaded.
 */
void block_events_set(struct block *b);
void block_events_enable(struct block *b, bool on);
/* A descriptor to poll for block_events_drain(); -1: none. */
int block_events_fd(void *block);
void block_events_drain(void *block);
/* Adds those since the sample before, or why there are none. Before refs are taken back. */
void block_events_read(struct block *b, struct sample *s);

/* The order of I/O, of a counter or of a disk: 0 while nobody asks. */
void block_pattern_enable(struct block *b, bool on);
void block_pattern_tell(const struct block *b, struct sample *s);
struct abi_pattern block_pattern(const struct block *b, uint32_t index);
struct abi_pattern block_pattern_of_disk(const struct block *b, uint32_t disk, uint32_t op);
/* ABI_PLACES counts of where its I/O begins; NULL: nobody counts. */
const uint64_t *block_places(const struct block *b, uint32_t disk, uint32_t op);
/* The counter is taken back, after it was read. */
void block_pattern_return(struct block *b, uint32_t index);

/* The bio of an entry (its counter) ended at some time in this interval: whose wait is doubtful. */
void block_doubt(struct block *b, uint32_t counter);
/* Corrects what tasks have in flight by the entries. After refs and counters are mapped. */
void block_settle_asked(struct block *b, uint64_t now);

/* Drops inflight entries of the first so many disks whose bios have ended unseen. */
void block_drop_ended(struct block *b, uint32_t disks);

/* Maps as much of the arrays as programs may have taken: up to `used` of their pools. */
void block_map_refs(struct block *b);
void block_map_counters(struct block *b);
/* Maps what belongs to the first so many disks. */
void block_map_disks(struct block *b, uint32_t disks);
/* Adds a counter, which has or had this key, to the sample; and the task of an entry. */
void block_read_counter(struct block *b, struct sample *s, uint32_t index,
			const struct abi_counter_key *key, uint32_t interval);
void block_read_ref(struct block *b, struct sample *s, uint32_t index);
/*
 * The task of a ref. False while its entry is being filled, and when it was given to another task.
 */
bool block_ref_id(const struct block *b, uint32_t ref, struct task_id *ret_id);
/* Adds all that the programs counted to the sample. interval: number of the one that just ended. */
void block_read(struct block *b, struct sample *s, uint32_t interval);

#endif
