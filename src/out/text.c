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
	int used = left && last ? width : utf8_width(text);
	size_t pad = used < width ? (size_t)(width - used) : 0;

	if (!left)
		buf_fill(&o->buf, ' ', pad);
	put_text(o, text);
	if (!last)
		buf_fill(&o->buf, ' ', left ? pad + 1 : 1);
}

/*
 * The last cell of a column, padded: of thousands of rows that do nothing the next one mostly has
 * the same.
 */
struct last_cell {
	const struct row *row;
	size_t len;		/* 0: there is none, or it was too long */
	char text[56];
};

static bool put_again(struct out *o, const struct last_cell *last, const struct column *col,
		      const struct row *row)
{
	if (!last->len || !column_is_same(col, last->row, row))
		return false;
	buf_putn(&o->buf, last->text, last->len);
	return true;
}

/* from: where the cell begins in the report. */
static void keep_cell(struct last_cell *last, const struct out *o, size_t from,
		      const struct row *row)
{
	size_t len = o->buf.len - from;

	last->row = row;
	last->len = len <= sizeof(last->text) ? len : 0;
	memcpy(last->text, o->buf.data + from, last->len);
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
	struct last_cell last[VIEW_COLUMNS_MAX] = { 0 };
	int widths[VIEW_COLUMNS_MAX];
	char text[CELL_MAX];

	column_widths(widths, o, v);
	put_summary(o, v);
	if (out_wants_names(o))
		put_names(o, v, widths);
	for (size_t i = 0; i < v->n; i++) {
		const struct row *row = v->rows[i].row;

		out_time(o, v);
		for (unsigned j = 0; j < spec->ncolumns; j++) {
			const struct column *col = spec->columns[j];
			size_t from = o->buf.len;
			struct value value;

			if (col->flags & COL_GRAPH || put_again(o, &last[j], col, row))
				continue;
			value = view_value(v, i, col, &o->texts);
			column_text(text, sizeof(text), col, &value, &o->opt.units);
			put_cell(o, text, widths[j], column_is_left(col), j + 1 == spec->ncolumns);
			keep_cell(&last[j], o, from, row);
		}
		buf_putc(&o->buf, '\n');
		out_row_end(o);
	}
}

static void classic_id(struct out *o, const struct value *value)
{
	char text[WHOLE_FORMAT] = "-";

	if (value->kind == VAL_U64)
		whole_format(text, value->u64);
	put_cell(o, text, 7, false, false);
}

static void classic_text(struct out *o, const struct value *value, int width)
{
	put_cell(o, value->kind == VAL_STR ? value->str : "-", width, true, !width);
}

static void classic_bytes(struct out *o, const struct value *value, bool rate)
{
	char text[48];
	double bytes;

	/* With its unit even when not known: scripts count the words of a line. */
	if (value_number(value, &bytes))
		unit_format_classic(text, sizeof(text), bytes, rate, &o->opt.units);
	else
		snprintf(text, sizeof(text), rate ? "- B/s" : "- B");
	put_cell(o, text, 11, false, false);
}

static void classic_percent(struct out *o, const struct value *value)
{
	char text[48] = "- %";
	double percent;

	if (value_number(value, &percent))
		fixed_format(text, sizeof(text), percent, 2, " %");
	put_cell(o, text, 7, false, false);
}

enum classic { CLASSIC_ID, CLASSIC_TEXT, CLASSIC_BYTES, CLASSIC_PERCENT };

struct classic_cell {
	const char *key;	/* of the column */
	enum classic kind;
	int width;		/* of a text; 0: the last one */
};

static void classic_put(struct out *o, const struct classic_cell *c, const struct value *value,
			bool rate)
{
	switch (c->kind) {
	case CLASSIC_ID:
		classic_id(o, value);
		break;
	case CLASSIC_TEXT:
		classic_text(o, value, c->width);
		break;
	case CLASSIC_BYTES:
		classic_bytes(o, value, rate);
		break;
	case CLASSIC_PERCENT:
		classic_percent(o, value);
		break;
	}
}

static const struct classic_cell classic_cells[] = {
	{ "tid", CLASSIC_ID, 0 }, { "prio", CLASSIC_TEXT, 4 }, { "user", CLASSIC_TEXT, 8 },
	{ "read", CLASSIC_BYTES, 0 }, { "write", CLASSIC_BYTES, 0 },
	{ "swapin", CLASSIC_PERCENT, 0 }, { "io", CLASSIC_PERCENT, 0 },
	{ "command", CLASSIC_TEXT, 0 },
};

void out_classic(struct out *o, const struct view *v)
{
	const struct column *columns[ARRAY_SIZE(classic_cells)];
	struct last_cell last[ARRAY_SIZE(classic_cells)] = { 0 };
	bool processes = v->spec->group == GROUP_PROCESS, rate = v->spec->span != SPAN_SUM;

	for (size_t j = 0; j < ARRAY_SIZE(columns); j++)
		columns[j] = entity_column(v->spec->entity, classic_cells[j].key);
	if (processes)
		columns[0] = entity_column(v->spec->entity, "pid");
	put_summary(o, v);
	if (out_wants_names(o)) {
		out_time(o, v);
		buf_printf(&o->buf,
			   "%7s PRIO USER       DISK READ  DISK WRITE  SWAPIN      IO COMMAND\n",
			   processes ? "PID" : "TID");
	}
	for (size_t i = 0; i < v->n; i++) {
		const struct row *row = v->rows[i].row;

		out_time(o, v);
		for (size_t j = 0; j < ARRAY_SIZE(columns); j++) {
			size_t from = o->buf.len;
			/* A column that the entity does not have is not known. */
			struct value value = value_none();

			if (columns[j] && put_again(o, &last[j], columns[j], row))
				continue;
			if (columns[j])
				value = view_value(v, i, columns[j], &o->texts);
			classic_put(o, &classic_cells[j], &value, rate);
			keep_cell(&last[j], o, from, row);
		}
		buf_putc(&o->buf, '\n');
		out_row_end(o);
	}
}
