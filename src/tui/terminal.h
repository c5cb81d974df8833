/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The terminal: what draws a canvas and reads keys. One at a time. Not opened, it costs nothing and
 * touches nothing. The locale must have been set (setlocale) before term_open().
 */
#ifndef IOTOP_TUI_TERMINAL_H
#define IOTOP_TUI_TERMINAL_H

#include <stdbool.h>

#include "base/err.h"
#include "tui/draw/canvas.h"
#include "tui/draw/theme.h"

struct term_options {
	bool color;	/* false: monochrome, whatever the terminal can do */
	bool mouse;
	enum theme theme;	/* THEME_AUTO: the terminal is asked */
};

enum mouse_what {
	MOUSE_CLICK,
	MOUSE_WHEEL_UP,
	MOUSE_WHEEL_DOWN,
};

struct mouse_event {
	enum mouse_what what;
	int x, y;
};

/*
 * Takes over the terminal on stdin and stdout. From here on every end of the program puts it back:
 * exit() and crashes by themselves, signals that the caller handles by term_close(). If it was
 * asked for its theme, term_listen() comes before the first picture.
 */
int term_open(const struct term_options *opt, struct err *err);
/* Puts the terminal back; may be called at any time and more than once. */
void term_close(void);
/* Takes what the terminal answers; wait: for a moment since it was asked, if it must be. */
void term_listen(bool wait);
/* The glyphs that the locale and the terminal can show: for --ascii not given. */
enum glyphs term_glyphs(void);

void term_size(int *ret_width, int *ret_height);
/* After SIGWINCH: asks the terminal for its size. */
void term_resize(void);
/* Colours from now on. */
void term_set_theme(enum theme theme);
/* Everything is drawn anew next time (^L). */
void term_redraw(void);
void term_draw(const struct canvas *c);

/*
 * The next key: a code point or a value of enum key; KEY_NONE_ when there is none. Never waits.
 * Keys may be buffered inside: after stdin became readable, call until KEY_NONE_. After KEY_MOUSE_
 * term_mouse() has the event.
 */
int term_read_key(void);
struct mouse_event term_mouse(void);
/* There are keys that a poll() of the terminal says nothing of. */
bool term_has_keys(void);
/* Bytes that somebody else read from the terminal: the next keys are these. */
void term_unread(const char *s, size_t n);
void term_set_mouse(bool on);

/*
 * Puts the terminal back and stops the process as ^Z does; returns when it was continued, the
 * terminal taken over again.
 */
void term_suspend(void);
/* After a stop that was not ours: the modes of the terminal again, and every cell of the screen. */
void term_resume(void);

#endif
