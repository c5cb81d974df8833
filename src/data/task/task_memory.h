/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How short of memory the control groups of tasks are. Private to the files of this folder. */
#ifndef IOTOP_DATA_TASK_TASK_MEMORY_H
#define IOTOP_DATA_TASK_TASK_MEMORY_H

#include "data/task/task_entry.h"

struct counter_table *task_memory_new(void);
void task_memory_free(struct counter_table *t);
/* One more sample, m->cur. */
void task_memory_update(struct counter_table *t, struct model *m);
/* Of a control group in the newest interval; NULL: not known. */
const struct task_memory *task_memory_of(struct counter_table *t, uint64_t cgroup);

/* Of columns of tasks. */
struct value task_refaults(const struct cell *c);
struct value task_evicted(const struct cell *c);
struct value task_atlimit(const struct cell *c);
struct value task_pressure_some(const struct cell *c);
struct value task_pressure_full(const struct cell *c);
struct value task_limits(const struct cell *c);

#endif
