// SPDX-License-Identifier: GPL-2.0-or-later
/* A filter of all tabs that have what it is about. */
#include <stdio.h>
#include <string.h>

#include "base/i18n.h"
#include "tui/actions.h"
#include "tui/hints.h"

static void changed(struct app *app, struct prompt *p)
{
	struct filter *filter = NULL;

	p->place = SIZE_MAX;
	if (p->text[strspn(p->text, " ")] &&
	    filter_parse(p->text, app_tab(app)->spec.entity, &filter, &p->place, &p->error))
		return;
	filter_free(filter);
	p->error.text[0] = 0;
	app_set_everywhere(app, p->text);
}

static void cancel(struct app *app, _unused_ struct prompt *p)
{
	app_set_everywhere(app, app->filter_before);
}

void act_everywhere(struct app *app)
{
	struct prompt *p = app_prompt(app, _("filter of all screens:"), app->everywhere, NULL);

	snprintf(app->filter_before, sizeof(app->filter_before), "%s", app->everywhere);
	p->changed = changed;
	p->cancel = cancel;
	p->hint = hint_whole_filter;
	p->history = &app->filters;
}
