/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A screen is one file in screens/ and one line in its Makemodule.am. A plain table needs none of
 * the optional members.
 */
#ifndef IOTOP_TUI_SCREEN_H
#define IOTOP_TUI_SCREEN_H

#include "data/model.h"
#include "tui/draw/canvas.h"
#include "tui/draw/fields.h"
#include "tui/draw/heat.h"
#include "tui/draw/hist_plot.h"
#include "tui/draw/machine.h"
#include "tui/draw/text_cursor.h"
#include "tui/draw/plot.h"
#include "view/view.h"

struct app;

/*
 * A key is declared once: it feeds dispatch, the help screen, the key bar, --list-keys and the
 * manual. A table of bindings ends with key 0. key: a character, or a value of enum key.
 */
struct binding {
	int key;
	const char *name;	/* as people write it: "Enter", "^T" */
	const char *label;	/* N_() one or two words for the key bar; NULL: not there */
	const char *help;	/* N_() one sentence */
	void (*run)(struct app *app);
};

enum key {
	KEY_NONE_ = 0x110000,	/* above every code point */
	KEY_UP_, KEY_DOWN_, KEY_LEFT_, KEY_RIGHT_, KEY_HOME_, KEY_END_, KEY_PGUP_, KEY_PGDN_,
		KEY_BACK_, KEY_BTAB_,
	KEY_F1_, KEY_F2_, KEY_F3_, KEY_F4_, KEY_F5_, KEY_F6_, KEY_F7_, KEY_F8_, KEY_F9_, KEY_F10_,
	KEY_RESIZE_, KEY_MOUSE_, KEY_DELETE_,
};

/* A cursor inside a detail, which its screen interprets. All zero when the detail opens. */
struct detail_state {
	int dx, dy;		/* moves since it was drawn */
	uint64_t x, y;		/* where it is */
	unsigned mode;
	bool active;		/* it was moved */
	bool still;		/* nothing to move in: the keys have their usual meaning */
	bool open;		/* what is under it is shown at length; going back closes this
				 * first */
};

/* Of the detail that is open, for the functions of detail_keys. */
struct detail_state *app_detail_state(struct app *app);

struct screen {
	const char *name;	/* --screen=NAME */
	const char *title;	/* N_() tab */
	const char *help;	/* N_() one sentence */
	enum entity_id entity;
	const char *columns;	/* default column keys, comma separated */
	const char *sort;
	enum group_by group;	/* to begin with */
	bool tree;		/* begins as a tree */
	unsigned needs;		/* sources for header and detail beyond those of the columns */
	unsigned detail_needs;	/* only while a detail is open */
	/* Optional. */
	int (*header)(
		struct canvas *c, int y,
		const struct model *m); /* draws from line y on, returns how many lines it took */
	/*
	 * What Enter opens: draws row's detail into area, scrolled down by top lines; returns the
	 * lines it has in all.
	 */
	int (*detail)(struct canvas *c, struct rect area, int top, const struct view *v,
		      const struct row *row);
	/* The same with a cursor of its own, moved by detail_keys; one of the two. */
	int (*explore)(struct canvas *c, struct rect area, int top, const struct view *v,
		       const struct row *row, struct detail_state *state);
	const struct binding *detail_keys;	/* before those of all details */
	/*
	 * A drawing of the whole table area instead of the table, when the screen's alternative
	 * view is on (key v).
	 */
	int (*alternative)(struct canvas *c, struct rect area, const struct view *v,
			   struct app *app);
	const struct binding *keys;
	/*
	 * What stands in its place when grouped by process, where its rows are no processes; group
	 * is GROUP_PROCESS there.
	 */
	const struct screen *by_process;
};

static inline const struct screen *screen_grouped(const struct screen *screen, enum group_by group)
{
	return group == GROUP_PROCESS && screen->by_process ? screen->by_process : screen;
}

/* The other view, of the row under the cursor or in detail. */
void act_alternative(struct app *app);
/* For screens whose rows have stacks to bind. */
void act_kernel_stacks(struct app *app);
/* Off-CPU: blocks of any kind, or what concerns I/O. */
void act_every_block(struct app *app);
/* The row under the cursor, NULL when there is none. */
const struct row *app_row(struct app *app);
void act_user_stacks(struct app *app);

/* Generated from the list in screens/Makemodule.am, in that order; ends with NULL. */
extern const struct screen *const screens[];
extern const unsigned nscreens;

#endif
