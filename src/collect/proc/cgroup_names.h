/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Paths of control groups by their ids, in the hierarchies that the task programs tell apart. */
#ifndef IOTOP_COLLECT_PROC_CGROUP_NAMES_H
#define IOTOP_COLLECT_PROC_CGROUP_NAMES_H

#include <stdbool.h>

#include "data/sample.h"

struct cgroup_names;
struct helper;

/* proc: O_PATH of /proc; helper: it is asked for names of containers. Both are borrowed. */
struct cgroup_names *cgroup_names_new(int proc, struct helper *helper);
/*
 * ABI_CGROUP_* of the hierarchies of version 1 that are mounted: groups of others have no path.
 * proc: "/proc".
 */
uint64_t cgroup_names_marks(const char *proc);
void cgroup_names_free(struct cgroup_names *n);
/* A sample begins: where many are known, those that were not seen for long are dropped. */
void cgroup_names_round(struct cgroup_names *n);
/* Limits have held back I/O of a task of it for so long (cumulative). Before it is added. */
void cgroup_names_throttled(struct cgroup_names *n, uint64_t id, uint64_t ns);
/* Adds a row for this id, once a round and if its path is found. */
void cgroup_names_add(struct cgroup_names *n, struct sample *s, uint64_t id);
/*
 * The id of a cgroup known by its path in its hierarchy; remembers the path. unified: of version 2.
 * Where the kernel tells none it is made of the path: bit 63 is set then.
 */
uint64_t cgroup_names_id(struct cgroup_names *n, const char *path, size_t len, bool unified);

#endif
