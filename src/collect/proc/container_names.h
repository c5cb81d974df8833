/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What engines call the containers that control groups are for: asked of a helper, kept by id. */
#ifndef IOTOP_COLLECT_PROC_CONTAINER_NAMES_H
#define IOTOP_COLLECT_PROC_CONTAINER_NAMES_H

struct container_names;
struct helper;

/* helper: borrowed; NULL: no name is known. */
struct container_names *container_names_new(struct helper *helper);
void container_names_free(struct container_names *n);
void container_names_round(struct container_names *n);
/*
 * The name of the container at this path of a control group, raw; NULL: it is none, has none, or
 * the answer is still to come. Valid until the next answer. What users run below their own slice
 * is not asked for: they choose these paths, and the ids in them.
 */
const char *container_names_get(struct container_names *n, const char *path);

#endif
