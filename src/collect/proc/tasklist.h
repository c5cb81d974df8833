/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tasks in /proc, and what is known of each: the list that collectors without BPF fill with
 * counters.
 */
#ifndef IOTOP_COLLECT_PROC_TASKLIST_H
#define IOTOP_COLLECT_PROC_TASKLIST_H

#include "base/hash.h"
#include "collect/collector.h"
#include "collect/proc/owner_names.h"
#include "collect/proc/proc.h"

/* Owned by the list; gone when a scan does not find it any more. */
struct known {
	uint32_t tid;		/* key */
	uint32_t tgid, threads;	/* threads: of a leader */
	unsigned seen;		/* round of the last scan that found it */
	unsigned stat_round;	/* … that read its stat, 0: never */
	unsigned slow_round;	/* … that read the user and the cgroup of a leader */
	int slow_reads;		/* how often that was, up to 2 */
	uint32_t uid, ioprio;
	uint32_t owner;		/* of the folder, when uid was read */
	bool user_read;
	uint64_t cgroup;
	struct proc_stat stat;
	/* The collector's own */
	unsigned have;		/* enum source bits */
	bool denied;		/* its io is not for us */
	struct proc_io io;	/* its own */
	struct proc_io process;	/* of a leader: of the whole process, ended threads too */
	uint64_t blkio_ns, swapin_ns;	/* SRC_DELAYS */
	uint64_t iowait_ns;	/* SRC_WAITS */
	uint64_t age_us;	/* as it was answered last */
	uint64_t switches;	/* of context, as it was answered last */
	bool moved;		/* … and that it ran since the time before */
	bool reused;		/* the tid seems to be another task's now */
};

struct tasklist {
	struct collect_set *set;
	const struct collect_options *opt;
	struct owner_names *names;
	int proc;
	bool live;		/* the machine's own /proc, not a frozen tree */
	unsigned round;
	unsigned changes;	/* of priorities by this program, as of the last scan */
	unsigned budget;	/* cgroups still to be read in this round */
	struct hash known;
	struct known **tasks;	/* of the last scan: a leader, then its other threads */
	size_t n, cap;
	struct buf buf;
};

int tasklist_open(struct tasklist *l, struct collect_set *set, struct err *err);
void tasklist_release(struct tasklist *l);
/* Finds all tasks; reads the stat of those that are new. */
int tasklist_scan(struct tasklist *l, struct err *err);
/*
 * Reads stat again. Where another task has the tid now, k becomes that one. 0, or -errno when it is
 * gone.
 */
int tasklist_stat(struct tasklist *l, struct known *k);
/* User and cgroup of the processes, those of a few in each round. */
void tasklist_slow(struct tasklist *l);
/* The rows, with what is in the list. Tasks with tid 0 are skipped: they ended meanwhile. */
void tasklist_emit(struct tasklist *l, struct sample *s);
/* What keeps the list from being complete, or NULL. */
const char *tasklist_limits(struct tasklist *l);

#endif
