/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What keys and clicks do. Actions know the state of the app, not which key called them. */
#ifndef IOTOP_TUI_ACTIONS_H
#define IOTOP_TUI_ACTIONS_H

#include "tui/state.h"

/*
 * Every action: the function act_…(), and what it is called on the command line (key :) and in
 * settings, which does not change. SHARED: screens bind it as well (tui/binding.h). What moves is
 * in navigate.c and travel.c, what switches something at once in actions.c, what changes columns,
 * order and groups in columns.c, what asks for a line of input in prompts.c, the rest in files
 * called so.
 */
/* clang-format off */
#define ACTION_LIST(OWN, SHARED) \
	SHARED(open, "open") OWN(filter, "edit-filter") OWN(jump, "go-to") OWN(only, "idle") \
	OWN(processes, "processes") OWN(sum, "sums") OWN(group, "next-group") OWN(tree, "tree") \
	OWN(columns, "choose-columns") OWN(freeze, "freeze") OWN(ionice, "ionice") \
	OWN(kill, "kill") OWN(clear_filter, "clear-filter") OWN(preview, "preview") \
	OWN(search, "edit-search") OWN(search_next, "search-next") \
	OWN(search_previous, "search-previous") OWN(find, "find") \
	OWN(help_find, "find-in-help") OWN(sort_left, "sort-left") \
	OWN(sort_right, "sort-right") OWN(reverse, "reverse") OWN(mark, "mark") \
	OWN(unmark, "unmark") OWN(filter_marked, "filter-marked") OWN(copy, "copy") \
	OWN(everywhere, "edit-filter-of-all") OWN(digit, "column-by-number") \
	OWN(mean, "averages") OWN(command, "command") OWN(hide_ended, "hide-ended") \
	OWN(mark_ended, "mark-ended") OWN(unfold, "unfold") OWN(fold, "fold") \
	OWN(graph, "history") SHARED(alternative, "other-view") OWN(submitter, "submitter") \
	OWN(back, "back") OWN(icicle_zoom, "zoom") OWN(icicle_back, "zoom-out") \
	OWN(icicle_find, "find-frame") OWN(icicle_weight, "width") OWN(icicle_order, "order") \
	OWN(icicle_up, "icicle-up") OWN(icicle_down, "icicle-down") \
	OWN(icicle_left, "icicle-left") OWN(icicle_right, "icicle-right") \
	OWN(row_before, "row-before") OWN(row_after, "row-after") OWN(choose, "choose") \
	OWN(choose_earlier, "choose-earlier") OWN(choose_later, "choose-later") \
	OWN(choose_default, "choose-default") OWN(help, "help") OWN(quit, "quit") \
	OWN(why, "why") OWN(next_tab, "next-tab") OWN(previous_tab, "previous-tab") \
	OWN(tab, "tab-by-number") OWN(up, "up") OWN(down, "down") OWN(half_up, "half-up") \
	OWN(half_down, "half-down") OWN(page_up, "page-up") OWN(page_down, "page-down") \
	OWN(home, "home") OWN(end, "end") OWN(interval_back, "interval-back") \
	OWN(interval_forward, "interval-forward") OWN(minute_back, "minute-back") \
	OWN(minute_forward, "minute-forward") OWN(time, "ask-time") \
	OWN(range_begin, "range-begin") OWN(range_end, "range-end") OWN(compare, "compare") \
	OWN(now, "now") OWN(slower, "slower") OWN(faster, "faster") OWN(delay, "ask-delay") \
	OWN(glyphs, "glyphs") OWN(clock, "clock") OWN(mouse, "mouse") OWN(theme, "next-theme") \
	OWN(save, "save") OWN(delayacct, "delay-accounting") OWN(redraw, "redraw") \
	OWN(suspend, "suspend") SHARED(kernel_stacks, "kernel-stacks") \
	SHARED(user_stacks, "user-stacks") SHARED(every_block, "all-waits") \
	SHARED(calls, "calls") OWN(dirty, "dirty") OWN(command_line, "command-line")
/* clang-format on */
#define ACTION_DECLARE(action, name) void act_##action(struct app *app);
#define ACTION_DECLARED(action, name)
ACTION_LIST(ACTION_DECLARE, ACTION_DECLARED)

/* Down by so many lines, up where negative: of what is on the screen. */
void nav_move(struct app *app, long lines);
/* The way that led here is forgotten. */
void nav_to_tab(struct app *app, unsigned index);
/*
 * To a tab from which back leads here. title: what leads there, "": nothing to be named. Before the
 * tab is changed for it: back undoes that.
 */
void nav_lead(struct app *app, unsigned index, const char *title);
void theme_set(struct app *app, enum theme theme);
/* By a text, what act_delay() and act_time() ask for; false and a sentence: it is none. */
bool delay_set(struct app *app, const char *text, struct err *err);
bool travel_to(struct app *app, const char *text, struct err *err);
/* Rows that are marked and there; where none is marked, the one in detail or under the cursor. */
size_t marks_rows(struct app *app, const struct row *rows[TAB_MARKS]);
/*
 * A test of the filter language: the column of this key is as in the row. False: it has no such
 * value, or there is no room.
 */
bool row_test(const struct app *app, const struct row *row, const char *key, char *out,
	      size_t size);
/* The column of what the members of a group have in common; NULL: the group has a name. */
const char *group_test_key(enum group_by group);

#endif
