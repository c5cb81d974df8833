// SPDX-License-Identifier: GPL-2.0-or-later
#include "out/out.h"

#include <errno.h>
#include <stdlib.h>

#include "base/arena.h"
#include "out/formats.h"

const char *const out_format_names[OUT_FORMATS] = {
	[OUT_TEXT] = "text",
	[OUT_JSON] = "json",
	[OUT_CSV] = "csv",
	[OUT_FOLDED] = "folded",
	[OUT_SVG] = "svg",
	[OUT_PPROF] = "pprof",
	[OUT_OPENMETRICS] = "openmetrics",
	[OUT_HIST] = "hist",
};

struct out *out_open(FILE *f, const struct out_options *opt)
{
	struct out *o = mem_alloc(sizeof(*o));

	*o = (struct out){ .file = f, .opt = *opt };
	return o;
}

void out_close(struct out *o)
{
	if (!o)
		return;
	metrics_free(o->metrics);
	arena_release(&o->texts);
	buf_release(&o->buf);
	free(o);
}

int out_report(struct out *o, const struct view *v)
{
	buf_reset(&o->buf);
	o->failed = 0;
	switch (o->opt.format) {
	case OUT_TEXT:
		if (o->opt.page)
			out_page(o, v);
		else if (o->opt.classic)
			out_classic(o, v);
		else
			out_text(o, v);
		break;
	case OUT_JSON:
		out_json(o, v);
		break;
	case OUT_CSV:
		out_csv(o, v);
		break;
	case OUT_FOLDED:
		out_folded(o, v);
		break;
	case OUT_SVG:
		out_svg(o, v);
		break;
	case OUT_PPROF:
		out_pprof(o, v);
		break;
	case OUT_OPENMETRICS:
		out_openmetrics(o, v);
		break;
	case OUT_HIST:
		out_hist(o, v);
		break;
	case OUT_FORMATS:
		break;
	}
	o->reports++;
	out_flush_piece(o);
	errno = 0;
	if (!o->failed && fflush(o->file))
		o->failed = errno ? errno : EIO;
	return -o->failed;
}
