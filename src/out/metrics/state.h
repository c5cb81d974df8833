/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is kept from model to model. For src/out/metrics/ only. */
#ifndef IOTOP_OUT_METRICS_STATE_H
#define IOTOP_OUT_METRICS_STATE_H

#include "out/metrics/metrics.h"
#include "out/metrics/series.h"

struct metrics {
	struct series_table series;
	struct hash groups;	/* struct metric_group by id */
	size_t max_series;
	unsigned sources;	/* enum source bits of what is exported */
	unsigned known;		/* those of them that were ever on */
	double now;		/* seconds since the first model */
	struct buf labels;	/* of the series that is looked for, used again and again */
};

/*
 * The series with these labels, or where there is no room for a new one that with the labels
 * `instead`, which holds what many did.
 */
struct series *metrics_series(struct metrics *x, enum series_set set, const char *labels,
			      const char *instead);
/* Adds n times a latency in these buckets (data/histogram.h), and the sum of them in ns. */
void metrics_histogram(struct series *s, const uint64_t *hist, uint64_t sum_ns);
/* Adds the labels of a disk: the kernel's name, and what people call it where that differs. */
void label_device(struct buf *out, const struct model *m, uint32_t dev);
/* Upper bound of a bucket but the last, in ns; it is in it. */
uint64_t metrics_bound(unsigned bucket);

/* What a model says, a file each. */
void metrics_of_disks(struct metrics *x, const struct model *m);
void metrics_of_tasks(struct metrics *x, const struct model *m);
void metrics_of_layers(struct metrics *x, const struct model *m);
void metrics_of_blocked(struct metrics *x, const struct model *m);
void metrics_of_machine(struct metrics *x, const struct model *m);

#endif
