/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of the detail of the process screen. */
#ifndef IOTOP_SCREENS_TASKS_H
#define IOTOP_SCREENS_TASKS_H

#include "data/task/task_parts.h"
#include "tui/draw/text_cursor.h"

/* The hottest files of tasks; seconds: since the sample before. */
void tasks_draw_files(struct text_cursor *tc, const struct rows *tasks, double seconds);

#endif
