/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of users and cgroups, looked up once. */
#ifndef IOTOP_COLLECT_NAMES_H
#define IOTOP_COLLECT_NAMES_H

#include <stdbool.h>

#include "collect/collector.h"

struct names *names_new(const struct collect_options *opt);
void names_free(struct names *n);
/* Adds users and cgroups of the rows of s. */
void names_fill(struct names *n, struct sample *s);
/* The id of a cgroup known by its path in its hierarchy; remembers the path. */
uint64_t names_cgroup(struct names *n, const char *path, size_t len, bool unified);

#endif
