/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A screen is one file in screens/ and one line in its Makemodule.am. A plain table needs none of
 * the optional members.
 */
#ifndef IOTOP_TUI_SCREEN_H
#define IOTOP_TUI_SCREEN_H

#include "data/entity.h"
#include "tui/draw/canvas.h"

struct app;
struct binding;
struct view;

/* A cursor inside a detail, which its screen interprets. All zero when the detail opens. */
struct detail_state {
	int dx, dy;		/* moves that keys asked for and settle() has not made yet */
	uint64_t x, y;		/* where it is */
	unsigned mode;
	bool active;		/* it was moved */
	bool still;		/* nothing to move in: the keys have their usual meaning */
	bool open;		/* what is under it is shown in full, until one goes back */
};

/* Of the detail that is open, for the functions of detail_keys. */
struct detail_state *app_detail_state(struct app *app);

struct screen {
	const char *name;	/* --screen=NAME */
	const char *title;	/* N_() of its tab where there is room, and of whatever names it */
	const char *tab;	/* NC_("tab", …) its tab where seven of them share 80 columns */
	const char *help;	/* N_() one sentence */
	enum entity_id entity;
	const char *columns;	/* default column keys, comma separated */
	const char *sort;
	enum group_by group;	/* to begin with */
	bool tree;		/* begins as a tree */
	bool all_there;		/* its rows are there whether they do anything or not: idle ones are
				 * hidden at first */
	bool classic;		/* batch text without --columns is in the layout of other programs
				 * of this name */
	bool log;		/* a row is a moment: what is new comes below, and reports have no
				 * summary */
	unsigned needs;		/* sources for header and detail beyond those of the columns */
	unsigned detail_needs;	/* only while a detail is open */
	/* Optional. */
	/* Below the machine and the verdict: draws from line y on, returns the lines it took. */
	int (*header)(struct canvas *c, int y, const struct model *m, enum span span);
	/*
	 * What Enter opens: draws row's detail into area, scrolled down by top lines; returns the
	 * lines it has in all.
	 */
	int (*detail)(struct canvas *c, struct rect area, int top, const struct view *v,
		      const struct row *row);
	/* The same with a cursor of its own, moved by detail_keys; one of the two. */
	int (*explore)(struct canvas *c, struct rect area, int top, const struct view *v,
		       const struct row *row, const struct detail_state *state);
	/*
	 * Before each drawing: moves the cursor to where the keys sent it, as far as there is
	 * something in an area of this size. NULL: the state changes by keys only.
	 */
	void (*settle)(struct detail_state *state, struct rect area, const struct view *v,
		       const struct row *row);
	const struct binding *detail_keys;	/* before those of all details */
	/*
	 * A drawing of the whole table area instead of the table, when the screen's alternative
	 * view is on (key v), scrolled down by top lines. row: under the cursor, NULL: there is
	 * none. Returns the lines it has in all.
	 */
	int (*alternative)(struct canvas *c, struct rect area, int top, const struct view *v,
			   const struct row *row);
	const struct binding *keys;
	/*
	 * What Enter leads to in place of a detail: another screen and a filter of its rows, which
	 * live as long as the row, and whether these are waits of any kind (act_every_block()).
	 * False: nowhere.
	 */
	bool (*follow)(const struct row *row, const char **screen, const char **filter,
		       bool *all_waits);
	/* What stands where there are no rows: as finding_nothing(). */
	size_t (*empty)(const struct model *m, const struct unit_style *style, char *text,
			size_t size);
	/*
	 * Below the table, where there is room: what the row under the cursor says in full; row
	 * NULL: there are none, and the page has the whole area. Returns the lines it has in all,
	 * of which the first `top` are scrolled out of sight.
	 */
	int (*preview)(struct canvas *c, struct rect area, int top, const struct view *v,
		       const struct row *row);
	bool apart;	/* it has a tab only while it is open: its F key leads to it, or a row of
			 * another screen */
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

/* Generated from the list in screens/Makemodule.am, in that order; ends with NULL. */
extern const struct screen *const screens[];

#endif
