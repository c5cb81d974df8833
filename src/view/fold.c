// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Rows that belong together become one: counters added, maxima kept. The other columns are folded
 * when they are asked for (column_value()).
 */
#include <string.h>

#include "view/arrange.h"

struct group {
	uint64_t key;		/* hash of text, moved on where two texts have the same */
	const char *text;
	struct row *row;
	uint64_t *now, *sum;	/* row's counters, writable */
	struct history *history;	/* row's own, NULL: it is a member's, or none */
	const struct row **parts;	/* the place of the next member */
	struct group *next;		/* in the order of memory: there may be thousands */
};

static struct group *group_find(struct hash *groups, const char *text, uint64_t *ret_key)
{
	uint64_t key = hash_bytes(text, strlen(text));
	struct group *g;

	while ((g = hash_get(groups, &key)) && strcmp(g->text, text))
		key++;
	*ret_key = key;
	return g;
}

static void counters_add(const struct entity *e, uint64_t *to, const uint64_t *from)
{
	if (!from)
		return;
	for (unsigned i = 0; i < e->nsum; i++)
		to[i] += from[i];
	for (unsigned i = e->nsum; i < e->nsum + e->nmax; i++)
		to[i] = MAX(to[i], from[i]);
}

/* Aligned at the newest interval: the older history may be longer. */
static void history_add(struct history *to, const struct history *from)
{
	unsigned n = MAX(to->n, from->n), shift = n - to->n;

	if (shift) {
		memmove(to->read + shift, to->read, to->n * sizeof(*to->read));
		memmove(to->write + shift, to->write, to->n * sizeof(*to->write));
		memset(to->read, 0, shift * sizeof(*to->read));
		memset(to->write, 0, shift * sizeof(*to->write));
	}
	for (unsigned i = 0; i < from->n; i++) {
		to->read[n - from->n + i] += from->read[i];
		to->write[n - from->n + i] += from->write[i];
	}
	to->n = n;
}

static struct group *group_new(struct view *v, const struct row *first, const char *text,
			       uint64_t key)
{
	const struct entity *e = first->entity;
	unsigned n = e->nsum + e->nmax;
	struct group *g = arena_new(&v->arena, struct group, 1);

	*g = (struct group){ .key = key, .text = text };
	g->row = arena_alloc(&v->arena, e->row_size);
	memcpy(g->row, first, e->row_size);
	g->now = arena_new(&v->arena, uint64_t, 2 * n);
	g->sum = g->now + n;
	*g->row = (struct row){
		.entity = e,
		.now = g->now,
		.sum = g->sum,
		.key = key,
		.name = first->name,
		.flags = first->flags | ROW_GROUP,
		.have = first->have,
		.history = first->history,
		.members = first->members,
	};
	counters_add(e, g->now, first->now);
	counters_add(e, g->sum, first->sum);
	return g;
}

static void group_join(struct view *v, struct group *g, const struct row *member)
{
	const struct entity *e = member->entity;

	counters_add(e, g->now, member->now);
	counters_add(e, g->sum, member->sum);
	/* A group has ended, or is new, when all of it has or is. */
	g->row->flags &= member->flags | ROW_GROUP;
	g->row->have |= member->have;
	g->row->members += member->members;
	if (member->history) {
		if (g->row->history && !g->history) {
			g->history = arena_new(&v->arena, struct history, 1);
			*g->history = *g->row->history;
		}
		if (g->history)
			history_add(g->history, member->history);
		g->row->history = g->history ? g->history : member->history;
	}
}

/* What became of a row. */
struct folded {
	const struct row *member;
	struct group *group;	/* NULL: it has none */
	struct row *shown;	/* the group's row, or a copy of its own */
};

/* The same group in the range before: of what its members were there. */
static const struct row *group_before(struct view *v, const struct group *g)
{
	const struct row **parts = arena_new(&v->arena, const struct row *, g->row->members);
	const struct entity *e = g->row->entity;
	struct group *b = NULL;
	uint32_t n = 0;

	for (uint32_t i = 0; i < g->row->members; i++) {
		const struct row *then = g->row->parts[i]->before;

		if (!then)
			continue;
		if (b)
			group_join(v, b, then);
		else
			b = group_new(v, then, g->text, g->key);
		parts[n++] = then;
	}
	if (!b)
		return NULL;
	b->row->parts = parts;
	b->row->members = n;
	if (e->group)
		e->group(b->row, v->spec->group, b->sum, &v->arena);
	return b->row;
}

/* Every group gets the list of its members, and what its entity says of it. */
static void groups_complete(struct view *v, struct group *first, const struct folded *folded,
			    size_t n)
{
	const struct row **parts = arena_new(&v->arena, const struct row *, n);

	for (struct group *g = first; g; g = g->next) {
		g->row->parts = g->parts = parts;
		parts += g->row->members;
	}
	for (size_t i = 0; i < n; i++)
		if (folded[i].group)
			*folded[i].group->parts++ = folded[i].member;
	for (struct group *g = first; g; g = g->next) {
		if (g->row->entity->group)
			g->row->entity->group(g->row, v->spec->group, g->sum, &v->arena);
		if (v->model->before)
			g->row->before = group_before(v, g);
	}
}

/* What is shown for the nearest ancestor of up that is not shown as `self`. */
static const struct row *shown_parent(const struct hash *by_member, const struct row *up,
				      const struct row *self)
{
	for (unsigned steps = 0; up && steps < 10000; steps++, up = up->parent) {
		const struct folded *f = hash_get(by_member, &up);

		if (f && f->shown != self)
			return f->shown;
	}
	return NULL;
}

/* In the tree a group hangs where the first of its members that has a parent outside hangs. */
static void parents_set(struct folded *folded, size_t n)
{
	struct hash by_member;

	hash_init(&by_member, offsetof(struct folded, member), sizeof(const struct row *));
	for (size_t i = 0; i < n; i++)
		hash_put(&by_member, &folded[i]);
	for (size_t i = 0; i < n; i++) {
		struct row *row = folded[i].shown;

		if (!row->parent)
			row->parent = shown_parent(&by_member, folded[i].member->parent, row);
	}
	hash_release(&by_member);
}

/* A row of its own, in the view's memory, to be given another parent. */
static struct row *row_copy(struct view *v, const struct row *row)
{
	struct row *copy = arena_alloc(&v->arena, row->entity->row_size);

	memcpy(copy, row, row->entity->row_size);
	copy->parent = NULL;
	return copy;
}

struct row_list view_fold(struct view *v, const struct row_list *rows)
{
	struct row_list out = { .rows = arena_new(&v->arena, const struct row *, rows->n),
				.cap = rows->n };
	struct folded *folded = arena_new(&v->arena, struct folded, rows->n);
	struct group *first = NULL, **end = &first;
	struct hash groups;

	hash_init(&groups, offsetof(struct group, key), sizeof(uint64_t));
	for (size_t i = 0; i < rows->n; i++) {
		const struct row *row = rows->rows[i];
		const char *text = row->entity->group_key(row, v->spec->group, &v->arena);
		struct group *g;
		uint64_t key;

		if (!text) {
			folded[i] = (struct folded){ row, NULL, row_copy(v, row) };
			out.rows[out.n++] = folded[i].shown;
			continue;
		}
		g = group_find(&groups, text, &key);
		if (g) {
			group_join(v, g, row);
		} else {
			g = group_new(v, row, text, key);
			hash_put(&groups, g);
			*end = g;
			end = &g->next;
			out.rows[out.n++] = g->row;
		}
		folded[i] = (struct folded){ row, g, g->row };
	}
	groups_complete(v, first, folded, rows->n);
	hash_release(&groups);
	if (v->spec->tree)
		parents_set(folded, rows->n);
	return out;
}
