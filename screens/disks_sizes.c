// SPDX-License-Identifier: GPL-2.0-or-later
/* Which sizes the requests of a disk had. */
#include <stdio.h>

#include "base/utf8.h"
#include "screens/disks.h"

void disk_sizes(struct text_cursor *tc, const uint64_t *counts, enum style style, const char *label)
{
	uint64_t total = 0;
	int x = 1, begin;

	for (unsigned i = 0; i < DISK_SIZES; i++)
		total += counts[i];
	if (!total)
		return;
	x += text_put(tc, x, -1, style, label) + 2;
	begin = x;
	for (unsigned i = 0; i < DISK_SIZES; i++) {
		double share = 100.0 * (double)counts[i] / (double)total;
		char size[32], text[64];

		if (share < 1)
			continue;
		unit_format(size, sizeof(size), UNIT_BYTES, (double)(512ull << i),
			    &tc->c->units);
		snprintf(text, sizeof(text), "%s%s", i ? "≥ " : "< ", i ? size : "1 KiB");
		snprintf(size, sizeof(size), "%.0f %%", share);
		if (x + utf8_width(text) + 1 + utf8_width(size) > tc->area.width) {
			text_next(tc);
			x = begin;
		}
		x += text_put(tc, x, -1, STYLE_NORMAL, text) + 1;
		x += text_put(tc, x, -1, STYLE_BOLD, size) + 3;
	}
	text_next(tc);
}
