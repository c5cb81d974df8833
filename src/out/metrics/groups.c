// SPDX-License-Identifier: GPL-2.0-or-later
#include "out/metrics/groups.h"

#include <stdlib.h>
#include <string.h>

#include "base/container.h"
#include "base/mem.h"
#include "base/utf8.h"

#define OTHER "cgroup=\"other\""
#define FADING 0.99	/* of the score, each tick */
#define BUSIER 2	/* times as busy as one that has series, to get them in its place */
#define HOLD 60		/* ticks that a group has its series at least, where there is no room */
#define GONE 600	/* seconds without a task after which it has ended */
#define IDLE 600	/* ticks after which a group without series is forgotten */

void groups_init(struct hash *h)
{
	hash_init(h, offsetof(struct metric_group, id), sizeof(uint64_t));
}

static void group_free(void *value, _unused_ void *arg)
{
	struct metric_group *g = value;

	free(g->labels);
	free(g);
}

void groups_clear(struct hash *h)
{
	hash_clear(h, group_free, NULL);
}

static void label_part(struct buf *out, const char *label, const char *part, size_t n)
{
	char *text = mem_strndup(part, n);

	for (char *p = text; !strcmp(label, "pod") && *p; p++)
		*p = *p == '_' ? '-' : *p;
	label_put(out, label, text);
	free(text);
}

/* What runs there, by its path; of several the innermost. */
static void group_labels(struct buf *out, const char *path)
{
	struct container c;

	container_find(path, &c);
	label_put(out, "cgroup", *path ? path : "/");
	if (c.kind != CONTAINER_NONE && c.kind != CONTAINER_VM) {
		struct buf name = { 0 };
		char *text;

		container_put_name(&name, &c);
		text = utf8_clean_dup(name.data);
		label_put(out, "container", text);
		free(text);
		buf_release(&name);
	}
	if (c.pod)
		label_part(out, "pod", c.pod, c.pod_len);
	if (c.unit)
		label_part(out, "unit", c.unit, c.unit_len);
}

/* There was one at this path before: a service that was started again. */
static struct metric_group *find_labels(const struct metrics *x, const char *labels)
{
	struct metric_group *g;
	size_t i = 0;

	while ((g = hash_next(&x->groups, &i)))
		if (!strcmp(g->labels, labels))
			return g;
	return NULL;
}

struct metric_group *groups_get(struct metrics *x, uint64_t id, const char *path)
{
	struct metric_group *g = hash_get(&x->groups, &id);
	struct buf labels = { 0 };

	if (g)
		return g;
	group_labels(&labels, path);
	g = find_labels(x, labels.data);
	if (g) {
		hash_del(&x->groups, &g->id);
	} else {
		g = mem_zalloc(sizeof(*g));
		g->labels = mem_strdup(labels.data);
		g->own = x->series.lines < x->max_series;
		g->since = g->active = x->series.tick;
	}
	g->id = id;
	g->alive = x->now;
	hash_put(&x->groups, g);
	buf_release(&labels);
	return g;
}

struct series *groups_series(struct metrics *x, struct metric_group *g, enum series_set set,
			     const char *rest)
{
	const char *labels = g->own ? g->labels : OTHER;
	struct series *s;

	buf_reset(&x->labels);
	buf_puts(&x->labels, labels);
	if (*rest)
		buf_putc(&x->labels, ',');
	buf_puts(&x->labels, rest);
	s = series_get(&x->series, set, x->labels.data);
	s->owner = g->own ? g : NULL;
	s->prefix = (uint32_t)strlen(labels);
	return s;
}

void groups_count(struct metrics *x, struct metric_group *g, double bytes)
{
	g->score += bytes;
	g->active = x->series.tick;
}

void groups_alive(struct metrics *x, uint64_t id)
{
	struct metric_group *g = hash_get(&x->groups, &id);

	if (g)
		g->alive = x->now;
}

static bool is_taken(struct series *s, _unused_ void *arg)
{
	return s->owner && !((const struct metric_group *)s->owner)->own;
}

/*
 * Its series are to go; what they had is in "other" from now on, so that the sum over all stays.
 */
static void merge_series(struct metrics *x, struct metric_group *g)
{
	static const enum series_set sets[] = { SET_CGROUP_IO, SET_CGROUP, SET_CGROUP_DIRTY };

	g->own = false;
	g->since = x->series.tick;
	for (size_t i = 0; i < ARRAY_SIZE(sets); i++) {
		struct series_list *l = &x->series.sets[sets[i]];

		for (size_t k = 0, n = l->n; k < n; k++) {
			struct series *s = l->items[k], *other;
			const char *rest = s->labels + s->prefix;

			if (s->owner != g)
				continue;
			other = groups_series(x, g, sets[i], rest + (*rest == ','));
			for (size_t v = 0; v < series_values(sets[i]); v++)
				other->values[v] += s->values[v];
		}
	}
}

static void take_series(struct metrics *x, struct metric_group *g)
{
	merge_series(x, g);
	series_drop(&x->series, is_taken, NULL);
}

/* Who had no task for long has ended: a service that starts again soon goes on where it was. */
static void take_ended(struct metrics *x)
{
	struct metric_group *g;
	bool any = false;
	size_t i = 0;

	while ((g = hash_next(&x->groups, &i)))
		if (g->own && x->now - g->alive > GONE) {
			merge_series(x, g);
			any = true;
		}
	if (any)
		series_drop(&x->series, is_taken, NULL);
}

/* The one with series that does least, and the one without that does most; NULL: none. */
static void find_extremes(const struct metrics *x, struct metric_group **least,
			  struct metric_group **most)
{
	struct metric_group *g;
	size_t i = 0;

	*least = *most = NULL;
	while ((g = hash_next(&x->groups, &i))) {
		if (g->own && (!*least || g->score < (*least)->score))
			*least = g;
		if (!g->own && (!*most || g->score > (*most)->score))
			*most = g;
	}
}

static bool group_keep(void *value, void *arg)
{
	const struct metric_group *g = value;
	const struct metrics *x = arg;

	return g->own || x->series.tick - g->active <= IDLE;
}

/*
 * Where there is room nobody loses its series before it ends. Where there is none, one group a tick
 * changes, for another that does much more: series do not come and go.
 */
void groups_balance(struct metrics *x, bool lists)
{
	struct metric_group *g, *least, *most;
	size_t i = 0;

	if (lists)
		take_ended(x);
	while ((g = hash_next(&x->groups, &i)))
		g->score *= FADING;
	find_extremes(x, &least, &most);
	while (least && x->series.lines > x->max_series) {
		take_series(x, least);
		find_extremes(x, &least, &most);
	}
	if (most && most->active == x->series.tick) {
		size_t lines = x->series.lines + x->series.lines_of[SET_CGROUP] +
			       x->series.lines_of[SET_CGROUP_DIRTY] +
			       2 * x->series.lines_of[SET_CGROUP_IO];

		if (lines > x->max_series && least && most->score > BUSIER * least->score &&
		    x->series.tick - least->since >= HOLD) {
			take_series(x, least);
			lines = 0;
		}
		if (lines <= x->max_series) {
			most->own = true;
			most->since = x->series.tick;
		}
	}
	hash_filter(&x->groups, group_keep, group_free, x);
}
