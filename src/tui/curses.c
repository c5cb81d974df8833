// SPDX-License-Identifier: GPL-2.0-or-later
/* The only file that knows curses. */
#define NCURSES_WIDECHAR 1
#define NCURSES_NOMACROS 1

#include "tui/terminal.h"

#include <curses.h>
#include <errno.h>
#include <langinfo.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

#include "base/i18n.h"
#include "base/utf8.h"
#include "tui/screen.h"
#include "tui/theme.h"

#define CRASH_STACK 16384
#define ESC_DELAY_MS 25	/* how long an Esc may be the start of a key's sequence */

static struct {
	SCREEN *screen;
	bool open;		/* between term_open() and term_close(), but not while suspended */
	enum theme theme;
	struct termios saved;
	bool have_saved;
	char restore[256];	/* what a signal handler writes: curses may not be called there */
	size_t restore_len;
	struct mouse_event mouse;
	bool mouse_on;
	cchar_t *row;		/* scratch for one row */
	int row_cap;
} term;

static const int crash_signals[] = { SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGQUIT };

static struct sigaction before[ARRAY_SIZE(crash_signals)];

static void on_crash(int sig)
{
	ssize_t r = write(STDOUT_FILENO, term.restore, term.restore_len);

	(void)r;
	if (term.have_saved)
		tcsetattr(STDIN_FILENO, TCSANOW, &term.saved);
	/* What the signal did before, be it a sanitizer's report, it does now. */
	for (size_t i = 0; i < ARRAY_SIZE(crash_signals); i++)
		if (crash_signals[i] == sig)
			sigaction(sig, &before[i], NULL);
	raise(sig);
}

static void watch_crashes(bool on)
{
	static char stack[CRASH_STACK];
	stack_t alt = { .ss_sp = stack, .ss_size = sizeof(stack) }, present;
	struct sigaction act = { .sa_handler = on_crash, .sa_flags = SA_ONSTACK | SA_NODEFER };

	if (on && !sigaltstack(NULL, &present) && present.ss_flags & SS_DISABLE)
		sigaltstack(&alt, NULL);
	for (size_t i = 0; i < ARRAY_SIZE(crash_signals); i++) {
		if (on)
			sigaction(crash_signals[i], &act, &before[i]);
		else
			sigaction(crash_signals[i], &before[i], NULL);
	}
}

static void add_restore(const char *text)
{
	size_t len;

	if (!text || text == (char *)-1)
		return;
	len = strlen(text);
	if (term.restore_len + len > sizeof(term.restore))
		return;
	memcpy(term.restore + term.restore_len, text, len);
	term.restore_len += len;
}

/* Mouse reporting off, attributes off, keypad off, cursor shown, the other screen left. */
static void prepare_restore(void)
{
	static const char *const capabilities[] = { "sgr0", "rmkx", "cnorm", "rmcup" };

	term.restore_len = 0;
	if (tigetstr("kmous") && tigetstr("kmous") != (char *)-1)
		add_restore("\033[?1006l\033[?1000l");
	for (size_t i = 0; i < ARRAY_SIZE(capabilities); i++)
		add_restore(tigetstr(capabilities[i]));
}

static void init_colors(bool color)
{
	int pair = 1;

	term.theme = THEME_MONO;
	if (!color || !has_colors() || start_color() == ERR)
		return;
	use_default_colors();
	if (COLOR_PAIRS <= 2 * STYLE_COUNT)
		return;
	term.theme = COLORS >= 256 ? THEME_256 : THEME_8;
	for (int cursor = 0; cursor < 2; cursor++) {
		for (int style = 0; style < STYLE_COUNT; style++, pair++) {
			struct look look = theme_look(term.theme, style, cursor);

			init_pair(pair, look.fg, look.bg);
		}
	}
}

static int no_terminal(struct err *err)
{
	const char *name = getenv("TERM");

	return err_set(err, ENOTTY, _("the terminal type \"%s\" cannot be used: set TERM, or use --batch"), name ? name : "");
}

int term_open(const struct term_options *opt, struct err *err)
{
	if (term.open)
		return 0;
	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		return err_set(err, ENOTTY, _("no terminal to draw on: use --batch to write reports"));
	term.have_saved = !tcgetattr(STDIN_FILENO, &term.saved);
	term.screen = newterm(NULL, stdout, stdin);
	if (!term.screen)
		return no_terminal(err);
	if (!tigetstr("cup") || tigetstr("cup") == (char *)-1) {
		endwin();
		delscreen(term.screen);
		return no_terminal(err);
	}
	term.open = true;
	atexit(term_close);
	init_colors(opt->color);
	cbreak();
	noecho();
	nonl();
	curs_set(0);
	intrflush(stdscr, FALSE);
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	set_escdelay(ESC_DELAY_MS);
	leaveok(stdscr, TRUE);
	mouseinterval(0);
	term_set_mouse(opt->mouse);
	prepare_restore();
	watch_crashes(true);
	return 0;
}

void term_close(void)
{
	if (!term.open)
		return;
	term.open = false;
	watch_crashes(false);
	term_set_mouse(false);
	/* Where there is no other screen to leave, the shell goes on in a clean line. */
	move(LINES - 1, 0);
	clrtoeol();
	refresh();
	endwin();
	delscreen(term.screen);
	term.screen = NULL;
	free(term.row);
	term.row = NULL;
	term.row_cap = 0;
}

enum glyphs term_glyphs(void)
{
	const char *name = getenv("TERM");

	if (strcmp(nl_langinfo(CODESET), "UTF-8"))
		return GLYPHS_ASCII;
	/* The console's fonts have no room for the eighths of a block. */
	if (name && (!strcmp(name, "linux") || !strncmp(name, "vt", 2)))
		return GLYPHS_ASCII;
	return GLYPHS_BLOCK;
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
	if (is_term_resized(size.ws_row, size.ws_col))
		resizeterm(size.ws_row, size.ws_col);
}

void term_redraw(void)
{
	clearok(stdscr, TRUE);
}

static void to_cchar(const struct cell_glyph *cell, cchar_t *ret)
{
	struct look look = theme_look(term.theme, cell->style, cell->reverse);
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
	if (term.theme != THEME_MONO)
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

void term_draw(const struct canvas *c)
{
	int width, height;

	if (!term.open)
		return;
	term_size(&width, &height);
	if (term.row_cap < c->width + 1) {
		term.row_cap = c->width + 1;
		term.row = mem_realloc(term.row, sizeof(*term.row) * term.row_cap);
	}
	for (int y = 0; y < MIN(c->height, height); y++) {
		int n = 0;

		for (int x = 0; x < MIN(c->width, width); x++) {
			const struct cell_glyph *cell = canvas_cell(c, x, y);

			to_cchar(cell, &term.row[n++]);
			if (is_wide(cell))
				x++;
		}
		mvadd_wchnstr(y, 0, term.row, n);
	}
	refresh();
}

static int read_mouse(void)
{
	MEVENT event;

	if (getmouse(&event) == ERR)
		return KEY_NONE_;
	term.mouse = (struct mouse_event){ .x = event.x, .y = event.y };
	if (event.bstate & BUTTON1_PRESSED)
		term.mouse.what = MOUSE_CLICK;
	else if (event.bstate & BUTTON4_PRESSED)
		term.mouse.what = MOUSE_WHEEL_UP;
	else if (event.bstate & BUTTON5_PRESSED)
		term.mouse.what = MOUSE_WHEEL_DOWN;
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

int term_read_key(void)
{
	while (term.open) {
		wint_t code;
		int r = get_wch(&code), key;

		if (r == ERR)
			return KEY_NONE_;
		if (r == OK) {
			if (code == '\n')
				return '\r';
			return code == 0x7f || code == 0x08 ? KEY_BACK_ : (int)code;
		}
		key = translate(code);
		if (key != KEY_NONE_)
			return key;
	}
	return KEY_NONE_;
}

struct mouse_event term_mouse(void)
{
	return term.mouse;
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
	endwin();
	term.open = false;
	if (stop)
		kill(getpid(), SIGSTOP);
	term.open = true;
	term_resize();
	clearok(stdscr, TRUE);
	refresh();
	term_set_mouse(mouse);
}

void term_suspend(void)
{
	reenter(true);
}

void term_resume(void)
{
	reenter(false);
}
