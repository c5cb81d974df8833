/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names that samples bring once and rows need always: users, cgroups, disks. Clean text, kept while
 * rows ask for it.
 */
#ifndef IOTOP_DATA_NAMES_H
#define IOTOP_DATA_NAMES_H

#include <stdbool.h>

#include "data/sample.h"

struct names;

struct names *names_new(void);
void names_free(struct names *n);
/* A tick begins: what rows of the one before were given may be gone. */
void names_round(struct names *n);
void names_update(struct names *n, const struct sample *s);

/* The name, or the number as text. */
const char *names_user(struct names *n, uint32_t uid);
/* NULL when unknown. short: as people say it (nginx.service, docker/web, shop/cart-7d9f/redis). */
const char *names_cgroup_path(struct names *n, uint64_t id);
const char *names_cgroup_short(struct names *n, uint64_t id);
/* The container or virtual machine that it is; NULL: none. */
const char *names_cgroup_container(struct names *n, uint64_t id);
/* The limits that held back I/O of its tasks in the newest interval; NULL: none did. */
const char *names_cgroup_limit(struct names *n, uint64_t id);

/*
 * A disk once seen keeps its name and flags when it is gone. Unknown: "major:minor" and
 * DISK_LOWEST. What is kept from tick to tick is this, which stays as long as the names, never its
 * texts: another disk that comes by the number puts its own in their place.
 */
struct names_disk {
	uint32_t dev, whole, flags;
	const char *name, *label;
	bool shown;	/* the disk looked at, or stacked on it */
	bool counted;	/* its bytes are summed: a lowest disk, or the one looked at */
};
/*
 * From the next names_update() on only this disk (kernel name or label; of a partition its disk) is
 * looked at; NULL: all.
 */
void names_set_disk(struct names *n, const char *disk);
const struct names_disk *names_disk(struct names *n, uint32_t dev);
/* What people call it: its label, unless that is the file of a loop device. */
const char *names_disk_people(struct names *n, uint32_t dev);

#endif
