/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The same bytes in another order: what delta_put() made of many samples, with all values of one
 * field together. A packer finds more in them then.
 */
#ifndef IOTOP_RECORD_COLUMNS_H
#define IOTOP_RECORD_COLUMNS_H

#include "base/buf.h"
#include "record/delta.h"

/*
 * Adds the columns of the samples to out. Each sample has its length before it: 4 bytes, the lowest
 * first. False: that is not what they are.
 */
bool columns_split(struct buf *out, const struct buf *samples, const struct delta_layout *layout);
/* The samples again. The bytes may come from a file; at most as many as they are get allocated. */
bool columns_join(struct buf *out, const char *from, size_t len, const struct delta_layout *layout);
/* The length of a sample, as it is before each. */
void columns_put_length(struct buf *out, size_t len);

#endif
