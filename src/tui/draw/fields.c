// SPDX-License-Identifier: GPL-2.0-or-later
#include "tui/draw/fields.h"

#include <string.h>

#include "base/clock.h"
#include "base/i18n.h"
#include "base/utf8.h"
#include "tui/draw/plot.h"

#define KB_MORE 8	/* that kilobytes are wider than other bytes */

void field_text(struct text_cursor *tc, const char *label, const char *value)
{
	if (!value || !*value)
		return;
	text_put(tc, 1, FIELD_LABEL - 1, STYLE_DIM, label);
	text_wrap(tc, 1 + FIELD_LABEL, STYLE_NORMAL, value);
}

void field_column(struct text_cursor *tc, const char *label, const struct view *v,
		  const struct row *row, const char *key)
{
	struct value value = column_value(entity_column(row->entity, key), row, v->model,
					  v->spec->span, &tc->c->texts);

	field_text(tc, label, value.kind == VAL_STR ? value_text(&value) : NULL);
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
	int bytes = c->units.kilobytes && col->unit == UNIT_BYTES ? KB_MORE : 1;

	return (int)col->width + bytes + utf8_width(column_per(col, SPAN_TICK));
}

void field_numbers(struct text_cursor *tc, const struct model *m, const struct row *row,
		   const char *const *keys, size_t n, enum span last)
{
	static const char *const names[] = {
		[SPAN_TICK] = N_("now"), [SPAN_SUM] = N_("in all"), [SPAN_MEAN] = N_("average")
	};
	int x = 1 + FIELD_LABEL;

	for (size_t i = 0; i < n; i++) {
		const struct column *col = entity_column(row->entity, keys[i]);
		int width = col ? number_width(tc->c, col) : 0;
		struct text_cursor line = *tc;

		if (!col || x + width > tc->area.width)
			continue;
		text_right(&line, x, width, STYLE_HEAD, _(col->head));
		for (unsigned span = SPAN_TICK; span <= last; span++) {
			struct value value = column_value(col, row, m, span, &tc->c->texts);
			enum style style = col->flags & COL_READ    ? STYLE_READ
					   : col->flags & COL_WRITE ? STYLE_WRITE
								    : STYLE_NORMAL;
			char text[32];
			double number;

			column_text(text, sizeof(text) - sizeof("/s"), col, &value, &tc->c->units);
			if (!value_number(&value, &number) || number == 0)
				style = STYLE_DIM;
			if (value.kind != VAL_NONE)
				strcat(text, column_per(col, (enum span)span));
			text_next(&line);
			text_right(&line, x, width, style, text);
		}
		x += width + 1;
	}
	for (unsigned span = SPAN_TICK; span <= last; span++) {
		text_next(tc);
		text_put(tc, 1, FIELD_LABEL - 1, STYLE_DIM, _(names[span]));
	}
	text_next(tc);
	text_next(tc);
}

void field_watched(struct text_cursor *tc, const struct model *m, enum source source,
		   bool since_start)
{
	double whole = since_start ? m->elapsed : m->interval,
	       watched = model_watched(m, source, since_start);
	char text[2][24];

	if (!(m->have & source) || watched >= 0.95 * whole)
		return;
	unit_format(text[0], sizeof(text[0]), UNIT_NS, watched * NSEC_PER_SEC, &tc->c->units);
	unit_format(text[1], sizeof(text[1]), UNIT_NS, whole * NSEC_PER_SEC, &tc->c->units);
	text_printf(tc, 1, -1, STYLE_DIM, _("watched for %s of %s"), text[0], text[1]);
	text_next(tc);
}
