/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reports for people who scroll and for programs that read: text, JSON, CSV. */
#ifndef IOTOP_OUT_OUT_H
#define IOTOP_OUT_OUT_H

#include <stdio.h>

#include "base/buf.h"
#include "data/model.h"
#include "view/view.h"

enum out_format {
	OUT_TEXT,
	OUT_JSON,	/* an object a line, a line a report */
	OUT_CSV,
	OUT_FOLDED,	/* screens whose rows have a path: lines for flame graphs */
	OUT_SVG,	/* the same as a picture: one report only */
	OUT_PPROF,	/* the same as a profile (profile.proto): one report only */
	OUT_OPENMETRICS,	/* counters since the start (out/metrics/metrics.h) */
	OUT_HIST,	/* disks and layers: latency histograms as text */
	OUT_FORMATS,
};

extern const char *const out_format_names[OUT_FORMATS];	/* "text", … */
extern const bool out_has_pprof;	/* it was built with what OUT_PPROF needs */

/* What histograms of disks are told apart by. */
enum out_hist_by {
	OUT_HIST_DISK,
	OUT_HIST_OP,
	OUT_HIST_ALL,	/* by nothing: one, of all disks and operations */
	OUT_HIST_SIZE,	/* of sizes of requests, not of their latency */
	OUT_HIST_FLAG,	/* of requests: sync, meta, … */
	OUT_HIST_TASK,	/* whom they are charged to */
	OUT_HISTS,
};

extern const char *const out_hist_names[OUT_HISTS];	/* "disk", … */

/* Nobody counts histograms by these: they are made of the single requests of each interval. */
#define OUT_HIST_OF_EVENTS (1u << OUT_HIST_FLAG | 1u << OUT_HIST_TASK)

struct out_options {
	enum out_format format;
	const char *screen;	/* its name, for JSON */
	bool classic;		/* text: the layout of other programs of this name, line for line */
	bool page;		/* text: findings, some lines each */
	bool whole;		/* the interval is all of the model's time */
	bool log;		/* text: names once, no summary */
	bool time;		/* text: the time before every line */
	unsigned quiet;		/* text: 1 column names once, 2 never, 3 no summary either */
	struct unit_style units;	/* text */
	enum weight weight;	/* folded, svg: what the numbers are */
	bool delimited;		/* folded, svg: a mark between user and kernel code */
	unsigned hist_by;	/* hist: 1 << enum out_hist_by */
};

/* What a command is told of a moment. */
struct out_event {
	const char *when;	/* the condition that became true */
	const struct row *disk, *task;	/* of which it was true; NULL: it does not ask for any */
	unsigned skipped;	/* times before that the command was not started */
};

/* As one line of JSON, with the findings and totals of the model. */
void out_event(struct buf *b, const struct model *m, const struct out_event *e);

struct out;

/* f stays the caller's and must outlive it. */
struct out *out_open(FILE *f, const struct out_options *opt);
/*
 * Writes and flushes one report. 0, or the -errno of the write: -EPIPE when nobody reads any more
 * (the caller ignores SIGPIPE), which is the end and no failure.
 */
int out_report(struct out *o, const struct view *v);
void out_close(struct out *o);

#endif
