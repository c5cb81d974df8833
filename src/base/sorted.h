/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Binary search in an array that is sorted by a number. */
#ifndef IOTOP_BASE_SORTED_H
#define IOTOP_BASE_SORTED_H

#include <stddef.h>
#include <stdint.h>

/*
 * How many of n elements of `size` bytes have a first member (an uint64_t) that is not above key:
 * the last of them is one before.
 */
static inline size_t sorted_upto(const void *base, size_t n, size_t size, uint64_t key)
{
	size_t low = 0, high = n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (*(const uint64_t *)((const char *)base + mid * size) <= key)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

#endif
