// SPDX-License-Identifier: GPL-2.0-or-later
#include "record/pack.h"

#include "base/mem.h"

#ifdef HAVE_LZMA
#include <lzma.h>
#endif
#ifdef HAVE_ZLIB
#include <zlib.h>
#endif

#if defined(HAVE_LZMA) || defined(HAVE_ZLIB)
static void make_room(struct buf *b, size_t n)
{
	if (b->cap >= n)
		return;
	b->data = mem_realloc(b->data, n);
	b->cap = n;
}
#endif

#ifdef HAVE_LZMA

#define DECODER_MAX (64u << 20) /* bytes that a file may make the decoder allocate */

static bool xz_pack(struct buf *out, const struct buf *bytes)
{
	lzma_options_lzma opt;
	lzma_filter filters[] = { { LZMA_FILTER_LZMA2, &opt }, { LZMA_VLI_UNKNOWN, NULL } };

	/* 8 takes half as long again for 2 in 1,000 less; 1 takes two thirds, for 4 in 100 more. */
	if (lzma_lzma_preset(&opt, 5))
		return false;
	/* No more memory than there are bytes. */
	opt.dict_size = LZMA_DICT_SIZE_MIN;
	while (opt.dict_size < bytes->len)
		opt.dict_size *= 2;
	/* Where a byte is, and what is before it, says little: columns.c has put like to like. */
	opt.pb = 0;
	opt.lc = 0;
	make_room(out, lzma_stream_buffer_bound(bytes->len));
	out->len = 0;
	return lzma_stream_buffer_encode(filters, LZMA_CHECK_CRC32, NULL,
					 (const uint8_t *)bytes->data, bytes->len,
					 (uint8_t *)out->data, &out->len, out->cap) == LZMA_OK;
}

static bool xz_unpack(struct buf *out, const void *from, size_t len, size_t bytes)
{
	uint64_t memory = DECODER_MAX;
	size_t at = 0;

	make_room(out, bytes + 1);
	out->len = 0;
	return lzma_stream_buffer_decode(&memory, 0, NULL, from, &at, len, (uint8_t *)out->data,
					 &out->len, bytes) == LZMA_OK &&
	       at == len && out->len == bytes;
}

#endif

#ifdef HAVE_ZLIB

static bool zlib_pack(struct buf *out, const struct buf *bytes)
{
	uLongf len = compressBound(bytes->len);

	make_room(out, len);
	if (compress2((Bytef *)out->data, &len, (const Bytef *)bytes->data, bytes->len, 6) != Z_OK)
		return false;
	out->len = len;
	return true;
}

static bool zlib_unpack(struct buf *out, const void *from, size_t len, size_t bytes)
{
	uLongf n = bytes;

	make_room(out, bytes + 1);
	out->len = bytes;
	return uncompress((Bytef *)out->data, &n, from, len) == Z_OK && n == bytes;
}

#endif

static const struct {
	const char *library;
	bool (*pack)(struct buf *out, const struct buf *bytes); /* NULL: it is not there */
	bool (*unpack)(struct buf *out, const void *from, size_t len, size_t bytes);
} packs[] = {
	[PACK_ZLIB] = {
		"zlib",
#ifdef HAVE_ZLIB
		zlib_pack, zlib_unpack,
#endif
	},
	[PACK_XZ] = {
		"liblzma",
#ifdef HAVE_LZMA
		xz_pack, xz_unpack,
#endif
	},
};

/* The best that is there. */
enum pack bytes_pack(struct buf *out, const struct buf *bytes)
{
	enum pack how = PACK_XZ;

	while (how && !packs[how].pack)
		how--;
	return how && packs[how].pack(out, bytes) && out->len < bytes->len ? how : PACK_NONE;
}

bool bytes_unpack(struct buf *out, const void *from, size_t len, size_t bytes, enum pack how)
{
	if (how == PACK_NONE) {
		if (len)
			buf_putn(out, from, len);
		return len == bytes;
	}
	return packs[how].unpack && packs[how].unpack(out, from, len, bytes);
}

const char *bytes_lack(enum pack how)
{
	return how == PACK_NONE || packs[how].unpack ? NULL : packs[how].library;
}
