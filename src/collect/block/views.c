// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/block/views.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/macro.h"
#include "collect/block/mountpath.h"
#include "collect/helper/process.h"

#define KNOWN_MOST 8192
#define VIEWS_MOST 64
#define IDLE_ROUNDS 60
#define AGAIN 16		/* a process may change its view, and a view its mounts: looked at
				 * again after so many samples */
#define READS 32		/* processes and views that are looked at, a sample */

/* What some processes see. */
struct seen_by {
	const char *root;	/* in key: in our mount namespace another root; else NULL */
	char key[VIEW_KEY];	/* number of the mount namespace, and the root; padded by zeroes */
	struct mountpath mounts;
	unsigned used, read;	/* rounds */
};

struct process {
	struct task_id id;
	struct seen_by *view;	/* NULL: as ours, or nothing is known of it */
	bool known;
	bool asked;		/* its answer is still to come */
	bool bad;		/* the helper hung on it: not asked again */
	unsigned used, looked;	/* rounds */
};

/* A request for the view of a process. */
struct asking {
	struct views *views;
	struct task_id id;
};

static void view_free(void *value, _unused_ void *arg)
{
	struct seen_by *view = value;

	mountpath_release(&view->mounts);
	free(view);
}

void views_release(struct views *v)
{
	if (!v->round)
		return;
	helper_cancel(v->helper, v);
	hash_clear(&v->known, hash_free_value, NULL);
	hash_clear(&v->views, view_free, NULL);
	v->round = 0;
}

/* Of a key, "mnt:[4026531841]" before the root. */
static size_t ns_len(const char *key)
{
	return strcspn(key, "/");
}

static unsigned age_of_process(const void *value, const void *arg)
{
	return ((const struct views *)arg)->round - ((const struct process *)value)->used;
}

static bool keep_process(void *value, void *arg)
{
	const struct process *p = value;

	return p->asked || age_of_process(value, arg) < IDLE_ROUNDS;
}

/* One that a process refers to stays. */
static bool keep_view(void *value, void *arg)
{
	const struct seen_by *view = value;

	return ((const struct views *)arg)->round - view->used < 2 * IDLE_ROUNDS;
}

void views_round(struct views *v, const char *proc, struct helper *helper)
{
	if (!v->round) {
		hash_init(&v->known, offsetof(struct process, id), sizeof(struct task_id));
		hash_init(&v->views, offsetof(struct seen_by, key),
			  sizeof(((struct seen_by *)0)->key));
		snprintf(v->proc, sizeof(v->proc), "%s", proc);
		v->helper = helper;
		if (!view_key_read(v->proc, "self", v->own))
			*v->own = '\0';
	}
	v->round++;
	v->reads = READS;
	v->until = clock_mono() + HELPER_LATE;
	if (v->round % 16)
		return;
	hash_age(&v->known, KNOWN_MOST, IDLE_ROUNDS, age_of_process, hash_free_value, v);
	hash_filter(&v->known, keep_process, hash_free_value, v);
	hash_filter(&v->views, keep_view, view_free, v);
}

/* The view of this key, of which the process is one; NULL: there are too many. */
static struct seen_by *view_get(struct views *v, const char key[VIEW_KEY], uint32_t tgid)
{
	struct seen_by *view = hash_get(&v->views, key);

	if (!view && v->views.n >= VIEWS_MOST)
		return NULL;
	if (!view) {
		view = mem_zalloc(sizeof(*view));
		memcpy(view->key, key, sizeof(view->key));
		if (!strncmp(key, v->own, ns_len(key)))
			view->root = view->key + ns_len(key);
		hash_put(&v->views, view);
	}
	view->used = v->round;
	if (!view->root && (!view->read || v->round - view->read >= AGAIN) &&
	    mountpath_read_of(&view->mounts, v->proc, tgid))
		view->read = v->round;
	return view;
}

static void told(void *arg, const void *data, size_t len)
{
	struct asking *a = arg;
	struct process *p = hash_get(&a->views->known, &a->id);
	char key[VIEW_KEY];

	if (p) {
		p->asked = false;
		p->bad = !data;
	}
	/* Of one that has ended what was known stays. */
	if (p && view_key_answer(data, len, key)) {
		p->known = true;
		p->view = strcmp(key, a->views->own) ? view_get(a->views, key, p->id.tgid) : NULL;
	}
	free(a);
}

static bool is_told(void *arg)
{
	return !((const struct process *)arg)->asked;
}

/*
 * Asks what a process sees. Where nothing is known of it yet the answer is waited for, in all of a
 * sample no longer than a helper is late.
 */
static void look(struct views *v, struct process *p)
{
	struct asking *a = mem_alloc(sizeof(*a));

	*a = (struct asking){ .views = v, .id = p->id };
	v->reads--;
	p->looked = v->round;
	p->asked = true;
	helper_ask(v->helper, HELPER_NAMES, MESSAGE_VIEW, &p->id.tgid, sizeof(p->id.tgid), told, a,
		   v);
	if (!p->known && p->asked)
		helper_wait(v->helper, HELPER_NAMES, v->until, is_told, p);
}

static struct process *process_get(struct views *v, const struct task_id *task)
{
	struct process *p = hash_get(&v->known, task);

	if (!p) {
		if (v->known.n >= 2 * KNOWN_MOST)
			return NULL;
		p = mem_zalloc(sizeof(*p));
		p->id = *task;
		hash_put(&v->known, p);
	}
	p->used = v->round;
	if (v->reads && !p->asked && !p->bad && (!p->looked || v->round - p->looked >= AGAIN))
		look(v, p);
	if (p->view)
		p->view->used = v->round;
	return p;
}

/* A view in which a file system is the root, as in a container; NULL: none is known. */
static const struct seen_by *rooted_at(const struct views *v, uint32_t sdev)
{
	const struct seen_by *view;
	size_t i = 0;

	while ((view = hash_next(&v->views, &i))) {
		const struct mountpath_mount *mount = mountpath_of(&view->mounts, sdev);

		if (mount && !strcmp(mount->point, "/"))
			return view;
	}
	return NULL;
}

/* The overlay of a view where it has one only, else 0. */
static uint32_t only_overlay(const struct mountpath *m)
{
	uint32_t dev = 0;

	for (size_t i = 0; i < m->n; i++) {
		if (!m->mounts[i].options)
			continue;
		if (dev && dev != m->mounts[i].dev)
			return 0;
		dev = m->mounts[i].dev;
	}
	return dev;
}

const char *views_seen(struct views *v, struct sample *s, const struct task_id *task,
		       uint32_t sdev, const struct abi_names *names, const char *path,
		       const struct abi_names *seen)
{
	_cleanup_(buf_release) struct buf out = { 0 };
	const struct seen_by *view;
	const struct process *p;
	const char *rest;
	bool found = false;

	if (!task->start || !*v->own)
		return NULL;
	p = process_get(v, task);
	view = p && p->view ? p->view : p && !p->known && seen ? rooted_at(v, seen->epoch) : NULL;
	if (!view)
		return NULL;
	if (view->root) {
		rest = path ? mountpath_below(path, view->root) : NULL;
		return !rest ? NULL : *rest ? sample_str(s, rest, strlen(rest)) : "/";
	}
	/* Of a file below several overlays the names may be of another one. */
	if (seen)
		found = mountpath_here(&view->mounts, seen->epoch, seen, &out) ||
			mountpath_here(&view->mounts, only_overlay(&view->mounts), seen, &out);
	if (!found && path)
		found = mountpath_overlaid(&view->mounts, path, &out);
	if (!found)
		found = mountpath_here(&view->mounts, sdev, names, &out);
	return found ? sample_str(s, out.data, out.len) : NULL;
}
