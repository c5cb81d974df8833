// SPDX-License-Identifier: GPL-2.0-or-later
/* In a build without BPF. */
#include "base/macro.h"
#include "collect/disks/fuse_calls.h"

struct fuse_calls *fuse_calls_new(void)
{
	return NULL;
}

void fuse_calls_free(_unused_ struct fuse_calls *c)
{
}

void fuse_calls_keep(_unused_ struct fuse_calls *c, _unused_ const uint32_t *devs,
		     _unused_ size_t n)
{
}

void fuse_calls_fill(_unused_ struct fuse_calls *c, _unused_ struct sample *s,
		     _unused_ struct sample_mount *row)
{
}

void fuse_calls_tasks(_unused_ struct fuse_calls *c, _unused_ struct sample *s)
{
}

void fuse_calls_probe(_unused_ const struct fuse_calls *c, _unused_ struct probe_list *list)
{
}
