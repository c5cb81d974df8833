// SPDX-License-Identifier: GPL-2.0-or-later
/* What is under the cursor, or marked, to the clipboard of the terminal. */
#include <string.h>

#include "base/i18n.h"
#include "tui/actions.h"

#define COPY_MOST 65536	/* bytes: terminals take about so much */

/* The columns that are shown, as a line of a table. */
static void put_columns(struct app *app, const struct row *row, struct buf *out)
{
	const struct view_spec *spec = &app->spec;
	struct arena texts;
	char text[4096];
	bool any = false;

	arena_init(&texts);
	for (unsigned i = 0; i < spec->ncolumns; i++) {
		const struct column *col = spec->columns[i];
		struct value v = column_value(col, row, app->model, spec->span, &texts);

		if (col->flags & COL_GRAPH)
			continue;
		column_text(text, sizeof(text), col, &v, &app->units);
		buf_printf(out, "%s%s", any ? "\t" : "", text + strspn(text, " "));
		any = true;
	}
	buf_putc(out, '\n');
	arena_release(&texts);
}

/* A frame a line, innermost first, as debuggers have it. */
static void put_path(const struct row *row, struct buf *out)
{
	const struct step *steps;
	struct arena a;
	size_t n;

	arena_init(&a);
	n = row->entity->steps(row, STEPS_PROCESSES | STEPS_REVERSED, &a, &steps);
	for (size_t i = 0; i < n; i++)
		buf_printf(out, "%s\n", steps[i].text);
	arena_release(&a);
}

static void copy(struct app *app)
{
	app->system->copy(app->system_arg, app->copied.data ? app->copied.data : "");
	buf_reset(&app->copied);
}

void act_copy(struct app *app)
{
	const struct row *rows[TAB_MARKS];
	size_t n = marks_rows(app, rows);

	buf_reset(&app->copied);
	for (size_t i = 0; i < n; i++) {
		if (rows[i]->entity->steps)
			put_path(rows[i], &app->copied);
		else
			put_columns(app, rows[i], &app->copied);
	}
	if (!n) {
		app_message(app, true, _("there is nothing under the cursor"));
	} else if (app->copied.len > COPY_MOST) {
		app_message(app, true, _("too much for a clipboard: %zu bytes"), app->copied.len);
		buf_reset(&app->copied);
	} else {
		app_message(app, false, _("rows sent to the clipboard of the terminal: %zu"), n);
		app_request(app, copy);
	}
}
