// SPDX-License-Identifier: GPL-2.0-or-later
#include "tui/draw/plot.h"

#include <math.h>
#include <string.h>

#include "base/utf8.h"

#define LEVELS 8	/* of a block or an ASCII character; 0 is blank */
#define BRAILLE_LEVELS 4

static const char *const blocks[LEVELS + 1] = { " ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
static const char *const eighths[LEVELS + 1] = { " ", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█" };
static const char ramp[] = " .:-=+*%#";

/* A value above 0 has at least the lowest level: it is never shown as nothing. */
static int level_of(float value, float max, int levels)
{
	if (!(value > 0) || !(max > 0))
		return 0;
	if (value >= max)
		return levels;
	return MAX(1, (int)ceilf(value / max * levels));
}

static void braille(char out[static 5], int left, int right)
{
	/* Dots of a column from the bottom up. */
	static const uint8_t lefts[] = { 0x40, 0x04, 0x02, 0x01 },
			     rights[] = { 0x80, 0x20, 0x10, 0x08 };
	uint32_t point = 0x2800;

	for (int i = 0; i < left; i++)
		point |= lefts[i];
	for (int i = 0; i < right; i++)
		point |= rights[i];
	if (point == 0x2800)
		point = ' ';
	out[utf8_put(out, point)] = 0;
}

/*
 * The glyph whose newest value is values[last]: braille holds the one before as well. What is
 * unknown is a dot, which has no value.
 */
static void glyph_at(char out[static 5], enum glyphs glyphs, const float *values, long last,
		     float max)
{
	float before = glyphs == GLYPHS_BRAILLE && last >= 1 ? values[last - 1] : 0;

	if ((isnan(values[last]) && !(before > 0)) || (isnan(before) && !(values[last] > 0))) {
		strcpy(out, glyphs == GLYPHS_ASCII ? "," : "·");
	} else if (glyphs == GLYPHS_BRAILLE) {
		braille(out, level_of(before, max, BRAILLE_LEVELS),
			level_of(values[last], max, BRAILLE_LEVELS));
	} else if (glyphs == GLYPHS_ASCII) {
		out[0] = ramp[level_of(values[last], max, LEVELS)];
		out[1] = 0;
	} else {
		strcpy(out, blocks[level_of(values[last], max, LEVELS)]);
	}
}

static void plot_styled(struct canvas *c, int x, int y, int columns, const uint8_t *styles,
			enum style style, const float *values, unsigned n, float max)
{
	int per_cell = c->glyphs == GLYPHS_BRAILLE ? 2 : 1;
	long last = (long)n - 1;

	for (int i = columns - 1; i >= 0 && last >= 0; i--, last -= per_cell) {
		char glyph[5];

		glyph_at(glyph, c->glyphs, values, last, max);
		canvas_text(c, x + i, y, 1, styles ? styles[last] : style, glyph);
	}
}

float plot_max(const float *values, unsigned n)
{
	float max = 0;

	for (unsigned i = 0; i < n; i++)
		if (values[i] > max)
			max = values[i];
	return max;
}

void plot_line(struct canvas *c, int x, int y, int columns, enum style style, const float *values,
	       unsigned n, float max)
{
	plot_styled(c, x, y, columns, NULL, style, values, n, max);
}

void plot_history(struct canvas *c, int x, int y, int columns, const struct history *h,
		  enum graph_source source)
{
	float values[HISTORY_TICKS];
	uint8_t styles[HISTORY_TICKS];

	if (!h)
		return;
	for (unsigned i = 0; i < h->n; i++) {
		bool read =
			source == GRAPH_READ || (source == GRAPH_BOTH && h->read[i] >= h->write[i]);

		values[i] = source == GRAPH_BOTH ? h->read[i] + h->write[i]
			    : read		 ? h->read[i]
						 : h->write[i];
		styles[i] = isnan(values[i]) ? STYLE_DIM : read ? STYLE_READ : STYLE_WRITE;
	}
	plot_styled(c, x, y, columns, styles, STYLE_NORMAL, values, h->n, plot_max(values, h->n));
}

void plot_bar(struct canvas *c, int x, int y, int columns, enum style style, double share)
{
	int parts = c->glyphs == GLYPHS_ASCII ? 1 : LEVELS;
	int units = share > 0 ? (int)ceil(MIN(share, 1.0) * columns * parts) : 0;

	for (int i = 0; i < columns && units > 0; i++, units -= parts) {
		const char *glyph = parts == 1 ? "#" : eighths[MIN(units, LEVELS)];

		canvas_text(c, x + i, y, 1, style, glyph);
	}
}

#define SPREAD_MAX 40

void plot_spread(struct canvas *c, int x, int y, int columns, enum style style,
		 const uint64_t (*items)[2], size_t n)
{
	float bands[SPREAD_MAX] = { 0 };
	float max;

	columns = MIN(columns, SPREAD_MAX);
	for (size_t i = 0; i < n && columns > 0; i++) {
		int band = items[i][0] > 1024 ? 64 - __builtin_clzll(items[i][0] - 1) - 10 : 0;

		bands[MIN(band, columns - 1)] += (float)items[i][1];
	}
	max = plot_max(bands, (unsigned)MAX(columns, 0));
	for (int i = 0; i < columns; i++) {
		int level = level_of(bands[i], max, LEVELS);
		char text[2] = { ramp[level], 0 };

		if (level)
			canvas_text(c, x + i, y, 1, style,
				    c->glyphs == GLYPHS_ASCII ? text : blocks[level]);
	}
}
