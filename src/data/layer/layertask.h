/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Layers by process: where in the kernel the calls of each spend their time. */
#ifndef IOTOP_DATA_LAYER_LAYERTASK_H
#define IOTOP_DATA_LAYER_LAYERTASK_H

#include "data/layer/layer.h"

/* One process at one row of the layers. Its counters are a struct layer_counters. */
struct layertask_row {
	struct row row;
	const struct layer_row *at;	/* that row */
	const char *layer, *op, *fs, *disk;	/* of it */
	uint64_t pid;			/* 0: unknown */
	const char *comm;		/* clean; of its leader where that called */
	double share[2];		/* percent of its time at the layer above, in the interval
					 * and since the start; NaN: unknown */
};

static inline const struct layer_counters *layertask_counters(const struct layertask_row *r,
							      bool since_start)
{
	return since_start ? r->row.sum : r->row.now;
}

extern const struct column layertask_columns[];
extern const struct entity entity_layertask;

/* Layers, by process or not. */
static inline bool layer_is_entity(const struct entity *e)
{
	return e == &entity_layer || e == &entity_layertask;
}

#endif
