/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of users and cgroups, looked up once. */
#ifndef IOTOP_COLLECT_PROC_OWNER_NAMES_H
#define IOTOP_COLLECT_PROC_OWNER_NAMES_H

#include <stdbool.h>

#include "collect/collector.h"

struct helper;

/* helper: borrowed, may be NULL. */
struct name_reader *name_reader_new(const struct collect_options *opt, struct helper *helper);
void name_reader_free(struct name_reader *n);
/*
 * Adds users and cgroups of the rows of s. Users whose names are not told by `until`
 * (CLOCK_MONOTONIC ns) come later.
 */
void name_reader_fill(struct name_reader *n, struct sample *s, uint64_t until);
/* The id of a cgroup known by its path in its hierarchy; remembers the path. */
uint64_t name_reader_cgroup(struct name_reader *n, const char *path, size_t len, bool unified);

#endif
