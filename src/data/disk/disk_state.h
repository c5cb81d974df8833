/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of disks: what happened in the interval, sums, histories. */
#ifndef IOTOP_DATA_DISK_DISK_STATE_H
#define IOTOP_DATA_DISK_DISK_STATE_H

#include "data/disk/disk_entry.h"

/* As entity's state_new and state_free. */
void *disk_state_new(void);
void disk_state_free(void *state);
/* One more sample, m->cur. keep_gone: disks that are gone stay for ever. */
void disk_state_update(struct disk_state *st, const struct model *m, bool keep_gone);
/* Has a row: it is there, or was and did something not long ago. */
bool disk_entry_shown(const struct counter_table *t, const struct disk_entry *e);

#endif
