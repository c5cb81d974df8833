// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/symbols/leb.h"

#include <stddef.h>

uint64_t leb_bytes(const uint8_t **at, const uint8_t *end, unsigned n)
{
	uint64_t v = 0;

	if (!*at || (size_t)(end - *at) < n) {
		*at = NULL;
		return 0;
	}
	for (unsigned i = 0; i < n; i++)
		v |= (uint64_t)(*at)[i] << 8 * i;
	*at += n;
	return v;
}

static uint64_t leb(const uint8_t **at, const uint8_t *end, unsigned *ret_bits)
{
	uint64_t v = 0, byte = 0x80;

	for (*ret_bits = 0; byte & 0x80 && *at; *ret_bits += 7) {
		byte = leb_bytes(at, end, 1);
		if (*ret_bits < 64)
			v |= (byte & 0x7f) << *ret_bits;
		else if (*ret_bits > 128)
			*at = NULL;
	}
	return v;
}

uint64_t leb_unsigned(const uint8_t **at, const uint8_t *end)
{
	unsigned bits;

	return leb(at, end, &bits);
}

int64_t leb_signed(const uint8_t **at, const uint8_t *end)
{
	unsigned bits;
	uint64_t v = leb(at, end, &bits);

	if (bits && bits < 64 && v >> (bits - 1))
		v |= ~0ULL << bits;
	return (int64_t)v;
}
