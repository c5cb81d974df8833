/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whose the time at the layers is, from sample to sample: the inside of the state of layers. */
#ifndef IOTOP_DATA_LAYER_LAYER_CALLERS_H
#define IOTOP_DATA_LAYER_LAYER_CALLERS_H

#include "base/hash.h"
#include "data/layer/layer.h"

/* What a row is for. No padding: it is a hash key. */
struct layer_key {
	uint32_t dev, layer, op, is_block;
};

struct layer_callers {
	struct hash all;
	unsigned tick;
};

void layer_callers_init(struct layer_callers *c);
void layer_callers_release(struct layer_callers *c);
/* One more sample. baseline: it is the first, what it counts was before. */
void layer_callers_update(struct layer_callers *c, const struct sample *s, bool baseline);
/* One after the other, from *i = 0 on; NULL at the end. */
struct layer_caller *layer_callers_next(const struct layer_callers *c, size_t *i,
					const struct layer_key **ret_key);

/*
 * The callers of a row added up by process, or by file; since_start: all there was, not only the
 * interval.
 */
struct layer_shares layer_shares_by(const struct layer_caller *callers, bool files,
				    bool since_start, struct arena *a);

#endif
