/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files behind a task's I/O. */
#ifndef IOTOP_DATA_TASK_TASK_FILES_H
#define IOTOP_DATA_TASK_TASK_FILES_H

#include "data/task/task_entry.h"

void task_files_init(struct task_state *st);
/* While the tasks are still there. */
void task_files_free(struct task_state *st);
/* One more sample, m->cur. */
void task_files_update(struct task_state *st, const struct model *m);
/* The entry goes. */
void task_files_release(struct task_entry *e);
/* At most FILES_SHOWN files, hottest first; the list is in the arena. */
const struct task_file *const *task_files_hottest(const struct task_entry *e, struct arena *a,
						  size_t *ret_n);
/* Their paths, or what names a file without one. */
const char *const *task_files_texts(const struct task_file *const *files, size_t n,
				    struct arena *a);
/* The hottest of a group and of one more member, each file once. */
void task_files_join(struct task_row *group, const struct task_row *member, struct arena *a);

#endif
