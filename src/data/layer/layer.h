/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Layers: how long operations take at each of them, by file system and disk. */
#ifndef IOTOP_DATA_LAYER_LAYER_H
#define IOTOP_DATA_LAYER_LAYER_H

#include "data/entity.h"
#include "data/histogram.h"
#include "data/layer/layer_shares.h"
#include "data/sample.h"

struct layer_row {
	struct row row;
	uint32_t layer_id, op_id;		/* enum layer, enum layer_op */
	uint32_t dev, whole;			/* whole: of the disk */
	bool is_block;
	const char *layer, *op, *fs, *disk;	/* fs, disk NULL: unknown, or none */
	uint64_t running;
	const struct layer_counters *now, *sum;	/* the same as row.now, row.sum */
	const uint64_t *hist[2];		/* of the interval, since the start: counts as in
						 * histogram.h */
	const struct layer_caller *callers;	/* whose time it is, in no order; NULL: unknown */
	struct layer_shares tasks[2], files[2];	/* the same by process, by file; of the interval,
						 * since the start */
	double share[2];			/* percent of the time at the layer above; NaN:
						 * unknown */
};

extern const struct column layer_columns[];
extern const struct entity entity_layer;

extern const char *const layer_names[LAYER_COUNT];
/* Top down; those of a disk begin at LAYERS_ABOVE_DISK. */
extern const uint32_t layer_order[LAYER_COUNT];

#define LAYERS_ABOVE_DISK 4

/* Of requests at a disk. */
static inline bool layer_is_of_disk(uint32_t layer)
{
	return layer >= LAYER_QUEUE;
}

/* The other row of this disk with that layer and operation, or NULL. */
struct model;
const struct layer_row *layer_find(const struct model *m, const struct layer_row *r, uint32_t layer,
				   uint32_t op);
/* What a program waits in: a system call, or a page fault. */
static inline bool layer_is_call(uint32_t layer, uint32_t op)
{
	return layer == LAYER_SYSCALL || (layer == LAYER_CACHE && op == LAYER_FAULT);
}

/* A step of an fsync(). */
static inline bool layer_is_step(uint32_t layer, uint32_t op)
{
	return layer == LAYER_FS && ((op >= LAYER_DATA && op <= LAYER_JOINED) || op == LAYER_FLUSH);
}

/* Does an operation of a program lead to this one at the disk? */
bool layer_leads_to(uint32_t op, uint32_t at_disk);

#endif
