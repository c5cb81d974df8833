// SPDX-License-Identifier: GPL-2.0-or-later
#include "record/varint.h"

void varint_put(struct buf *out, uint64_t v)
{
	while (v >= 0x80) {
		buf_putc(out, (char)(v | 0x80));
		v >>= 7;
	}
	buf_putc(out, (char)v);
}

uint64_t varint_get(const char **p, const char *end, bool *bad)
{
	uint64_t v = 0;

	for (unsigned shift = 0; *p < end && shift < 64; shift += 7) {
		unsigned char c = (unsigned char)*(*p)++;

		v |= (uint64_t)(c & 0x7f) << shift;
		if (!(c & 0x80))
			return v;
	}
	*bad = true;
	return 0;
}
