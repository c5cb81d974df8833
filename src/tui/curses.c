// SPDX-License-Identifier: GPL-2.0-or-later
/* This file and curses_keys.c are all that knows curses. */
#define NCURSES_WIDECHAR 1
#define NCURSES_NOMACROS 1

#include "tui/terminal.h"

#include <curses.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <wchar.h>

#include "base/i18n.h"
#include "base/utf8.h"
#include "tui/background.h"
#include "tui/binding.h"
#include "tui/curses_keys.h"
#include "tui/draw/theme.h"
#include "tui/restore.h"

#define ESC_DELAY_MS 25	/* how long an Esc may be the start of a key's sequence */

static struct {
	bool open;		/* between term_open() and term_close(), but not while suspended */
	enum theme theme;
	enum depth depth;
	struct background_question question;
	bool asked;	/* the theme follows from the answer, which was not there yet */
	bool mouse_on;
	cchar_t *row;		/* scratch for one row */
	int row_cap;
	/* The last picture, as curses has it, if that is known: rows of it are not told again. */
	struct cell_glyph *shown;
	int shown_width, shown_height;
	bool shown_known;
} term;

/* What the terminals of ECMA-48 take, and ignore where they do not know it. */
static const char pastes_marked[] = "\033[?2004h", pastes_unmarked[] = "\033[?2004l";

static bool is_ecma(void)
{
	const char *cup = tigetstr("cup");

	return cup && cup != (char *)-1 && !strncmp(cup, "\033[", 2);
}

/* Whether the terminal says where a paste begins and ends. */
static void mark_pastes(bool on)
{
	const char *text = on ? pastes_marked : pastes_unmarked;

	/* Curses keeps nothing back between two pictures. */
	if (is_ecma() && write(STDOUT_FILENO, text, strlen(text)) < 0)
		return;
}

/* Mouse reporting off, attributes off, keypad off, cursor shown, the other screen left. */
static void prepare_restore(void)
{
	static const char *const capabilities[] = { "sgr0", "rmkx", "cnorm", "rmcup" };

	if (tigetstr("kmous") && tigetstr("kmous") != (char *)-1)
		restore_add("\033[?1006l\033[?1000l");
	if (is_ecma())
		restore_add(pastes_unmarked);
	for (size_t i = 0; i < ARRAY_SIZE(capabilities); i++)
		restore_add(tigetstr(capabilities[i]));
}

static void init_pairs(void)
{
	for (int pair = 1; pair <= 2 * STYLE_COUNT; pair++) {
		struct look look = theme_look(term.theme, term.depth, (pair - 1) % STYLE_COUNT,
					      pair > STYLE_COUNT);

		init_extended_pair(pair, look.fg, look.bg);
	}
	term.shown_known = false;
}

static void init_colors(bool color)
{
	term.depth = DEPTH_NONE;
	if (!color || !has_colors() || start_color() == ERR || COLOR_PAIRS <= 2 * STYLE_COUNT)
		return;
	use_default_colors();
	term.depth = COLORS > 256 && tigetflag("RGB") > 0 ? DEPTH_DIRECT
		     : COLORS >= 256			  ? DEPTH_256
		     : COLORS >= 16			  ? DEPTH_16
							  : DEPTH_8;
}

static void begin_theme(enum theme theme)
{
	term.theme = theme;
	term.asked = theme == THEME_AUTO && term.depth;
	if (term.asked)
		background_ask(&term.question);
	else if (term.depth)
		init_pairs();
}

void term_listen(bool wait)
{
	struct background_question *q = &term.question;

	if (!term.asked || !background_listen(q, wait))
		return;
	term.asked = false;
	term.theme = q->found == BACKGROUND_LIGHT ? THEME_LIGHT : THEME_DARK;
	/* What was typed meanwhile are keys. */
	term_unread(q->read.data, q->read.len);
	buf_release(&q->read);
	init_pairs();
}

void term_set_theme(enum theme theme)
{
	if (!term.open)
		return;
	begin_theme(theme);
	term_listen(true);
	term_redraw();
}

static int no_terminal(struct err *err)
{
	const char *name = getenv("TERM");

	return err_set(err, ENOTTY,
		       _("the terminal type \"%s\" cannot be used: set TERM, or use --batch"),
		       name ? name : "");
}

int term_open(const struct term_options *opt, struct err *err)
{
	const SCREEN *screen;

	if (term.open)
		return 0;
	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		return err_set(err, ENOTTY,
			       _("no terminal to draw on: use --batch to write reports"));
	restore_prepare();
	restore_arm(true);
	screen = newterm(NULL, stdout, stdin);
	if (!screen || !tigetstr("cup") || tigetstr("cup") == (char *)-1) {
		if (screen)
			endwin();
		restore_arm(false);
		return no_terminal(err);
	}
	prepare_restore();
	term.open = true;
	atexit(term_close);
	/*
	 * Curses (6.4) takes its screen for one that is only being set up until it was left and
	 * entered again, and so long writes at each move of the cursor: a picture came in dozens of
	 * pieces.
	 */
	endwin();
	init_colors(opt->color);
	cbreak();
	noecho();
	nonl();
	curs_set(0);
	intrflush(stdscr, FALSE);
	nodelay(stdscr, TRUE);
	set_escdelay(ESC_DELAY_MS);
	leaveok(stdscr, TRUE);
	mouseinterval(0);
	/* No picture is left half drawn because a key was pressed; it is not even asked. */
	typeahead(-1);
	refresh();
	keypad(stdscr, TRUE);
	begin_theme(opt->theme);
	term_redraw();
	term_set_mouse(opt->mouse);
	mark_pastes(true);
	return 0;
}

/* Curses frees nothing: without memory it crashes when it does (delscreen() of 6.4). */
void term_close(void)
{
	if (!term.open)
		return;
	term.open = false;
	term_set_mouse(false);
	mark_pastes(false);
	/* Where there is no other screen to leave, the shell goes on in a clean line. */
	move(LINES - 1, 0);
	clrtoeol();
	refresh();
	endwin();
	restore_arm(false);
	free(term.row);
	free(term.shown);
	term.row = NULL;
	term.shown = NULL;
	term.row_cap = term.shown_width = term.shown_height = 0;
}

void term_size(int *ret_width, int *ret_height)
{
	getmaxyx(stdscr, *ret_height, *ret_width);
}

void term_resize(void)
{
	struct winsize size;

	if (!term.open || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) || !size.ws_row || !size.ws_col)
		return;
	if (is_term_resized(size.ws_row, size.ws_col)) {
		resizeterm(size.ws_row, size.ws_col);
		term.shown_known = false;
	}
}

void term_redraw(void)
{
	term.shown_known = false;
	clearok(stdscr, TRUE);
}

static void to_cchar(const struct cell_glyph *cell, cchar_t *ret)
{
	struct look look = theme_look(term.theme, term.depth, cell->style, cell->reverse);
	wchar_t text[sizeof(cell->text) + 1];
	attr_t attrs = 0;
	short pair = 0;
	int n = 0;

	for (const char *s = cell->text; *s && n < CCHARW_MAX - 1;) {
		uint32_t point;

		s += utf8_next(s, &point);
		/* What this terminal's locale measures otherwise would shift the row. */
		if (wcwidth(point) != utf8_width_point(point)) {
			if (n)
				continue;
			point = '?';
		}
		text[n++] = point;
	}
	/* A wide character that became a '?' leaves its second cell to the caller. */
	if (!n)
		text[n++] = ' ';
	text[n] = 0;
	attrs |= look.attrs & LOOK_BOLD || cell->bold ? A_BOLD : 0;
	attrs |= look.attrs & LOOK_DIM ? A_DIM : 0;
	attrs |= look.attrs & LOOK_UNDERLINE ? A_UNDERLINE : 0;
	attrs |= look.attrs & LOOK_REVERSE ? A_REVERSE : 0;
	if (term.depth != DEPTH_NONE)
		pair = 1 + cell->style + (cell->reverse ? STYLE_COUNT : 0);
	setcchar(ret, text, attrs, pair, NULL);
}

static bool is_wide(const struct cell_glyph *cell)
{
	uint32_t point;

	if (!cell->text[0])
		return false;
	utf8_next(cell->text, &point);
	return utf8_width_point(point) == 2 && wcwidth(point) == 2;
}

static void draw_row(const struct canvas *c, int y, int width)
{
	int n = 0;

	for (int x = 0; x < width; x++) {
		const struct cell_glyph *cell = canvas_cell(c, x, y);

		to_cchar(cell, &term.row[n++]);
		if (is_wide(cell))
			x++;
	}
	mvadd_wchnstr(y, 0, term.row, n);
}

static void make_room(const struct canvas *c)
{
	if (term.row_cap < c->width + 1) {
		term.row_cap = c->width + 1;
		term.row = mem_realloc(term.row, sizeof(*term.row) * term.row_cap);
	}
	if (term.shown_width == c->width && term.shown_height == c->height)
		return;
	term.shown = mem_realloc(term.shown, sizeof(*term.shown) * c->width * c->height);
	term.shown_width = c->width;
	term.shown_height = c->height;
	term.shown_known = false;
}

void term_draw(const struct canvas *c)
{
	int width, height;

	if (!term.open || c->width <= 0 || c->height <= 0)
		return;
	term_size(&width, &height);
	make_room(c);
	for (int y = 0; y < MIN(c->height, height); y++) {
		const struct cell_glyph *row = canvas_cell(c, 0, y);
		struct cell_glyph *shown = &term.shown[(size_t)y * c->width];
		size_t size = sizeof(*row) * c->width;

		if (term.shown_known && !memcmp(row, shown, size))
			continue;
		draw_row(c, y, MIN(c->width, width));
		memcpy(shown, row, size);
	}
	term.shown_known = true;
	refresh();
}

int term_read_key(void)
{
	return term.open ? curses_read_key() : KEY_NONE_;
}

void term_set_mouse(bool on)
{
	if (on == term.mouse_on)
		return;
	mousemask(on ? BUTTON1_PRESSED | BUTTON4_PRESSED | BUTTON5_PRESSED : 0, NULL);
	term.mouse_on = on;
}

/* Out of the terminal and in again; stopped in between or not. */
static void reenter(bool stop)
{
	bool mouse = term.mouse_on;

	if (!term.open)
		return;
	term_set_mouse(false);
	mark_pastes(false);
	endwin();
	term.open = false;
	if (stop)
		kill(getpid(), SIGSTOP);
	term.open = true;
	term_resize();
	term_redraw();
	refresh();
	term_set_mouse(mouse);
	mark_pastes(true);
}

void term_suspend(void)
{
	reenter(true);
}

void term_resume(void)
{
	reenter(false);
}
