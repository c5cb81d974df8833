// SPDX-License-Identifier: GPL-2.0-or-later
#include "data/column.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/i18n.h"
#include "base/utf8.h"
#include "data/compare.h"
#include "data/entity.h"
#include "data/histogram.h"
#include "data/model.h"

struct value cell_hist(const struct cell *c, const uint64_t *counts)
{
	uint64_t (*items)[2];
	size_t n = 0;

	for (unsigned i = 0; counts && i < HIST_BUCKETS; i++)
		n += counts[i] != 0;
	items = (uint64_t (*)[2])arena_alloc(c->texts, n * sizeof(*items));
	n = 0;
	for (unsigned i = 0; counts && i < HIST_BUCKETS; i++) {
		if (!counts[i])
			continue;
		items[n][0] = hist_upper(i);
		items[n++][1] = counts[i];
	}
	return (struct value){ .kind = VAL_PAIRS, .n = (uint32_t)n,
			       .pairs = (const uint64_t (*)[2])items };
}

/* A counter as the span shows it; nothing for a rate over no time. */
static struct value counter_value(const struct column *col, const struct cell *c)
{
	uint64_t counter = *(const uint64_t *)((const char *)c->counters + col->off);
	double percent, most;

	if (col->flags & (COL_COUNTER | COL_RATE) && c->span == SPAN_SUM)
		return value_u64(counter);
	if (!(c->seconds > 0))
		return value_none();
	if (col->flags & COL_COUNTER)
		return value_u64(counter);
	if (col->flags & COL_RATE)
		return value_f64((double)counter / c->seconds);
	percent = (double)counter / (c->seconds * NSEC_PER_SEC) * 100;
	most = 100.0 * (c->row->members ? c->row->members : 1);
	return value_f64(MIN(percent, most));
}

static struct value field_value(const struct column *col, const struct row *row)
{
	const void *field = (const char *)row + col->off;

	switch (col->kind) {
	case VAL_U64:
		return col->flags & COL_NONZERO && !*(const uint64_t *)field
			       ? value_none()
			       : value_u64(*(const uint64_t *)field);
	case VAL_I64:
		return value_i64(*(const int64_t *)field);
	case VAL_F64:
		return value_f64(*(const double *)field);
	case VAL_STR:
		return value_str(*(const char *const *)field);
	case VAL_NONE:
	case VAL_LIST:
	case VAL_PAIRS:
		break;
	}
	return value_none();
}

/* Whether the group's own row says it, not its members. Counters are folded already. */
static bool is_of_row(const struct column *col, const struct row *row)
{
	return col->flags & (COL_RATE | COL_PERCENT | COL_COUNTER | COL_WHOLE) ||
	       col->fold == FOLD_MEAN || (col->fold == FOLD_FIRST && row->flags & ROW_LED);
}

bool column_is_same(const struct column *col, const struct row *a, const struct row *b)
{
	if (col->get || col->compared || a->have != b->have || a->members != b->members ||
	    a->parts || b->parts || (a->flags | b->flags) & ROW_BEFORE)
		return false;
	/* Those that did nothing share their counters. */
	if (col->flags & (COL_RATE | COL_PERCENT | COL_COUNTER))
		return a->now == b->now && a->sum == b->sum;
	/* Names are one text for all rows. */
	return col->kind == VAL_STR && *(const char *const *)((const char *)a + col->off) ==
					       *(const char *const *)((const char *)b + col->off);
}

static struct value folded_value(const struct column *col, const struct row *group,
				 const struct model *model, enum span span,
				 struct arena *texts)
{
	struct value all = column_value(col, group->parts[0], model, span, texts);

	for (uint32_t i = 1; i < group->members; i++) {
		struct value v;

		if (col->fold <= FOLD_SAME && column_is_same(col, group->parts[0], group->parts[i]))
			continue;
		v = column_value(col, group->parts[i], model, span, texts);
		switch (col->fold) {
		case FOLD_FIRST:
		case FOLD_SAME:
			if (!value_same(&all, &v))
				return value_none();
			break;
		case FOLD_SUM:
		case FOLD_MEAN:
			all = value_add(&all, &v);
			break;
		case FOLD_MAX:
			if (value_order(&v, &all, true) < 0)
				all = v;
			break;
		}
	}
	return all;
}

/* The source that counts where several could. */
static unsigned choose(unsigned either)
{
	static const unsigned first[] = { SRC_DISKS, SRC_BLOCK, SRC_WAITS };

	for (size_t i = 0; i < ARRAY_SIZE(first); i++)
		if (either & first[i])
			return first[i];
	return either;
}

bool column_is_number(const struct column *col)
{
	return col->kind == VAL_U64 || col->kind == VAL_I64 || col->kind == VAL_F64;
}

bool column_is_left(const struct column *col)
{
	return !column_is_number(col) || col->unit == UNIT_CLOCK;
}

/* Who was not there did nothing: 0, where an average would be unknown. */
static bool adds_up(const struct column *col)
{
	return col->flags & (COL_RATE | COL_PERCENT | COL_COUNTER) || col->fold == FOLD_SUM;
}

/* Of a row that was only before: its number now is not 0 but none, where nobody counts it, too. */
static bool compare_hides(const struct column *col, const struct model *model)
{
	bool counted = !(col->needs & ~model->have) &&
		       (!col->either || col->either & model->have);
	bool amount = column_is_number(col) && (col->unit != UNIT_NONE || col->flags & COL_GRAPH);

	return (amount || col->kind == VAL_PAIRS) && !(adds_up(col) && counted);
}

/* What its row, which is that of before, says of such an amount is not so any more. */
static struct value ended_value(const struct column *col, struct value v)
{
	double then;

	if (!adds_up(col) || col->unit == UNIT_NONE || !value_number(&v, &then))
		return v;
	return v.kind == VAL_F64 ? value_f64(0) : value_u64(0);
}

static struct value when_value(const struct row *row)
{
	if (row->flags & ROW_BEFORE)
		return value_phrase(N_("only before"));
	return value_phrase(row->before ? N_("both") : N_("only after"));
}

const char *compare_when(const struct row *row)
{
	struct value v = when_value(row);

	return value_text(&v);
}

static struct value compare_value(const struct column *col, const struct row *row,
			   const struct model *model, enum span span, struct arena *texts)
{
	struct value now, then = value_none();
	double a, b;

	if (!model->before)
		return value_none();
	if (col->compared == COMPARED_WHEN)
		return when_value(row);
	now = column_value(col->of, row, model, span, texts);
	if (row->before)
		then = column_value(col->of, row->before, model->before, span, texts);
	else if (adds_up(col->of))
		then = value_f64(0);
	if (!value_number(&now, &a) || !value_number(&then, &b))
		return value_none();
	if (col->compared == COMPARED_DIFFERENCE)
		return value_f64(a - b);
	return b > 0 ? value_f64(a / b) : value_none();
}

/* What a column counts, or computes. */
static struct value counted_value(const struct column *col, const struct row *row,
				  const struct model *model, enum span span, struct arena *texts)
{
	unsigned sources = col->needs | choose(col->either & row->have);
	struct cell cell = {
		.row = row,
		.counters = row_counters(row, span),
		.seconds = model_watched(model, sources, span != SPAN_TICK),
		.span = span,
		.model = model,
		.texts = texts,
	};

	if (col->get)
		return col->get(&cell);
	return cell.counters ? counter_value(col, &cell) : value_none();
}

struct value column_value(const struct column *col, const struct row *row,
			  const struct model *model, enum span span, struct arena *texts)
{
	struct value v;

	if (col->compared)
		return compare_value(col, row, model, span, texts);
	if (row->flags & ROW_BEFORE && compare_hides(col, model))
		return value_none();
	if (col->needs & ~row->have || (col->either && !(col->either & row->have)))
		return value_none();
	if (model_lacks(model, col))
		return value_none();
	if (row->parts && !is_of_row(col, row))
		return folded_value(col, row, model, span, texts);
	if (col->get || col->flags & (COL_RATE | COL_PERCENT | COL_COUNTER))
		v = counted_value(col, row, model, span, texts);
	else
		v = field_value(col, row);
	if (v.kind == VAL_F64 && !isfinite(v.f64))
		return value_none();
	return row->flags & ROW_BEFORE ? ended_value(col, v) : v;
}

/* Copies as much of s as fits without cutting a character; returns the length. */
static int put_text(char *out, size_t size, const char *s)
{
	size_t n = 0;

	if (!size)
		return 0;
	while (s[n]) {
		uint32_t point;
		size_t len = (size_t)utf8_next(s + n, &point);

		if (n + len >= size)
			break;
		n += len;
	}
	memcpy(out, s, n);
	out[n] = '\0';
	return (int)n;
}

static int put_remarked(char *out, size_t size, const struct value *v)
{
	const char *const parts[] = { " (", v->deleted ? _("deleted") : "", ")" };
	int n = put_text(out, size, value_text(v));

	for (size_t i = 0; v->deleted && i < ARRAY_SIZE(parts); i++)
		n += put_text(out + n, size - (size_t)n, parts[i]);
	return n;
}

static int put_list(char *out, size_t size, const struct column *col, const struct value *v)
{
	bool words = col->flags & COL_WORDS;
	int n = put_text(out, size, v->n ? "" : "-");

	for (size_t i = 0; i < v->n; i++) {
		if (i)
			n += put_text(out + n, size - (size_t)n, words ? " " : ";");
		n += put_text(out + n, size - (size_t)n, v->list[i]);
	}
	return n;
}

static int put_pairs(char *out, size_t size, const struct value *v)
{
	int n = put_text(out, size, v->n ? "" : "-");

	for (size_t i = 0; i < v->n; i++) {
		char pair[48];

		snprintf(pair, sizeof(pair), "%s%" PRIu64 ":%" PRIu64, i ? " " : "",
			 v->pairs[i][0], v->pairs[i][1]);
		n += put_text(out + n, size - (size_t)n, pair);
	}
	return n;
}

static int put_number(char *out, size_t size, const struct column *col, const struct value *v,
		      const struct unit_style *style)
{
	char number[64];
	double d;

	/* Less than before is a number, too. */
	if (col->compared == COMPARED_DIFFERENCE && value_number(v, &d) && d != 0 &&
	    size > 1) {
		out[0] = d < 0 ? '-' : '+';
		unit_format(number, sizeof(number), col->unit, fabs(d), style);
		return 1 + put_text(out + 1, size - 1, number);
	}
	/* Whole numbers in full: a double would round them. */
	if (col->unit == UNIT_NONE && v->kind == VAL_U64)
		whole_format(number, v->u64);
	else if (col->unit == UNIT_NONE && v->kind == VAL_I64)
		snprintf(number, sizeof(number), "%" PRId64, v->i64);
	else if (col->unit == UNIT_CLOCK && v->kind == VAL_U64)
		clock_hms_us(number, sizeof(number), v->u64);
	else if (value_number(v, &d))
		unit_format(number, sizeof(number), col->unit, d, style);
	else
		return put_text(out, size, "-");
	return put_text(out, size, number);
}

const char *column_per(const struct column *col, enum span span)
{
	return span != SPAN_SUM && col->flags & (COL_RATE | COL_PER_SECOND) ? "/s" : "";
}

bool column_counts(const struct column *col)
{
	return (col->flags & COL_COUNTER && col->fold == FOLD_SUM) || col->flags & COL_COUNTED;
}

const char *column_interval(char out[COLUMN_INTERVAL], double seconds)
{
	/* A timer is never on the dot. */
	bool whole = fabs(seconds - round(seconds)) < 0.05 && seconds > 0.5;

	if (!(seconds > 0))
		out[0] = '\0';
	else if (whole && round(seconds) == 1)
		strcpy(out, "/s");
	else
		snprintf(out, COLUMN_INTERVAL, "/%.*gs", whole ? 6 : 2,
			 whole ? round(seconds) : seconds);
	return out;
}

const char *column_head(char out[COLUMN_HEAD], const struct column *col, enum span span)
{
	bool ratio = col->compared == COMPARED_RATIO;
	size_t n;

	if (col->of) {
		n = strlen(column_head(out, col->of, span));
		snprintf(out + n, COLUMN_HEAD - n, "%s", ratio ? "x" : "+-");
		return out;
	}
	n = (size_t)put_text(out, COLUMN_HEAD, *col->head ? _(col->head) : "");
	put_text(out + n, COLUMN_HEAD - n, column_per(col, span));
	return out;
}

int column_text(char *out, size_t size, const struct column *col, const struct value *v,
		const struct unit_style *style)
{
	switch (v->kind) {
	case VAL_STR:
		return put_remarked(out, size, v);
	case VAL_LIST:
		return put_list(out, size, col, v);
	case VAL_PAIRS:
		return put_pairs(out, size, v);
	case VAL_NONE:
		return put_text(out, size, "-");
	case VAL_U64:
	case VAL_I64:
	case VAL_F64:
		return put_number(out, size, col, v, style);
	}
	return 0;
}
