/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The calls to processes that answer for file systems (FUSE), counted by kernel programs. They are
 * loaded only while such a file system is mounted.
 */
#ifndef IOTOP_COLLECT_DISKS_FUSE_CALLS_H
#define IOTOP_COLLECT_DISKS_FUSE_CALLS_H

#include "data/sample.h"

struct fuse_calls;
struct probe_list;

struct fuse_calls *fuse_calls_new(void);
void fuse_calls_free(struct fuse_calls *c);
/* These file systems (device numbers) are mounted; what is known of others is forgotten. */
void fuse_calls_keep(struct fuse_calls *c, const uint32_t *devs, size_t n);
/* Of one of them, if it can be had. */
void fuse_calls_fill(struct fuse_calls *c, struct sample *s, struct sample_mount *row);
/* Who waits, or waited: into the rows of tasks that the sample has. */
void fuse_calls_tasks(struct fuse_calls *c, struct sample *s);
void fuse_calls_probe(const struct fuse_calls *c, struct probe_list *list);

#endif
