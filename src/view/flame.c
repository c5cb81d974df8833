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

static struct flame_node *child_of(struct flame *f, struct hash *nodes, struct flame_node *parent,
				   const struct step *step)
{
	uint64_t parts[2] = { parent->key, hash_bytes(step->text, strlen(step->text)) },
		 key = hash_bytes(parts, sizeof(parts));
	struct flame_node *n;

	while ((n = hash_get(nodes, &key)) && (n->parent != parent || strcmp(n->text, step->text)))
		key++;
	if (n)
		return n;
	n = arena_new(&f->arena, struct flame_node, 1);
	*n = (struct flame_node){
		.text = step->text,
		.kind = step->kind,
		.depth = parent->depth + 1,
		.key = key,
		.parent = parent,
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
	const struct flame_node *x = *(const struct flame_node *const *)a,
				*y = *(const struct flame_node *const *)b;

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

/* What a row did in the range before. The ranges need not be equally long. */
static uint64_t weight_before(const struct row *row, const struct model *m, enum weight by)
{
	if (!m->before || !row->before || !(m->before->elapsed > 0))
		return 0;
	return (uint64_t)((double)row->entity->weight(row->before->sum, by) * m->elapsed /
			  m->before->elapsed + 0.5);
}

/* A path of the one range may be several rows of the other. */
static void sum_up(struct flame_node *n)
{
	n->now = n->self;
	n->before = n->self_before;
	n->weight = n->self = MAX(n->self, n->self_before);
	for (struct flame_node *c = n->child; c; c = c->next) {
		sum_up(c);
		n->now += c->now;
		n->before += c->before;
		n->weight += c->weight;
	}
}

void flame_build(struct flame *f, const struct view *v, unsigned steps_flags, enum weight by)
{
	const struct entity *e = v->spec->entity;
	struct flame_node *node, **scratch;
	struct hash nodes;
	size_t i = 0;

	arena_reset(&f->arena);
	f->depth = 0;
	f->compared = v->model->before;
	f->nodes = 1;
	f->root = arena_new(&f->arena, struct flame_node, 1);
	*f->root = (struct flame_node){ .text = "all", .kind = STEP_MARK };
	if (!e->steps)
		return;
	hash_init(&nodes, offsetof(struct flame_node, key), sizeof(uint64_t));
	for (size_t r = 0; r < v->n; r++) {
		const struct row *row = v->rows[r].row;
		uint64_t weight = e->weight(row_counters(row, v->spec->span), by),
			 before = weight_before(row, v->model, by);
		const struct step *steps;
		size_t n;

		if (!weight && !before)
			continue;
		n = e->steps(row, steps_flags, &f->arena, &steps);
		node = f->root;
		for (size_t s = 0; s < n && s < DEPTH_MAX; s++)
			node = child_of(f, &nodes, node, &steps[s]);
		node->self += weight;
		node->self_before += before;
	}
	sum_up(f->root);
	scratch = arena_new(&f->arena, struct flame_node *, f->nodes);
	sort_children(f->root, scratch);
	while ((node = hash_next(&nodes, &i)))
		sort_children(node, scratch);
	hash_release(&nodes);
}

const struct flame_node *flame_next(const struct flame_node *n)
{
	if (n->child)
		return n->child;
	while (n && !n->next)
		n = n->parent;
	return n ? n->next : NULL;
}

const struct flame_node *flame_leaf(struct flame *f, const struct row *row, unsigned steps_flags)
{
	const struct flame_node *node = f->root, *c = node;
	const struct step *steps;
	size_t n;

	if (!node || !row->entity->steps)
		return node;
	n = row->entity->steps(row, steps_flags, &f->arena, &steps);
	for (size_t s = 0; s < n && c; s++) {
		node = c;
		c = node->child;
		while (c && strcmp(c->text, steps[s].text))
			c = c->next;
	}
	return c ? c : node;
}

const struct flame_node *flame_find(const struct flame *f, uint64_t key)
{
	const struct flame_node *n = f->root;

	while (n && n->key != key)
		n = flame_next(n);
	return n;
}

static bool begins(const char *text, const char *const *starts, size_t n)
{
	while (*text == '_')
		text++;
	for (size_t i = 0; i < n; i++)
		if (!strncmp(text, starts[i], strlen(starts[i])))
			return true;
	return false;
}

static bool has_module(const char *text, const char *const *modules, size_t n)
{
	const char *module = strstr(text, " [");

	for (size_t i = 0; module && i < n; i++)
		if (!strncmp(module + 2, modules[i], strlen(modules[i])))
			return true;
	return false;
}

enum flame_class flame_class(const struct flame_node *n)
{
	static const char *const block[] = {
		"submit_bio", "blk_", "blkdev_", "bio_", "dm_",
		"md_", "raid", "nvme_", "scsi_", "sd_",
		"loop_", "lo_", "virtio_", "virtblk", "elv_",
		"dd_", "bfq_", "kyber_", "block_", "sync_dirty_buffer",
		"submit_bh", "zram_", "null_",
	};
	static const char *const block_modules[] = { "dm_", "raid", "md_", "nvme", "scsi",
						     "sd_mod", "loop", "zram", "null_blk" };
	static const char *const fs[] = {
		"ext4_", "xfs_", "btrfs_", "f2fs_", "jbd2_", "nfs_", "fuse_", "iomap_", "filemap_",
			"generic_file", "page_cache_",
		"writeback_", "wb_", "do_writepages", "read_pages", "mpage_",
			"generic_perform_write", "vfs_", "isofs_", "fat_",
		"overlayfs_", "ovl_", "squashfs_", "erofs_", "generic_buffers",
	};
	static const char *const fs_modules[] = { "ext4", "xfs", "btrfs", "f2fs", "jbd2",
						  "nfs", "fuse", "overlay", "zfs", "squashfs" };

	static const enum flame_class others[] = {
		[STEP_USER] = FLAME_USER, [STEP_LIBRARY] = FLAME_LIBRARY,
		[STEP_SCRIPT] = FLAME_SCRIPT, [STEP_MARK] = FLAME_OTHER,
	};

	if (n->kind != STEP_KERNEL)
		return others[n->kind];
	if (begins(n->text, block, ARRAY_SIZE(block)) ||
	    has_module(n->text, block_modules, ARRAY_SIZE(block_modules)))
		return FLAME_BLOCK;
	if (begins(n->text, fs, ARRAY_SIZE(fs)) ||
	    has_module(n->text, fs_modules, ARRAY_SIZE(fs_modules)))
		return FLAME_FS;
	return FLAME_KERNEL;
}

bool flame_matches(const struct flame_node *n, const char *part)
{
	return *part && n->depth && strcasestr(n->text, part);
}

uint64_t flame_match(const struct flame_node *root, const char *part)
{
	const struct flame_node *n = root;
	uint64_t sum = 0;

	while (n) {
		bool found = flame_matches(n, part);

		if (found)
			sum += n->weight;
		if (!found && n->child) {
			n = n->child;
			continue;
		}
		while (n && n != root && !n->next)
			n = n->parent;
		n = n && n != root ? n->next : NULL;
	}
	return sum;
}
