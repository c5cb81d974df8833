// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Rows below their parents. A row whose parent is not shown hangs below the nearest ancestor that
 * is.
 */
#include <stddef.h>

#include "view/arrange.h"

struct node {
	const struct row *row;
	struct node *parent;
	struct node *first, *last;	/* children, in the order of the sort */
	struct node *next;		/* sibling */
	unsigned depth;
	size_t walk;	/* the walk upwards that came here first */
	size_t children, joined;	/* joined: how many of them are in value */
	struct value value;	/* what it is sorted by: its own and that of all below it */
};

static const struct row *row_up(const struct view_spec *spec, const struct row *row)
{
	return spec->turned && spec->entity->turns ? row->turned_parent : row->parent;
}

/*
 * Parents come from process ids of different moments: a chain may be a circle, so its length is
 * limited.
 */
static struct node *node_parent(const struct view_spec *spec, const struct hash *by_row,
				const struct node *node)
{
	const struct row *up = row_up(spec, node->row);

	for (unsigned steps = 0; up && steps < 10000; steps++, up = row_up(spec, up)) {
		struct node *found = hash_get(by_row, &up);

		if (found)
			return found == node ? NULL : found;
	}
	return NULL;
}

static void node_link(struct node *node, struct node *parent)
{
	if (parent->last)
		parent->last->next = node;
	else
		parent->first = node;
	parent->last = node;
}

/* Depth first from root downwards, without recursion: a chain can be as long as there are rows. */
static void node_place(struct view *v, struct node *root, size_t *n)
{
	const struct view_spec *spec = v->spec;
	struct node *node = root;

	for (;;) {
		bool folded = spec->folded && spec->folded(spec->folded_arg, node->row);

		v->rows[(*n)++] = (struct view_row){
			.row = node->row,
			.depth = node->depth,
			.last = !node->next,
			.has_children = node->first,
			.folded = node->first && folded,
		};
		if (node->first && !folded) {
			node->first->depth = node->depth + 1;
			node = node->first;
			continue;
		}
		while (node != root && !node->next)
			node = node->parent;
		if (node == root)
			return;
		node->next->depth = node->depth;
		node = node->next;
	}
}

/* Cuts every circle, so that each node has a root above it. */
static void cut_circles(struct node *nodes, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct node *up = &nodes[i];

		for (; up && !up->walk; up = up->parent)
			up->walk = i + 1;
		if (up && up->walk == i + 1)
			up->parent = NULL;
	}
}

/*
 * What adds up counts for all of the subtree. Of latencies and ages the one that the order puts
 * first does: a mean would bury a slow task among its fast siblings; and of what is told again
 * below it, as by disks. Names and numbers are each row's own.
 */
static void node_join(const struct view_spec *spec, struct node *parent, const struct node *child)
{
	enum fold fold = spec->sort->fold;

	if (fold == FOLD_FIRST || fold == FOLD_SAME)
		return;
	if (fold == FOLD_SUM && spec->entity->tree_adds)
		parent->value = value_add(&parent->value, &child->value);
	else if (value_order(&child->value, &parent->value, spec->descending) < 0)
		parent->value = child->value;
}

/*
 * What each is sorted by. From the leaves upwards: a node joins its parent when all below it have
 * joined.
 */
static struct value *subtree_values(struct view *v, struct node *nodes, size_t n)
{
	struct value *values = arena_new(&v->arena, struct value, n);
	const struct view_spec *spec = v->spec;

	for (size_t i = 0; i < n; i++) {
		nodes[i].value = view_sort_value(v, nodes[i].row);
		if (nodes[i].parent)
			nodes[i].parent->children++;
	}
	for (size_t i = 0; i < n; i++) {
		struct node *at = &nodes[i];

		/* Those with children go on when the last of these has come. */
		if (at->children)
			continue;
		for (; at->parent && at->joined == at->children; at = at->parent) {
			node_join(spec, at->parent, at);
			at->parent->joined++;
		}
	}
	for (size_t i = 0; i < n; i++)
		values[i] = nodes[i].value;
	return values;
}

void view_tree(struct view *v, const struct row **rows, size_t n)
{
	struct node *nodes = arena_new(&v->arena, struct node, n);
	struct node top = { 0 };
	struct hash by_row;
	bool flat = true;

	hash_init(&by_row, offsetof(struct node, row), sizeof(const struct row *));
	for (size_t i = 0; i < n; i++) {
		nodes[i].row = rows[i];
		hash_put(&by_row, &nodes[i]);
	}
	for (size_t i = 0; i < n; i++) {
		nodes[i].parent = node_parent(v->spec, &by_row, &nodes[i]);
		flat = flat && !nodes[i].parent;
	}
	cut_circles(nodes, n);
	if (v->spec->sort && !flat)
		view_sort(v, rows, subtree_values(v, nodes, n), n, n);
	for (size_t i = 0; i < n; i++) {
		struct node *node = hash_get(&by_row, &rows[i]);

		node_link(node, node->parent ? node->parent : &top);
	}
	hash_release(&by_row);
	v->n = 0;
	for (struct node *root = top.first; root; root = root->next)
		node_place(v, root, &v->n);
}
