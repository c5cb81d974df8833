/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The two steps of view_build() that have files of their own. */
#ifndef IOTOP_VIEW_ARRANGE_H
#define IOTOP_VIEW_ARRANGE_H

#include "view/view.h"

/* Rows folded by v->spec->group, in v's arena; a row without a group key stays as it is. */
struct row_list view_fold(struct view *v, const struct row_list *rows);
/* Fills v->rows (room for n) with sorted rows, each below its parent; sets v->n. */
void view_tree(struct view *v, const struct row **rows, size_t n);

#endif
