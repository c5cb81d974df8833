// SPDX-License-Identifier: GPL-2.0-or-later
#include "tui/action_names.h"

#include <stddef.h>

#include "tui/actions.h"

const struct action_name action_names[] = {
	{ "open", act_open }, { "edit-filter", act_filter }, { "go-to", act_jump },
	{ "idle", act_only }, { "processes", act_processes }, { "sums", act_sum },
	{ "next-group", act_group }, { "tree", act_tree }, { "choose-columns", act_columns },
	{ "freeze", act_freeze }, { "ionice", act_ionice }, { "kill", act_kill },
	{ "clear-filter", act_clear_filter }, { "preview", act_preview },
	{ "edit-search", act_search }, { "search-next", act_search_next },
	{ "search-previous", act_search_previous }, { "find", act_find },
	{ "find-in-help", act_help_find },
	{ "sort-left", act_sort_left }, { "sort-right", act_sort_right },
	{ "reverse", act_reverse }, { "mark", act_mark }, { "unmark", act_unmark },
	{ "filter-marked", act_filter_marked }, { "copy", act_copy },
	{ "edit-filter-of-all", act_everywhere },
	{ "column-by-number", act_digit }, { "averages", act_mean },
	{ "command", act_command }, { "hide-ended", act_hide_ended },
	{ "mark-ended", act_mark_ended }, { "unfold", act_unfold }, { "fold", act_fold },
	{ "history", act_graph }, { "other-view", act_alternative },
	{ "submitter", act_submitter }, { "back", act_back }, { "zoom", act_icicle_zoom },
	{ "zoom-out", act_icicle_back }, { "find-frame", act_icicle_find },
	{ "width", act_icicle_weight }, { "order", act_icicle_order },
	{ "icicle-up", act_icicle_up }, { "icicle-down", act_icicle_down },
	{ "icicle-left", act_icicle_left }, { "icicle-right", act_icicle_right },
	{ "row-before", act_row_before }, { "row-after", act_row_after },
	{ "choose", act_choose }, { "choose-earlier", act_choose_earlier },
	{ "choose-later", act_choose_later }, { "choose-default", act_choose_default },
	{ "help", act_help }, { "quit", act_quit }, { "why", act_why },
	{ "next-tab", act_next_tab }, { "previous-tab", act_previous_tab },
	{ "tab-by-number", act_tab }, { "up", act_up }, { "down", act_down },
	{ "half-up", act_half_up }, { "half-down", act_half_down },
	{ "page-up", act_page_up }, { "page-down", act_page_down }, { "home", act_home },
	{ "end", act_end }, { "interval-back", act_interval_back },
	{ "interval-forward", act_interval_forward }, { "minute-back", act_minute_back },
	{ "minute-forward", act_minute_forward }, { "ask-time", act_time },
	{ "range-begin", act_range_begin }, { "range-end", act_range_end },
	{ "compare", act_compare }, { "now", act_now }, { "slower", act_slower },
	{ "faster", act_faster }, { "ask-delay", act_delay }, { "glyphs", act_glyphs },
	{ "clock", act_clock }, { "mouse", act_mouse },
	{ "next-theme", act_theme }, { "save", act_save },
	{ "delay-accounting", act_delayacct }, { "redraw", act_redraw },
	{ "suspend", act_suspend }, { "kernel-stacks", act_kernel_stacks },
	{ "user-stacks", act_user_stacks }, { "all-waits", act_every_block },
	{ "calls", act_calls }, { "dirty", act_dirty }, { "command-line", act_command_line },
	{ NULL, NULL },
};

const char *action_name(const struct binding *b)
{
	for (const struct action_name *a = action_names; a->name; a++)
		if (a->run == b->run)
			return a->name;
	return b->action;
}
