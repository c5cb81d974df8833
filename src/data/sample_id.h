/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What rows of a sample are made of, beside numbers and texts. */
#ifndef IOTOP_DATA_SAMPLE_ID_H
#define IOTOP_DATA_SAMPLE_ID_H

#include <stddef.h>
#include <stdint.h>

/*
 * A task is its ids and when it started: a reused pid is another task. No padding: it is a hash
 * key.
 */
struct task_id {
	uint32_t tgid, tid;
	uint64_t start;		/* ns since boot (CLOCK_BOOTTIME), 0: not a task but a named
				 * residual, tid tells which */
};

/* Bytes without an address or padding: histograms. */
struct blob {
	const void *data;
	size_t len;
};

#endif
