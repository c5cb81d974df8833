/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All tasks by one call of a kernel program: several times cheaper than the iterator, where the
 * kernel has it. Private to tasks.c.
 */
#ifndef IOTOP_COLLECT_PROC_TASK_WALK_H
#define IOTOP_COLLECT_PROC_TASK_WALK_H

#include <stddef.h>

struct abi_task;
struct tasks_bpf;

/*
 * Before loading: sizes the map for twice the tasks there are now. NULL, or why (constant) the
 * program is not to be used here.
 */
const char *task_walk_prepare(struct tasks_bpf *skel, const char *proc);
/*
 * Hands every task (struct abi_task) to fn. records: room for n. 0: fn has seen all of them; 1: it
 * has seen none, there are more than the map holds or the program could not be run. A negative
 * errno: it has seen some.
 */
int task_walk(struct tasks_bpf *skel, struct abi_task *records, size_t n,
	      void (*fn)(void *arg, const void *task), void *arg);

#endif
