/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts that a picture is put together from, and what a click on them means. */
#ifndef IOTOP_TUI_PAGE_H
#define IOTOP_TUI_PAGE_H

#include "tui/draw/bars.h"
#include "tui/state.h"

/* top_line.c, status.c: what stands in the lines around the page. */
struct tab_bar top_line(const struct app *app);
void status_draw(struct canvas *c, int y, const struct app *app);
struct key_bar status_keys(const struct app *app, int width);
/*
 * preview.c: what the row under the cursor says in full, below the table. Returns the lines it
 * took, from the end of the table's area.
 */
int preview_draw(struct app *app, struct canvas *c, struct rect area);
/* help.c, chooser.c: what is drawn in place of the table. */
/* Returns the lines it has in all. */
int help_draw(struct canvas *c, struct rect area, const struct app *app);
void chooser_draw(struct canvas *c, struct rect area, const struct app *app);
/* The first line of the list in sight. */
/* So wide are the longest heading and key of a column, with the blank behind them. */
void chooser_widths(const struct entity *e, int *ret_head, int *ret_key);
unsigned chooser_top(const struct app *app, int height);

/*
 * mouse.c: does what a click or the wheel means. Returns the key that was clicked in the key bar,
 * KEY_NONE_: none.
 */
int mouse_event(struct app *app, const struct mouse_event *event);

#endif
