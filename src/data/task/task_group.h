/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Task rows that fold into one: as in struct entity. */
#ifndef IOTOP_DATA_TASK_TASK_GROUP_H
#define IOTOP_DATA_TASK_TASK_GROUP_H

#include "data/entity.h"

const char *task_group_key(const struct row *row, enum group_by by, struct arena *a);
void task_group(struct row *group, enum group_by by, uint64_t *sum, struct arena *a);
struct model;
/*
 * Of a comparison's rows those from `first' on are copies of what was only in the range before: the
 * process of each is that of the same number, and it did nothing since.
 */
void tasks_only_before(struct model *m, size_t first);

#endif
