/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of what a sample refers to: rows of the late tables (sample.h). */
#ifndef IOTOP_DATA_LATE_H
#define IOTOP_DATA_LATE_H

#include "data/sample.h"

/*
 * Adds to `to`, an empty sample, the names in `late` of what `cur` refers to: of tasks by their
 * ids, of stacks by theirs. Each once, as it was told last, in the order in which they came first:
 * so what is recorded with each sample differs little from one to the next.
 */
void late_keep(struct sample *to, const struct sample *late, const struct sample *cur);

#endif
