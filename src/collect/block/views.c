// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/block/views.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/macro.h"
#include "collect/block/mountpath.h"

#define KNOWN_MOST 8192
#define VIEWS_MOST 64
#define IDLE_ROUNDS 60
#define AGAIN 16		/* a process may change its view, and a view its mounts: looked at
				 * again after so many samples */
#define READS 32		/* processes and views that are looked at, a sample */

/* What some processes see. */
struct seen_by {
	const char *root;	/* in key: in our mount namespace another root; else NULL */
	char key[512];		/* number of the mount namespace, and the root; padded by zeroes */
	struct mountpath mounts;
	unsigned used, read;	/* rounds */
};

struct process {
	struct task_id id;
	struct seen_by *view;	/* NULL: as ours, or nothing is known of it */
	bool known;
	unsigned used, looked;	/* rounds */
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
	hash_clear(&v->known, hash_free_value, NULL);
	hash_clear(&v->views, view_free, NULL);
	v->round = 0;
}

/* Of a key, "mnt:[4026531841]" before the root. */
static size_t ns_len(const char *key)
{
	return strcspn(key, "/");
}

/* What a process of this name in /proc sees; false: that is not told. */
static bool read_key(const struct views *v, const char *process, char key[512])
{
	char path[512];
	ssize_t n, more;

	memset(key, 0, 512);
	snprintf(path, sizeof(path), "%s/%s/ns/mnt", v->proc, process);
	n = readlink(path, key, 64);
	if (n <= 0)
		return false;
	snprintf(path, sizeof(path), "%s/%s/root", v->proc, process);
	more = readlink(path, key + n, 512 - 1 - (size_t)n);
	return more > 0;
}

static unsigned age_of_process(const void *value, const void *arg)
{
	return ((const struct views *)arg)->round - ((const struct process *)value)->used;
}

static bool keep_process(void *value, void *arg)
{
	return age_of_process(value, arg) < IDLE_ROUNDS;
}

/* One that a process refers to stays. */
static bool keep_view(void *value, void *arg)
{
	const struct seen_by *view = value;

	return ((const struct views *)arg)->round - view->used < 2 * IDLE_ROUNDS;
}

void views_round(struct views *v, const char *proc)
{
	if (!v->round) {
		hash_init(&v->known, offsetof(struct process, id), sizeof(struct task_id));
		hash_init(&v->views, offsetof(struct seen_by, key),
			  sizeof(((struct seen_by *)0)->key));
		snprintf(v->proc, sizeof(v->proc), "%s", proc);
		if (!read_key(v, "self", v->own))
			*v->own = '\0';
	}
	v->round++;
	v->reads = READS;
	if (v->round % 16)
		return;
	hash_age(&v->known, KNOWN_MOST, IDLE_ROUNDS, age_of_process, hash_free_value, v);
	hash_filter(&v->known, keep_process, hash_free_value, v);
	hash_filter(&v->views, keep_view, view_free, v);
}

/* The view of this key, of which the process is one; NULL: there are too many. */
static struct seen_by *view_get(struct views *v, const char key[512], uint32_t tgid)
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

static void look(struct views *v, struct process *p)
{
	char name[16], key[512];

	v->reads--;
	p->looked = v->round;
	snprintf(name, sizeof(name), "%u", p->id.tgid);
	/* Of one that has ended what was known stays. */
	if (!read_key(v, name, key))
		return;
	p->known = true;
	p->view = strcmp(key, v->own) ? view_get(v, key, p->id.tgid) : NULL;
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
	if (v->reads && (!p->looked || v->round - p->looked >= AGAIN))
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
