// SPDX-License-Identifier: GPL-2.0-or-later
#include "record/pack.h"

#ifdef HAVE_ZLIB

#include <zlib.h>

#include "base/mem.h"

static const int levels[] = { [PACK_FAST] = 1, [PACK_SMALL] = 6 };

static void make_room(struct buf *b, size_t n)
{
	if (b->cap >= n)
		return;
	b->data = mem_realloc(b->data, n);
	b->cap = n;
}

bool bytes_pack(struct buf *out, const struct buf *bytes, enum pack how)
{
	uLongf len = compressBound(bytes->len);

	make_room(out, len);
	if (compress2((Bytef *)out->data, &len, (const Bytef *)bytes->data, bytes->len,
		      levels[how]) != Z_OK)
		return false;
	out->len = len;
	return len < bytes->len;
}

bool bytes_unpack(struct buf *out, const void *from, size_t len, size_t bytes)
{
	uLongf n = bytes;

	make_room(out, bytes + 1);
	out->len = bytes;
	return uncompress((Bytef *)out->data, &n, from, len) == Z_OK && n == bytes;
}

bool bytes_can_unpack(void)
{
	return true;
}

#else

bool bytes_pack(_unused_ struct buf *out, _unused_ const struct buf *bytes, _unused_ enum pack how)
{
	return false;
}

bool bytes_unpack(_unused_ struct buf *out, _unused_ const void *from, _unused_ size_t len,
	    _unused_ size_t bytes)
{
	return false;
}

bool bytes_can_unpack(void)
{
	return false;
}

#endif
