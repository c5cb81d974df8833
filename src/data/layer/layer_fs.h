/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which disks hold file systems of one kind: these are on them, on a part of them, or on what is
 * stacked on them.
 */
#ifndef IOTOP_DATA_LAYER_LAYER_FS_H
#define IOTOP_DATA_LAYER_LAYER_FS_H

#include "base/hash.h"
#include "data/model.h"

struct layer_fs {
	struct hash disks;
};

void layer_fs_init(struct layer_fs *f);
void layer_fs_release(struct layer_fs *f);
/* Whole disks that are mounted with this kind, or at which the layers saw it; they stay. */
void layer_fs_update(struct layer_fs *f, const struct model *m, const struct sample *s,
		     const char *kind);
bool layer_fs_holds(const struct layer_fs *f, uint32_t dev);

#endif
