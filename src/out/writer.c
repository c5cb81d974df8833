// SPDX-License-Identifier: GPL-2.0-or-later
#include "out/writer.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"

#define PIECE (128u << 10)	/* bytes */

void out_flush_piece(struct out *o)
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
		out_flush_piece(o);
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
	clock_date(text, sizeof(text), v->model->real_ns);
	if (!*o->first_day)
		memcpy(o->first_day, text, sizeof(text));
	if (strcmp(o->first_day, text) != 0)
		buf_printf(&o->buf, "%s ", text);
	clock_hms(text, sizeof(text), v->model->real_ns);
	buf_printf(&o->buf, "%s ", text);
}

bool out_moment(const struct column *col, const struct value *v, char out[40])
{
	if (col->unit != UNIT_CLOCK || v->kind != VAL_U64)
		return false;
	clock_iso_us(out, 40, v->u64);
	return true;
}

unsigned out_steps(const struct out *o, const struct view *v)
{
	return (o->opt.delimited ? STEPS_DELIMITED : 0u) |
	       (v->spec->group == GROUP_PROCESS ? STEPS_PROCESSES : 0u);
}

bool out_wants_names(const struct out *o)
{
	if (o->opt.log)
		return !o->opt.quiet && !o->reports;
	return !o->opt.quiet || (o->opt.quiet == 1 && !o->reports);
}
