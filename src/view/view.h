/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which rows, in which order, with which columns. A view is built from a model and a spec; both
 * outlive it.
 */
#ifndef IOTOP_VIEW_VIEW_H
#define IOTOP_VIEW_VIEW_H

#include "base/err.h"
#include "data/entity.h"
#include "data/model.h"
#include "view/filter.h"

#define VIEW_COLUMNS_MAX 192

/* What a person chose. Copyable; owns nothing, the filters neither. */
struct view_spec {
	const struct entity *entity;
	enum entity_id entity_id;
	const struct column *columns[VIEW_COLUMNS_MAX];
	unsigned ncolumns;
	const struct column *sort;
	bool descending;
	bool only_active;	/* -o */
	bool hide_idle;		/* rows that did nothing lately, where nothing is chosen or searched
				 * for */
	bool hide_ended;
	bool tree;
	enum group_by group;
	enum span span;
	const struct filter *selection;	/* of the entity's own rows, before they are grouped
					 * (--op, --layer); NULL: all */
	const struct filter *filter;	/* of what is shown; NULL: none */
	const struct filter *everywhere;	/* the same, of all screens */
	size_t rows;		/* at most so many (--rows), 0: all */
	bool turned;		/* the tree upside down, where the entity has such a one */
	/* Whether a row of the tree is folded; NULL: none is. */
	bool (*folded)(const void *arg, const struct row *row);
	const void *folded_arg;
};

struct view_row {
	const struct row *row;
	unsigned depth;		/* in the tree */
	bool last;		/* last child of its parent */
	bool has_children;
	bool folded;		/* its children are not shown */
};

struct view {
	struct arena arena;
	const struct view_spec *spec;
	const struct model *model;
	struct view_row *rows;
	size_t n;		/* shown */
	struct row_list all;	/* grouped, before filter and --rows */
	size_t total;		/* before filter and --rows */
	size_t idle;		/* hidden because they did nothing lately */
	size_t quiet;		/* left out: what did nothing in this interval is no row of it */
	struct filter_budget budget;	/* with the number of rows the filters could not look at */
};

void view_init(struct view *v);
void view_release(struct view *v);
/* Rebuilds v. Equal rows keep the order of their keys, so nothing jumps without need. */
void view_build(struct view *v, const struct model *m, const struct view_spec *spec);
/* Index of the row with this key, or -1. */
long view_find(const struct view *v, uint64_t key);
/* The row with this key, shown or not; NULL: there is none. */
const struct row *view_any(const struct view *v, uint64_t key);
/* A cell; texts: owns what is made for it, as for column_value(). */
struct value view_value(const struct view *v, size_t row, const struct column *col,
			struct arena *texts);

/* Sources that the columns, the sort and the filter need or can use. */
unsigned view_needs(const struct view_spec *spec);
/* Of these, what decides which rows there are and in which order. */
unsigned view_selects(const struct view_spec *spec);

/*
 * "read,write,+lat,-prio": sets spec's columns; a list that starts with + or - changes the present
 * ones. Unknown key: -EINVAL and a sentence that names the nearest.
 */
int view_set_columns(struct view_spec *spec, const char *list, struct err *err);
/* False: one of them is there already, or there is none to be replaced. */
bool view_replace_column(struct view_spec *spec, const char *from, const char *to);
/*
 * The column that says which row this is, by spec->group: a thread is called by its tid, a process
 * by its pid; of larger groups the number of members is worth that place. A control group takes the
 * place of the user.
 */
void view_name_group(struct view_spec *spec);
/*
 * For a comparison: whether a row was there in both ranges, and behind each number by how much it
 * changed. The order is by how much the number changed by which the rows were sorted.
 */
void view_compare(struct view_spec *spec);
/* "write", "write:asc". Without a direction numbers sort descending, text ascending. */
int view_set_sort(struct view_spec *spec, const char *key, struct err *err);

#endif
