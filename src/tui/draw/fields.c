// SPDX-License-Identifier: GPL-2.0-or-later
#include "tui/draw/fields.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/i18n.h"
#include "base/utf8.h"
#include "tui/draw/plot.h"

#define FIELD_SPACE 3	/* between fields beside each other */
#define NUMBER_ROWS 3	/* of numbers below each other, at most */
#define NUMBER_HEIGHT 12	/* lines of a page for each of them */
#define NUMBER_WIDTH 76	/* columns below which there is only one */
#define KB_MORE 8	/* that kilobytes are wider than other bytes */

void field_text(struct text_cursor *tc, const char *label, const char *value)
{
	if (!value || !*value)
		return;
	text_put(tc, 1, FIELD_LABEL - 1, STYLE_DIM, label);
	text_wrap(tc, 1 + FIELD_LABEL, STYLE_NORMAL, value);
}

/* Room for an interval behind a time. */
#define PER 48

/*
 * What stands behind a number: per what it is. Of a time it is told in what interval it was spent,
 * as a time per second would have no unit.
 */
static const char *per_text(char out[PER], const struct canvas *c, const struct column *col,
			    enum span span)
{
	char interval[COLUMN_INTERVAL + 1];

	if (!column_counts(col) || span != SPAN_TICK)
		return column_per(col, span);
	if (col->unit != UNIT_NS || !c->per[0])
		return c->per;
	snprintf(interval, sizeof(interval), "%s%s", strcmp(c->per, "/s") ? "" : "1", c->per + 1);
	snprintf(out, PER, _(" in %s"), interval);
	return out;
}

/* As a person reads it, with its unit; "" where it is not known. */
static const char *value_words(char *out, size_t size, const struct text_cursor *tc,
			       const struct view *v, const struct row *row, const char *key)
{
	const struct column *col = entity_column(row->entity, key);
	struct value value = column_value(col, row, v->model, v->spec->span, &tc->c->texts);
	char per[PER];

	if (value.kind == VAL_NONE)
		return "";
	if (value.kind == VAL_STR)
		return value_text(&value);
	column_text(out, size, col, &value, &tc->c->units);
	snprintf(out + strlen(out), size - strlen(out), "%s",
		 col->unit == UNIT_PERCENT ? " %" : per_text(per, tc->c, col, v->spec->span));
	return out;
}

void field_column(struct text_cursor *tc, const char *label, const struct view *v,
		  const struct row *row, const char *key)
{
	char text[64];

	field_text(tc, label, value_words(text, sizeof(text), tc, v, row, key));
}

void field_history(struct text_cursor *tc, const struct history *h)
{
	int width = MIN(tc->area.width - FIELD_LABEL - 2, HISTORY_TICKS);

	if (!h || !h->n || width <= 0)
		return;
	for (int i = 0; i < 2; i++) {
		text_put(tc, 1, FIELD_LABEL - 1, i ? STYLE_WRITE : STYLE_READ,
			 i ? _("writes") : _("reads"));
		if (text_y(tc) >= 0)
			plot_history(tc->c, tc->area.x + 1 + FIELD_LABEL, text_y(tc), width, h,
				     i ? GRAPH_WRITE : GRAPH_READ);
		text_next(tc);
	}
	text_next(tc);
}

/* Of a number with its unit, and that it is one per second. */
static int number_width(const struct canvas *c, const struct column *col)
{
	int bytes = c->units.kilobytes && col->unit == UNIT_BYTES ? KB_MORE : 1, per;
	char text[PER];

	per = utf8_width(per_text(text, c, col, SPAN_TICK));
	if (column_counts(col))
		per = MAX(per, (int)strlen("/s"));
	return (int)col->width + bytes + per;
}

/* A field of a row of fields: what does not fit goes on in the next line. */
void field_beside(struct text_cursor *tc, int *x, const char *label, const char *value)
{
	int width;

	if (!value || !*value)
		return;
	width = utf8_width(label) + 1 + utf8_width(value);
	if (*x > 1 && *x + width >= tc->area.width) {
		text_next(tc);
		*x = 1;
	}
	*x += text_put(tc, *x, -1, STYLE_DIM, label) + 1;
	*x += text_put(tc, *x, -1, STYLE_NORMAL, value) + FIELD_SPACE;
}

void field_column_beside(struct text_cursor *tc, int *x, const char *label, const struct view *v,
			 const struct row *row, const char *key)
{
	char text[64];

	field_beside(tc, x, label, value_words(text, sizeof(text), tc, v, row, key));
}

/* Whether the row has this number in one of the spans. */
static bool has_number(const struct text_cursor *tc, const struct model *m, const struct row *row,
		       const struct column *col, enum span last)
{
	for (unsigned span = SPAN_TICK; span <= last; span++)
		if (column_value(col, row, m, span, &tc->c->texts).kind != VAL_NONE)
			return true;
	return false;
}

/* A field of the row is what there is at the moment: it has no sum and no average. */
static bool is_of_now(const struct column *col)
{
	return !col->get && !(col->flags & (COL_RATE | COL_PERCENT | COL_COUNTER));
}

/* A number of the row over each span, below its heading. */
static void draw_number(const struct text_cursor *tc, const struct model *m, const struct row *row,
			const struct column *col, int x, int width, enum span last)
{
	enum style usual = col->flags & COL_READ    ? STYLE_READ
			   : col->flags & COL_WRITE ? STYLE_WRITE
						    : STYLE_NORMAL;
	struct text_cursor line = *tc;
	char text[COLUMN_HEAD + PER], per[PER];
	double number;

	text_right(&line, x, width, STYLE_HEAD, _(col->head));
	for (unsigned span = SPAN_TICK; span <= (is_of_now(col) ? SPAN_TICK : last); span++) {
		struct value value = column_value(col, row, m, span, &tc->c->texts);
		bool none = !value_number(&value, &number) || number == 0;

		if (!none && column_counts(col) && span == SPAN_TICK && tc->c->scale != 1)
			value = value_f64(canvas_count(tc->c, number));
		column_text(text, COLUMN_HEAD, col, &value, &tc->c->units);
		if (value.kind != VAL_NONE)
			strcat(text, per_text(per, tc->c, col, (enum span)span));
		text_next(&line);
		text_right(&line, x, width, none ? STYLE_DIM : usual, text);
	}
}

/* What the spans are called, below each other, and on to behind them. */
static void draw_spans(struct text_cursor *tc, const struct model *m, enum span last)
{
	char since[64], time[32];

	clock_hms(time, sizeof(time), m->real_ns - (uint64_t)(m->elapsed * NSEC_PER_SEC));
	time[strlen("14:02")] = '\0';
	snprintf(since, sizeof(since), _("since %s"), time);
	for (unsigned span = SPAN_TICK; span <= last; span++) {
		text_next(tc);
		text_put(tc, 1, FIELD_LABEL - 1, STYLE_DIM,
			 span == SPAN_TICK  ? _("now")
			 : span == SPAN_SUM ? since
					    : _("average"));
	}
	text_next(tc);
}

void field_numbers(struct text_cursor *tc, const struct model *m, const struct row *row,
		   const char *const *keys, size_t n, enum span last)
{
	int first = 1 + FIELD_LABEL, x = first, rows = 1;

	for (size_t i = 0; i < n; i++) {
		const struct column *col = entity_column(row->entity, keys[i]);
		int width = col ? number_width(tc->c, col) : 0;

		if (!col || !has_number(tc, m, row, col, last))
			continue;
		if (x + width > tc->area.width) {
			/* The first are the most important: a small page shows only these. */
			if (rows == NUMBER_ROWS || tc->area.height < NUMBER_HEIGHT * (rows + 1) ||
			    tc->area.width < NUMBER_WIDTH)
				break;
			draw_spans(tc, m, last);
			x = first;
			rows++;
		}
		draw_number(tc, m, row, col, x, width, last);
		x += width + 1;
	}
	draw_spans(tc, m, last);
	text_next(tc);
}

double field_scale(struct text_cursor *tc, const struct model *m, unsigned sources,
		   bool since_start)
{
	double before = tc->c->scale, scale = model_scale(m, sources, since_start);

	if (!(fabs(scale - 1) <= CANVAS_ON_TIME))
		tc->c->scale *= scale;
	return before;
}

void field_watched(struct text_cursor *tc, const struct model *m, enum source source,
		   bool since_start)
{
	double whole = since_start ? m->elapsed : m->interval,
	       watched = model_watched(m, source, since_start);
	char text[2][24];

	if (!(m->have & source) || watched <= 0 || watched >= 0.95 * whole)
		return;
	unit_format(text[0], sizeof(text[0]), UNIT_NS, watched * NSEC_PER_SEC, &tc->c->units);
	unit_format(text[1], sizeof(text[1]), UNIT_NS, whole * NSEC_PER_SEC, &tc->c->units);
	text_printf(tc, 1, -1, STYLE_DIM, _("watched for %s of %s"), text[0], text[1]);
	text_next(tc);
}

void field_frame(struct text_cursor *tc, const struct frames *f, size_t i, enum style style)
{
	const char *name = f->items[i], *place = frames_place(f, i), *file = frames_file(f, i);
	bool unknown = !strncmp(name, "[unknown]", 9);
	int width = utf8_width(name), left = tc->area.width - 3 - width - 2;
	char both[512];

	if (unknown || !strncmp(name, "0x", 2))
		style = STYLE_DIM;
	if (!strcmp(file, FRAMES_AT_RUN_TIME))
		file = _("made at run time");
	snprintf(both, sizeof(both), "%s%s%s", place, *place && *file ? "  " : "", file);
	/* An unknown one has the file in its name. */
	if (!unknown && (!*place || utf8_width(both) < left))
		place = both;
	if (*place && utf8_width(place) < left) {
		text_put(tc, 3, -1, style, name);
		text_put(tc, 3 + width + 2, -1, STYLE_DIM, place);
		text_next(tc);
		return;
	}
	text_wrap(tc, 3, style, name);
	if (*place)
		text_wrap(tc, 5, STYLE_DIM, place);
}
