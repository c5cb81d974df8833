// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <string.h>

#include "base/utf8.h"
#include "out/formats.h"

#define CELL_MAX 4096	/* bytes of a cell */

/* Text for a terminal or log that may know ASCII only. */
static void put_text(struct out *o, const char *s)
{
	if (!o->opt.units.ascii) {
		buf_puts(&o->buf, s);
		return;
	}
	while (*s) {
		uint32_t point;

		s += utf8_next(s, &point);
		buf_fill(&o->buf, utf8_ascii(point), (size_t)utf8_width_point(point));
	}
}

/*
 * Padded to width on the side that its alignment asks for; longer text is not cut: a log has no
 * right margin.
 */
static void put_cell(struct out *o, const char *text, int width, bool left, bool last)
{
	int used = utf8_width(text);
	size_t pad = used < width ? (size_t)(width - used) : 0;

	if (!left)
		buf_fill(&o->buf, ' ', pad);
	put_text(o, text);
	if (!last)
		buf_fill(&o->buf, ' ', left ? pad + 1 : 1);
}


/* Two lines: what the rows did, and what the disks did. */
static void put_flows(struct out *o, const struct view *v, const struct model *m,
		      const char *when)
{
	struct model_flows flows = model_flows(m, v->spec->span);
	const double *bytes = &flows.read;
	char text[4][48];

	for (size_t i = 0; i < ARRAY_SIZE(text); i++)
		unit_format_classic(text[i], sizeof(text[i]), bytes[i], v->spec->span != SPAN_SUM,
				    &o->opt.units);
	out_time(o, v);
	buf_printf(&o->buf, "%sTotal DISK READ:   %15s | Total DISK WRITE:   %15s\n", when,
		   text[0], text[1]);
	out_time(o, v);
	buf_printf(&o->buf, "%sCurrent DISK READ: %15s | Current DISK WRITE: %15s\n", when,
		   text[2], text[3]);
}

static void put_summary(struct out *o, const struct view *v)
{
	const struct model_totals *t = &v->model->totals;
	const struct model *before = v->model->before;
	char load[ARRAY_SIZE(t->load)][24];

	if (o->opt.quiet >= 3 || o->opt.log)
		return;
	if (before)
		put_flows(o, v, before, "Before ");
	put_flows(o, v, v->model, before ? "After  " : "");
	if (!v->spec->entity->load_average || isnan(t->load[0]))
		return;
	out_time(o, v);
	for (size_t i = 0; i < ARRAY_SIZE(t->load); i++)
		unit_format(load[i], sizeof(load[i]), UNIT_RATIO, t->load[i], NULL);
	buf_printf(&o->buf, "Load average: %s %s %s\n", load[0], load[1], load[2]);
}

/* The heading; of what is counted also of how long the interval is. */
static const char *head_text(char out[COLUMN_HEAD + COLUMN_INTERVAL], const struct column *col,
			     const struct view *v)
{
	char per[COLUMN_INTERVAL];

	column_head(out, col, v->spec->span);
	if (column_counts(col) && v->spec->span == SPAN_TICK)
		strcat(out, column_interval(per, v->model->interval));
	return out;
}

static void column_widths(int *ret, const struct out *o, const struct view *v)
{
	const struct view_spec *spec = v->spec;

	for (unsigned j = 0; j < spec->ncolumns; j++) {
		const struct column *col = spec->columns[j];
		char text[COLUMN_HEAD + COLUMN_INTERVAL];
		int head = utf8_width(head_text(text, col, v));

		/* A log is read as a whole: its columns stay in line. */
		ret[j] = MAX((int)(o->opt.log ? MAX(col->width, col->wide) : col->width), head);
	}
}

static void put_names(struct out *o, const struct view *v, const int *widths)
{
	const struct view_spec *spec = v->spec;
	char head[COLUMN_HEAD + COLUMN_INTERVAL];

	out_time(o, v);
	for (unsigned j = 0; j < spec->ncolumns; j++) {
		const struct column *col = spec->columns[j];

		if (!(col->flags & COL_GRAPH))
			put_cell(o, head_text(head, col, v), widths[j], column_is_left(col),
				 j + 1 == spec->ncolumns);
	}
	buf_putc(&o->buf, '\n');
}

void out_text(struct out *o, const struct view *v)
{
	const struct view_spec *spec = v->spec;
	int widths[VIEW_COLUMNS_MAX];
	char text[CELL_MAX];

	column_widths(widths, o, v);
	put_summary(o, v);
	if (out_wants_names(o))
		put_names(o, v, widths);
	for (size_t i = 0; i < v->n; i++) {
		out_time(o, v);
		for (unsigned j = 0; j < spec->ncolumns; j++) {
			const struct column *col = spec->columns[j];
			struct value value;

			if (col->flags & COL_GRAPH)
				continue;
			value = view_value(v, i, col, &o->texts);
			column_text(text, sizeof(text), col, &value, &o->opt.units);
			put_cell(o, text, widths[j], column_is_left(col), j + 1 == spec->ncolumns);
		}
		buf_putc(&o->buf, '\n');
		out_row_end(o);
	}
}

/* NULL columns are cells that are not known. */
static struct value cell(struct out *o, const struct view *v, size_t row, const struct column *col)
{
	return col ? view_value(v, row, col, &o->texts) : value_none();
}

static void classic_id(struct out *o, struct value value)
{
	char text[24] = "-";

	if (value.kind == VAL_U64)
		unit_format(text, sizeof(text), UNIT_NONE, (double)value.u64, NULL);
	put_cell(o, text, 7, false, false);
}

static void classic_text(struct out *o, struct value value, int width)
{
	put_cell(o, value.kind == VAL_STR ? value.str : "-", width, true, !width);
}

static void classic_bytes(struct out *o, struct value value, bool rate)
{
	char text[48];
	double bytes;

	/* With its unit even when not known: scripts count the words of a line. */
	if (value_number(&value, &bytes))
		unit_format_classic(text, sizeof(text), bytes, rate, &o->opt.units);
	else
		snprintf(text, sizeof(text), rate ? "- B/s" : "- B");
	put_cell(o, text, 11, false, false);
}

static void classic_percent(struct out *o, struct value value)
{
	char text[48] = "- %";
	double percent;

	if (value_number(&value, &percent))
		fixed_format(text, sizeof(text), percent, 2, " %");
	put_cell(o, text, 7, false, false);
}

void out_classic(struct out *o, const struct view *v)
{
	static const char *const keys[] = { "prio", "user", "read", "write",
					    "swapin", "io", "command" };
	bool processes = v->spec->group == GROUP_PROCESS, rate = v->spec->span != SPAN_SUM;
	const struct column *id = entity_column(v->spec->entity, processes ? "pid" : "tid"),
			    *columns[ARRAY_SIZE(keys)];

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		columns[i] = entity_column(v->spec->entity, keys[i]);
	put_summary(o, v);
	if (out_wants_names(o)) {
		out_time(o, v);
		buf_printf(&o->buf,
			   "%7s PRIO USER       DISK READ  DISK WRITE  SWAPIN      IO COMMAND\n",
			   processes ? "PID" : "TID");
	}
	for (size_t i = 0; i < v->n; i++) {
		out_time(o, v);
		classic_id(o, cell(o, v, i, id));
		classic_text(o, cell(o, v, i, columns[0]), 4);
		classic_text(o, cell(o, v, i, columns[1]), 8);
		classic_bytes(o, cell(o, v, i, columns[2]), rate);
		classic_bytes(o, cell(o, v, i, columns[3]), rate);
		classic_percent(o, cell(o, v, i, columns[4]));
		classic_percent(o, cell(o, v, i, columns[5]));
		classic_text(o, cell(o, v, i, columns[6]), 0);
		buf_putc(&o->buf, '\n');
		out_row_end(o);
	}
}
