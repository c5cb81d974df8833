/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the formats share. */
#ifndef IOTOP_OUT_WRITER_H
#define IOTOP_OUT_WRITER_H

#include "out/metrics/metrics.h"
#include "out/out.h"

struct out {
	FILE *file;
	struct out_options opt;
	struct buf buf;
	struct arena texts;	/* for what columns compute; emptied after each row */
	struct metrics *metrics;	/* of the reports so far; NULL: not in this format */
	unsigned reports;	/* written so far */
	char first_day[16];	/* date of the first report, "": there was none yet */
	int failed;	/* errno of a piece of this report that could not be written; 0: none */
};

/* Writes what has come together; an error is kept in o->failed. */
void out_flush_piece(struct out *o);
/*
 * After every row: what has come together is written when it is much. Ten thousand rows are
 * megabytes.
 */
void out_row_end(struct out *o);
/* A number as JSON and CSV have it; NaN and infinity: `none`. */
void out_number(struct buf *b, double v, const char *none);
/* "14:02:11 " when asked for; from the second day on with the date before it. */
void out_time(struct out *o, const struct view *v);
/* A moment as machines read it; false: the value is none. */
bool out_moment(const struct column *col, const struct value *v, char out[40]);
/* enum steps_flag as the options have them. */
unsigned out_steps(const struct out *o, const struct view *v);
/* Whether column names belong over this report. */
bool out_wants_names(const struct out *o);

#endif
