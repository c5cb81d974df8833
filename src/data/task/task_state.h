/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is kept of tasks from tick to tick. Private to the task_*.c files. */
#ifndef IOTOP_DATA_TASK_TASK_STATE_H
#define IOTOP_DATA_TASK_TASK_STATE_H

#include "base/hash.h"
#include "data/model.h"
#include "data/names.h"
#include "data/task/task.h"

/*
 * A process: its threads' ids do not name the leader's start, so a reused pid is told apart here.
 * It outlives its threads' entries: what threads that were dropped had done is kept in `gone`.
 * Freed with its last thread.
 */
struct task_process {
	uint32_t tgid;			/* hash key; only the newest with this tgid is in the
					 * hash */
	uint32_t threads, living;	/* entries that point here; those not ended */
	uint64_t serial;		/* unique for the life of the state */
	uint64_t leader_start;		/* 0: not seen yet */
	uint64_t ended_at;		/* CLOCK_BOOTTIME ns, when living came to 0 */
	struct task_counters gone;
	char *command;			/* clean command line; NULL: not fetched */
	struct task_entry *leader;
};

/* One task. now and sum are allocated at the first activity. */
struct task_entry {
	struct task_id id;		/* hash key */
	struct task_process *process;
	struct task_entry *follower;	/* the entry after it in the listing before: most likely
					 * again */
	uint64_t key;			/* of its row */
	struct task_facts facts;
	uint32_t flags, have;
	char comm[16];			/* raw */
	char *comm_text;		/* clean; NULL: comm is clean as it is */
	uint64_t ended_at;		/* CLOCK_BOOTTIME ns; 0: alive */
	unsigned seen, ended_tick;	/* ticks */
	bool dropped;			/* about to be forgotten */
	bool listed;			/* in a listing: its absence from the next one means that
					 * it ended */
	unsigned waits;			/* SRC_WAITS, SRC_DELAYS: where wait_ns is from; 0:
					 * nowhere yet */
	/* Cumulative values of the newest sample. */
	uint64_t read_bytes, dirty_high, wait_ns, swap_ns, throttle_ns;
	struct task_counters *now, *sum;
	struct history *history;
	struct task_row *row;		/* in the present model, once row_tick is this tick */
	unsigned row_tick;
	struct link_entry *caused, *submitted;
	struct file_entry *files;
};

/* A cumulative counter set of the block maps. */
struct link_entry {
	struct task_link link;		/* what the rows show */
	struct {
		struct task_id cause, submitter;
		uint32_t dev, op, how, pad;
	} key;				/* hash key */
	uint64_t ios, bytes, done, lat_ns;	/* of the newest sample */
	struct task_entry *cause, *submitter;
	struct link_entry *next_caused, *next_submitted, *before_caused, *before_submitted;
	unsigned seen;
	bool lowest;			/* at a lowest device: its bytes count for the task */
};

struct task_state {
	struct hash tasks;		/* task_entry by id */
	struct task_entry **all;	/* the same, oldest first: walked in the order of memory */
	size_t nall, capall;
	struct hash processes;		/* newest task_process by tgid */
	struct hash links;		/* link_entry by key */
	struct hash files;		/* file_entry by key */
	bool booked_to_submitter;	/* whom the sums are booked to at present */
	uint64_t serials;
	unsigned tick;
	struct task_entry *listed;	/* the last one of the present listing; NULL: none yet */
	unsigned list_tick;		/* of the newest listing */
	uint64_t prev_boot;		/* of the sample before; 0: this is the first */
	unsigned prev_on;		/* sources that were on in it */
	struct engine_options opt;
	struct task_counters gone;	/* of entries dropped with their process */
	unsigned active, ended;		/* in this tick */
	unsigned ended_ticks;		/* for so many an ended task is kept */
	uint64_t forgotten;		/* of those that ended, before their time */
	bool waits_seen;		/* by the scheduler's programs, in this sample */
};

struct task_state *task_state_new(void);
void task_state_free(struct task_state *st);

/*
 * One sample into the state: deltas in every entry's now, sums, ended tasks marked, old ones
 * dropped.
 */
void task_state_update(struct task_state *st, const struct sample *s, unsigned on,
		       struct names *names);

/* Command lines of the sample to the processes. */
void task_state_commands(struct task_state *st, const struct sample *s);

/* task_links.c: the I/O part. */
struct task_entry *task_state_entry(struct task_state *st, const struct task_id *id);
void task_links_update(struct task_state *st, const struct sample *s, unsigned on,
		       struct names *names);
/* Before anything is counted in a tick: sums follow a change of whom they are booked to. */
void task_links_rebook(struct task_state *st);
void task_links_release(struct task_state *st, struct task_entry *e);
void task_entry_add(struct task_entry *e, size_t member, uint64_t delta);
void task_counters_add(struct task_counters *to, const struct task_counters *from);
const char *task_entry_comm(const struct task_entry *e);
void task_entry_set_comm(struct task_entry *e, const char *comm);

/* task_files.c */
void task_files_init(struct task_state *st);
void task_files_free(struct task_state *st);
void task_files_update(struct task_state *st, const struct sample *s, struct names *names);
void task_files_release(struct task_entry *e);
/* At most FILES_SHOWN files, hottest first; the list is in the arena. */
const struct task_file *const *task_files_hottest(const struct task_entry *e, struct arena *a,
						  size_t *ret_n);
/* Their paths, or what names a file without one. */
const char *const *task_files_texts(const struct task_file *const *files, size_t n,
				    struct arena *a);
/* The hottest of a group and of one more member, each file once. */
void task_files_join(struct task_row *group, const struct task_row *member, struct arena *a);

/* task_disks.c: row->disks and row->disk, of a task and of the members of a group. */
void task_disks_set(struct task_row *row, const struct task_entry *e, bool by_submitter,
		    struct arena *a);
void task_disks_join(struct task_row *group, struct arena *a);

/* task_group.c: as in struct entity. */
const char *task_group_key(const struct row *row, enum group_by by, struct arena *a);
void task_group(struct row *group, enum group_by by, uint64_t *sum, struct arena *a);

/* Forgets it; what it did stays with its process. */
void task_entry_free(struct task_state *st, struct task_entry *e);

/* task_ended.c: it ended at a time of CLOCK_BOOTTIME (ns); again: nothing. */
void task_entry_end(struct task_state *st, struct task_entry *e, uint64_t at);
/*
 * The end of a tick: histories, tasks that a listing does not show any more, and those that ended
 * long ago are dropped.
 */
void task_entries_close(struct task_state *st, const struct sample *s, bool listing);

/* Every entry; none may be dropped meanwhile. */
#define task_state_each(st, e) \
	for (size_t i_ = 0; i_ < (st)->nall && ((e) = (st)->all[i_]); i_++)

#define task_count(e, member, delta) \
	task_entry_add((e), offsetof(struct task_counters, member) / sizeof(uint64_t), (delta))

#endif
