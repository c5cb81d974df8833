/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "data/disk/disk_load.h"

/*
 * Do the kernel's statistics know of the requests of this disk? Not with iostats=0, nor of those of
 * some drivers.
 */
static bool stats_count(const struct disk_entry *e)
{
	return e->stats.seen && e->still < 2 &&
	       (e->stats.cur.op[OP_READ].ios || e->stats.cur.op[OP_WRITE].ios);
}

uint64_t disk_in_flight(const struct disk_entry *e)
{
	return stats_count(e) || !e->maps.seen ? e->stats.in_flight : e->maps.in_flight;
}

void disk_load_count(const struct disk_state *st, struct disk_entry *e, struct disk_counters *stats,
		     struct disk_counters *maps)
{
	struct disk_load *by_stats = &stats->load, *by_maps = &maps->load;

	by_stats->time_ns = e->stats.seen ? st->time_ns : 0;
	/* A disk at rest has no row of theirs before its first I/O. */
	if (!watch_held(&st->maps) || (!e->maps.seen && disk_has_moved(stats)))
		*by_maps = (struct disk_load){ 0 };
	else
		by_maps->time_ns = st->time_ns;
	/*
	 * What was in flight has ended: none of it without its time. Otherwise an end was missed,
	 * and its disk seems busy since.
	 */
	if (!disk_in_flight(e))
		by_maps->busy_ns = MIN(by_maps->busy_ns, by_maps->depth_ns);
	counters_fold(&e->by_stats, by_stats, sizeof(*by_stats) / sizeof(uint64_t), 0);
	counters_fold(&e->by_maps, by_maps, sizeof(*by_maps) / sizeof(uint64_t), 0);
}

struct disk_load disk_load_now(const struct disk_state *st, const struct disk_entry *e,
			       const struct disk_load *by_stats, const struct disk_load *by_maps)
{
	bool begun = st->maps.restarted && !(e->flags & DISK_PARTITION);

	return by_maps->time_ns || e->maps.ever || begun ? *by_maps : *by_stats;
}

struct disk_load disk_load_sum(const struct disk_entry *e)
{
	return e->maps.ever ? e->by_maps : e->by_stats;
}
