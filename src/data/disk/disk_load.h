/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How busy disks are. The kernel's statistics count in ticks of its clock, some versions too much
 * and some too little; the block programs take the time of each request. A number is of one of them
 * only, and of intervals that were watched as a whole.
 */
#ifndef IOTOP_DATA_DISK_DISK_LOAD_H
#define IOTOP_DATA_DISK_DISK_LOAD_H

#include "data/disk/disk_entry.h"

/* Completes two measures of an interval with its time, and adds them to their sums. */
void disk_load_count(const struct disk_state *st, struct disk_entry *e, struct disk_counters *stats,
		     struct disk_counters *maps);
/* Which of them is shown. */
struct disk_load disk_load_now(const struct disk_state *st, const struct disk_entry *e,
			       const struct disk_load *by_stats, const struct disk_load *by_maps);
struct disk_load disk_load_sum(const struct disk_entry *e);
/* Requests at the time of the sample. */
uint64_t disk_in_flight(const struct disk_entry *e);

#endif
