/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What keys and clicks do. Actions know the state of the app, not which key called them. */
#ifndef IOTOP_TUI_ACTIONS_H
#define IOTOP_TUI_ACTIONS_H

#include "tui/state.h"

/* navigate.c: what moves. */
void act_up(struct app *app);
void act_down(struct app *app);
void act_page_up(struct app *app);
void act_page_down(struct app *app);
void act_half_up(struct app *app);
void act_half_down(struct app *app);
void act_home(struct app *app);
void act_row_before(struct app *app);
void act_row_after(struct app *app);
void act_end(struct app *app);
void act_next_tab(struct app *app);
void act_previous_tab(struct app *app);
void act_tab(struct app *app);
void act_why(struct app *app);
void act_interval_back(struct app *app);
void act_interval_forward(struct app *app);
void act_minute_back(struct app *app);
void act_minute_forward(struct app *app);
void act_time(struct app *app);
void act_range_begin(struct app *app);
void act_range_end(struct app *app);
void act_compare(struct app *app);
void act_now(struct app *app);
void act_slower(struct app *app);
void act_faster(struct app *app);
void act_back(struct app *app);
/* Down by so many lines, up where negative: of what is on the screen. */
void nav_move(struct app *app, long lines);
/* The way that led here is forgotten. */
void nav_to_tab(struct app *app, unsigned index);
/*
 * To a tab from which back leads here. title: what leads there, "": nothing to be named. Before the
 * tab is changed for it: back undoes that.
 */
void nav_lead(struct app *app, unsigned index, const char *title);
/* jump.c: to the same thing on another screen. */
void act_jump(struct app *app);
/* actions.c: what switches something at once. */
void act_quit(struct app *app);
void act_help(struct app *app);
void act_columns(struct app *app);
void act_only(struct app *app);
void act_preview(struct app *app);
void act_sum(struct app *app);
void act_mean(struct app *app);
void act_mark_ended(struct app *app);
void act_hide_ended(struct app *app);
void act_tree(struct app *app);
void act_fold(struct app *app);
void act_unfold(struct app *app);
void act_freeze(struct app *app);
void act_graph(struct app *app);
void act_glyphs(struct app *app);
void act_clock(struct app *app);
void act_mouse(struct app *app);
void act_theme(struct app *app);
void theme_set(struct app *app, enum theme theme);
void act_save(struct app *app);
void act_delayacct(struct app *app);
void act_submitter(struct app *app);
void act_suspend(struct app *app);
void act_redraw(struct app *app);
void act_clear_filter(struct app *app);
/* columns.c: what changes the columns of a table, its order and its groups. */
void act_sort_left(struct app *app);
void act_sort_right(struct app *app);
void act_reverse(struct app *app);
void act_dirty(struct app *app);
void act_processes(struct app *app);
void act_group(struct app *app);
void act_command(struct app *app);
void act_digit(struct app *app);
/* prompts.c: what asks for a line of input first. */
void act_filter(struct app *app);
void act_find(struct app *app);
void act_help_find(struct app *app);
void act_ionice(struct app *app);
void act_kill(struct app *app);
void act_delay(struct app *app);
/* The same by a text; false and a sentence: it is none. */
bool delay_set(struct app *app, const char *text, struct err *err);
bool travel_to(struct app *app, const char *text, struct err *err);
/* marks.c: rows that are marked. */
void act_mark(struct app *app);
void act_unmark(struct app *app);
void act_filter_marked(struct app *app);
/* Those that are there; where none is marked, the one in detail or under the cursor. */
size_t marks_rows(struct app *app, const struct row *rows[TAB_MARKS]);
/* jump.c: a test of the filter language that this row passes. False: there is none. */
bool row_test(const struct app *app, const struct row *row, char *out, size_t size);
/* copy.c, everywhere.c */
void act_copy(struct app *app);
void act_everywhere(struct app *app);
/* commands.c */
void act_command_line(struct app *app);
/* search.c */
void act_search(struct app *app);
void act_search_next(struct app *app);
void act_search_previous(struct app *app);
/* icicle_keys.c */
void act_icicle_up(struct app *app);
void act_icicle_down(struct app *app);
void act_icicle_left(struct app *app);
void act_icicle_right(struct app *app);
void act_icicle_zoom(struct app *app);
void act_icicle_back(struct app *app);
void act_icicle_order(struct app *app);
void act_icicle_weight(struct app *app);
void act_icicle_find(struct app *app);
/* chooser.c: in the list of columns. */
void act_choose(struct app *app);
void act_choose_earlier(struct app *app);
void act_choose_later(struct app *app);
void act_choose_default(struct app *app);

#endif
