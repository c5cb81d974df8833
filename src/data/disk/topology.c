/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "data/disk/topology.h"

#include <math.h>
#include <string.h>

struct by_name {
	uint64_t id;		/* hash of the kernel name */
	struct topo_node *node;
};

static uint64_t name_id(const char *name, size_t len)
{
	return hash_bytes(name, len);
}

static void names_index(struct hash *names, struct by_name *entries, struct topology *t)
{
	hash_init(names, offsetof(struct by_name, id), sizeof(uint64_t));
	for (size_t i = 0; i < t->n; i++) {
		const char *name = t->nodes[i].disk->name;

		entries[i] = (struct by_name){ name_id(name, strlen(name)), &t->nodes[i] };
		if (!hash_get(names, &entries[i].id))
			hash_put(names, &entries[i]);
	}
}

static bool has_below(const struct topo_node *node, const struct topo_node *below)
{
	for (size_t i = 0; i < node->nbelow; i++)
		if (node->below[i] == below)
			return true;
	return false;
}

static void add_below(struct topo_node *node, struct topo_node *below)
{
	if (!below || below == node || has_below(node, below))
		return;
	node->below[node->nbelow++] = below;
	below->nabove++;
}

static size_t count_words(const char *list)
{
	size_t n = 0;

	for (const char *p = list; p && *p; p += strspn(p, " ")) {
		size_t len = strcspn(p, " ");

		n += len > 0;
		p += len;
	}
	return n;
}

static void link_below(struct topology *t, struct arena *a, const struct hash *names,
		       struct topo_node *node)
{
	const struct sample_disk *d = node->disk;

	node->below = arena_new(a, struct topo_node *, count_words(d->below) + 1);
	for (const char *p = d->below; p && *p; p += strspn(p, " ")) {
		size_t len = strcspn(p, " ");
		uint64_t id = name_id(p, len);
		const struct by_name *found = len ? hash_get(names, &id) : NULL;

		if (found)
			add_below(node, found->node);
		p += len;
	}
	/* A partition lies on its disk, whether anyone says so or not. */
	if (d->flags & DISK_PARTITION && d->whole != d->dev)
		add_below(node, topology_find(t, d->whole));
}

static void link_above(struct topology *t, struct arena *a)
{
	for (size_t i = 0; i < t->n; i++) {
		t->nodes[i].above = arena_new(a, struct topo_node *, t->nodes[i].nabove);
		t->nodes[i].nabove = 0;
	}
	for (size_t i = 0; i < t->n; i++)
		for (size_t k = 0; k < t->nodes[i].nbelow; k++) {
			struct topo_node *below = t->nodes[i].below[k];

			below->above[below->nabove++] = &t->nodes[i];
		}
}

void topology_build(struct topology *t, struct arena *a, const struct sample *s)
{
	size_t n = s->tables[TABLE_DISK].n;
	struct hash names;

	*t = (struct topology){ .nodes = arena_new(a, struct topo_node, n) };
	hash_init(&t->by_dev, offsetof(struct topo_node, dev), sizeof(uint32_t));
	sample_each(s, DISK, const struct sample_disk, d) {
		struct topo_node *node = &t->nodes[t->n];

		if (hash_get(&t->by_dev, &d->dev))
			continue;
		*node = (struct topo_node){ .dev = d->dev, .disk = d };
		hash_put(&t->by_dev, node);
		t->n++;
	}
	names_index(&names, arena_new(a, struct by_name, t->n), t);
	for (size_t i = 0; i < t->n; i++)
		link_below(t, a, &names, &t->nodes[i]);
	hash_release(&names);
	link_above(t, a);
}

void topology_release(struct topology *t)
{
	hash_release(&t->by_dev);
}

struct topo_node *topology_find(const struct topology *t, uint32_t dev)
{
	return hash_get(&t->by_dev, &dev);
}

double topology_amplification(const struct topo_node *node,
			      uint64_t (*bytes)(const struct topo_node *node, const void *arg),
			      const void *arg)
{
	double sum = 0;

	if (!node->nbelow || node->disk->flags & DISK_PARTITION || !bytes(node, arg))
		return NAN;
	for (size_t i = 0; i < node->nbelow; i++) {
		const struct topo_node *below = node->below[i];
		double above = 0;

		if (below->disk->mounts && *below->disk->mounts)
			return NAN;
		for (size_t k = 0; k < below->nabove; k++) {
			if (below->above[k]->disk->flags & DISK_PARTITION)
				return NAN;
			above += (double)bytes(below->above[k], arg);
		}
		sum += (double)bytes(below, arg) / above;
	}
	return sum;
}
