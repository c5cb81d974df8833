/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Task rows that fold into one: as in struct entity. */
#ifndef IOTOP_DATA_TASK_TASK_GROUP_H
#define IOTOP_DATA_TASK_TASK_GROUP_H

#include "data/entity.h"

const char *task_group_key(const struct row *row, enum group_by by, struct arena *a);
void task_group(struct row *group, enum group_by by, uint64_t *sum, struct arena *a);
/*
 * A copy of a row that was only in the range before a comparison, for the model m: its process is
 * that of the same number, and it did nothing since.
 */
void task_only_before(struct row *row, const struct model *m);

#endif
