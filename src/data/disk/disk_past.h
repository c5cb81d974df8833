/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How long the device of a disk usually takes, from what was seen of it: for reads and writes
 * apart, by the average size of the I/Os of an interval and by how many were in flight while it was
 * busy.
 */
#ifndef IOTOP_DATA_DISK_DISK_PAST_H
#define IOTOP_DATA_DISK_DISK_PAST_H

#include "data/disk/disk.h"

struct disk_past;

/* The newest interval beside the past. Zeroes: nothing is known. */
struct disk_usual {
	uint64_t ios;		/* those of which it is known how long they usually take */
	uint64_t usual_ns;	/* as long all of these together would take */
	uint64_t device_ns;	/* as long they took */
};

/*
 * Compares an interval, as the block programs counted it, with the intervals before, and adds it to
 * them. *past is made when it is needed.
 */
struct disk_usual disk_past_count(struct disk_past **past, const struct disk_counters *now);
void disk_past_free(struct disk_past *past);

#endif
