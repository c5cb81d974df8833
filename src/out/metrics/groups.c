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
	free(g->container);
	free(g);
}

void groups_clear(struct hash *h)
{
	hash_clear(h, group_free, NULL);
}

/* is_uid: systemd has _ in place of -. */
static void label_part(struct buf *out, const char *label, const char *part, size_t n, bool is_uid)
{
	char *text = mem_strndup(part, n);

	for (char *p = text; *p && is_uid; p++)
		*p = *p == '_' ? '-' : *p;
	label_put(out, label, text);
	free(text);
}

/* By what the path says: an id or a name, and the uid of the pod. */
static void labels_of_path(struct buf *out, const struct container *c)
{
	struct buf name = { 0 };
	char *text;

	container_put_name(&name, c);
	text = utf8_clean_dup(name.data);
	label_put(out, "container", text);
	free(text);
	buf_release(&name);
	if (c->pod)
		label_part(out, "pod", c->pod, c->pod_len, true);
}

/* "docker/web" of an engine, or "namespace/pod/container" of Kubernetes, or of its pod only. */
static void labels_of_names(struct buf *out, const struct container *c, const char *text)
{
	size_t n = strcspn(text, "/"), pod;

	text += c->pod ? 0 : n + (text[n] == '/');
	if (!c->pod || !text[n]) {
		label_put(out, "container", text);
		return;
	}
	pod = strcspn(text + n + 1, "/");
	label_part(out, "namespace", text, n, false);
	label_part(out, "pod", text + n + 1, pod, false);
	text += n + 1 + pod;
	if (*text)
		label_put(out, "container", text + 1);
}

/* It ends with the id of the path: no engine was asked yet, or none knew it. */
static bool is_unnamed(const struct container *c, const char *text)
{
	const char *slash = strrchr(text, '/');

	return !container_has_id(c) ||
	       (slash && strlen(slash + 1) == CONTAINER_ID_SHOWN &&
		!strncmp(slash + 1, c->name, CONTAINER_ID_SHOWN));
}

/* What runs there, by its path and its engine; of several the innermost. */
static void group_labels(struct buf *out, const char *path, const char *container)
{
	struct container c;

	container_find(path, &c);
	label_put(out, "cgroup", *path ? path : "/");
	if (c.kind != CONTAINER_NONE && c.kind != CONTAINER_VM) {
		if (!container || is_unnamed(&c, container))
			labels_of_path(out, &c);
		else
			labels_of_names(out, &c, container);
	} else if (c.pod) {
		label_part(out, "pod", c.pod, c.pod_len, true);
	}
	if (c.unit)
		label_part(out, "unit", c.unit, c.unit_len, false);
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

/* Each of the sets that have series of control groups. */
static const enum series_set sets[] = { SET_CGROUP_IO, SET_CGROUP, SET_CGROUP_DIRTY };

static bool is_none(_unused_ struct series *s, _unused_ void *arg)
{
	return false;
}

/* Its engine said how it is called: its series go on under other labels. */
static void relabel(struct metrics *x, struct metric_group *g, const char *labels)
{
	for (size_t i = 0; i < ARRAY_SIZE(sets); i++)
		for (size_t k = 0; k < x->series.sets[sets[i]].n; k++) {
			struct series *s = x->series.sets[sets[i]].items[k];
			struct buf text = { 0 };

			if (s->owner != g)
				continue;
			buf_puts(&text, labels);
			buf_puts(&text, s->labels + s->prefix);
			free(s->labels);
			s->labels = mem_strdup(text.data);
			s->prefix = (uint32_t)strlen(labels);
			buf_release(&text);
		}
	free(g->labels);
	g->labels = mem_strdup(labels);
	/* Their keys are made of the labels. */
	series_drop(&x->series, is_none, NULL);
}

static bool is_called(const struct metric_group *g, const char *container)
{
	return container && g->container ? !strcmp(container, g->container)
					 : container == g->container;
}

static void call(struct metrics *x, struct metric_group *g, const char *path,
		 const char *container)
{
	struct buf labels = { 0 };

	group_labels(&labels, path, container);
	if (!find_labels(x, labels.data))
		relabel(x, g, labels.data);
	free(g->container);
	g->container = container ? mem_strdup(container) : NULL;
	buf_release(&labels);
}

struct metric_group *groups_get(struct metrics *x, uint64_t id, const char *path,
				const char *container)
{
	struct metric_group *g = hash_get(&x->groups, &id);
	struct buf labels = { 0 };

	if (g && !is_called(g, container))
		call(x, g, path, container);
	if (g)
		return g;
	group_labels(&labels, path, container);
	g = find_labels(x, labels.data);
	if (g) {
		hash_del(&x->groups, &g->id);
	} else {
		g = mem_zalloc(sizeof(*g));
		g->labels = mem_strdup(labels.data);
		g->container = container ? mem_strdup(container) : NULL;
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
