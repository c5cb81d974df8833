/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of the detail of the process screen. */
#ifndef IOTOP_SCREENS_TASKS_H
#define IOTOP_SCREENS_TASKS_H

#include <stddef.h>

#include "data/task/task.h"
#include "tui/draw/text_cursor.h"

/* The hottest files of each of the tasks; seconds: since the sample before. */
void tasks_draw_files(struct text_cursor *tc, const struct task_row *const *tasks, size_t n,
		      double seconds);

#endif
