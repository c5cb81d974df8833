// SPDX-License-Identifier: GPL-2.0-or-later
/* Keys and the mouse, as curses reads them. */
#define NCURSES_WIDECHAR 1
#define NCURSES_NOMACROS 1

#include "tui/curses_keys.h"

#include <curses.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/macro.h"
#include "tui/binding.h"
#include "tui/escape.h"
#include "tui/paste.h"
#include "tui/terminal.h"

/* After so long without a character a paste is over: its end was lost. */
#define PASTE_PATIENCE (2 * NSEC_PER_SEC)

static struct mouse_event mouse;
static struct paste paste;

/* Between the marks that the terminal puts around a paste. */
static struct {
	bool on, newline;	/* one was seen, and nothing behind it yet */
	uint64_t last_ns;	/* when something of it came */
} pasting;

static int read_mouse(void)
{
	MEVENT event;

	if (getmouse(&event) == ERR)
		return KEY_NONE_;
	mouse = (struct mouse_event){ .x = event.x, .y = event.y };
	if (event.bstate & BUTTON1_PRESSED)
		mouse.what = MOUSE_CLICK;
	else if (event.bstate & BUTTON4_PRESSED)
		mouse.what = MOUSE_WHEEL_UP;
	else if (event.bstate & BUTTON5_PRESSED)
		mouse.what = MOUSE_WHEEL_DOWN;
	else
		return KEY_NONE_;
	return KEY_MOUSE_;
}

static int translate(int code)
{
	static const struct {
		int code, key;
	} keys[] = {
		{ KEY_UP, KEY_UP_ },	   { KEY_DOWN, KEY_DOWN_ },   { KEY_LEFT, KEY_LEFT_ },
		{ KEY_RIGHT, KEY_RIGHT_ }, { KEY_HOME, KEY_HOME_ },   { KEY_END, KEY_END_ },
		{ KEY_PPAGE, KEY_PGUP_ },  { KEY_NPAGE, KEY_PGDN_ },  { KEY_BACKSPACE, KEY_BACK_ },
		{ KEY_BTAB, KEY_BTAB_ },   { KEY_RESIZE, KEY_RESIZE_ }, { KEY_DC, KEY_DELETE_ },
		{ KEY_ENTER, '\r' },	   { KEY_FIND, KEY_HOME_ },   { KEY_SELECT, KEY_END_ },
	};

	if (code == KEY_MOUSE)
		return read_mouse();
	if (code >= KEY_F(1) && code <= KEY_F(10))
		return KEY_F1_ + (code - KEY_F(1));
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		if (keys[i].code == code)
			return keys[i].key;
	return KEY_NONE_;
}

/* One character or key; a long paste is not read by curses, which takes a byte at a time. */
static int read_code(wint_t *ret)
{
	int r;

	if (paste_next(&paste, STDIN_FILENO, ret))
		return OK;
	r = get_wch(ret);
	paste_note(&paste, r == OK && *ret != '\033');
	return r;
}

/* Keys that have codes of their own are no part of a sequence. */
static unsigned next_code(void)
{
	wint_t code;

	return read_code(&code) == OK ? code : 0;
}

static void give_back(unsigned code)
{
	if (!paste_back(&paste, code))
		unget_wch((wchar_t)code);
}

/*
 * A character of a paste, KEY_NONE_: nothing comes of this one. Lines become words: one that ends
 * the paste is none, and none accepts a prompt.
 */
static int pasted(wint_t code)
{
	if (code == '\n' || code == '\r') {
		pasting.newline = true;
		return KEY_NONE_;
	}
	if (code < ' ' || code == 0x7f)
		return KEY_NONE_;
	if (pasting.newline) {
		pasting.newline = false;
		give_back(code);
		code = ' ';
	}
	return (int)code | KEY_PASTED;
}

/* A paste goes on, begins or ends with this key. */
static bool is_pasting(int key)
{
	uint64_t now = clock_mono();

	if (pasting.on && now - pasting.last_ns > PASTE_PATIENCE)
		pasting.on = false;
	if (key == KEY_PASTE_BEGIN_ || key == KEY_PASTE_END_) {
		pasting.on = key == KEY_PASTE_BEGIN_;
		pasting.newline = false;
	}
	pasting.last_ns = now;
	return pasting.on || key == KEY_PASTE_END_;
}

bool term_has_keys(void)
{
	return paste_waits(&paste);
}

int curses_read_key(void)
{
	for (;;) {
		wint_t code;
		int r = read_code(&code), key;

		if (r == ERR)
			return KEY_NONE_;
		key = r != OK ? translate(code)
		      : code == '\033' ? escape_key(next_code, give_back)
		      : (int)code;
		if (is_pasting(key))
			key = r == OK && code != '\033' ? pasted(code) : KEY_NONE_;
		else if (r == OK && code != '\033')
			key = code == '\n'		       ? '\r'
			      : code == 0x7f || code == 0x08 ? KEY_BACK_
							     : (int)code;
		if (key != KEY_NONE_)
			return key;
	}
}

/* The key whose sequence s begins with, else the byte; *ret_len: what of s it takes. */
static int key_of_bytes(const char *s, size_t n, size_t *ret_len)
{
	char sequence[16];

	for (size_t len = 2; *s == 033 && len <= n && len < sizeof(sequence); len++) {
		int code;

		memcpy(sequence, s, len);
		sequence[len] = '\0';
		code = key_defined(sequence);
		if (code > 0) {
			*ret_len = len;
			return code;
		}
	}
	*ret_len = 1;
	return (unsigned char)*s;
}

void term_unread(const char *s, size_t n)
{
	int keys[256];
	size_t used = 0;

	/* Curses has something to give before the terminal has. */
	paste_note(&paste, false);

	for (size_t len; n && used < ARRAY_SIZE(keys); s += len, n -= len) {
		keys[used] = key_of_bytes(s, n, &len);
		/* What follows it in an event of the mouse would be taken for keys. */
		if (keys[used] == KEY_MOUSE)
			while (len < n && (s[len - 1] | ' ') != 'm')
				len++;
		else
			used++;
	}
	while (used)
		ungetch(keys[--used]);
}

struct mouse_event term_mouse(void)
{
	return mouse;
}
