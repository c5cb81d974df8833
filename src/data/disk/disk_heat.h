/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The heat map's memory: latency bands of the last intervals, and who was there. */
#ifndef IOTOP_DATA_DISK_DISK_HEAT_H
#define IOTOP_DATA_DISK_DISK_HEAT_H

#include "data/disk/disk_entry.h"

/* The interval at the end of each active disk's ring. */
void disk_heat_update(struct disk_state *st, const struct model *m);

#endif
