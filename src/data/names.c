/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "data/names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/hash.h"
#include "base/parse.h"
#include "base/utf8.h"
#include "data/group_name.h"

#define NAMES_MAX 8192		/* users, and cgroups, from which on those that nobody asked for
				 * are forgotten */
#define IDLE_ROUNDS 60

struct name_entry {
	uint64_t id;
	unsigned round;		/* last in a sample, or asked for */
	char *raw;		/* as the sample had it, to see a change */
	char *text;		/* clean */
	char *told;		/* cgroups: raw name of the container; NULL: not known */
	struct group_name group;	/* cgroups */
	char *limit;		/* cgroups: clean; NULL: none that held I/O back lately */
};

struct disk_entry {
	struct names_disk disk;
	char *name, *label;
	unsigned tick;	/* of the last sample that had it */
};

struct names {
	struct hash users, cgroups, disks;
	/* What was asked for last: rows in a row are mostly of one user in one cgroup. */
	struct name_entry *user, *cgroup;
	char *only;	/* the disk to look at; NULL: all */
	unsigned tick, round;
};

struct names *names_new(void)
{
	struct names *n = mem_zalloc(sizeof(*n));

	hash_init(&n->users, offsetof(struct name_entry, id), sizeof(uint64_t));
	hash_init(&n->cgroups, offsetof(struct name_entry, id), sizeof(uint64_t));
	hash_init(&n->disks, offsetof(struct disk_entry, disk.dev), sizeof(uint32_t));
	return n;
}

static void name_drop(void *value, void *arg)
{
	struct name_entry *e = value;

	free(e->raw);
	free(e->text);
	free(e->told);
	group_name_release(&e->group);
	free(e->limit);
	free(e);
}

static void name_entries_free(struct hash *h)
{
	hash_filter(h, NULL, name_drop, NULL);
	hash_release(h);
}

void names_free(struct names *n)
{
	struct disk_entry *d;
	size_t i = 0;

	if (!n)
		return;
	name_entries_free(&n->users);
	name_entries_free(&n->cgroups);
	while ((d = hash_next(&n->disks, &i))) {
		free(d->name);
		free(d->label);
		free(d);
	}
	hash_release(&n->disks);
	free(n->only);
	free(n);
}

void names_round(struct names *n)
{
	n->round++;
	n->user = n->cgroup = NULL;
	hash_age_rounds(&n->users, NAMES_MAX, IDLE_ROUNDS, offsetof(struct name_entry, round),
			n->round, name_drop, n);
	hash_age_rounds(&n->cgroups, NAMES_MAX, IDLE_ROUNDS, offsetof(struct name_entry, round),
			n->round, name_drop, n);
}

/* Either may be NULL. */
static bool differs(const char *a, const char *b)
{
	return !a != !b || (a && strcmp(a, b));
}

/* Sets the entry's text; true when it is new or changed. */
static bool name_set(const struct names *n, struct hash *h, uint64_t id, const char *raw,
		     struct name_entry **ret)
{
	struct name_entry *e = hash_get(h, &id);

	if (!e) {
		e = mem_zalloc(sizeof(*e));
		e->id = id;
		hash_put(h, e);
	}
	e->round = n->round;
	*ret = e;
	if (e->raw && !strcmp(e->raw, raw))
		return false;
	free(e->raw);
	free(e->text);
	e->raw = mem_strdup(raw);
	e->text = utf8_clean_dup(raw);
	return true;
}

static void disk_set(struct names *n, const struct sample_disk *s)
{
	struct disk_entry *e = hash_get(&n->disks, &s->dev);
	const char *name = s->name ? s->name : "?";

	if (!e) {
		e = mem_zalloc(sizeof(*e));
		e->disk.dev = s->dev;
		hash_put(&n->disks, e);
	}
	e->disk.whole = s->whole;
	e->disk.flags = s->flags;
	e->disk.shown = true;
	e->disk.counted = s->flags & DISK_LOWEST;
	e->tick = n->tick;
	/*
	 * Rows and links of this tick point to the text: it is replaced only when the disk was
	 * renamed.
	 */
	if (!e->name || strcmp(e->name, name)) {
		free(e->name);
		e->name = utf8_clean_dup(name);
	}
	if (differs(e->label, s->label)) {
		free(e->label);
		e->label = s->label ? utf8_clean_dup(s->label) : NULL;
	}
	e->disk.name = e->name;
	e->disk.label = e->label;
}

static bool same_name(const char *name, const char *only)
{
	return name && !strcmp(name, only);
}

static void disk_show(struct names *n, uint32_t dev, bool *ret_changed)
{
	struct disk_entry *e = hash_get(&n->disks, &dev);

	if (!e || e->disk.shown)
		return;
	e->disk.shown = true;
	*ret_changed = true;
}

/* Whether d lies on a disk that is shown: one of the kernel names in its list. */
static bool lies_on_shown(const struct names *n, const struct sample *s,
			  const struct sample_disk *d)
{
	sample_each(s, DISK, const struct sample_disk, other) {
		const struct disk_entry *e = hash_get(&n->disks, &other->dev);

		if (e && e->disk.shown && d->below && other->name &&
		    list_has(d->below, other->name, ' '))
			return true;
	}
	return false;
}

/* The disk, and then whatever lies on what is in already, until nothing is added. */
static void scope_update(struct names *n, const struct sample *s)
{
	struct disk_entry *e;
	bool changed;
	size_t i = 0;

	while ((e = hash_next(&n->disks, &i)))
		if (e->tick == n->tick)
			e->disk.shown = e->disk.counted = false;
	sample_each(s, DISK, const struct sample_disk, d) {
		if (!same_name(d->name, n->only) && !same_name(d->label, n->only))
			continue;
		disk_show(n, d->whole, &changed);
		e = hash_get(&n->disks, &d->whole);
		if (e)
			e->disk.counted = true;
	}
	do {
		changed = false;
		sample_each(s, DISK, const struct sample_disk, d)
			if (lies_on_shown(n, s, d))
				disk_show(n, d->dev, &changed);
	} while (changed);
}

void names_set_disk(struct names *n, const char *disk)
{
	free(n->only);
	n->only = disk ? mem_strdup(disk) : NULL;
}

void names_update(struct names *n, const struct sample *s)
{
	struct name_entry *e;

	n->tick++;
	sample_each(s, USER, const struct sample_user, u)
		if (u->name)
			name_set(n, &n->users, u->uid, u->name, &e);
	sample_each(s, CGROUP, const struct sample_cgroup, c) {
		if (!c->path)
			continue;
		if (name_set(n, &n->cgroups, c->id, c->path, &e) || differs(e->told, c->name)) {
			free(e->told);
			e->told = c->name ? mem_strdup(c->name) : NULL;
			group_name_release(&e->group);
			group_name_init(&e->group, e->text, e->told);
		}
		free(e->limit);
		e->limit = c->limit ? utf8_clean_dup(c->limit) : NULL;
	}
	sample_each(s, DISK, const struct sample_disk, d)
		disk_set(n, d);
	if (n->only)
		scope_update(n, s);
}

static struct name_entry *name_get(const struct names *n, const struct hash *h, uint64_t id,
				   struct name_entry **last)
{
	if (*last && (*last)->id == id)
		return *last;
	*last = hash_get(h, &id);
	if (*last)
		(*last)->round = n->round;
	return *last;
}

const char *names_user(struct names *n, uint32_t uid)
{
	struct name_entry *e = name_get(n, &n->users, uid, &n->user);
	char number[16];

	if (!e) {
		snprintf(number, sizeof(number), "%u", uid);
		name_set(n, &n->users, uid, number, &e);
	}
	return e->text;
}

/* One that is not known has nothing. */
static const struct name_entry *cgroup_get(struct names *n, uint64_t id)
{
	static const struct name_entry none;
	const struct name_entry *e = name_get(n, &n->cgroups, id, &n->cgroup);

	return e ? e : &none;
}

const char *names_cgroup_path(struct names *n, uint64_t id)
{
	return cgroup_get(n, id)->text;
}

const char *names_cgroup_short(struct names *n, uint64_t id)
{
	return cgroup_get(n, id)->group.brief;
}

const char *names_cgroup_container(struct names *n, uint64_t id)
{
	return cgroup_get(n, id)->group.container;
}

const char *names_cgroup_limit(struct names *n, uint64_t id)
{
	return cgroup_get(n, id)->limit;
}

const struct names_disk *names_disk(struct names *n, uint32_t dev)
{
	struct disk_entry *e = hash_get(&n->disks, &dev);
	char number[32];

	if (!e) {
		e = mem_zalloc(sizeof(*e));
		snprintf(number, sizeof(number), "%u:%u", dev >> 20, dev & 0xfffff);
		e->name = mem_strdup(number);
		e->disk = (struct names_disk){
			.dev = dev,
			.whole = dev,
			.flags = DISK_LOWEST,
			.name = e->name,
			.shown = !n->only,
			.counted = !n->only,
		};
		hash_put(&n->disks, e);
	}
	return &e->disk;
}

const char *names_disk_people(struct names *n, uint32_t dev)
{
	const struct names_disk *d = names_disk(n, dev);

	return d->label && *d->label && !strchr(d->label, '/') ? d->label : d->name;
}
