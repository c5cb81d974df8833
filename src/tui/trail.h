/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The way that keys and rows led from tab to tab, so that one can go back on it. */
#ifndef IOTOP_TUI_TRAIL_H
#define IOTOP_TUI_TRAIL_H

#include "tui/tab.h"

#define TRAIL_STEPS 16u	/* of a longer way the beginning is forgotten */

struct trail_step {
	unsigned from, to;	/* tabs, counted from 0 */
	enum group_by group;	/* of the tab it led to, before it did */
	char *filter;		/* … and its filter, owned; NULL: none */
	bool detail, pinned;	/* likewise, for when it leads to the tab it comes from */
	uint64_t cursor;
	char title[64];		/* the row that led there, "": none */
};

struct trail {
	struct trail_step steps[TRAIL_STEPS];
	unsigned n;
};

/* Notes how the tab is: before it is changed for what is looked for there. */
void trail_add(struct trail *t, unsigned from, unsigned to, const struct tab *tab,
	       const char *title);
/* NULL: there is none. */
struct trail_step *trail_last(struct trail *t);
/* Takes the last step back: the tab that it led to gets its filter and its group again. */
void trail_undo(struct trail *t, struct tab *tab);
/* Forgets the way; tabs stay as they are. */
void trail_clear(struct trail *t);

#endif
