/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rows of a view as a tree of steps, each as wide as all that went through it: flame graphs,
 * the icicle, folded lines.
 */
#ifndef IOTOP_VIEW_FLAME_H
#define IOTOP_VIEW_FLAME_H

#include "view/view.h"

/* What code a step is of, by its name: the colours of a picture. */
enum flame_class {
	FLAME_OTHER,	/* no code: a disk, a task, a mark */
	FLAME_USER,
	FLAME_LIBRARY,
	FLAME_SCRIPT,	/* interpreters and what they run */
	FLAME_KERNEL,
	FLAME_FS,	/* file systems and the page cache */
	FLAME_BLOCK,	/* block layer, stacked devices, drivers */
};

struct flame_node {
	const char *text;
	enum step_kind kind;
	unsigned depth;		/* 0: the root, which is all */
	/* Of itself and what is below; of a comparison each path as in the range with more. */
	uint64_t weight;
	uint64_t self;		/* of paths that end here */
	/* Of a comparison: in its ranges, the one before as if it had been as long. */
	uint64_t now, before;
	uint64_t self_before;	/* as self, in the range before */
	uint64_t key;		/* stable: of the texts from the root to here */
	struct flame_node *parent, *child, *next;	/* children by weight, equal ones by text */
};

struct flame {
	struct arena arena;
	struct flame_node *root;
	unsigned depth;		/* of the deepest node */
	size_t nodes;
	bool compared;		/* two ranges */
};

void flame_init(struct flame *f);
void flame_release(struct flame *f);
/* v is borrowed for as long as f is used. Rows without weight are left out. */
void flame_build(struct flame *f, const struct view *v, unsigned steps_flags, enum weight by);
enum flame_class flame_class(const struct flame_node *n);
/*
 * Weight below root (and of it) that goes through nodes whose text contains part, in any case; each
 * path counts once.
 */
uint64_t flame_match(const struct flame_node *root, const char *part);
bool flame_matches(const struct flame_node *n, const char *part);
/* Parents before their children, siblings in their order; NULL after the last. */
const struct flame_node *flame_next(const struct flame_node *n);
/* Where a row's path ends, as far as it is in the tree; with the flags that it was built with. */
const struct flame_node *flame_leaf(struct flame *f, const struct row *row, unsigned steps_flags);
/* NULL: there is no such node any more. */
const struct flame_node *flame_find(const struct flame *f, uint64_t key);

#endif
