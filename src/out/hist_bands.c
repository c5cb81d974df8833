// SPDX-License-Identifier: GPL-2.0-or-later
#include "out/hist_bands.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/i18n.h"
#include "base/utf8.h"

#define BAR 40		/* characters of the longest */
#define USEC 1000u	/* ns */
#define MSEC 1000000u

_Static_assert(DISK_SIZES <= DISK_BANDS, "room for sizes");

static uint64_t lower(const struct bands *b, unsigned i)
{
	if (b->sizes)
		return i ? 512ull << i : 0;
	return disk_band_lower(i);
}

static uint64_t upper(const struct bands *b, unsigned i)
{
	if (b->sizes)
		return i + 1 < b->n ? 1024ull << i : UINT64_MAX;
	return disk_band_upper(i);
}

/* A bound in the unit of the report, three digits of it; neighbours never look the same. */
static void put_bound(struct out *o, const struct bands *b, uint64_t ns)
{
	unsigned unit = b->sizes ? 1024 : o->opt.units.milliseconds ? MSEC : USEC;
	double v = (double)ns / unit;
	char text[32];

	if (ns == UINT64_MAX)
		snprintf(text, sizeof(text), "-");
	else
		fixed_format(text, sizeof(text), v,
			     !ns || v >= 100 ? 0 : v >= 10 ? 1 : v >= 1 ? 2 : 3, "");
	buf_fill(&o->buf, ' ', MAX(0, 12 - (int)strlen(text)));
	buf_puts(&o->buf, text);
}

static void put_names(struct out *o, const struct view *v, bool sizes)
{
	const char *unit = sizes		   ? "KiB"
			   : o->opt.units.milliseconds ? "ms"
			   : o->opt.units.ascii	       ? "us"
						       : "µs";
	char from[64], to[32];

	snprintf(from, sizeof(from), "%s %s", _("from"), unit);
	snprintf(to, sizeof(to), "%s %s", _("below"), unit);
	out_time(o, v);
	buf_fill(&o->buf, ' ', (size_t)MAX(0, 12 - utf8_width(from)));
	buf_puts(&o->buf, from);
	buf_fill(&o->buf, ' ', (size_t)MAX(1, 13 - utf8_width(to)));
	buf_puts(&o->buf, to);
	buf_fill(&o->buf, ' ', (size_t)MAX(1, 11 - utf8_width(_("count"))));
	buf_printf(&o->buf, "%s\n", _("count"));
}

bool out_bands(struct out *o, const struct view *v, const char *name, const struct bands *b)
{
	uint64_t max = 0, total = 0;
	unsigned first = b->n, last = 0;

	for (unsigned i = 0; i < b->n; i++) {
		if (!b->count[i])
			continue;
		first = MIN(first, i);
		last = i;
		max = MAX(max, b->count[i]);
		total += b->count[i];
	}
	if (!max)
		return false;
	out_time(o, v);
	buf_printf(&o->buf, "%s: %" PRIu64 "\n", name, total);
	put_names(o, v, b->sizes);
	for (unsigned i = first; i <= last; i++) {
		size_t bar = (size_t)ceil((double)b->count[i] / (double)max * BAR);

		out_time(o, v);
		put_bound(o, b, lower(b, i));
		buf_putc(&o->buf, ' ');
		put_bound(o, b, upper(b, i));
		buf_printf(&o->buf, " %10" PRIu64 " |", b->count[i]);
		buf_fill(&o->buf, '#', bar);
		buf_fill(&o->buf, ' ', BAR - bar);
		buf_puts(&o->buf, "|\n");
	}
	buf_putc(&o->buf, '\n');
	out_row_end(o);
	return true;
}
