/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stacks: I/O by disk, process and path through the code. */
#ifndef IOTOP_DATA_STACK_STACK_H
#define IOTOP_DATA_STACK_STACK_H

#include "data/entity.h"
#include "data/sample.h"
#include "data/stack/frames.h"

/* Sums only. */
struct stack_counters {
	uint64_t ios, bytes;
	uint64_t done, lat_ns;
	uint64_t untimed;	/* as in sample_stackio */
};

#define STACK_COUNTERS (sizeof(struct stack_counters) / sizeof(uint64_t))

struct stack_row {
	struct row row;
	struct task_id id;	/* of the process: cause or submitter, as asked for */
	uint64_t pid;		/* 0: no process */
	uint32_t dev, op_id;	/* enum io_op */
	const char *disk, *comm, *op;
	char *const *command;	/* as task_command_line(); NULL: unknown */
	uint64_t kstack_id, ustack_id;
	const struct frames *kstack, *ustack;	/* NULL: none, or not resolved yet */
	const char *path;	/* what tells it from others; NULL until it is resolved */
};

extern const struct column stack_columns[];
extern const struct entity entity_stack;


/* Paths with I/O in the interval, and how many of these have stacks that are not resolved yet. */
struct stack_totals {
	size_t active, unresolved;
};

struct model;
struct stack_totals stack_totals(const struct model *m);

#endif
