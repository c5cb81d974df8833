// SPDX-License-Identifier: GPL-2.0-or-later
/* Key sequences: a key, or nothing, and what follows stays. */
#include "unit.h"

#include "tui/binding.h"
#include "tui/escape.h"

static const char *rest;

static unsigned next(void)
{
	return *rest ? (unsigned char)*rest++ : 0;
}

static void back(unsigned code)
{
	rest--;
	ck_assert_uint_eq((unsigned char)*rest, code);
}

/* Each behind an Esc. */
static const struct {
	const char *sequence;
	int key;
	const char *rest;
} cases[] = {
	{ "", 0x1b, "" },
	{ "q", 0x1b, "q" },
	{ "\033q", 0x1b, "\033q" },
	{ "[1~o", KEY_HOME_, "o" },
	{ "[4~", KEY_END_, "" },
	{ "[7~1", KEY_HOME_, "1" },
	{ "[8~", KEY_END_, "" },
	{ "[5~[6~", KEY_PGUP_, "[6~" },
	{ "[H", KEY_HOME_, "" },
	{ "OF", KEY_END_, "" },
	{ "[1;5A", KEY_UP_, "" },
	{ "[3;2~", KEY_DELETE_, "" },
	{ "[21;5~", KEY_F10_, "" },
	{ "[[Cx", KEY_F3_, "x" },
	{ "OQ", KEY_F2_, "" },
	{ "[200~paste", KEY_PASTE_BEGIN_, "paste" },
	{ "[201~q", KEY_PASTE_END_, "q" },
	/* Nothing that is known, to its end. */
	{ "a", KEY_NONE_, "" },
	{ "[202~paste", KEY_NONE_, "paste" },
	{ "[200;1~paste", KEY_NONE_, "paste" },
	{ "[99999999999999999999~a", KEY_NONE_, "a" },
	{ "[?1;2c1", KEY_NONE_, "1" },
	{ "[<0;10;10M2", KEY_NONE_, "2" },
	{ "[M !!3", KEY_NONE_, "3" },
	{ "Ow4", KEY_NONE_, "4" },
	{ "[[x5", KEY_NONE_, "5" },
	{ "]11;rgb:ffff/ffff/ffff\aq", KEY_NONE_, "q" },
	{ "]11;rgb:ffff/ffff/ffff\033\\q", KEY_NONE_, "q" },
	{ "P1$r\033\\q", KEY_NONE_, "q" },
	{ "]", KEY_NONE_, "" },
	{ "[", KEY_NONE_, "" },
	{ "O", KEY_NONE_, "" },
};

START_TEST(sequences)
{
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		rest = cases[i].sequence;
		ck_assert_msg(escape_key(next, back) == cases[i].key, "Esc %s", cases[i].sequence);
		ck_assert_msg(!strcmp(rest, cases[i].rest), "Esc %s leaves \"%s\"",
			      cases[i].sequence, rest);
	}
}
END_TEST

UNIT_MAIN("escape", sequences)
