/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What monitoring systems scrape: counters since the start, by disk, control group, layer and
 * reason, as OpenMetrics 1.0 or as the text format of Prometheus. They are summed here from what
 * each model says of its interval, so that no counter falls when a task, a disk or a control group
 * goes. No label is a process id or a command line.
 */
#ifndef IOTOP_OUT_METRICS_METRICS_H
#define IOTOP_OUT_METRICS_METRICS_H

#include "base/buf.h"
#include "data/model.h"

enum metrics_format {
	METRICS_OPENMETRICS,
	METRICS_PROMETHEUS,	/* version 0.0.4 */
	METRICS_FORMATS,
};

#define METRICS_SERIES 5000	/* the default of max_series */

struct metrics;

/*
 * max_series: how many lines there may be. Of more, control groups that do least are added up as
 * cgroup="other"; of disks, layers and reasons likewise. 0: the default. sources: enum source bits
 * of what is exported; others may be on now and then, for findings.
 */
struct metrics *metrics_new(size_t max_series, unsigned sources);
void metrics_free(struct metrics *x);
/* One more model: the next one, else what happened in between is missing from the sums. */
void metrics_update(struct metrics *x, const struct model *m);

/* What a process of ours costs; name: a constant. */
struct metrics_process {
	const char *name;
	uint64_t cpu_ns;	/* since its start */
	uint64_t resident;	/* bytes */
};

/*
 * What a kernel program of ours costs since it was loaded: it may be loaded again. Texts: clean.
 * After metrics_update(), before metrics_processes().
 */
void metrics_program(struct metrics *x, const char *object, const char *name, uint64_t runs,
		     uint64_t run_ns);
/* After metrics_update(). */
void metrics_processes(struct metrics *x, const struct metrics_process *p, size_t n);
/* Adds the text. */
void metrics_write(const struct metrics *x, enum metrics_format format, struct buf *out);
/* How many lines metrics_write() adds that are samples. */
size_t metrics_count(const struct metrics *x);

#endif
