// SPDX-License-Identifier: GPL-2.0-or-later
#include "tui/keys.h"

#include <string.h>

#include "base/i18n.h"
#include "tui/action_names.h"
#include "tui/actions.h"

#define CTRL(c) ((c) & 0x1f)

/* Of several tables. */
#define BACK \
	{ KEY_BACK_, "Backspace Esc", N_("back"), N_("back to where one came from"), act_back }
#define FREEZE { 's', "s", N_("freeze"), N_("freeze, resume"), act_freeze }
#define GO_TO \
	{ 'J', "J", N_("go to"), \
	  N_("the same on another screen: its disks, stacks, waits, layers, files; Backspace " \
	     "leads back"), \
	  act_jump }
#define SUBMITTER \
	{ 'S', "S", NULL, N_("charge I/O to who submitted it, or to who caused it"), act_submitter }

/* In the order of the key bar, which shows those with a label until it is full. */
static const struct binding table_keys[] = {
	{ '\r', "Enter", N_("detail"), N_("open what is under the cursor"), act_open },
	{ '/', "/", N_("filter"),
	  N_("show only rows that match: a word, or tests such as write > 1M and user = root"),
	  act_filter },
	GO_TO,
	{ 'o', "o", N_("idle"), N_("show or hide the rows that did no I/O lately"), act_only,
	  .of_counters = true },
	{ 'p', "p", N_("processes"), N_("processes or threads"), act_processes },
	{ 'a', "a", N_("sum"), N_("sums since the start, or rates"), act_sum,
	  .of_counters = true },
	{ 'G', "G", N_("group"), N_("next grouping: thread, process, control group, name, user"),
	  act_group },
	{ 't', "t", N_("tree"), N_("the tree of rows on or off; of disks also upside down"),
	  act_tree, .of_tree = true },
	{ 'C', "C", N_("columns"), N_("choose and order the columns"), act_columns },
	FREEZE,
	{ 'i', "i", N_("ionice"), N_("set the I/O priority of the task under the cursor"),
	  act_ionice, .changes_system = true, .of_task = true },
	{ 'k', "k", N_("kill"), N_("send a signal to the task under the cursor"), act_kill,
	  .changes_system = true, .of_task = true },
	{ ' ', "Space", N_("mark"), N_("mark the row: i, k, y and = are about all that are marked"),
	  act_mark },
	{ 'm', "m", NULL, N_("drop all marks"), act_unmark },
	{ '=', "=", NULL, N_("show only the marked rows"), act_filter_marked },
	{ '&', "&", NULL, N_("filter all screens that have what it is about"), act_everywhere },
	{ 'y', "y", NULL,
	  N_("copy the row or its stack, or all that are marked, to the terminal's clipboard"),
	  act_copy },
	{ '\\', "\\", NULL, N_("drop the filter"), act_clear_filter },
	{ 'z', "z", NULL, N_("the row under the cursor on the whole screen, as Enter"), act_open },
	{ 'Z', "Z", NULL, N_("show the row under the cursor in full below the table, or not"),
	  act_preview },
	{ '*', "*", NULL, N_("search: the cursor goes to a row that matches, and none is hidden"),
	  act_search },
	{ 'n', "n", NULL, N_("to the next row that matches the search"), act_search_next },
	{ 'N', "N", NULL, N_("to the one before"), act_search_previous },
	{ 'f', "f", NULL, N_("show only a user or a process id"), act_find },
	{ KEY_LEFT_, "Left", NULL, N_("sort by the column to the left"), act_sort_left },
	{ KEY_RIGHT_, "Right", NULL, N_("sort by the column to the right"), act_sort_right },
	{ 'r', "r", NULL, N_("reverse the order"), act_reverse },
	{ 'w', "w", NULL,
	  N_("tasks and files: who holds the dirty pages, by their bytes; or the usual order"),
	  act_dirty },
	{ '0', "1…9 0", NULL,
	  N_("a column of the screen on or off, counted from the left; 0 is the tenth"),
	  act_digit },
	{ 'A', "A", NULL, N_("averages since the start, or rates"), act_mean,
	  .of_counters = true },
	{ 'c', "c", NULL, N_("command line or name of the task"), act_command },
	{ 'e', "e", NULL, N_("hide or show ended tasks"), act_hide_ended },
	{ 'x', "x", NULL, N_("mark ended tasks with an x"), act_mark_ended },
	{ '+', "+", NULL, N_("unfold the row under the cursor"), act_unfold },
	{ '-', "-", NULL, N_("fold the row under the cursor"), act_fold },
	{ 'g', "g", NULL, N_("what the history shows: both, reads, writes"), act_graph },
	{ 'v', "v", NULL, N_("the other view of this screen, where it has one"), act_alternative },
	SUBMITTER,
	{ 0 },
};

static const struct binding detail_keys[] = {
	BACK,
	GO_TO,
	{ 'z', "z", NULL, N_("back to the table"), act_back },
	{ 'y', "y", NULL, N_("copy the row or its stack to the terminal's clipboard"), act_copy },
	FREEZE,
	{ 'i', "i", N_("ionice"), N_("set the I/O priority of this task"), act_ionice,
	  .changes_system = true, .of_task = true },
	{ 'k', "k", N_("kill"), N_("send a signal to this task"), act_kill,
	  .changes_system = true, .of_task = true },
	{ 0 },
};

static const struct binding icicle_keys[] = {
	{ '\r', "Enter", N_("zoom"), N_("make the frame under the cursor the top"),
	  act_icicle_zoom },
	{ KEY_BACK_, "Backspace Esc", N_("back"), N_("out again by one, then to the table"),
	  act_icicle_back },
	{ '/', "/", N_("find"), N_("highlight frames by name, and say how much goes through them"),
	  act_icicle_find },
	{ 'w', "w", N_("width"), N_("what the width is: bytes, I/Os, latency"), act_icicle_weight },
	{ 'n', "n", N_("order"),
	  N_("which end is on top: the disk, the innermost frame, the process"), act_icicle_order },
	{ 'v', "v", N_("table"), N_("the table of paths"), act_alternative },
	{ 'o', "o", NULL, N_("show or hide the rows that did no I/O lately"), act_only },
	{ 'p', "p", NULL, N_("processes or names"), act_processes },
	{ 'a', "a", N_("sum"), N_("sums since the start, or the interval"), act_sum },
	SUBMITTER,
	FREEZE,
	{ KEY_UP_, "Up", NULL, N_("to the caller"), act_icicle_up },
	{ KEY_DOWN_, "Down", NULL, N_("to what takes the most below"), act_icicle_down },
	{ KEY_LEFT_, "Left", NULL, N_("to what is beside it"), act_icicle_left },
	{ KEY_RIGHT_, "Right", NULL, N_("to what is beside it"), act_icicle_right },
	{ 0 },
};

static const struct binding chain_keys[] = {
	BACK,
	{ '\r', "Enter", N_("detail"), N_("open what is under the cursor"), act_open },
	GO_TO,
	{ 'v', "v", N_("table"), N_("the table of waits"), act_alternative },
	{ KEY_LEFT_, "Left", NULL, N_("the wakers of the row before it in the table"),
	  act_row_before },
	{ KEY_RIGHT_, "Right", NULL, N_("those of the row after it"), act_row_after },
	FREEZE,
	{ 0 },
};

static const struct binding chooser_keys[] = {
	BACK,
	{ '\r', "Enter Space", N_("on or off"), N_("show or hide the column"), act_choose },
	{ KEY_LEFT_, "Left", N_("earlier"), N_("move the column to the left"), act_choose_earlier },
	{ KEY_RIGHT_, "Right", N_("later"), N_("move the column to the right"), act_choose_later },
	{ 'd', "d", N_("default"), N_("the screen's own columns"), act_choose_default },
	{ 0 },
};

static const struct binding help_keys[] = {
	BACK,
	{ '/', "/", N_("find"), N_("show only what has this in it"), act_help_find },
	{ 0 },
};

static const struct binding general_keys[] = {
	{ '?', "? h", N_("help"), N_("this help: keys, columns, sources"), act_help },
	{ 'q', "q", N_("quit"), N_("quit"), act_quit },
	{ ':', ":", N_("command"),
	  N_("a command: every action by its name, and sort, disk, at, write …"),
	  act_command_line },
	{ '!', "!", N_("why"), N_("what is wrong, or back"), act_why },
	{ '\t', "Tab", NULL, N_("next tab"), act_next_tab },
	{ KEY_BTAB_, "Shift-Tab", NULL, N_("previous tab"), act_previous_tab },
	{ KEY_F1_, "F1…F10", NULL, N_("a tab by its number"), act_tab },
	{ KEY_UP_, "Up", NULL, N_("a line up"), act_up },
	{ KEY_DOWN_, "Down", NULL, N_("a line down"), act_down },
	{ KEY_PGUP_, "PgUp", NULL, N_("a page up"), act_page_up },
	{ KEY_PGDN_, "PgDn", NULL, N_("a page down"), act_page_down },
	{ CTRL('u'), "^U", NULL, N_("half a page up"), act_half_up },
	{ CTRL('d'), "^D", NULL, N_("half a page down"), act_half_down },
	{ KEY_HOME_, "Home", NULL, N_("to the first line, and stay there"), act_home },
	{ KEY_END_, "End", NULL, N_("to the last line"), act_end },
	{ KEY_BACK_, "Backspace Esc", NULL, N_("back to where one came from"), act_back },
	{ '<', "<", NULL, N_("an interval back in time"), act_interval_back },
	{ '>', ">", NULL, N_("an interval forward"), act_interval_forward },
	{ '{', "{", NULL, N_("a minute back"), act_minute_back },
	{ '}', "}", NULL, N_("a minute forward"), act_minute_forward },
	{ '@', "@", NULL, N_("to a time: 03:12, -15m, yesterday 14:00"), act_time },
	{ '[', "[", NULL, N_("a range of time begins at what is shown"), act_range_begin },
	{ ']', "]", NULL, N_("it ends here: averages over it, with a its sums"), act_range_end },
	{ 'D', "D", NULL,
	  N_("compare it with the range shown before it, or with the time before it; or no more"),
	  act_compare },
	{ 'L', "L", NULL, N_("back to now"), act_now },
	{ '(', "(", NULL, N_("play a recording half as fast"), act_slower },
	{ ')', ")", NULL, N_("play it twice as fast"), act_faster },
	{ 'd', "d", NULL, N_("change the interval"), act_delay },
	{ 'u', "u", NULL, N_("graphs in ASCII, blocks or braille"), act_glyphs },
	{ 'T', "T", NULL, N_("the clock on or off"), act_clock },
	{ 'B', "B", NULL,
	  N_("the next theme: dark, light, safe for the colour-blind, mono, as the terminal is"),
	  act_theme },
	{ 'M', "M", NULL, N_("the mouse on or off; off, the terminal's own selection works"),
	  act_mouse },
	{ 'W', "W", NULL, N_("save the settings"), act_save },
	{ CTRL('t'), "^T", NULL, N_("delay accounting (kernel.task_delayacct) on or off"),
	  act_delayacct, .changes_system = true },
	{ CTRL('l'), "^L", NULL, N_("draw everything anew"), act_redraw },
	{ CTRL('z'), "^Z", NULL, N_("suspend"), act_suspend },
	{ 0 },
};

const struct binding_group app_bindings[] = {
	[BIND_TABLE] = { "table", N_("In a table"), table_keys },
	[BIND_DETAIL] = { "detail", N_("In a detail"), detail_keys },
	[BIND_ICICLE] = { "icicle", N_("In the icicle of paths"), icicle_keys },
	[BIND_CHAIN] = { "wakers", N_("In the tree of wakers"), chain_keys },
	[BIND_CHOOSER] = { "columns", N_("In the list of columns"), chooser_keys },
	[BIND_HELP] = { "help", N_("In the help"), help_keys },
	[BIND_GENERAL] = { "general", N_("Everywhere"), general_keys },
	[BIND_COUNT] = { 0 },
};

/* The binding under which a second name of a key is listed: h is ?, 2 is 0, F2 is F1. */
static int other_name(int key)
{
	if (key >= '1' && key <= '9')
		return '0';
	if (key > KEY_F1_ && key <= KEY_F10_)
		return KEY_F1_;
	switch (key) {
	case 'h':
		return '?';
	case 0x1b:
		return KEY_BACK_;
	default:
		return KEY_NONE_;
	}
}

enum binding_place keys_place(unsigned page)
{
	static const enum binding_place places[] = {
		[PAGE_TABLE] = BIND_TABLE,
		[PAGE_DETAIL] = BIND_DETAIL,
		[PAGE_ICICLE] = BIND_ICICLE,
		[PAGE_CHAIN] = BIND_CHAIN,
		[PAGE_HELP] = BIND_HELP,
		[PAGE_COLUMNS] = BIND_CHOOSER,
	};

	return places[page];
}

void keys_in_force(const struct app *app, const struct binding *tables[KEYS_IN_FORCE])
{
	const struct tab *tab = app_tab(app);
	enum page page = app_page(app);
	bool moves = page == PAGE_DETAIL && !tab->detail_state.still;

	tables[0] = page == PAGE_TABLE || page == PAGE_DETAIL ? tab->screen->keys : NULL;
	tables[1] = moves ? tab->screen->detail_keys : NULL;
	tables[2] = app_bindings[keys_place(page)].keys;
	/* Their keys leave the other view, its own ones come first. */
	if (page == PAGE_ICICLE || page == PAGE_CHAIN) {
		tables[0] = tables[2];
		tables[2] = tab->screen->keys;
	}
	tables[3] = general_keys;
}

static const struct binding *find_exactly(const struct binding *keys, int key)
{
	for (; keys && keys->key; keys++)
		if (keys->key == key)
			return keys;
	return NULL;
}

const struct binding *binding_find(const struct binding *keys, int key)
{
	const struct binding *b = find_exactly(keys, key);

	if (!b && key == ' ')
		b = keys == chooser_keys ? find_exactly(keys, '\r') : NULL;
	return b ? b : find_exactly(keys, other_name(key));
}

static bool is_changed(const struct app *app, int key)
{
	return key_map_find(&app->keys, key) || key_map_vi(&app->keys, key) != key;
}

const struct binding *keys_find(const struct app *app, int key)
{
	const struct key_change *change = key_map_find(&app->keys, key);
	const struct binding *tables[KEYS_IN_FORCE], *b = NULL;

	if (change)
		return keys_action(app, change->action);
	key = key_map_vi(&app->keys, key);
	keys_in_force(app, tables);
	for (unsigned i = 0; i < KEYS_IN_FORCE && !b; i++)
		b = binding_find(tables[i], key);
	return b;
}

static const struct key_change *change_of(const struct app *app, const struct binding *b)
{
	const char *action = action_name(b);

	return action ? key_map_action(&app->keys, action) : NULL;
}

const char *keys_name(const struct app *app, const struct binding *b)
{
	const struct key_change *change = change_of(app, b);

	if (change)
		return change->name;
	return is_changed(app, b->key) ? NULL : b->name;
}

int keys_key(const struct app *app, const struct binding *b)
{
	const struct key_change *change = change_of(app, b);

	return change ? change->key : b->key;
}

const struct binding *keys_action(const struct app *app, const char *name)
{
	const struct binding *tables[KEYS_IN_FORCE];

	keys_in_force(app, tables);
	for (unsigned i = 0; i < KEYS_IN_FORCE; i++)
		for (const struct binding *b = tables[i]; b && b->key; b++)
			if (action_name(b) && !strcmp(action_name(b), name))
				return b;
	return NULL;
}

/* A line for each name of the key: "Backspace Esc", "F1…F10". */
static void list_group(struct buf *out, const char *place, const struct binding *keys)
{
	static const char ellipsis[] = "…";

	for (; keys && keys->key; keys++) {
		for (const char *name = keys->name; *name;) {
			size_t len = strcspn(name, " …");

			buf_putn(out, name, MAX(len, 1));
			buf_printf(out, "\t%s\t%s\n", _(keys->help), place);
			name += MAX(len, 1);
			if (!strncmp(name, ellipsis, sizeof(ellipsis) - 1))
				name += sizeof(ellipsis) - 1;
			else if (*name == ' ')
				name++;
		}
	}
}

void keys_list(struct buf *out)
{
	for (const struct binding_group *g = app_bindings; g->name; g++)
		list_group(out, g->name, g->keys);
	for (const struct screen *const *s = screens; *s; s++) {
		list_group(out, (*s)->name, (*s)->keys);
		list_group(out, (*s)->name, (*s)->detail_keys);
	}
}
