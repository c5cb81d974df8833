/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers of 7 bits a byte, the lowest first; all bytes but the last have bit 7 set. */
#ifndef IOTOP_RECORD_VARINT_H
#define IOTOP_RECORD_VARINT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

#define VARINT_BYTES 10	/* the longest */

void varint_put(struct buf *out, uint64_t v);
/*
 * The number at *p, which moves on, never beyond end. *bad is set, and 0 returned, where there is
 * none; else it stays as it was.
 */
uint64_t varint_get(const char **p, const char *end, bool *bad);

#endif
