/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A walk through samples that are kept. It has an engine of its own, so that
 * collecting goes on, and begins some intervals before what is shown: histories and sums are of the
 * time that led there.
 */
#ifndef IOTOP_PAST_H
#define IOTOP_PAST_H

#include "data/model.h"
#include "timeline.h"
#include "tui/app.h"

struct past;

/* line is borrowed. past_free() by the caller. */
struct past *past_new(struct timeline *line, const struct engine_options *opt);
void past_free(struct past *p);
/* Called now and then while many samples are read: percent of them. The model is not to be read. */
void past_on_wait(struct past *p, void (*wait)(void *arg, unsigned percent), void *arg);
/* Options of the engine that hold from the next move on. */
void past_set_options(struct past *p, const struct engine_options *opt);
/*
 * So many intervals, or seconds, forward (negative: back) from what is shown, or from now; or to
 * the sample that was the newest at a moment (CLOCK_REALTIME ns). Returns what is shown then, NULL:
 * now.
 */
const struct model *past_step(struct past *p, long intervals);
const struct model *past_skip(struct past *p, double seconds);
const struct model *past_to(struct past *p, uint64_t real);
/* What is shown plays on by an interval; a range stays, and so does where one begins. */
void past_play(struct past *p);
/*
 * A range begins at what is shown, or now; and ends there, which shows it: sums, and rates over all
 * of it. Where it began it goes on up to the newest sample. NULL and nothing changes: no range
 * begins before this.
 */
void past_begin_range(struct past *p);
const struct model *past_end_range(struct past *p);
/*
 * The range that is shown is compared with the one that was shown before it, or with the time
 * before it, as long as it is; or no more when it is already. NULL and nothing changes: no range is
 * shown, or there is no time before it.
 */
const struct model *past_compare(struct past *p);
/* What a key asks for; what is shown then, NULL: now. said: of it, untranslated; NULL: nothing. */
struct past_message {
	const char *text;
	bool failed;
};

const struct model *past_travel(struct past *p, enum app_travel how, int64_t much,
				struct past_message *said);
/* Back to now. */
void past_leave(struct past *p);
/* Whether it shows something else than now. */
bool past_is_on(const struct past *p);
/* Where one is, and what there is. */
void past_time(const struct past *p, struct app_time *ret);

#endif
