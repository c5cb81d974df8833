/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The inside of the block collector: its state, private to block.c, pool.c, read.c, inflight.c and
 * lower.c, and to files.c the number of files.
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
struct bpf_object;
struct collect_options;
struct collect_set;

/*
 * Places of an array that are handed out through a BPF queue: we put free ones in, the programs
 * take them out. Only as many as may be needed soon are put in, so that what has to be looked at
 * stays small.
 */
struct pool {
	struct bpf_map *queue;
	uint32_t first, next, max;	/* the first place, the first never put in; places there
					 * are */
	uint32_t used;		/* up to this one places may have been taken; they are mapped */
	uint32_t ready;		/* so many are ready at least */
	uint64_t put;		/* all that were ever put in; the programs count what they took */
	uint64_t taken;		/* that count at the last sample */
	uint32_t *back;		/* places that came back and were not put in again */
	uint32_t nback;
};

#define BLOCK_ALIVE 255	/* as an age: its task has not ended */

struct block {
	const struct collect_options *opt;
	struct block_bpf *skel;
	struct bpf_programs programs;
	unsigned wanted;	/* enum source bits */
	uint32_t hist_disks;	/* for so many disks there are histograms */
	uint32_t stripes, ticks;	/* ticks: intervals since the start */
	/* Maps, as memory shared with the kernel programs. */
	struct abi_task_ref *refs;
	struct abi_counter *counters;
	struct abi_disk *disks;
	struct abi_diskstat *diskstats;
	struct abi_hist *hists;
	struct bpf_window ref_window, counter_window, disk_window, stat_window, hist_window,
		inflight_window;
	struct pool ref_pool, counter_pool;
	uint8_t *age;		/* by ref's place, since its task ended, while places are taken
				 * back */
	unsigned leaving;	/* from this age on they leave; more than all ages: none does at
				 * present */
	uint32_t upper[ABI_DISKS];	/* place of the disk above, by place */
	uint32_t unplaced;	/* of the loop device whose file is not known, as the programs
				 * have it */
	uint32_t stacked;	/* disks there were when the stack was looked at */
	int64_t stray[ABI_DISKS];	/* by place: what is in flight without a note, at the
					 * sample before, while the kernel knew of no request */
	uint64_t looked_ns;	/* CLOCK_MONOTONIC of the sample before */
	uint64_t dropped;	/* bios whose end was not seen, and that nothing replaced */
};

/* Is the place of this task being taken back just now? */
static inline bool block_is_leaving(const struct block *b, uint32_t place)
{
	return b->age[place] != BLOCK_ALIVE && b->age[place] >= b->leaving;
}

/* Of how many files with dirty pages it is kept who dirtied them: --max-files, or by the memory. */
uint32_t block_files_max(const struct collect_options *opt);

/* Sizes by the options; 0: the defaults. */
int block_pools_init(struct block *b, struct err *err);
void block_pools_release(struct block *b);
/* Places in use. */
uint64_t block_pool_taken(const struct pool *p, uint64_t taken);
/*
 * Takes back the places of tasks that ended long enough ago; what was still charged to them goes
 * into the sample.
 */
void block_pools_return(struct block *b, struct sample *s, uint32_t interval);
/* Puts free places where the programs find them. */
void block_pools_fill(struct block *b);

/* Tells the programs which file a loop device is, and which disk lies on which. */
void block_stack_tend(struct block *b);

/* Forgets what seems to be in flight at the first so many disks, and is not. */
void block_drop_ended(struct block *b, uint32_t disks);

/* Maps so much of the arrays as programs may have taken, up to the pools' `used`. */
void block_map_refs(struct block *b);
void block_map_counters(struct block *b);
/* Maps what belongs to the first so many places of disks. */
void block_reach_disks(struct block *b, uint32_t disks);
/* A counter that has, or had, this key; a task. */
void block_read_counter(struct block *b, struct sample *s, uint32_t place,
			const struct abi_counter_key *key, uint32_t interval);
void block_read_ref(struct block *b, struct sample *s, uint32_t place);
/*
 * Everything the programs counted, into the sample. `interval` is the number of the one that just
 * ended.
 */
void block_read(struct block *b, struct sample *s, uint32_t interval);

#endif
