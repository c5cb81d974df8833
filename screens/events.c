// SPDX-License-Identifier: GPL-2.0-or-later
/* Events: single requests as they end, the newest below. */
#include <stdio.h>

#include "base/i18n.h"
#include "data/event/event.h"
#include "tui/binding.h"
#include "tui/draw/fields.h"
#include "tui/screen.h"
#include "view/view.h"

static int header(struct canvas *c, int y, const struct model *m, _unused_ enum span span)
{
	struct event_totals totals = event_totals(m);
	char text[96], least[24];
	int x = 1;

	if (!totals.known)
		return 0;
	unit_format(least, sizeof(least), UNIT_NS, (double)totals.min_ns, &c->units);
	if (totals.min_ns)
		snprintf(text, sizeof(text), _("of %s and longer"), least);
	else
		snprintf(text, sizeof(text), "%s", _("however short"));
	x += canvas_text(c, x, y, -1, STYLE_BOLD, text) + 3;
	snprintf(text, sizeof(text), _("%llu seen, %llu dropped"),
		 (unsigned long long)(totals.seen + totals.dropped),
		 (unsigned long long)totals.dropped);
	canvas_text(c, x, y, -1, totals.dropped ? STYLE_WARN : STYLE_NORMAL, text);
	return 1;
}

/* All that is known of it. */
static int detail(struct canvas *c, struct rect area, int top, const struct view *v,
		  const struct row *row)
{
	struct text_cursor tc = text_start(c, area, top);

	entity_each_column(row->entity, col) {
		struct value value = column_value(col, row, v->model, v->spec->span, &c->texts);
		char text[4096];

		if (value.kind == VAL_NONE)
			continue;
		column_text(text, sizeof(text), col, &value, &c->units);
		field_text(&tc, _(col->head), text);
	}
	return text_lines(&tc, top);
}

static size_t nothing(const struct model *m, const struct unit_style *style, char *text,
		      size_t size)
{
	struct event_totals totals = event_totals(m);
	char least[24];

	if (!totals.known)
		return (size_t)snprintf(text, size, "%s", _("nothing to show yet"));
	unit_format(least, sizeof(least), UNIT_NS, (double)totals.min_ns, style);
	return (size_t)snprintf(text, size, _("no request took %s yet"), least);
}

static const struct binding keys[] = {
	{ 'w', "w", N_("calls"), N_("calls of programs on files, too, or requests only"),
	  act_calls },
	{ 0 },
};

const struct screen screen_events = {
	.name = "events",
	.title = N_("Events"),
	.tab = NC_("tab", "Events"),
	.help = N_("single requests that took long or failed, as they end"),
	.entity = ENTITY_EVENT,
	.columns = "time,comm,tid,op,flags,disk,sector,bytes,limit,queue,device,total,error,path",
	.sort = "time:asc",
	.log = true,
	.needs = SRC_DISKS | SRC_SYSTEM,
	.header = header,
	.detail = detail,
	.empty = nothing,
	.keys = keys,
};
