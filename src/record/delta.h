/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A sample as its difference to the sample before: what the memory of the last minutes is made of.
 * Rows that did not change cost nothing, of the others only the fields that changed are there, as
 * differences. The format is this process's own: it is never written to a file.
 */
#ifndef IOTOP_RECORD_DELTA_H
#define IOTOP_RECORD_DELTA_H

#include "base/buf.h"
#include "data/sample.h"

/*
 * Adds to out what makes s of `before` (NULL: an empty sample). The rows of late tables are in s as
 * well, if they are to be kept.
 */
void delta_put(struct buf *out, const struct sample *s, const struct sample *before);
/*
 * Makes the sample that was put, in the empty `s`, from the one before it. Returns the bytes that
 * were read.
 */
size_t delta_get(const char *from, struct sample *s, const struct sample *before);

#endif
