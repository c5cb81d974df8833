// SPDX-License-Identifier: GPL-2.0-or-later
#include "tui/key_map.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/i18n.h"
#include "base/utf8.h"
#include "tui/action_names.h"
#include "tui/screen.h"

const char *const key_map_names[2] = { "usual", "vi" };

static const struct {
	const char *name;
	int key;
} names[] = {
	{ "Space", ' ' },	{ "Enter", '\r' },	{ "Tab", '\t' },
	{ "Shift-Tab", KEY_BTAB_ }, { "Backspace", KEY_BACK_ }, { "Esc", 0x1b },
	{ "Delete", KEY_DELETE_ }, { "Up", KEY_UP_ },	{ "Down", KEY_DOWN_ },
	{ "Left", KEY_LEFT_ },	{ "Right", KEY_RIGHT_ }, { "Home", KEY_HOME_ },
	{ "End", KEY_END_ },	{ "PgUp", KEY_PGUP_ },	{ "PgDn", KEY_PGDN_ },
};

static int key_of(const char *name)
{
	uint32_t point;

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcasecmp(names[i].name, name))
			return names[i].key;
	if (name[0] == 'F' && name[1] >= '1' && name[1] <= '9' && atoi(name + 1) <= 10 &&
	    !name[1 + strspn(name + 1, "0123456789")])
		return KEY_F1_ + atoi(name + 1) - 1;
	if (name[0] == '^' && name[1] && !name[2])
		return name[1] & 0x1f;
	if (!*name || name[utf8_next(name, &point)] || point <= ' ')
		return KEY_NONE_;
	return (int)point;
}

static bool has_action(const struct binding *b, const char *action)
{
	for (; b && b->key; b++)
		if (b->action && !strcmp(b->action, action))
			return true;
	return false;
}

static bool is_action(const char *action)
{
	if (!strcmp(action, "none"))
		return true;
	for (const struct action_name *a = action_names; a->name; a++)
		if (!strcmp(a->name, action))
			return true;
	for (const struct screen *const *s = screens; *s; s++)
		if (has_action((*s)->keys, action) || has_action((*s)->detail_keys, action))
			return true;
	return false;
}

int key_map_add(struct key_map *map, const char *name, const char *action, struct err *err)
{
	int key = key_of(name);
	struct key_change *c = map->changes;

	if (key == KEY_NONE_ || strlen(name) >= KEY_NAME)
		return err_set(err, EINVAL, _("there is no key \"%s\""), name);
	if (!is_action(action) || strlen(action) >= KEY_ACTION)
		return err_set(err, EINVAL, _("there is no action \"%s\""), action);
	while (c < map->changes + map->n && c->key != key)
		c++;
	if (c == map->changes + KEY_MAP_MOST)
		return err_set(err, EINVAL, _("no more than %u keys can be changed"),
			       KEY_MAP_MOST);
	if (c == map->changes + map->n)
		map->n++;
	c->key = key;
	snprintf(c->name, sizeof(c->name), "%s", name);
	snprintf(c->action, sizeof(c->action), "%s", action);
	return 0;
}

const struct key_change *key_map_find(const struct key_map *map, int key)
{
	for (unsigned i = 0; i < map->n; i++)
		if (map->changes[i].key == key)
			return &map->changes[i];
	return NULL;
}

const struct key_change *key_map_action(const struct key_map *map, const char *action)
{
	for (unsigned i = 0; i < map->n; i++)
		if (!strcmp(map->changes[i].action, action))
			return &map->changes[i];
	return NULL;
}

int key_map_vi(const struct key_map *map, int key)
{
	static const int keys[] = {
		['h'] = KEY_LEFT_, ['j'] = KEY_DOWN_, ['k'] = KEY_UP_, ['l'] = KEY_RIGHT_,
		['g'] = KEY_HOME_, ['G'] = KEY_END_,
	};

	if (!map->vi || key < 0 || (size_t)key >= ARRAY_SIZE(keys) || !keys[key])
		return key;
	return keys[key];
}

void key_map_write(const struct key_map *map, struct buf *out)
{
	for (unsigned i = 0; i < map->n; i++)
		buf_printf(out, "key.%s=%s\n", map->changes[i].name, map->changes[i].action);
}
