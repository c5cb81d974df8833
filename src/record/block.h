/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Many samples of a segment become one row. To pack them takes tenths of a second, so a thread does
 * it; without one the caller waits.
 */
#ifndef IOTOP_RECORD_BLOCK_H
#define IOTOP_RECORD_BLOCK_H

#include <stdint.h>

#include "base/offload.h"
#include "record/delta.h"
#include "record/pack.h"

struct block {
	int64_t first, last; /* samples in it; 0: none is packed */
	const struct delta_layout *layout;
	struct buf samples; /* as they were handed over */
	struct buf columns; /* the same in columns */
	struct buf bytes;   /* the same, packed */
	enum pack how;
	bool good;	    /* they are what delta_put() made */
	bool threaded;
	struct offload offload;
};

/*
 * Begins to pack these samples (columns.h), whose buffer is exchanged for an empty one. The block
 * before has been taken, and *b stays where it is.
 */
void block_begin(struct block *b, struct buf *samples, int64_t first, int64_t last,
		 const struct delta_layout *layout);
/* One was begun, and the next can not be before it is taken. */
static inline bool block_is_begun(const struct block *b)
{
	return b->first > 0;
}
/* block_wait() does not wait. */
bool block_is_done(const struct block *b);
/* Returns what is to be kept of it; NULL: the samples make no sense. It stays begun. */
const struct buf *block_wait(struct block *b);
/* It was taken, or is not wanted; its memory goes. None was begun: nothing. */
void block_end(struct block *b);

#endif
