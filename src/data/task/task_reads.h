/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What read calls of tasks found in the page cache. Private to the files of this folder. */
#ifndef IOTOP_DATA_TASK_TASK_READS_H
#define IOTOP_DATA_TASK_TASK_READS_H

#include "data/task/task_entry.h"

void task_reads_init(struct task_state *st);
void task_reads_free(struct task_state *st);
/* One more sample, m->cur: hits and misses of its tasks; m->reads. */
void task_reads_update(struct task_state *st, struct model *m);

#endif
