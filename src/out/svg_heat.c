// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The heat map of a disk as a picture: intervals from left to right, bands from the bottom up,
 * darker by the logarithm of the count. It needs no script.
 */
#include <inttypes.h>
#include <math.h>

#include "base/clock.h"
#include "base/i18n.h"
#include "out/svg.h"

#define WIDTH 1200
#define LEFT 90		/* of the cells: labels of bands */
#define TOP 60
#define LINE 16		/* height of a band */
#define BOTTOM 30
#define CELL_MOST 24	/* width of an interval */
#define BANDS_LEAST 4
#define LEGEND 5	/* boxes */

struct picture {
	struct buf *b;
	const struct disk_heat *heat;
	enum heat_shown shown;
	const struct unit_style *units;
	unsigned first, last;	/* bands */
	uint64_t most, place_bytes;
	unsigned cell;		/* width */
};

static uint64_t count_of(const struct picture *p, const struct disk_tick *t, unsigned band)
{
	uint64_t counts[2];

	heat_counts(p->shown, t, band, counts);
	return counts[0] + counts[1];
}

/* Which bands are used, and the highest count. */
static void look(struct picture *p)
{
	unsigned bands = heat_bands(p->shown);

	p->first = bands;
	for (unsigned i = 0; i < p->heat->n; i++) {
		const struct disk_tick *t = disk_heat_tick(p->heat, i);

		if (t->place_bytes)
			p->place_bytes = t->place_bytes;
		for (unsigned band = 0; band < bands; band++) {
			uint64_t count = count_of(p, t, band);

			if (!count)
				continue;
			p->first = MIN(p->first, band);
			p->last = MAX(p->last, band);
			p->most = MAX(p->most, count);
		}
	}
	if (p->first > p->last)
		p->first = p->last = bands / 2;
	while (p->last - p->first + 1 < BANDS_LEAST)
		p->last < bands - 1 ? p->last++ : p->first--;
	p->cell = MAX(MIN((unsigned)(WIDTH - LEFT) / MAX(p->heat->n, 1), CELL_MOST), 1);
}

/* From light yellow to dark blue: the order is seen without colours, too. */
static void put_color(const struct picture *p, uint64_t count)
{
	double share = log2((double)count + 1) / log2((double)MAX(p->most, 1) + 1);

	buf_printf(p->b, "hsl(%.0f,70%%,%.0f%%)", 55 + 175 * share, 88 - 63 * share);
}

static void put_band(const struct picture *p, unsigned band)
{
	char text[32];

	unit_format(text, sizeof(text),
		    p->shown == HEAT_SIZES || p->shown == HEAT_PLACES ? UNIT_BYTES : UNIT_NS,
		    (double)heat_band_lower(p->shown, band, p->place_bytes), p->units);
	svg_text(p->b, text);
}

static unsigned y_of(const struct picture *p, unsigned band)
{
	return TOP + (p->last - band) * LINE;
}

static void put_cell(const struct picture *p, unsigned tick, unsigned band)
{
	const struct disk_tick *t = disk_heat_tick(p->heat, tick);
	uint64_t counts[2];
	char when[32];

	heat_counts(p->shown, t, band, counts);
	if (!counts[0] && !counts[1])
		return;
	clock_hms(when, sizeof(when), t->real_ns);
	buf_printf(p->b,
		   "<rect class=\"c\" x=\"%u\" y=\"%u\" width=\"%u\" height=\"%u\" "
		   "data-t=\"%" PRIu64 "\" data-band=\"%" PRIu64 "\" data-r=\"%" PRIu64
		   "\" data-w=\"%" PRIu64 "\" fill=\"",
		   LEFT + tick * p->cell, y_of(p, band), p->cell, LINE, t->real_ns,
		   heat_band_lower(p->shown, band, p->place_bytes), counts[0], counts[1]);
	put_color(p, counts[0] + counts[1]);
	buf_puts(p->b, "\"><title>");
	svg_text(p->b, when);
	buf_puts(p->b, "  ");
	put_band(p, band);
	buf_puts(p->b, " – ");
	if (band + 1 < heat_bands(p->shown))
		put_band(p, band + 1);
	buf_printf(p->b, "  %s %" PRIu64 "  %s %" PRIu64 "</title></rect>\n", _("reads"),
		   counts[0], _("writes"), counts[1]);
}

/* Of an interval nothing is known of; one without I/O is white. */
static void put_unknown(const struct picture *p, unsigned tick)
{
	buf_printf(p->b,
		   "<rect class=\"u\" x=\"%u\" y=\"%u\" width=\"%u\" height=\"%u\">"
		   "<title>%s</title></rect>\n",
		   LEFT + tick * p->cell, TOP, p->cell, (p->last - p->first + 1) * LINE,
		   _("not watched"));
}

static void put_axes(const struct picture *p)
{
	unsigned end = TOP + (p->last - p->first + 1) * LINE + 16, n = p->heat->n;
	char when[32];

	for (unsigned band = p->first; band <= p->last; band++) {
		buf_printf(p->b, "<text class=\"b\" x=\"%u\" y=\"%u\">", LEFT - 6,
			   y_of(p, band) + LINE - 4);
		put_band(p, band);
		buf_puts(p->b, "</text>\n");
	}
	for (int last = 0; last < 2; last++) {
		clock_hms(when, sizeof(when), disk_heat_tick(p->heat, last ? n - 1 : 0)->real_ns);
		buf_printf(p->b, "<text%s x=\"%u\" y=\"%u\">%s</text>\n",
			   last ? " class=\"b\"" : "",
			   last ? MAX(LEFT + n * p->cell, LEFT + 140) : LEFT, end, when);
	}
}

static void put_legend(const struct picture *p)
{
	double step = log2((double)MAX(p->most, 1) + 1) / LEGEND;
	uint64_t before = 0;

	for (unsigned i = 1, x = LEFT; i <= LEGEND; i++) {
		uint64_t count = i == LEGEND ? p->most : (uint64_t)(exp2(step * i) - 0.5);

		if (count <= before)
			continue;
		before = count;
		buf_printf(p->b,
			   "<rect x=\"%u\" y=\"38\" width=\"14\" height=\"12\" fill=\"", x);
		put_color(p, count);
		buf_printf(p->b, "\"/><text x=\"%u\" y=\"48\">%" PRIu64 "</text>\n", x + 18,
			   count);
		x += 80;
	}
}

void svg_heat(struct buf *b, const struct disk_row *disk, enum heat_shown shown, const char *host,
	      const struct unit_style *units)
{
	struct picture p = { .b = b, .heat = disk->heat, .shown = shown, .units = units };
	char time[40];
	unsigned height;

	look(&p);
	height = TOP + (p.last - p.first + 1) * LINE + BOTTOM;
	clock_iso(time, sizeof(time), disk_heat_tick(p.heat, p.heat->n - 1)->real_ns);
	buf_printf(b,
		   "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		   "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %u %u\" width=\"%u\" "
		   "height=\"%u\" style=\"background:#fff\">\n"
		   "<style>text{font:12px ui-monospace,Menlo,Consolas,monospace;fill:#111}"
		   "#title{font-size:16px}.b{text-anchor:end}.u{fill:#ddd}"
		   ".c:hover{stroke:#000}</style>\n<text id=\"title\" x=\"12\" y=\"22\">",
		   WIDTH, height, WIDTH, height);
	svg_text(b, host ? host : "");
	buf_puts(b, "  ");
	svg_text(b, disk->disk);
	buf_printf(b, "  %s  %s</text>\n", _(heat_titles[shown]), time);
	put_legend(&p);
	for (unsigned i = 0; i < p.heat->n; i++) {
		if (heat_unknown(shown, disk_heat_tick(p.heat, i)))
			put_unknown(&p, i);
		for (unsigned band = p.first; band <= p.last; band++)
			put_cell(&p, i, band);
	}
	put_axes(&p);
	buf_puts(b, "</svg>\n");
}
