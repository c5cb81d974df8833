/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Joins: rows asked of a model by key. The model stays as it is; what is allocated is in the
 * caller's arena, and what is returned lives as long as model and arena.
 */
#ifndef IOTOP_DATA_JOIN_H
#define IOTOP_DATA_JOIN_H

#include "data/model.h"

/* Some rows of one entity. */
struct rows {
	const struct row *const *rows;
	size_t n;
};

/* The rows a row stands for: the members of a group, else itself. Borrowed from the view. */
struct rows row_members(const struct row *const *row);

/* The rows of an entity by a number that several of them may share: a disk, a process. */
struct row_index {
	uint64_t *keys;		/* ascending */
	const struct row **rows;	/* of these keys; equal keys in the order of the model */
	size_t n;
};

struct row_index row_index_new(const struct model *m, enum entity_id id,
			       uint64_t (*key)(const struct row *row), struct arena *a);
/* Rows with this key. */
struct rows row_index_find(const struct row_index *ix, uint64_t key);

#endif
