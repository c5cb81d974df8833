/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Disks that tell when the limits of their provider hold them back, as the main process sees them:
 * the NVMe disks of Amazon EC2 have a page of their log for that. A process of its own asks them
 * (provider_process.h), for the command may take as long as it likes, and needs CAP_SYS_ADMIN. It
 * is there only where such a disk was there at the start; a disk that comes later is not asked.
 */
#ifndef IOTOP_COLLECT_HELPER_PROVIDER_H
#define IOTOP_COLLECT_HELPER_PROVIDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "data/sample.h"

struct provider;
struct provider_disk;
struct probe_list;

/*
 * All disks are asked again after so long (ns), once all have answered; the first time earlier, for
 * two answers make a share, and a look at findings takes 10 s.
 */
#define PROVIDER_PAUSE (10 * 1000000000ULL)
#define PROVIDER_PAUSE_FIRST (4 * 1000000000ULL)
/* An answer that does not come for so long (ns) is missed; it is waited for all the same. */
#define PROVIDER_LATE (5 * 1000000000ULL)

/* Of the time between the first and the newest answer of a disk. Both only grow. */
struct provider_counts {
	uint64_t told_ns;			/* that time */
	uint64_t exceeded_ns[LIMIT_COUNT];	/* in which a limit was exceeded; at most all */
};

/* By what /sys says is its model (any text; NULL: it says nothing). */
bool provider_model(const char *model);

/*
 * Looks for such disks below sys ("/sys"), and forks the process where there are any and this one
 * may ask them. NULL: there are none. Before threads, and before anything of others is read.
 */
struct provider *provider_start(const char *sys, const char *dev);
/* For tests: the process is whoever is at the other end of this socket, which becomes its own. */
struct provider *provider_at(int socket, const struct provider_disk *disks, size_t n);
/* p may be NULL. Never waits for a process that hangs. */
void provider_stop(struct provider *p);

/*
 * Takes the answers that are there, and asks when it is time to. Never waits. now: CLOCK_MONOTONIC
 * ns.
 */
void provider_turn(struct provider *p, uint64_t now);
/*
 * How it is with one of those disks (provider_model()), by its number. *ret has what was counted so
 * far; zeroes, where it was never told. p may be NULL.
 */
enum disk_limits provider_get(const struct provider *p, uint32_t dev, uint64_t now,
			      struct provider_counts *ret);
/* Lines for --probes; waits a second for answers. p may be NULL. */
void provider_probe(struct provider *p, struct probe_list *list);

#endif
