// SPDX-License-Identifier: GPL-2.0-or-later
#include "tui/escape.h"

#include "base/macro.h"
#include "tui/binding.h"

#define ESC 0x1b
#define PASTE_BEGINS 200
#define PASTE_ENDS 201
#define LONGEST 64	/* characters of a sequence */
#define LONGEST_STRING 4096	/* the same of what holds a text */

/* "Esc [ 1 ; 5 ~": by the first number. As VT220, rxvt and the consoles send them. */
static int key_of_number(unsigned number)
{
	static const int keys[] = {
		[1] = KEY_HOME_, [3] = KEY_DELETE_, [4] = KEY_END_, [5] = KEY_PGUP_,
		[6] = KEY_PGDN_, [7] = KEY_HOME_, [8] = KEY_END_, [11] = KEY_F1_, [12] = KEY_F2_,
		[13] = KEY_F3_, [14] = KEY_F4_, [15] = KEY_F5_, [17] = KEY_F6_, [18] = KEY_F7_,
		[19] = KEY_F8_, [20] = KEY_F9_, [21] = KEY_F10_,
	};

	return number < ARRAY_SIZE(keys) && keys[number] ? keys[number] : KEY_NONE_;
}

/* "Esc [ H", "Esc O H": by the letter. */
static int key_of_letter(unsigned letter)
{
	switch (letter) {
	case 'A':
		return KEY_UP_;
	case 'B':
		return KEY_DOWN_;
	case 'C':
		return KEY_RIGHT_;
	case 'D':
		return KEY_LEFT_;
	case 'H':
		return KEY_HOME_;
	case 'F':
		return KEY_END_;
	case 'Z':
		return KEY_BTAB_;
	case 'P':
	case 'Q':
	case 'R':
	case 'S':
		return KEY_F1_ + (int)(letter - 'P');
	default:
		return KEY_NONE_;
	}
}

/* ECMA-48: parameters and intermediate characters up to one from "@" to "~". */
static int control_sequence(unsigned (*next)(void))
{
	unsigned number = 0, code = next();
	bool first = true, alone = true;

	/* The Linux console: Esc [ [ A is F1. */
	if (code == '[') {
		code = next();
		return code >= 'A' && code <= 'E' ? KEY_F1_ + (int)(code - 'A') : KEY_NONE_;
	}
	/* A report of the mouse as X10 has it: three characters follow. */
	if (code == 'M') {
		for (unsigned i = 0; i < 3; i++)
			next();
		return KEY_NONE_;
	}
	for (unsigned i = 0; i < LONGEST && code >= ' ' && code < '@'; i++) {
		if (code >= '0' && code <= '9')
			number = first ? MIN(number * 10 + code - '0', 1000) : number;
		else
			first = alone = false;
		code = next();
	}
	/* DEC private mode 2004. */
	if (code == '~' && alone && (number == PASTE_BEGINS || number == PASTE_ENDS))
		return number == PASTE_BEGINS ? KEY_PASTE_BEGIN_ : KEY_PASTE_END_;
	return code == '~' ? key_of_number(number) : key_of_letter(code);
}

/* What ends with BEL or Esc \\. */
static int string_sequence(unsigned (*next)(void))
{
	unsigned code = next();

	for (unsigned i = 0; i < LONGEST_STRING && code && code != '\a' && code != ESC; i++)
		code = next();
	if (code == ESC)
		next();
	return KEY_NONE_;
}

int escape_key(unsigned (*next)(void), void (*back)(unsigned code))
{
	unsigned code = next();

	if (code == '[')
		return control_sequence(next);
	/* A late answer of the terminal. */
	if (code == ']' || code == 'P')
		return string_sequence(next);
	if (code == 'O')
		return key_of_letter(next());
	if (!code)
		return ESC;
	if (code == 'q' || code == ESC) {
		back(code);
		return ESC;
	}
	return KEY_NONE_;
}
