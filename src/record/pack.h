/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes bytes fewer, where this program was built with liblzma or zlib. */
#ifndef IOTOP_RECORD_PACK_H
#define IOTOP_RECORD_PACK_H

#include <stdbool.h>

#include "base/buf.h"

/* As it is in the files of a store. */
enum pack {
	PACK_NONE,
	PACK_ZLIB, /* compress2() */
	PACK_XZ,   /* a whole .xz file */
};

/* Into the empty `out`, which is of no use where it says PACK_NONE: they would not become fewer. */
enum pack bytes_pack(struct buf *out, const struct buf *bytes);
/* Back into the empty `out`: just so many bytes. False: it is not what bytes_pack() made. */
bool bytes_unpack(struct buf *out, const void *from, size_t len, size_t bytes, enum pack how);
/* The library that bytes_unpack() lacks for it, or NULL. */
const char *bytes_lack(enum pack how);

#endif
