// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <string.h>

#include "base/clock.h"
#include "out/formats.h"

/* RFC 4180: quotes around what holds a separator, a quote or a line break; quotes doubled. */
static void put_field(struct buf *b, const char *s)
{
	if (!s[strcspn(s, ",\"\r\n")]) {
		buf_puts(b, s);
		return;
	}
	buf_putc(b, '"');
	for (; *s; s++) {
		if (*s == '"')
			buf_putc(b, '"');
		buf_putc(b, *s);
	}
	buf_putc(b, '"');
}

static void put_value(struct buf *b, const struct value *v)
{
	struct buf text = { 0 };

	switch (v->kind) {
	case VAL_NONE:
		break;
	case VAL_U64:
		buf_u64(b, v->u64);
		break;
	case VAL_I64:
		buf_printf(b, "%" PRId64, v->i64);
		break;
	case VAL_F64:
		out_number(b, v->f64, "");
		break;
	case VAL_STR:
		put_field(b, v->str);
		break;
	case VAL_LIST:
		for (size_t i = 0; i < v->n; i++) {
			buf_puts(&text, i ? ";" : "");
			buf_puts(&text, v->list[i]);
		}
		put_field(b, v->n ? text.data : "");
		break;
	case VAL_PAIRS:
		for (size_t i = 0; i < v->n; i++)
			buf_printf(b, "%s%" PRIu64 ":%" PRIu64, i ? ";" : "", v->pairs[i][0],
				   v->pairs[i][1]);
		break;
	}
	buf_release(&text);
}

/* Rows that have a time of their own have no other. */
static bool has_time(const struct view_spec *spec)
{
	for (unsigned j = 0; j < spec->ncolumns; j++)
		if (spec->columns[j]->unit == UNIT_CLOCK)
			return true;
	return false;
}

static void put_names(struct buf *b, const struct view_spec *spec)
{
	const char *before = "";

	if (!has_time(spec)) {
		buf_puts(b, "time");
		before = ",";
	}
	for (unsigned j = 0; j < spec->ncolumns; j++) {
		if (spec->columns[j]->flags & COL_GRAPH)
			continue;
		buf_printf(b, "%s%s", before, spec->columns[j]->key);
		before = ",";
	}
	buf_putc(b, '\n');
}

void out_csv(struct out *o, const struct view *v)
{
	const struct view_spec *spec = v->spec;
	bool own_time = has_time(spec);
	struct buf *b = &o->buf;
	char time[40], moment[40];

	if (!o->reports && o->opt.quiet < 2)
		put_names(b, spec);
	clock_iso(time, sizeof(time), v->model->real_ns);
	for (size_t i = 0; i < v->n; i++) {
		if (!own_time)
			buf_puts(b, time);
		for (unsigned j = 0; j < spec->ncolumns; j++) {
			struct value value;

			if (spec->columns[j]->flags & COL_GRAPH)
				continue;
			if (j || !own_time)
				buf_putc(b, ',');
			value = view_value(v, i, spec->columns[j], &o->texts);
			if (out_moment(spec->columns[j], &value, moment))
				buf_puts(b, moment);
			else
				put_value(b, &value);
		}
		buf_putc(b, '\n');
		out_row_end(o);
	}
}
