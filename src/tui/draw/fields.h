/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fields of a detail: labels with their values, and the numbers of a row as a small table. */
#ifndef IOTOP_TUI_DRAW_FIELDS_H
#define IOTOP_TUI_DRAW_FIELDS_H

#include "data/model.h"
#include "data/stack/frames.h"
#include "tui/draw/text_cursor.h"
#include "view/view.h"

#define FIELD_LABEL 12	/* columns of a label */

/* A label and a value beside each other; nothing when there is no value. */
void field_text(struct text_cursor *tc, const char *label, const char *value);
/* The same with the text that the row has in the column of this key, over the view's span. */
void field_column(struct text_cursor *tc, const char *label, const struct view *v,
		  const struct row *row, const char *key);
/*
 * The same beside each other: *x moves on, and to the next line where there is no room. It begins
 * with 1; text_next() ends the last line.
 */
void field_beside(struct text_cursor *tc, int *x, const char *label, const char *value);
void field_column_beside(struct text_cursor *tc, int *x, const char *label, const struct view *v,
			 const struct row *row, const char *key);
/* The i-th frame of a stack, and what is known of it beside its name. */
void field_frame(struct text_cursor *tc, const struct frames *f, size_t i, enum style style);
/* The reads and the writes of the row's last intervals, a line each; nothing without a history. */
void field_history(struct text_cursor *tc, const struct history *h);
/*
 * The row's columns of these keys, the most important first: as far as they fit, on a high page
 * in several rows; what is unknown is left out. A line for each span up to last: the interval,
 * since the start, on average.
 */
void field_numbers(struct text_cursor *tc, const struct model *m, const struct row *row,
		   const char *const *keys, size_t n, enum span last);
/*
 * From here on counts of the interval are those of sources (enum source bits) that were watched for
 * a part of it. Returns what tc->c->scale is set to afterwards.
 */
double field_scale(struct text_cursor *tc, const struct model *m, unsigned sources,
		   bool since_start);
/* A line that says for how long a source was watched, where that is not the whole time. */
void field_watched(struct text_cursor *tc, const struct model *m, enum source source,
		   bool since_start);

#endif
