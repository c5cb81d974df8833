/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What details say of one row: labels with values, and its numbers in two lines. */
#ifndef IOTOP_TUI_DRAW_FIELDS_H
#define IOTOP_TUI_DRAW_FIELDS_H

#include "data/model.h"
#include "tui/draw/text_cursor.h"

#define FACT_LABEL 11	/* columns of a label */

/* A label and a value beside each other; nothing when there is no value. */
void fact(struct pen *p, const char *label, const char *value);
/*
 * The row's columns of these keys as far as they fit, a line for each span up to last: the
 * interval, since the start, on average.
 */
void fact_numbers(struct pen *p, const struct model *m, const struct row *row,
		  const char *const *keys, size_t n, enum span last);

#endif
