// SPDX-License-Identifier: GPL-2.0-or-later
/* What stands below a table: the row under the cursor in full. */
#include <stdio.h>

#include "base/i18n.h"
#include "base/utf8.h"
#include "tui/page.h"

#define HEIGHT_PREVIEW 10	/* lines of the table from which on there is room for it */

/* Where the row's path lies among all of them. */
static int draw_icicle_preview(struct app *app, struct canvas *c, struct rect area,
			       const struct row *row)
{
	struct tab *tab = app_tab(app);
	struct icicle_plot plot;

	tab_build_icicle(tab, &app->view);
	tab->icicle->units = c->units;
	plot = icicle_plot_lit(tab->icicle, &app->view, row);
	icicle_plot_draw(c, area, &plot, 0);
	return icicle_plot_lines(&plot, area);
}

/* Returns the lines it has in all. */
static int draw_own_preview(struct app *app, struct canvas *c, struct rect area,
			    const struct row *row)
{
	const struct screen *screen = app_tab(app)->screen;
	struct detail_state untouched = { 0 };

	if (tab_has_icicle(app_tab(app)))
		return draw_icicle_preview(app, c, area, row);
	if (screen->settle)
		screen->settle(&untouched, area, &app->view, row);
	if (screen->explore)
		return screen->explore(c, area, 0, &app->view, row, &untouched);
	return screen->detail(c, area, 0, &app->view, row);
}

/* At the right end of a line, that `lines` have no room below it. */
static void draw_more(struct canvas *c, int y, int lines)
{
	char text[64];
	int width;

	if (lines <= 0)
		return;
	snprintf(text, sizeof(text),
		 ngettext(" ▾ %d more line ", " ▾ %d more lines ", (unsigned long)lines), lines);
	width = utf8_width(text);
	if (width < c->width / 2)
		canvas_text(c, c->width - width - 1, y, width, STYLE_DIM, text);
}

static void draw_rule(const struct app *app, struct canvas *c, int y, const struct row *row)
{
	char title[64];
	int x;

	canvas_fill(c, 0, y, -1, STYLE_DIM, "─");
	tab_title(app_tab(app), title, sizeof(title), row);
	canvas_text(c, 1, y, 1, STYLE_DIM, " ");
	x = 2 + canvas_text(c, 2, y, c->width / 2, STYLE_BOLD, title);
	canvas_text(c, x, y, 1, STYLE_DIM, " ");
}

/*
 * Of the table, as many as there were rows since the height is this: what is below stands still,
 * until half of them are gone. On a tall terminal it leaves a part to what is below, on another one
 * what it does not need.
 */
static int table_lines(struct tab *tab, const struct view *v, int height, bool tall)
{
	int most = tall ? height - height * 2 / 5 - 1 : height;

	if (tab->lines_of != height || 2 * (int)v->n <= tab->lines)
		tab->lines = 0;
	tab->lines_of = height;
	tab->lines = MAX(tab->lines, MIN((int)v->n, most));
	return tab->lines;
}

int preview_draw(struct app *app, struct canvas *c, struct rect area)
{
	const struct screen *screen = app_tab(app)->screen;
	const struct row *row = app_row(app);
	int used = MIN((int)app->view.n, area.height / 3) + 1, lines;

	if (!row)
		return 0;
	if (screen->preview && area.height >= HEIGHT_PREVIEW) {
		area.y += used;
		area.height -= used;
		lines = screen->preview(c, area, 0, &app->view, row);
		/* Its last line may be as long as the page is wide: the marker takes its place. */
		if (lines > area.height) {
			canvas_fill(c, 0, area.y + area.height - 1, -1, STYLE_NORMAL, " ");
			draw_more(c, area.y + area.height - 1, lines - area.height + 1);
		}
		return area.height;
	}
	if (app->unpreviewed || screen->preview || (!screen->detail && !screen->explore))
		return 0;
	used = table_lines(app_tab(app), &app->view, area.height, c->height >= PAGE_PREVIEW);
	if (area.height - used < HEIGHT_PREVIEW && c->height < PAGE_PREVIEW)
		return 0;
	area.y += used;
	area.height -= used;
	draw_rule(app, c, area.y, row);
	lines = draw_own_preview(app, c,
				 (struct rect){ .y = area.y + 1,
						.width = c->width,
						.height = area.height - 1 },
				 row);
	draw_more(c, area.y, lines - (area.height - 1));
	return area.height;
}
