/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The totals of a model as a row: for conditions, and for the reports that have them. */
#ifndef IOTOP_DATA_TOTAL_ROW_H
#define IOTOP_DATA_TOTAL_ROW_H

#include "data/model.h"

struct total_row {
	struct row row;
	struct model_totals totals;	/* flows: of the span that was asked for */
};

/* In no table of entities: no view has its rows. Its columns have no headings. */
extern const struct entity entity_total;

struct total_row total_row(const struct model *m, enum span span);

#endif
