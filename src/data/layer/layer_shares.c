// SPDX-License-Identifier: GPL-2.0-or-later
#include "data/layer/layer_shares.h"

#include <stdlib.h>
#include <string.h>

struct sum {
	struct layer_share share;
	struct {
		uint64_t what, where;	/* the process; the file and its file system */
	} key;				/* hash key */
	bool named;			/* by the leader of the process */
};

static const char *name_of(const struct layer_caller *c, bool files, struct arena *a)
{
	if (!files)
		return c->key.id.tgid ? arena_printf(a, "%s %u", c->comm, c->key.id.tgid) : c->comm;
	return c->path ? c->path : arena_printf(a, "[inode %llu]", (unsigned long long)c->key.ino);
}

static void sum_add(struct hash *all, const struct layer_caller *c, bool files, bool since_start,
		    struct arena *a)
{
	const struct layer_caller_key *k = &c->key;
	struct sum probe = { .key = { files ? k->ino : k->id.tgid, files ? k->sdev : 0 } },
		   *s = hash_get(all, &probe.key);
	bool leader = files || k->id.tid == k->id.tgid;

	if (!s) {
		s = arena_new(a, struct sum, 1);
		s->key = probe.key;
		hash_put(all, s);
	}
	if (!s->share.name || (leader && !s->named)) {
		s->share.name = name_of(c, files, a);
		s->named = leader;
	}
	counters_fold(&s->share.counters, layer_caller_counters(c, since_start), LAYER_COUNTERS_SUM,
		     LAYER_COUNTERS_MAX);
}

int layer_share_order(const void *pa, const void *pb)
{
	const struct layer_share *a = pa, *b = pb;

	if (a->counters.time_ns != b->counters.time_ns)
		return a->counters.time_ns < b->counters.time_ns ? 1 : -1;
	return strcmp(a->name, b->name);
}

/* of: only of this process; NULL: of all. */
static struct layer_shares shares(const struct layer_caller *callers, const uint32_t *of,
				  bool files, bool since_start, struct arena *a)
{
	struct layer_share *items;
	struct hash all;
	const char **names;
	struct sum *s;
	size_t i = 0, n = 0;

	hash_init(&all, offsetof(struct sum, key), sizeof(((struct sum *)0)->key));
	for (const struct layer_caller *c = callers; c; c = c->next)
		if (layer_caller_counters(c, since_start)->count && (!files || c->key.ino) &&
		    (!of || c->key.id.tgid == *of))
			sum_add(&all, c, files, since_start, a);
	items = arena_new(a, struct layer_share, all.n);
	names = arena_new(a, const char *, all.n);
	while ((s = hash_next(&all, &i)))
		items[n++] = s->share;
	hash_release(&all);
	if (n > 1)
		qsort(items, n, sizeof(*items), layer_share_order);
	for (i = 0; i < n; i++)
		names[i] = items[i].name;
	return (struct layer_shares){ items, names, n };
}

struct layer_shares layer_shares_by(const struct layer_caller *callers, bool files,
				    bool since_start, struct arena *a)
{
	return shares(callers, NULL, files, since_start, a);
}

struct layer_shares layer_files_of(const struct layer_caller *callers, uint32_t tgid,
				   bool since_start, struct arena *a)
{
	return shares(callers, &tgid, true, since_start, a);
}
