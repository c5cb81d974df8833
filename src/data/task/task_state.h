/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is kept of tasks from sample to sample. */
#ifndef IOTOP_DATA_TASK_TASK_STATE_H
#define IOTOP_DATA_TASK_TASK_STATE_H

#include "data/task/task_entry.h"

/* As entity's state_new and state_free. */
void *task_state_new(void);
void task_state_free(void *state);
/*
 * One more sample, m->cur: how much each task did in the interval and since the start; ended tasks
 * are marked, old ones dropped.
 */
void task_state_update(struct task_state *st, struct model *m);
/* Command lines of the sample to the processes. */
void task_state_commands(struct task_state *st, const struct sample *s);

#endif
