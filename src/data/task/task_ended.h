/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tasks that ended: for how long they are remembered, and how many. */
#ifndef IOTOP_DATA_TASK_TASK_ENDED_H
#define IOTOP_DATA_TASK_TASK_ENDED_H

#include "data/task/task_entry.h"

/*
 * The end of a tick: histories, tasks that a listing (there was one in s) does not show any more,
 * and those that ended long ago are dropped.
 */
void task_ended_update(struct task_state *st, const struct sample *s, bool listing);

#endif
