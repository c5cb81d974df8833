/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keys that mean something else than the tables of keys say: by settings (key.k=none), as in vi. */
#ifndef IOTOP_TUI_KEY_MAP_H
#define IOTOP_TUI_KEY_MAP_H

#include "base/buf.h"
#include "base/err.h"

#define KEY_MAP_MOST 64
#define KEY_NAME 16
#define KEY_ACTION 32

struct key_map {
	unsigned vi;	/* 1: h j k l g G move */
	unsigned n;
	struct key_change {
		int key;
		char name[KEY_NAME];		/* as it was written */
		char action[KEY_ACTION];	/* "none": it does nothing */
	} changes[KEY_MAP_MOST];
};

extern const char *const key_map_names[2];	/* of --keys */

/*
 * name: a character, "^D", "F5", "Space", "Enter", "Tab", "Home" and so on. A later change of the
 * same key counts. -EINVAL and a sentence: there is no such key or action.
 */
int key_map_add(struct key_map *map, const char *name, const char *action, struct err *err);
/* NULL: the key means what it always does. */
const struct key_change *key_map_find(const struct key_map *map, int key);
/* The key that does this action by a change; NULL: none does. */
const struct key_change *key_map_action(const struct key_map *map, const char *action);
/* What the key is in vi's map; the same where that does not change it. */
int key_map_vi(const struct key_map *map, int key);
/* The changes as lines of the settings. */
void key_map_write(const struct key_map *map, struct buf *out);

#endif
