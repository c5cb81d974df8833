/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From the frames of stacks to texts that people read, as rows of a sample. */
#ifndef IOTOP_COLLECT_STACKS_NAMING_H
#define IOTOP_COLLECT_STACKS_NAMING_H

#include "base/hash.h"
#include "collect/symbols/symbols.h"

/* A stack under the id that samples have. */
struct stack {
	uint64_t id;
	uint32_t flags;		/* enum frames_flag */
	unsigned round;		/* used last */
	bool awaited;		/* what its addresses are was asked for, and not told yet */
	size_t n;
	struct place frames[];	/* innermost first; kernel stacks: .offset is the address */
};

struct naming {
	struct symbols *symbols;	/* borrowed */
	uint64_t patience;	/* ns that reports may yet wait for names */
	struct buf text;
};

void naming_init(struct naming *naming, struct symbols *symbols);
void naming_release(struct naming *naming);
/* A sample begins: there is a little more patience again. */
void naming_round(struct naming *naming);
/*
 * The names of these ids of `stacks' (struct stack by id) as rows of TABLE_FRAMES. Ends at `until`
 * (CLOCK_MONOTONIC ns; 0: when all are told, or the patience ends); returns how many have no row
 * yet. Ids that are not known add nothing.
 */
size_t naming_add(struct naming *naming, const struct hash *stacks, struct sample *sample,
		  const uint64_t *ids, size_t n, uint64_t until);

#endif
