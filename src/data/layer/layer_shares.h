/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The callers of a row of the layers, added up by process or by file. */
#ifndef IOTOP_DATA_LAYER_LAYER_SHARES_H
#define IOTOP_DATA_LAYER_LAYER_SHARES_H

#include "base/arena.h"
#include "data/layer/layer_callers.h"

/* Of one process, or of one file. */
struct layer_share {
	const char *name;		/* clean */
	struct layer_counters counters;
};

struct layer_shares {
	const struct layer_share *items;	/* those that took longest first */
	const char *const *names;		/* of the same */
	size_t n;
};

/* For qsort() of items: who took longest first. */
int layer_share_order(const void *a, const void *b);
/* since_start: all there was, not only the interval. The result is in the arena. */
struct layer_shares layer_shares_by(const struct layer_caller *callers, bool files,
				    bool since_start, struct arena *a);
/* The files of one process among them. */
struct layer_shares layer_files_of(const struct layer_caller *callers, uint32_t tgid,
				   bool since_start, struct arena *a);

#endif
