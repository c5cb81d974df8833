/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What an app remembers, and what its parts offer each other. For the files of the app only:
 * screens see screen.h.
 */
#ifndef IOTOP_TUI_STATE_H
#define IOTOP_TUI_STATE_H

#include "tui/app.h"
#include "tui/binding.h"
#include "tui/draw/bars.h"
#include "tui/draw/table.h"
#include "tui/icicle.h"
#include "tui/keys.h"
#include "tui/prompt.h"
#include "tui/screen.h"

enum page {
	PAGE_TABLE,
	PAGE_DETAIL,
	PAGE_ICICLE,
	PAGE_HELP,
	PAGE_COLUMNS,
};

#define PAGES (PAGE_COLUMNS + 1)

/* Bindings of a page, apart from those of its screen and the general ones; NULL: none. */
const struct binding *bindings_of_page(enum page page);

/* A row of the tree that was folded or unfolded by key. */
struct fold_key {
	uint64_t key;
	bool folded;
};

/* One per screen, for as long as the app lives. */
struct tab {
	const struct screen *home;	/* of the registry */
	const struct screen *screen;	/* what is shown: home, or what stands in its place when
					 * grouped */
	struct view_spec spec;
	struct filter *filter;	/* owned; NULL: none */
	struct filter *selection;	/* owned: of --pid and --user; NULL: none */
	struct filter *(*make_selection)(const void *arg, const struct entity *e);
	const void *selection_arg;	/* both as in struct app_options */
	uint64_t cursor;	/* key of the row under the cursor, when pinned */
	bool pinned;		/* the cursor was moved: it stays on its row; else it stays on
				 * the first line */
	size_t index, top;	/* of the view: row under the cursor, first row shown */
	bool alternative;	/* the screen's other view is on */
	bool over;		/* the other view was opened from a detail; back leads there */
	struct icicle *icicle;	/* the other view of rows that have a path; owned, NULL: not
				 * opened yet */
	bool detail;		/* open, of the row detail_key */
	uint64_t detail_key;
	char detail_name[64];	/* as the row was called when it was last seen */
	int detail_top;
	struct detail_state detail_state;
	struct hash folded;	/* of struct fold_key, owned */
};

struct app {
	struct tab *tabs;
	unsigned ntabs, current;
	bool help, chooser;	/* open, above whatever the tab shows */
	int help_top;
	unsigned choice;	/* line of the chooser */
	int key;		/* that is being handled, as it was pressed */

	const struct model *model;	/* borrowed; NULL before the first tick */
	struct view view;	/* of the current tab */
	struct view_spec spec;	/* of view: the tab's, without a tree where rows are groups */
	bool stale;		/* the view no longer fits model or spec */

	enum glyphs best_glyphs, glyphs;	/* what can be shown; what is chosen */
	struct unit_style units;
	struct table_options table;
	bool secure, recording, frozen, clock, mouse;
	enum attribute attribute;
	bool every_block;	/* off-CPU: not only what concerns I/O */
	enum which_stacks stacks;
	double delay;

	struct prompt prompt;
	char filter_before[PROMPT_MAX];	/* what Esc in the filter's prompt puts back */
	struct app_target target;	/* the task that the prompt is about */
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
		struct table_layout layout;
	} shown;
};

static inline struct tab *app_tab(const struct app *app)
{
	return &app->tabs[app->current];
}

/* Whether the key is off: it changes the system, with --secure or in a recording. */
static inline bool app_is_off(const struct app *app, const struct binding *b)
{
	return b->changes_system && (app->secure || app->recording);
}

/* What is on the screen now. */
enum page app_page(const struct app *app);
/* Brings the view up to date and the cursor back to its row. */
void app_refresh(struct app *app);
/* The row whose detail is open, NULL when it is gone. */
const struct row *app_detail_row(struct app *app);
/* The row under the cursor, NULL when there is none. */
const struct row *app_row(struct app *app);
/* Has app_perform() call run(), which may use app->system. */
void app_request(struct app *app, void (*run)(struct app *app));
/* Shows what came of it: `done`, or with r < 0 the sentence in err. */
void app_report(struct app *app, int r, const struct err *err, const char *done);
/* Text becomes the tab's filter ("": none). Returns 0, or -EINVAL with sentence and place. */
int app_set_filter(struct tab *tab, const char *text, size_t *ret_place, struct err *err);
void app_set_group(struct app *app, struct tab *tab, enum group_by group);
bool tab_can_group(const struct tab *tab, enum group_by group);
/* Replaces the column comm by command, unless command is shown already. */
void tab_full_command(struct tab *tab);
/* Entity, columns and order of a screen. */
int tab_show(struct tab *tab, const struct screen *screen, struct err *err);

/* navigate.c: what moves. */
void nav_back(struct app *app);
/* The title of a detail: name, and pid (processes) or tid (threads). */
void nav_title(char *out, size_t size, const struct tab *tab, const struct row *row);
void nav_click(struct app *app, const struct mouse_event *event);

/* top_line.c, status.c: what stands in the lines around the page. */
struct tab_bar top_line(const struct app *app);
void status_draw(struct canvas *c, int y, const struct app *app);
struct key_bar status_keys(const struct app *app, int width);
/* help.c, chooser.c: what is drawn in place of the table. */
/* Returns the lines it has in all. */
int help_draw(struct canvas *c, struct rect area, const struct app *app);
void chooser_draw(struct canvas *c, struct rect area, const struct app *app);
/* The first line of the list in sight. */
unsigned chooser_top(const struct app *app, int height);

/* What a binding runs. */
void act_up(struct app *app);
void act_down(struct app *app);
void act_page_up(struct app *app);
void act_page_down(struct app *app);
void act_home(struct app *app);
void act_end(struct app *app);
void act_next_tab(struct app *app);
void act_previous_tab(struct app *app);
void act_tab(struct app *app);
void act_open(struct app *app);
void act_back(struct app *app);
void act_quit(struct app *app);
void act_help(struct app *app);
void act_columns(struct app *app);
void act_sort_left(struct app *app);
void act_sort_right(struct app *app);
void act_reverse(struct app *app);
void act_only(struct app *app);
void act_processes(struct app *app);
void act_group(struct app *app);
void act_sum(struct app *app);
void act_mean(struct app *app);
void act_command(struct app *app);
void act_mark_ended(struct app *app);
void act_hide_ended(struct app *app);
void act_tree(struct app *app);
void act_fold(struct app *app);
void act_unfold(struct app *app);
void act_freeze(struct app *app);
void act_graph(struct app *app);
void act_glyphs(struct app *app);
void act_clock(struct app *app);
void act_digit(struct app *app);
void act_mouse(struct app *app);
void act_save(struct app *app);
void act_delayacct(struct app *app);
void act_submitter(struct app *app);
void act_suspend(struct app *app);
void act_redraw(struct app *app);
void act_clear_filter(struct app *app);
/* prompts.c: those that need a line of input. */
void act_filter(struct app *app);
void act_find(struct app *app);
void act_ionice(struct app *app);
void act_kill(struct app *app);
void act_delay(struct app *app);
/* icicle_keys.c: in the icicle. */
void act_icicle_up(struct app *app);
void act_icicle_down(struct app *app);
void act_icicle_left(struct app *app);
void act_icicle_right(struct app *app);
void act_icicle_zoom(struct app *app);
void act_icicle_back(struct app *app);
void act_icicle_order(struct app *app);
void act_icicle_weight(struct app *app);
void act_icicle_find(struct app *app);
void flow_click(struct app *app, const struct mouse_event *event);
/* Is it what the tab shows? */
bool flow_is_open(const struct tab *tab);
void flow_open(struct tab *tab);
void flow_release(struct tab *tab);
/* chooser.c */
void act_choose(struct app *app);
void act_choose_earlier(struct app *app);
void act_choose_later(struct app *app);
void act_choose_default(struct app *app);

#endif
