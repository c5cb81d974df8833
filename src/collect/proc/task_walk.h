/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All tasks by one call of a kernel program: several times cheaper than the iterator, where the
 * kernel has it. What it leaves is memory, and stays there from one walk to the next: of a task
 * that slept all the while nothing is read. Private to tasks.c.
 */
#ifndef IOTOP_COLLECT_PROC_TASK_WALK_H
#define IOTOP_COLLECT_PROC_TASK_WALK_H

#include <stdbool.h>
#include <stdint.h>

#include "collect/bpf/bpf.h"

struct tasks_bpf;

struct task_walk {
	struct tasks_bpf *skel;	/* borrowed */
	struct bpf_window window;
	size_t tasks;		/* of the walk before */
	uint64_t whole;		/* when all tasks were read last, CLOCK_MONOTONIC ns */
	unsigned changes;	/* actions_changes() then */
	bool delays;		/* of the walk before */
};

/*
 * Before loading: sizes the map for twice the tasks there are now. NULL, or why (constant) the
 * program is not to be used here.
 */
const char *task_walk_prepare(struct tasks_bpf *skel, const char *proc);
/* After loading. 0 or -errno. */
int task_walk_open(struct task_walk *w, struct tasks_bpf *skel);
void task_walk_close(struct task_walk *w);
/*
 * Hands every task (struct abi_task) to fn. delays: whether they are read of tasks. 0: fn has seen
 * all of them; 1: it has seen none, there are more than the map holds or the program could not be
 * run.
 */
int task_walk(struct task_walk *w, bool delays, void (*fn)(void *arg, const void *task), void *arg);

#endif
