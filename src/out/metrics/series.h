/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Series: sets of labels with their values, kept since the start. For src/out/metrics/ only. */
#ifndef IOTOP_OUT_METRICS_SERIES_H
#define IOTOP_OUT_METRICS_SERIES_H

#include "base/buf.h"
#include "base/hash.h"

/* Series of one set have the same label names and the same values. */
enum series_set {
	SET_DISK_OP,
	SET_DISK,
	SET_LATENCY,
	SET_CGROUP_IO,
	SET_CGROUP,
	SET_CGROUP_DIRTY,
	SET_UNATTRIBUTED,
	SET_LAYER,
	SET_FSYNC,
	SET_BLOCKED,
	SET_FINDING,
	SET_LOST,
	SET_SOURCE,
	SET_PROGRAM,
	SET_PROCESS,
	SET_SELF,
	SET_BUILD,
	SET_COUNT,
};

#define SERIES_BUCKETS 16	/* of a histogram; the last has no upper bound */

/* The values of a set, by index. Times are ns. */
enum { DISK_OP_BYTES, DISK_OP_IOS, DISK_OP_MERGES, DISK_OP_ERRORS, DISK_OP_REQUEUES,
       DISK_OP_QUEUE, DISK_OP_DEVICE, DISK_OP_VALUES };
enum { DISK_BUSY, DISK_DEPTH, DISK_INFLIGHT, DISK_VALUES };
enum { CGROUP_IO_BYTES, CGROUP_IO_IOS, CGROUP_IO_TIME, CGROUP_IO_VALUES };
/* The last: I/Os that a limit held back for a time that is not known. */
enum { CGROUP_WAIT, CGROUP_THROTTLED, CGROUP_THROTTLE, CGROUP_DIRTIED, CGROUP_UNSEEN,
       CGROUP_VALUES };
enum { HIST_SUM = SERIES_BUCKETS, HIST_VALUES };
enum { FINDING_ACTIVE, FINDING_SINCE, FINDING_VALUES };
enum { SOURCE_UP, SOURCE_IN_PART, SOURCE_VALUES };
/* The last two are as the kernel said them last, of the program that is loaded now. */
enum { PROGRAM_TIME, PROGRAM_RUNS, PROGRAM_LAST_TIME, PROGRAM_LAST_RUNS, PROGRAM_VALUES };
enum { PROCESS_CPU, PROCESS_RESIDENT, PROCESS_VALUES };
enum { SELF_SERIES, SELF_LIMIT, SELF_SAMPLES, SELF_INTERVAL, SELF_TIME, SELF_VALUES };

struct series {
	uint64_t key;		/* hash key: of set and labels */
	uint32_t set;		/* enum series_set */
	uint32_t prefix;	/* bytes of the labels that say which control group it is of */
	const void *owner;	/* that control group (groups.h); NULL: of none, or of "other" */
	char *labels;		/* `device="sda",operation="read"`, escaped; owned */
	unsigned tick;		/* the newest that told of it */
	uint64_t values[];
};

struct series_list {
	struct series **items;	/* in the order in which they came */
	size_t n, cap;
};

struct series_table {
	struct hash hash;
	struct series_list sets[SET_COUNT];
	unsigned tick;
	size_t lines;		/* that all of them are in the text */
	size_t lines_of[SET_COUNT];	/* that one of a set is; given by the owner */
};

void series_init(struct series_table *t, const size_t lines_of[SET_COUNT]);
void series_release(struct series_table *t);
/* The series with these labels. A new one is zero. */
struct series *series_get(struct series_table *t, enum series_set set, const char *labels);
/* NULL: there is none. */
struct series *series_find(const struct series_table *t, enum series_set set, const char *labels);
/* Removes those for which drop() says so. */
void series_drop(struct series_table *t, bool (*drop)(struct series *s, void *arg), void *arg);
/* Values of a set: how many. */
size_t series_values(enum series_set set);

/* Adds `name="value"`, with a comma before it where there are labels already. */
void label_put(struct buf *b, const char *name, const char *value);

#endif
