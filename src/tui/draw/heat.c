// SPDX-License-Identifier: GPL-2.0-or-later
#include "tui/draw/heat.h"

#include <math.h>

#define SHADES 4

static const char *const blocks[SHADES + 1] = { " ", "░", "▒", "▓", "█" };
static const char *const ascii[SHADES + 1] = { " ", ".", ":", "*", "#" };
static const enum style styles[SHADES + 1] = { STYLE_NORMAL, STYLE_HEAT1, STYLE_HEAT2, STYLE_HEAT3,
					       STYLE_HEAT4 };

/* Of 0 … 4 shades: 0 is nothing, equal steps of the logarithm. */
static unsigned heat_shade(uint64_t count, uint64_t max)
{
	double share;

	if (!count)
		return 0;
	if (count >= max)
		return SHADES;
	share = log2((double)count + 1) / log2((double)max + 1);
	return MIN(SHADES, 1 + (unsigned)(share * SHADES));
}

void heat_line(struct canvas *c, int x, int y, const struct heat *h, unsigned band, int cursor)
{
	for (unsigned i = 0; i < h->n; i++) {
		unsigned shade = heat_shade(h->count(h->arg, h->first + i, band), h->max);
		const char *glyph = c->glyphs == GLYPHS_ASCII ? ascii[shade] : blocks[shade];
		enum style style = styles[shade];

		if (h->unknown(h->arg, h->first + i)) {
			glyph = c->glyphs == GLYPHS_ASCII ? "-" : "·";
			style = STYLE_DIM;
		}
		if ((int)(h->first + i) == cursor)
			style = STYLE_CURSOR;
		canvas_fill(c, x + (int)i * h->cell, y, h->cell, style, glyph);
	}
}
