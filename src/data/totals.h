/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The machine at a glance: what the header shows. Private to the engine. */
#ifndef IOTOP_DATA_TOTALS_H
#define IOTOP_DATA_TOTALS_H

#include "data/counters.h"
#include "data/history.h"

struct model_flows;
struct names;

struct totals_state {
	struct counter_table *disks;
	/* Cumulative values of the sample before. */
	struct system_counters {
		uint64_t swap_in, swap_out;
		uint64_t refault_file, refault_anon, scan_direct, steal_direct;
		uint64_t psi_some, psi_full, psi_memory_some, psi_memory_full;
	} system;
	double dirty;		/* and in writeback, bytes, of the sample before; NaN: unknown */
	struct history at_disks, at_rows;
};

void totals_init(struct totals_state *t);
void totals_release(struct totals_state *t);
/* All of them NaN. */
struct model_flows totals_unknown(void);
/*
 * Bytes of the newest interval: adds them to a sum, and makes a rate of them. seconds: in which
 * they were counted, 0: the rate is unknown.
 */
void totals_flow(double *sum, double *ret_rate, uint64_t bytes, double seconds);
/* Disks, swap, PSI, load of m->cur into m->totals; before the entities are built. */
void totals_system(struct totals_state *t, struct model *m, struct names *names);
/* The graphs, after the entities are built. */
void totals_history(struct totals_state *t, struct model *m);

#endif
