// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/flame.h"

#include <stdlib.h>
#include <string.h>

#define DEPTH_MAX 1024

void flame_init(struct flame *f)
{
	*f = (struct flame){ .root = NULL };
	arena_init(&f->arena);
}

void flame_release(struct flame *f)
{
	arena_release(&f->arena);
	*f = (struct flame){ .root = NULL };
}

static struct flame_node *child_of(struct flame *f, struct hash *nodes, struct flame_node *parent, const struct step *step)
{
	uint64_t parts[2] = { parent->key, hash_bytes(step->text, strlen(step->text)) }, key = hash_bytes(parts, sizeof(parts));
	struct flame_node *n;

	while ((n = hash_get(nodes, &key)) && (n->parent != parent || strcmp(n->text, step->text)))
		key++;
	if (n)
		return n;
	n = arena_new(&f->arena, struct flame_node, 1);
	*n = (struct flame_node){
		.text = step->text, .kind = step->kind, .depth = parent->depth + 1, .key = key, .parent = parent,
		.next = parent->child,
	};
	parent->child = n;
	f->nodes++;
	if (n->depth > f->depth)
		f->depth = n->depth;
	hash_put(nodes, n);
	return n;
}

static int by_weight(const void *a, const void *b)
{
	const struct flame_node *x = *(const struct flame_node *const *)a, *y = *(const struct flame_node *const *)b;

	if (x->weight != y->weight)
		return x->weight > y->weight ? -1 : 1;
	return strcmp(x->text, y->text);
}

static void sort_children(struct flame_node *parent, struct flame_node **v)
{
	size_t n = 0;

	for (struct flame_node *c = parent->child; c; c = c->next)
		v[n++] = c;
	if (n < 2)
		return;
	qsort(v, n, sizeof(*v), by_weight);
	parent->child = v[0];
	for (size_t i = 0; i < n; i++)
		v[i]->next = i + 1 < n ? v[i + 1] : NULL;
}

void flame_build(struct flame *f, const struct view *v, unsigned steps_flags, enum weight by)
{
	const struct entity *e = v->spec->entity;
	struct flame_node *node, **scratch;
	struct hash nodes;
	size_t i = 0;

	arena_reset(&f->arena);
	f->depth = 0;
	f->nodes = 1;
	f->root = arena_new(&f->arena, struct flame_node, 1);
	*f->root = (struct flame_node){ .text = "all", .kind = STEP_MARK };
	if (!e->steps)
		return;
	hash_init(&nodes, offsetof(struct flame_node, key), sizeof(uint64_t));
	for (size_t r = 0; r < v->n; r++) {
		const struct row *row = v->rows[r].row;
		uint64_t weight = e->weight(v->spec->span == SPAN_TICK ? row->now : row->sum, by);
		const struct step *steps;
		size_t n;

		if (!weight)
			continue;
		n = e->steps(row, steps_flags, &f->arena, &steps);
		node = f->root;
		node->weight += weight;
		for (size_t s = 0; s < n && s < DEPTH_MAX; s++) {
			node = child_of(f, &nodes, node, &steps[s]);
			node->weight += weight;
		}
		node->self += weight;
	}
	scratch = arena_new(&f->arena, struct flame_node *, f->nodes);
	sort_children(f->root, scratch);
	while ((node = hash_next(&nodes, &i)))
		sort_children(node, scratch);
	hash_release(&nodes);
}

const struct flame_node *flame_find(const struct flame *f, uint64_t key)
{
	const struct flame_node *n = f->root;

	while (n && n->key != key) {
		if (n->child) {
			n = n->child;
			continue;
		}
		while (n && !n->next)
			n = n->parent;
		if (n)
			n = n->next;
	}
	return n;
}
