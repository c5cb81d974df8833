/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The steps of view_build(), and what those that have files of their own share. */
#ifndef IOTOP_VIEW_ARRANGE_H
#define IOTOP_VIEW_ARRANGE_H

#include "view/view.h"

/* Rows folded by v->spec->group, in v's arena; a row without a group key stays as it is. */
struct row_list view_fold(struct view *v, const struct row_list *rows);
/* What a row is sorted by; there is a column for it. */
struct value view_sort_value(struct view *v, const struct row *row);
/*
 * Puts n rows in order, or only the first `most` of them: what is behind these is of no use then.
 * By values (one a row), or NULL: by the column of the sort.
 */
void view_sort(struct view *v, const struct row **rows, const struct value *values, size_t n,
	       size_t most);
/*
 * Fills v->rows (room for n) with sorted rows, each below its parent; sets v->n. Sorts the rows
 * once more: subtrees have their place by all that is in them.
 */
void view_tree(struct view *v, const struct row **rows, size_t n);

#endif
