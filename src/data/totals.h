/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The machine at a glance: what the header shows. Private to the engine. */
#ifndef IOTOP_DATA_TOTALS_H
#define IOTOP_DATA_TOTALS_H

#include "base/hash.h"
#include "data/model.h"

/* Cumulative values of the sample before. */
struct totals_state {
	struct hash disks;
	uint64_t tick;	/* samples so far */
	uint64_t swap_in, swap_out, psi_some, psi_full;
	struct history at_disks, at_rows;
};

void totals_init(struct totals_state *t);
void totals_release(struct totals_state *t);
/* Disks, swap, PSI, load into m->totals; before the entities are built. */
void totals_system(struct totals_state *t, struct model *m, const struct sample *s);
/* The graphs, after the entities are built. */
void totals_history(struct totals_state *t, struct model *m);

#endif
