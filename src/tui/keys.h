/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tables of keys: dispatch, help, key bar, --list-keys and the manual read them. */
#ifndef IOTOP_TUI_KEYS_H
#define IOTOP_TUI_KEYS_H

#include "base/buf.h"
#include "tui/binding.h"

struct binding_group {
	const char *name;	/* stable, for --list-keys */
	const char *title;	/* N_() heading in the help */
	const struct binding *keys;
};

/*
 * Where keys apply: everywhere, tables, details, the icicle, the tree of wakers, the column
 * chooser, the help. Ends with name NULL.
 */
extern const struct binding_group app_bindings[];

enum binding_place {
	BIND_TABLE,
	BIND_DETAIL,
	BIND_ICICLE,
	BIND_CHAIN,
	BIND_CHOOSER,
	BIND_HELP,
	BIND_GENERAL,
	BIND_COUNT,
};

/* Where on a page its keys apply; page: enum page. */
enum binding_place keys_place(unsigned page);

#define KEYS_IN_FORCE 4	/* tables: of the screen, of its detail, of the page, general */

/*
 * The entry for key in a table (NULL: no table), with other names of the same key resolved; NULL:
 * none.
 */
const struct binding *binding_find(const struct binding *keys, int key);
/*
 * The tables that apply to what is on the screen, in the order of the key bar; the first that has
 * a key gives it its meaning. NULL: no such table. The last is the one of general keys.
 */
void keys_in_force(const struct app *app, const struct binding *tables[KEYS_IN_FORCE]);
/* What the key does now: by the settings, else the first of the tables that has it. */
const struct binding *keys_find(const struct app *app, int key);
/* As the key that does it is written; NULL: none does. */
const char *keys_name(const struct app *app, const struct binding *b);
/* That key. */
int keys_key(const struct app *app, const struct binding *b);
/* Of those the one whose action has this name; NULL: none here. */
const struct binding *keys_action(const struct app *app, const char *name);
/* --list-keys: a key a line, tab, what it does, tab, where (a group or a screen). */
void keys_list(struct buf *out);

#endif
