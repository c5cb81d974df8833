/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes bytes fewer, where this program was built with zlib. */
#ifndef IOTOP_RECORD_PACK_H
#define IOTOP_RECORD_PACK_H

#include <stdbool.h>

#include "base/buf.h"

enum pack {
	PACK_FAST,
	PACK_SMALL, /* takes twice the time and is a tenth smaller */
};

/* Into the empty `out`. False: they would not become fewer, or there is no zlib. */
bool bytes_pack(struct buf *out, const struct buf *bytes, enum pack how);
/* Back into the empty `out`: just so many bytes. False: it is not what bytes_pack() made. */
bool bytes_unpack(struct buf *out, const void *from, size_t len, size_t bytes);
/* Whether bytes_unpack() can do anything. */
bool bytes_can_unpack(void);

#endif
