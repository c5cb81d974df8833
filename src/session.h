/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One run: where samples come from, the engine, and the recording. Batch and full screen both take
 * steps of it.
 */
#ifndef IOTOP_SESSION_H
#define IOTOP_SESSION_H

#include "collect/collect.h"
#include "data/model.h"
#include "data/selection.h"
#include "record/flight.h"
#include "trigger.h"
#include "view/view.h"

struct session_options {
	struct selection selection;	/* engine.selection may point to it */
	struct collect_options collect;
	bool probing;			/* as in struct session */
	uint64_t history_ns;		/* of samples that are kept in memory; 0: none */
	struct engine_options engine;
	unsigned needs;			/* enum source bits that are on whatever is shown */
	uint64_t group_ns;		/* of a replay: as in struct session */
	bool group_sums;
	bool once;			/* of a replay: only what is shown, and the last, is looked
					 * at */
	const char *record, *replay;	/* files, NULL: none */
	bool store;			/* replay is the folder of one */
	const char *begin, *end;	/* of the replay, as in replay_limit() */
	const char *compare;		/* "TIME,TIME" of the same recording; NULL: none */
	struct trigger *trigger;	/* borrowed; NULL: none */
	int stop_fd;			/* readable when the program is to end; -1: none */
};

struct session {
	struct collect_set *set;	/* NULL when replaying */
	struct replay *replay;		/* NULL when live */
	struct recorder *recorder;
	struct engine *engine;
	unsigned needs;			/* enum source bits, whatever is shown */
	struct sample *samples[2];
	struct sample *late;	/* rows of late tables (data/sample.h); while something is recorded
				 * all that the newest sample refers to, else what came since */
	struct sample *kept;	/* takes turns with it */
	unsigned turn;
	bool looked_at;			/* the model answers keys while the next sample is taken:
					 * it needs its own sample until then */
	const struct model *model;	/* of the newest step; NULL before the first */
	bool stale;			/* the model changed since it was shown */
	uint64_t trimmed;		/* CLOCK_MONOTONIC ns */
	struct flight *flight;		/* NULL: no samples are kept in memory */
	struct session *before;		/* what is compared with, at its end; NULL: none */
	/*
	 * Of a recording: a step is all samples of so many ns, up to a gap; 0: it is one. The model
	 * is then that of all of these, its averages are what one sample would have said; with
	 * group_sums it is that of the time since the start.
	 */
	uint64_t group_ns;
	bool group_sums;
	uint64_t mono;			/* of the newest sample of a replay, CLOCK_MONOTONIC ns; 0:
					 * there was none */
	uint64_t step_ns, interval_ns;	/* of a replay, without gaps: the step so far, and its
					 * newest interval */
	bool once, passing, passed;	/* once: as in struct session_options; passing: the step
					 * is not looked at; passed: nor was the newest model made
					 * for that, or its step has more samples */
	struct engine_options options;
	bool probing;			/* sources that findings want are enabled, too */
	struct trigger *trigger;	/* NULL: none */
	unsigned asked;			/* sources asked for in the newest sample, without those
					 * that findings and triggers want */
	unsigned steady;		/* sources that were on in it */
	bool changed;			/* either is other than in the sample before */
	size_t unnamed;			/* stacks whose names were wanted and did not come yet */
};

/* Who takes the steps: what is shown, and what is called meanwhile. */
struct session_viewer {
	uint64_t stacks_ns;	/* for names of stacks, at a time */
	bool all_stacks;	/* again and again, as long as names come */
	/* Builds the view: of a new model, and again when names came. NULL: nothing is shown. */
	void (*show)(void *arg, const struct model *m);
	const struct view_spec *(*spec)(void *arg);
	/* The i-th row in sight whose command line is to be known; NULL: there are no more. */
	const struct row *(*row)(void *arg, size_t i);
	/* A sample and its late rows, when nothing comes to them any more. NULL: not kept. */
	void (*keep)(void *arg, const struct sample *s, const struct sample *late);
	/* The yield callback: between parts of a step that may take long. NULL: none. */
	void (*yield)(void *arg);
	void *arg;
};

int session_open(struct session *s, const struct session_options *opt, struct err *err);
/* Closes everything; a recording that could not be finished is the error. */
int session_close(struct session *s, struct err *err);

/*
 * One step: a sample of the sources `needs` (enum source bits), the model, the late names that
 * the viewer wants, its view, the recording. 1: done; 0: the replay is at its end; -errno.
 */
int session_step(struct session *s, unsigned needs, const struct session_viewer *viewer,
		 struct err *err);
/* The mark of the newest sample (enum timeline_mark). */
unsigned session_mark(const struct session *s);
/* Lines on what of a store was left out, and what a trigger did, since the last time. */
void session_notes(struct session *s, struct buf *out);
/* Makes the newest model a comparison, where one was asked for. */
void session_compare(struct session *s);
/*
 * Between two steps: names of stacks that the newest model still lacks, and the command lines of
 * rows that came in sight. Both are recorded with the next step.
 */
void session_name_stacks(struct session *s, const struct session_viewer *viewer);
void session_name_tasks(struct session *s, const struct session_viewer *viewer);

#endif
