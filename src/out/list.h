/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists of names and what they mean: --help, --list-screens, --list-columns, --list-keys. */
#ifndef IOTOP_OUT_LIST_H
#define IOTOP_OUT_LIST_H

#include "base/buf.h"
#include "data/entity.h"

struct list_item {
	const char *name;
	const char *help;	/* as in the source: translated here; NULL: none */
};

/*
 * A line an item: indent blanks, the name, at least two blanks, the help; help is wrapped at 80
 * columns.
 */
void list_print(struct buf *out, const struct list_item *items, size_t n, int indent);
/* The columns of an entity in its order: key, help, and where its cells have one the unit. */
void list_columns(struct buf *out, const struct entity *e, int indent);

#endif
