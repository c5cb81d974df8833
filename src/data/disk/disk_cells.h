/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What cells of the disks screen show: for cols_disk.c. */
#ifndef IOTOP_DATA_DISK_DISK_CELLS_H
#define IOTOP_DATA_DISK_DISK_CELLS_H

#include "data/disk/disk.h"

#define DISK_CELL_ROW(c) ((const struct disk_row *)(c)->row)
#define DISK_CELL_COUNTERS(c) ((const struct disk_counters *)(c)->counters)
#define DISK_CELL_ALL(c, member) DISK_ALL(DISK_CELL_COUNTERS(c), member)

struct value disk_cell_latency(const struct cell *c, enum io_op op);
struct value disk_cell_percentile(const struct cell *c, enum io_op op, double p);
/* The buckets of data/histogram.h; NULL: none. */
const uint64_t *disk_cell_counts(const struct cell *c, enum io_op op);
/* A part of the time of requests, in the queue or at the device. */
struct value disk_cell_part(const struct cell *c, bool queue);
/* From the start of requests to their issue, where a scheduler is what orders them. */
struct value disk_cell_insched(const struct cell *c);
/* Percent of the time in which the worst limit of its provider was exceeded. */
struct value disk_cell_exceeded(const struct cell *c);

#endif
