// SPDX-License-Identifier: GPL-2.0-or-later
#include "data/layer/layer_fs.h"

#include <stdlib.h>
#include <string.h>

#include "base/parse.h"
#include "data/names.h"

void layer_fs_init(struct layer_fs *f)
{
	hash_init(&f->disks, 0, sizeof(uint32_t));
}

void layer_fs_release(struct layer_fs *f)
{
	uint32_t *dev;
	size_t i = 0;

	while ((dev = hash_next(&f->disks, &i)))
		free(dev);
	hash_release(&f->disks);
}

bool layer_fs_holds(const struct layer_fs *f, uint32_t dev)
{
	return hash_get(&f->disks, &dev);
}

/* Returns whether that is new. */
static bool hold(struct layer_fs *f, uint32_t dev)
{
	uint32_t *copy;

	if (layer_fs_holds(f, dev))
		return false;
	copy = mem_alloc(sizeof(*copy));
	*copy = dev;
	hash_put(&f->disks, copy);
	return true;
}

/* What this disk lies on. */
static bool hold_below(struct layer_fs *f, const struct sample *s, const struct sample_disk *d)
{
	bool any = false;

	sample_each(s, DISK, const struct sample_disk, other)
		if (d->below && other->name && list_has(d->below, other->name, ' '))
			any |= hold(f, other->whole);
	return any;
}

void layer_fs_update(struct layer_fs *f, const struct model *m, const struct sample *s,
		     const char *kind)
{
	struct names *names = engine_name_table(m->engine);
	bool changed = false;

	sample_each(s, LAYER, const struct sample_layer, l)
		if (l->fs && l->dev >> 20 && !strcmp(l->fs, kind))
			changed |= hold(f, names_disk(names, l->dev)->whole);
	sample_each(s, DISK, const struct sample_disk, d)
		if (d->kinds && list_has(d->kinds, kind, '\n'))
			changed |= hold(f, d->whole);
	while (changed) {
		changed = false;
		sample_each(s, DISK, const struct sample_disk, d)
			if (layer_fs_holds(f, d->dev))
				changed |= hold_below(f, s, d);
	}
}
