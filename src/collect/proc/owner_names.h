/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of users and cgroups, looked up once. */
#ifndef IOTOP_COLLECT_PROC_OWNER_NAMES_H
#define IOTOP_COLLECT_PROC_OWNER_NAMES_H

#include <stdbool.h>

#include "collect/collector.h"

/* helper: borrowed, may be NULL. */
struct owner_names *owner_names_new(const struct collect_options *opt, struct helper *helper);
void owner_names_free(struct owner_names *n);
/*
 * Adds users and cgroups of the rows of s. Users whose names are not told by `until`
 * (CLOCK_MONOTONIC ns) come later.
 */
void owner_names_fill(struct owner_names *n, struct sample *s, uint64_t until);
/* The id of a cgroup known by its path in its hierarchy; remembers the path. */
uint64_t owner_names_cgroup(struct owner_names *n, const char *path, size_t len, bool unified);

#endif
