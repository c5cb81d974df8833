/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a person may do to a task. It is checked to be still the one that was shown. */
#ifndef IOTOP_COLLECT_ACTIONS_H
#define IOTOP_COLLECT_ACTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "data/sample.h"

/* ioprio as ioprio_set(2): class << 13 | level. 0, or -errno and the reason. */
int task_ioprio_set(const struct task_id *id, uint32_t ioprio, bool whole_process, struct err *err);
int task_kill(const struct task_id *id, int signal, struct err *err);

/* --secure: both are refused from now on. */
void actions_refuse(void);
/* Grows with every priority that is set: who keeps priorities reads them again. */
unsigned actions_changes(void);

#endif
