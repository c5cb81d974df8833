/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tables of keys: every action has a name, and one name; texts typed before are kept;
 * what goes to the clipboard.
 */
#include <stdio.h>
#include <string.h>

#include "tui/action_names.h"
#include "tui/clipboard.h"
#include "tui/history.h"
#include "tui/key_map.h"
#include "tui/keys.h"
#include "tui/screen.h"
#include "unit.h"

static void check_names(const struct binding *b)
{
	for (; b && b->key; b++)
		ck_assert_msg(action_name(b), "the key %s (%s) has an action without a name",
			      b->name, b->help);
}

START_TEST(actions_have_names)
{
	for (const struct binding_group *g = app_bindings; g->name; g++)
		check_names(g->keys);
	for (const struct screen *const *s = screens; *s; s++) {
		check_names((*s)->keys);
		check_names((*s)->detail_keys);
	}
	for (const struct action_name *a = action_names; a->name; a++)
		for (const struct action_name *b = a + 1; b->name; b++)
			ck_assert(strcmp(a->name, b->name) && a->run != b->run);
}
END_TEST

START_TEST(history_keeps)
{
	struct prompt_history h = { 0 }, again = { 0 };
	struct buf out = { 0 };
	char text[32];

	for (int i = 0; i < HISTORY_MOST + 7; i++) {
		snprintf(text, sizeof(text), "read > %d", i);
		history_add(&h, text);
	}
	ck_assert_uint_eq(h.n, HISTORY_MOST);
	ck_assert_str_eq(h.items[0], "read > 7");
	history_add(&h, "read > 9");
	history_add(&h, "  ");
	ck_assert_uint_eq(h.n, HISTORY_MOST);
	ck_assert_str_eq(h.items[HISTORY_MOST - 1], "read > 9");
	history_write(&h, "filter", &out);
	buf_puts(&out, "command\tquit\nfilter\t\033[2Jbad\nfilter");
	history_read(&again, "filter", out.data);
	ck_assert_uint_eq(again.n, h.n);
	for (unsigned i = 0; i < h.n; i++)
		ck_assert_str_eq(again.items[i], h.items[i]);
	history_release(&h);
	history_release(&again);
	buf_release(&out);
}
END_TEST

START_TEST(clipboard)
{
	struct buf out = { 0 };
	char text[301];
	size_t longest = 0;

	clipboard_sequence(&out, "sda\t12", IN_NONE);
	ck_assert_str_eq(out.data, "\033]52;c;c2RhCTEy\a");
	buf_reset(&out);
	clipboard_sequence(&out, "\303\274", IN_TMUX);
	ck_assert_str_eq(out.data,
			 "\033]52;c;w7w=\a\033Ptmux;\033\033]52;c;w7w=\a\033\\");
	buf_reset(&out);
	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	clipboard_sequence(&out, text, IN_SCREEN);
	/* Its strings are no longer than it takes. */
	for (const char *s = out.data, *end; *s; s = end + 2) {
		ck_assert(!strncmp(s, "\033P", 2));
		end = strstr(s + 2, "\033\\");
		ck_assert_ptr_nonnull(end);
		longest = MAX(longest, (size_t)(end - s));
	}
	ck_assert_uint_le(longest, 300);
	buf_release(&out);
}
END_TEST

START_TEST(changes)
{
	struct key_map map = { 0 };
	struct err err = { "" };
	struct buf out = { 0 };

	ck_assert_int_eq(key_map_add(&map, "k", "none", &err), 0);
	ck_assert_int_eq(key_map_add(&map, "^D", "page-down", &err), 0);
	ck_assert_int_eq(key_map_add(&map, "F5", "freeze", &err), 0);
	ck_assert_int_eq(key_map_add(&map, "space", "finer", &err), 0);
	ck_assert_int_eq(key_map_add(&map, "k", "kill", &err), 0);
	ck_assert_uint_eq(map.n, 4);
	ck_assert_str_eq(key_map_find(&map, 'k')->action, "kill");
	ck_assert_str_eq(key_map_find(&map, 4)->action, "page-down");
	ck_assert_str_eq(key_map_find(&map, ' ')->action, "finer");
	ck_assert_int_eq(key_map_action(&map, "freeze")->key, KEY_F5_);
	ck_assert_ptr_null(key_map_find(&map, 'q'));
	ck_assert(key_map_add(&map, "kk", "none", &err) < 0);
	ck_assert(key_map_add(&map, "", "none", &err) < 0);
	ck_assert(key_map_add(&map, "F11", "none", &err) < 0);
	ck_assert(key_map_add(&map, "\033", "none", &err) < 0);
	ck_assert(key_map_add(&map, "k", "frobnicate", &err) < 0);
	ck_assert_str_eq(err.text, "there is no action \"frobnicate\"");
	key_map_write(&map, &out);
	ck_assert_str_eq(out.data, "key.k=kill\nkey.^D=page-down\nkey.F5=freeze\n"
				   "key.space=finer\n");
	ck_assert_int_eq(key_map_vi(&map, 'j'), 'j');
	map.vi = 1;
	ck_assert_int_eq(key_map_vi(&map, 'j'), KEY_DOWN_);
	ck_assert_int_eq(key_map_vi(&map, 'x'), 'x');
	ck_assert_int_eq(key_map_vi(&map, KEY_UP_), KEY_UP_);
	buf_release(&out);
}
END_TEST

UNIT_MAIN("keys", actions_have_names, history_keeps, clipboard, changes)
