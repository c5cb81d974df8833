/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of tasks, from sample to sample, and the processes they are of. Private to the files
 * of this folder: task_links.c and task_files.c count for its entries, task_ended.c lets them go,
 * task_state.c goes through a sample.
 */
#ifndef IOTOP_DATA_TASK_TASK_ENTRY_H
#define IOTOP_DATA_TASK_TASK_ENTRY_H

#include "data/counters.h"
#include "data/history.h"
#include "data/model.h"
#include "data/task/task.h"

/*
 * A process: its threads' ids do not name its start, so a reused pid is told apart here.
 * It outlives its threads' entries: what threads that were dropped had done is kept in `gone`.
 * Freed with its last thread.
 */
struct task_process {
	uint32_t tgid;			/* hash key; only the newest with this tgid is in the
					 * hash */
	uint32_t threads, living;	/* entries that point here; those not ended */
	uint64_t serial;		/* unique for the life of the state */
	uint64_t start;			/* of its main thread; 0: not known yet */
	uint64_t ended_at;		/* CLOCK_BOOTTIME ns, when living came to 0 */
	struct task_counters gone;
	char *command;			/* clean command line; NULL: not fetched */
	struct task_entry *leader;
};

/*
 * One task. c.seen: last listed, or told of by its exit. What is looked at of those that sleep
 * comes first: with ten thousand of them it is memory that costs.
 */
struct task_entry {
	struct counters c;		/* struct task_counters, from the first activity on */
	uint64_t ended_at;		/* CLOCK_BOOTTIME ns; 0: alive */
	struct history *history;
	struct task_id id;		/* hash key */
	struct task_entry *follower;	/* the entry after it in the listing before: most likely
					 * again; NULL: none, or it was dropped */
	struct task_process *process;
	struct task_row *row;		/* in the present model, once row_tick is this tick */
	unsigned row_tick;
	unsigned ended_tick;
	uint32_t flags, have;
	uint32_t unknown;		/* of have: how much moved in the newest interval is not
					 * known */
	unsigned waits;			/* SRC_WAITS, SRC_DELAYS: where wait_ns is from; 0:
					 * nowhere yet */
	bool listed;			/* in a listing: its absence from the next one means that
					 * it ended */
	char comm[16];			/* raw */
	char *comm_text;		/* clean; NULL: comm is clean as it is */
	struct task_facts facts;
	struct link_entry *caused, *submitted;
	struct file_entry *files;
	uint64_t dirty_now;		/* as in its row */
	/* Cumulative values of the newest sample. */
	uint64_t read_bytes, dirty_high, cancelled_bytes, wait_ns, iowait_ns, swap_ns, throttle_ns,
		memstall_ns, server_ns;
	/* Of all intervals: dirtied by the block programs' count, cancelled, and the most that the
	 * first was above the second. */
	uint64_t dirtied_sum, cancelled_sum, dirty_top;
	uint64_t meta_low, meta_high;	/* task_meta.c, while it counts */
};

struct task_state {
	struct counter_table *tasks;	/* struct task_entry by id */
	struct counter_table *links;	/* struct link_entry (task_links.h) */
	struct counter_table *files;	/* struct file_entry (task_files.c) */
	struct counter_table *memory;	/* by control group (task_memory.c) */
	struct counter_table *meta;		/* task_meta.c */
	struct counter_table *dirtied;		/* task_dirtied.c */
	struct counter_table *read_calls, *read_disks;	/* task_reads.c */
	uint64_t hits, misses;		/* of all tasks, in this tick */
	struct hash processes;		/* newest task_process by tgid */
	enum attribute attribute;	/* whom the sums are charged to at present */
	uint64_t serials;
	unsigned tick;			/* that of the table of tasks */
	const struct model *model;	/* being built */
	struct task_entry *listed;	/* the last one of the present listing; NULL: none yet */
	uint64_t prev_boot;		/* of the sample before; 0: this is the first */
	unsigned prev_on;		/* sources that were on in it */
	struct engine_options opt;
	struct task_counters gone;	/* of entries dropped with their process */
	struct task_counters gone_now;	/* what these did in this tick, all the same */
	unsigned active, ended;		/* in this tick */
	uint64_t idle_ns;		/* most iowait without I/O of one task, in this tick */
	unsigned ended_ticks;		/* for so many an ended task is kept */
	uint64_t forgotten;		/* of those that ended, before their time */
	bool dirtied_told;		/* by the block programs, in this sample */
	bool waits_seen;		/* by the scheduler's programs, in this sample */
};

void task_table_init(struct task_state *st);
void task_table_release(struct task_state *st);
/* process: when its process started (as id->start); 0: not known. */
struct task_entry *task_entry_get(struct task_state *st, const struct task_id *id,
				  uint64_t process);
/* It ended at a time of CLOCK_BOOTTIME (ns); said again: nothing. */
void task_entry_end(struct task_state *st, struct task_entry *e, uint64_t at);
/* One that ended goes on. */
void task_entry_revive(struct task_entry *e);
const char *task_entry_comm(const struct task_entry *e);
/* comm: raw; NULL or empty: nothing new. */
void task_entry_set_comm(struct task_entry *e, const char *comm);
void task_counters_add(struct task_counters *to, const struct task_counters *from);

/* NULL: it did nothing in the interval. */
static inline struct task_counters *task_now(const struct task_state *st,
					     const struct task_entry *e)
{
	return e->c.active == st->tick ? (struct task_counters *)e->c.now : NULL;
}

/* NULL: it never did anything. */
static inline struct task_counters *task_sum(const struct task_entry *e)
{
	return (struct task_counters *)e->c.sum;
}

#define task_count(st, e, member, delta)                                                  \
	counters_bump((st)->tasks, &(e)->c,                                               \
		      offsetof(struct task_counters, member) / sizeof(uint64_t), (delta))

#endif
