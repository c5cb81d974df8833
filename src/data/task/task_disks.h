/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The disks that a task, or the members of a group, did their I/O at. */
#ifndef IOTOP_DATA_TASK_TASK_DISKS_H
#define IOTOP_DATA_TASK_TASK_DISKS_H

#include "data/task/task_entry.h"

/* row->disks and row->disk, of a task and of the members of a group. */
void task_disks_set(struct task_row *row, const struct task_entry *e, enum attribute attribute,
		    struct arena *a);
void task_disks_join(struct task_row *group, struct arena *a);

#endif
