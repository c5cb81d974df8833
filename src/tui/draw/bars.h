/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lines above and below a page: tabs, status, keys. What stands in them is given. */
#ifndef IOTOP_TUI_DRAW_BARS_H
#define IOTOP_TUI_DRAW_BARS_H

#include "tui/binding.h"
#include "tui/draw/canvas.h"

#define TAB_BAR_TABS   16
#define TAB_BAR_LABELS 12
#define KEY_BAR_KEYS   32

/* The top line: the program's name, the tabs, and what the numbers mean. */
struct tab_bar {
	const char *titles[TAB_BAR_TABS];	/* translated */
	const char *shorts[TAB_BAR_TABS];	/* translated, for a narrow line; as wide at most */
	unsigned numbers[TAB_BAR_TABS];		/* of their keys, from 1; 0: it has none */
	unsigned n, current;
	/* At the right end, most important (rightmost) first. */
	struct tab_bar_label {
		enum style style;
		char text[64];
		bool spare;	/* gives way before the names of the tabs do */
		bool yields;	/* so does this one, where a name would be cut else */
		int usual;	/* columns that it mostly has, where the tabs are not to
				 * move when it has more; 0: always as many */
	} labels[TAB_BAR_LABELS];
	unsigned nlabels;
};

void tab_bar_draw(struct canvas *c, const struct tab_bar *bar);
/* The tab at x of a line of this width, -1: none. */
int tab_bar_at(const struct tab_bar *bar, int width, int x);

/* The status line: parts one after the other. */
struct status_line {
	struct canvas *c;
	int x, y;
};

void status_line_part(struct status_line *l, enum style style, const char *text);

/* Keys and what they do. Begins with all zeroes. */
struct key_bar {
	const struct binding *items[KEY_BAR_KEYS];
	const char *names[KEY_BAR_KEYS], *labels[KEY_BAR_KEYS];	/* labels: translated */
	int keys[KEY_BAR_KEYS];	/* that a click on each stands for */
	int x[KEY_BAR_KEYS];	/* where each begins */
	unsigned n;
	int used;		/* columns */
};

/* Columns of a key with this label (translated), with the space behind it; 0: a name is missing. */
int key_bar_width(const char *name, const char *label);
/* One more at the end; false: it does not fit into so many columns in all. */
bool key_bar_add(struct key_bar *bar, const struct binding *b, const char *name, const char *label,
		 int columns);
void key_bar_draw(struct canvas *c, int y, const struct key_bar *bar);
/* The key whose label is at x, KEY_NONE_: none. */
int key_bar_at(const struct key_bar *bar, int x);

#endif
