/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A tab: a screen, and how it is shown. */
#ifndef IOTOP_TUI_TAB_H
#define IOTOP_TUI_TAB_H

#include "tui/app.h"
#include "tui/icicle.h"
#include "tui/screen.h"

#define TAB_MARKS 64

/* Columns and order of a screen while another one stands in its place. */
struct tab_look {
	const struct column *columns[VIEW_COLUMNS_MAX];
	unsigned ncolumns;	/* 0: as the screen has them */
	const struct column *sort;
	bool descending;
};

/* One per screen, for as long as the app lives. */
struct tab {
	const struct screen *home;	/* of the registry */
	const struct screen *screen;	/* what is shown: home, or what stands in its place when
					 * grouped */
	struct view_spec spec;
	enum span range_span;	/* what is shown of a range of time, in place of that of spec */
	struct tab_look looks[2];	/* of home, and of what stands in its place */
	struct filter *filter;	/* owned; NULL: none */
	struct filter *search;	/* owned; NULL: nothing is searched for */
	struct filter *selection;	/* owned: of --pid and --user; NULL: none */
	struct filter *(*make_selection)(const void *arg, const struct entity *e);
	const void *selection_arg;	/* both as in struct app_options */
	uint64_t cursor;	/* key of the row under the cursor, when pinned */
	bool pinned;		/* the cursor was moved: it stays on its row; else it stays on
				 * the first line (of a log on the last) */
	size_t index, top;	/* of the view: row under the cursor, first row shown */
	int lines, lines_of;	/* of the table above a preview, at that height of both; 0: none
				 * were drawn */
	bool alternative;	/* the screen's other view is on */
	int alternative_top;	/* lines of it that are scrolled out of sight */
	bool over;		/* the other view was opened from a detail; back leads there */
	struct icicle *icicle;	/* the other view of rows that have a path; owned, NULL: not
				 * opened yet */
	bool icicle_built;	/* of the view as it is */
	bool detail;		/* open, of the row detail_key */
	uint64_t detail_key;
	char detail_name[64];	/* as the row was called when it was last seen */
	int detail_top;
	struct detail_state detail_state;
	uint64_t marked[TAB_MARKS];	/* keys of rows, in the order in which they were marked */
	unsigned nmarked;
	struct filter *everywhere;	/* owned; of all screens, NULL: none, or it is not about
					 * what this one has */
	unsigned everywhere_serial;	/* of the text it was made of */
	const struct entity *everywhere_of;
	struct hash folded;	/* rows that were folded or unfolded by key, owned */
};

/*
 * tab: all zeroes; takes the options that hold for all tabs. Returns 0, or -errno and a sentence;
 * tab_release() in both cases.
 */
int tab_init(struct tab *tab, const struct screen *screen, const struct app_options *opt,
	     struct err *err);
void tab_release(struct tab *tab);
/* Entity, columns and order of a screen: its own, or those it had in this tab. */
int tab_show(struct tab *tab, const struct screen *screen, struct err *err);
bool tab_can_group(const struct tab *tab, enum group_by group);
void tab_set_group(struct tab *tab, enum group_by group);
/* Its rows have parents, as they are grouped. */
bool tab_has_tree(const struct tab *tab);
/* Text becomes the filter ("": none). Returns 0, or -EINVAL with sentence and place. */
int tab_set_filter(struct tab *tab, const char *text, size_t *ret_place, struct err *err);
/* The same for what is searched for. */
int tab_set_search(struct tab *tab, const char *text, size_t *ret_place, struct err *err);
bool tab_is_marked(const struct tab *tab, uint64_t row);
/* False: there is no room for more. */
bool tab_mark(struct tab *tab, uint64_t row, bool on);
/* The filter of all screens becomes this text, which is called by a number. */
void tab_set_everywhere(struct tab *tab, const char *text, unsigned serial);
/* row: its key. */
void tab_set_folded(struct tab *tab, uint64_t row, bool folded);
/* Its newest rows are the last ones, where the cursor stays as long as nobody moves it. */
bool tab_is_log(const struct tab *tab);
/* Its other view is on, and is the icicle. */
bool tab_is_icicle(const struct tab *tab);
/* Makes the icicle, unless there is one already. */
void tab_open_icicle(struct tab *tab);
/* It becomes that of the view, unless it is already. */
void tab_build_icicle(struct tab *tab, const struct view *v);
/* Its rows have paths, which an icicle shows. */
bool tab_has_icicle(const struct tab *tab);
/* The title of a detail: name, and pid (processes) or tid (threads). */
void tab_title(const struct tab *tab, char *out, size_t size, const struct row *row);

#endif
