// SPDX-License-Identifier: GPL-2.0-or-later
#include "out/out.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/clock.h"
#include "out/writer.h"

#define PIECE (128u << 10)	/* bytes */

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
	arena_release(&o->texts);
	buf_release(&o->buf);
	free(o);
}

static void write_piece(struct out *o)
{
	errno = 0;
	if (!o->failed && o->buf.len && fwrite(o->buf.data, 1, o->buf.len, o->file) != o->buf.len)
		o->failed = errno ? errno : EIO;
	buf_reset(&o->buf);
}

void out_row_end(struct out *o)
{
	if (o->texts.used)
		arena_reset(&o->texts);
	if (o->buf.len >= PIECE)
		write_piece(o);
}

int out_report(struct out *o, const struct view *v)
{
	buf_reset(&o->buf);
	o->failed = 0;
	switch (o->opt.format) {
	case OUT_TEXT:
		if (o->opt.classic)
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
	}
	o->reports++;
	write_piece(o);
	errno = 0;
	if (!o->failed && fflush(o->file))
		o->failed = errno ? errno : EIO;
	return -o->failed;
}

void out_number(struct buf *b, double v, const char *none)
{
	char text[32];

	if (!isfinite(v)) {
		buf_puts(b, none);
		return;
	}
	double_format(text, sizeof(text), v);
	buf_puts(b, text);
}

void out_time(struct out *o, const struct view *v)
{
	char text[16];

	if (!o->opt.time)
		return;
	clock_hms(text, sizeof(text), v->model->real_ns);
	buf_printf(&o->buf, "%s ", text);
}

unsigned out_steps(const struct out *o, const struct view *v)
{
	return (o->opt.delimited ? STEPS_DELIMITED : 0u) |
	       (v->spec->group == GROUP_PROCESS ? STEPS_PROCESSES : 0u);
}

bool out_wants_names(const struct out *o)
{
	return !o->opt.quiet || (o->opt.quiet == 1 && !o->reports);
}
