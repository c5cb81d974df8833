/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Metadata: I/O of tasks that is of no file. Private to the files of this folder. */
#ifndef IOTOP_DATA_TASK_TASK_META_H
#define IOTOP_DATA_TASK_TASK_META_H

#include "data/task/task_entry.h"

void task_meta_init(struct task_state *st);
void task_meta_free(struct task_state *st);
/* One more sample, m->cur. */
void task_meta_update(struct task_state *st, const struct model *m);

#endif
