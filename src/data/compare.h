/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two ranges of one machine: their rows are joined by their keys, and columns say what changed.
 * They are columns as all others are: every format has them, and order and filters know them.
 */
#ifndef IOTOP_DATA_COMPARE_H
#define IOTOP_DATA_COMPARE_H

#include "data/entity.h"

/* The column "compared" (of NULL), or "KEY_diff" or "KEY_ratio"; NULL: it is no such number. */
const struct column *compare_column(const struct entity *e, const struct column *of,
				    enum compared what);
/* In which of the two ranges it was: translated. */
const char *compare_when(const struct row *row);
/*
 * Makes the newest model of an engine a comparison with another one of the same machine: rows know
 * what they were before, and those that were only before are added. `before' is borrowed until the
 * engine advances.
 */
void model_compare(const struct model *newest, const struct model *before);

#endif
