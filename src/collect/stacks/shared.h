/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The one store of stacks that all collectors of a set share: there while one of them is open. */
#ifndef IOTOP_COLLECT_STACKS_SHARED_H
#define IOTOP_COLLECT_STACKS_SHARED_H

#include "collect/stacks/store.h"

struct collect_set;

/* Every get has its put. */
struct stackstore *set_stacks_get(struct collect_set *set);
void set_stacks_put(struct collect_set *set);

#endif
