/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keys: their codes, and what binds one to a function. */
#ifndef IOTOP_TUI_BINDING_H
#define IOTOP_TUI_BINDING_H

#include <stdbool.h>

struct app;

/*
 * A key is declared once: it feeds dispatch, the help screen, the key bar, --list-keys and the
 * manual. A table of bindings ends with key 0. key: a character, or a value of enum key.
 */
struct binding {
	int key;
	const char *name;	/* as people write it: "Enter", "^T" */
	const char *label;	/* N_() one or two words for the key bar; NULL: not there */
	const char *help;	/* N_() one sentence */
	void (*run)(struct app *app);
	const char *action;	/* its name where only one screen has it; NULL: action_names.h */
	bool changes_system;	/* off with --secure */
	bool of_task;		/* does nothing where rows are no tasks */
	bool of_counters;	/* does nothing where rows count nothing */
	bool of_tree;		/* does nothing where rows are no tree */
	/* What the key bar says while the key would switch back; NULL: always `label`. */
	const char *label_back;	/* N_() */
	bool (*is_on)(const struct app *app);
};

enum key {
	KEY_NONE_ = 0x110000,	/* above every code point */
	KEY_UP_, KEY_DOWN_, KEY_LEFT_, KEY_RIGHT_, KEY_HOME_, KEY_END_, KEY_PGUP_, KEY_PGDN_,
	KEY_BACK_, KEY_BTAB_,
	KEY_F1_, KEY_F2_, KEY_F3_, KEY_F4_, KEY_F5_, KEY_F6_, KEY_F7_, KEY_F8_, KEY_F9_, KEY_F10_,
	KEY_RESIZE_, KEY_MOUSE_, KEY_DELETE_,
	KEY_PASTE_BEGIN_, KEY_PASTE_END_,	/* around what is pasted; nobody else sees these */
	KEY_PASTED = 0x1000000,	/* with a character: it was pasted, and is no key */
};

/* Actions that the bindings of screens share. */
/* Opens what is under the cursor. */
void act_open(struct app *app);
/* The alternative view of the screen: in place of its table, or of the row in detail. */
void act_alternative(struct app *app);
/* Rows with stacks: kernel stacks only, or both; user stacks only, or both. */
void act_kernel_stacks(struct app *app);
void act_user_stacks(struct app *app);
/* Off-CPU: all waits, or only those for I/O. */
void act_every_block(struct app *app);
bool app_shows_every_block(const struct app *app);
/* Events: calls as well, or requests only. */
void act_calls(struct app *app);

#endif
