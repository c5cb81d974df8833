/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes one row of what several collectors say of a task, and one id of what they call it. */
#ifndef IOTOP_COLLECT_MERGE_H
#define IOTOP_COLLECT_MERGE_H

#include <stdbool.h>

#include "data/sample.h"

struct merge *merge_new(void);
void merge_free(struct merge *m);
/* ticks: starts are known to clock ticks only, so those of other sources are cut to them. */
void merge_tasks(struct merge *m, struct sample *s, bool ticks);

#endif
