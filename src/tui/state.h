/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an app remembers. For the files of the app only: screens see screen.h. */
#ifndef IOTOP_TUI_STATE_H
#define IOTOP_TUI_STATE_H

#include "tui/app.h"
#include "tui/binding.h"
#include "tui/draw/table.h"
#include "tui/draw/verdict.h"
#include "tui/history.h"
#include "tui/key_map.h"
#include "tui/prompt.h"
#include "tui/tab.h"
#include "tui/trail.h"

/* Lines of a terminal from which on a row is shown in full below its table. */
#define PAGE_PREVIEW 30

/* Which part of a list or a text is in sight. */
struct shown_list {
	size_t first, seen, total;	/* rows or lines; first counts from 0 */
};

enum page {
	PAGE_TABLE,
	PAGE_DETAIL,
	PAGE_ICICLE,
	PAGE_CHAIN,	/* the other view of a screen of its own, of the row under the cursor */
	PAGE_HELP,
	PAGE_COLUMNS,
};

struct app {
	struct tab *tabs;
	unsigned ntabs, current;
	struct trail trail;	/* back leads along it */
	bool help, chooser;	/* open, above whatever the tab shows */
	int help_top;
	char help_find[PROMPT_MAX];	/* the help shows what has this; "": all */
	unsigned choice;	/* line of the chooser */
	int key;		/* that is being handled, as it was pressed */

	const struct model *model;	/* borrowed; NULL before the first tick */
	struct view view;	/* of the current tab */
	struct view_spec spec;	/* of view: the tab's, without a tree where rows are groups */
	bool stale;		/* the view no longer fits model or spec */

	enum glyphs best_glyphs, glyphs;	/* what can be shown; what is chosen */
	struct unit_style units;
	struct table_options table;
	bool secure, frozen, clock, mouse;
	bool unpreviewed;	/* the row under the cursor is not shown in full below the table */
	enum attribute attribute;
	bool every_block;	/* off-CPU: not only what concerns I/O */
	enum which_stacks stacks;
	enum theme theme;	/* that was asked for */
	struct key_map keys;
	double delay;
	bool store;
	char *replay;		/* clean name of the file of the recording; NULL: live */
	int faster;		/* that is asked for: by so many powers of 2 */
	struct app_time time;
	struct {
		enum app_travel how;
		int64_t much;
	} travel;		/* that is asked for */

	struct prompt prompt;
	struct prompt_history filters, commands;	/* what was typed before */
	char everywhere[PROMPT_MAX];	/* filter of all screens; "": none */
	unsigned everywhere_serial;
	struct buf copied;	/* for the clipboard */
	char action[32];	/* by name, that the command line asks for; "": none */
	char file[PROMPT_MAX];	/* that is to be written */
	char filter_before[PROMPT_MAX];	/* what Esc puts back in the prompt of a filter or search */
	size_t search_from;	/* row of the view where the search began: Esc leads back */
	struct app_target targets[TAB_MARKS];	/* the tasks that the prompt is about */
	size_t ntargets;
	const struct app_system *system;
	void *system_arg;
	void (*request)(struct app *app);	/* for app_perform(); NULL: nothing is asked for */
	bool quit;
	char message[256];
	bool message_failed;

	/* Of the last canvas, for page keys and the mouse. */
	struct {
		int width, height;
		struct rect area;	/* of table or detail */
		int heading;		/* line, -1: none */
		int detail_lines;
		struct verdict_wide wide_verdict;
		struct shown_list list;
		struct table_layout layout;
	} shown;
};

static inline struct tab *app_tab(const struct app *app)
{
	return &app->tabs[app->current];
}

/* As the view was built: of a comparison it has more columns than the tab, and another order. */
static inline const struct view_spec *app_built(const struct app *app)
{
	return app->model ? &app->spec : &app_tab(app)->spec;
}

static inline enum span app_span(const struct app *app)
{
	return app->time.begin ? app_tab(app)->range_span : app_tab(app)->spec.span;
}

/* Whether the key is off: it changes the system, with --secure, in a recording or in the past. */
static inline bool app_is_off(const struct app *app, const struct binding *b)
{
	return b->changes_system && (app->secure || app->replay || app->time.on);
}

/* Whether it does nothing here: it is for rows that count something, or that are a tree. */
static inline bool app_is_idle(const struct app *app, const struct binding *b)
{
	const struct tab *tab = app_tab(app);

	return (b->of_counters && !tab->spec.entity->nsum) || (b->of_tree && !tab_has_tree(tab));
}

/* How many tabs the top line has; those behind them have none. */
unsigned app_tabs_shown(const struct app *app);
/* What is on the screen now. */
enum page app_page(const struct app *app);
/* What is below the help. */
enum page app_page_below(const struct app *app);
/* Brings the view up to date and the cursor back to its row. */
void app_refresh(struct app *app);
void app_set_everywhere(struct app *app, const char *text);
/* The row whose detail is open, NULL when it is gone. */
const struct row *app_detail_row(struct app *app);
/* The row under the cursor, NULL when there is none. */
const struct row *app_row(struct app *app);
/* Opens the line of input with a text in it. label: translated; accept: as in struct prompt. */
struct prompt *app_prompt(struct app *app, const char *label, const char *text,
			  bool (*accept)(struct app *, struct prompt *));
/* Does what the keys since the last call asked for: see struct prompt. */
void app_settle_prompt(struct app *app);
/* Has app_perform() call run(), which may use app->system. */
void app_request(struct app *app, void (*run)(struct app *app));
/* Shows what came of it: `done`, or with r < 0 the sentence in err. */
void app_report(struct app *app, int r, const struct err *err, const char *done);

#endif
