/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of the detail of a task. */
#ifndef IOTOP_SCREENS_TASKS_H
#define IOTOP_SCREENS_TASKS_H

#include "data/task/task_parts.h"
#include "tui/draw/text_cursor.h"

/* The hottest files of some tasks (rows of threads). */
void tasks_draw_files(struct text_cursor *tc, const struct model *m, const struct rows *tasks);

#endif
