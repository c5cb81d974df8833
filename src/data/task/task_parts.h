/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What tasks did, split by where they did it and with whom. */
#ifndef IOTOP_DATA_TASK_TASK_PARTS_H
#define IOTOP_DATA_TASK_TASK_PARTS_H

#include "data/join.h"
#include "data/task/task.h"

/* I/O of some tasks at one disk, or of one other task. */
struct task_part {
	const char *name;	/* clean; NULL: unknown */
	struct io_counters now, sum;
};

struct task_parts {
	const struct task_part *items;	/* most bytes since the start first */
	size_t n;
};

enum task_split {
	SPLIT_DISK,		/* what they caused, by disk */
	SPLIT_SUBMITTER,	/* what they caused and others submitted, by these */
	SPLIT_CAUSE,		/* what others caused and they submitted, by these */
};

/* tasks: rows of threads (row_members()). The result is in a. */
struct task_parts task_parts(const struct rows *tasks, enum task_split by, struct arena *a);
/* Their files, each once whichever of them used it; the hottest of the interval first; in a. */
const struct task_file *task_files_merged(const struct rows *tasks, struct arena *a, size_t *ret_n);

#endif
