/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What tasks dirtied, as the block programs count it. Private to the files of this folder. */
#ifndef IOTOP_DATA_TASK_TASK_DIRTIED_H
#define IOTOP_DATA_TASK_TASK_DIRTIED_H

#include "data/task/task_entry.h"

void task_dirtied_init(struct task_state *st);
void task_dirtied_free(struct task_state *st);
/* One more sample, m->cur, before its tasks: sets st->dirtied_told. */
void task_dirtied_read(struct task_state *st, const struct model *m);
/* After its tasks. */
void task_dirtied_count(struct task_state *st);

#endif
