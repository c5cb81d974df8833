/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Disks, what they are stacked on, and who is on them. */
#ifndef IOTOP_DATA_DISK_DISK_H
#define IOTOP_DATA_DISK_DISK_H

#include "data/entity.h"
#include "data/histogram.h"
#include "data/join.h"
#include "data/sample.h"

struct disk_op_counters {
	uint64_t ios, bytes;		/* completed */
	uint64_t done;			/* completed, and how long they took is known */
	uint64_t lat_ns;		/* sum of submission to completion of those */
	uint64_t queue_ns, device_ns;	/* its two parts */
	uint64_t unsplit;		/* of those done: whose parts are not known */
	uint64_t merges, errors, requeues;
	uint64_t held_ns, held_unseen;	/* as in sample_diskop */
	uint64_t tag_ns, timed;		/* as in sample_diskop */
	uint64_t pattern_ios, sequential, flagged;	/* as in sample_io */
};

/* How busy a disk was. */
struct disk_load {
	uint64_t time_ns;	/* for so long it was looked at; 0: not at all */
	uint64_t busy_ns;	/* at least one request in flight */
	uint64_t depth_ns;	/* sum over requests of their time in flight */
};

/* What seldom happens, as in sample_diskload. */
struct disk_rare {
	uint64_t tag_waits, timeouts;
};

/* What the disk told of the limits of its provider. */
struct disk_limit_counters {
	uint64_t told_ns;			/* of so much time it told */
	uint64_t exceeded_ns[LIMIT_COUNT];	/* … in which more was asked than it allows */
};

/* Counters of a disk row: sums first, then maxima. uint64_t only: see struct entity. */
struct disk_counters {
	struct disk_op_counters op[OP_COUNT];
	struct disk_load load;
	struct disk_rare rare;
	struct disk_limit_counters limits;
	uint64_t max_ns[OP_COUNT];
};

#define DISK_COUNTERS_MAX OP_COUNT
#define DISK_COUNTERS_SUM (sizeof(struct disk_counters) / sizeof(uint64_t) - DISK_COUNTERS_MAX)

#define DISK_SIZES 16	/* of requests: below 1 KiB, below 2, 4 and so on; the last all others */

#define DISK_PLACES 32	/* of equal size from its begin to its end, and maybe beyond */

/*
 * Latency histograms in the buckets of histogram.h, of completed requests; their sizes; and where
 * on the disk I/O began that was queued.
 */
struct disk_hist {
	uint64_t op[OP_COUNT][HIST_BUCKETS];
	uint64_t sizes[OP_COUNT][DISK_SIZES];
	uint64_t places[OP_COUNT][DISK_PLACES];
};

/* Latency bands of the heat map: one a power of two, below 1 µs the first, above 100 s the last. */
#define DISK_BANDS (HIST_MAX_SHIFT - HIST_MIN_SHIFT + 2)
#define DISK_TICK_TASKS 16	/* remembered of an interval, by number of I/Os */

unsigned disk_band(uint64_t ns);
/* Smallest and first-too-large ns of a band; the last ends at UINT64_MAX. */
uint64_t disk_band_lower(unsigned band);
uint64_t disk_band_upper(unsigned band);

/*
 * One process in one interval of a disk: no distribution is known of it, only average and longest.
 */
struct disk_tick_task {
	char comm[32];			/* clean text, may be cut */
	uint32_t pid;			/* 0: not a process */
	uint32_t op;
	uint64_t ios;			/* completed in the interval */
	uint64_t avg_ns, max_ns;
};

/* One interval of a disk. */
struct disk_tick {
	uint64_t real_ns;		/* its end, CLOCK_REALTIME */
	bool unknown;			/* there were no histograms, or not for all of it */
	uint32_t reads[DISK_BANDS], writes[DISK_BANDS];
	uint32_t sizes[2][DISK_SIZES];		/* of reads, of writes */
	uint32_t places[2][DISK_PLACES];
	uint64_t place_bytes;			/* of a place; 0: nobody looked */
	struct disk_tick_task tasks[DISK_TICK_TASKS];
	unsigned ntasks;
	unsigned others;		/* tasks that found no room here */
};

/* The last intervals of a disk: a ring. Owned by the disk state. */
struct disk_heat {
	struct disk_tick ticks[HISTORY_TICKS];
	unsigned next, n;
};

/* What of it is looked at. */
enum heat_shown {
	HEAT_BOTH,	/* reads and writes by latency */
	HEAT_READS,
	HEAT_WRITES,
	HEAT_SIZES,
	HEAT_PLACES,
	HEAT_SHOWN_COUNT,
};

extern const char *const heat_titles[HEAT_SHOWN_COUNT];	/* N_() */
unsigned heat_bands(enum heat_shown shown);
/* Where a band begins: ns, or bytes. place_bytes: of a place. */
uint64_t heat_band_lower(enum heat_shown shown, unsigned band, uint64_t place_bytes);
/* The numbers of reads and of writes in a band; by latency only those that are looked at. */
void heat_counts(enum heat_shown shown, const struct disk_tick *tick, unsigned band,
		 uint64_t ret[2]);
/* Whether nothing is known of this interval. */
static inline bool heat_unknown(enum heat_shown shown, const struct disk_tick *tick)
{
	return tick->unknown || (shown == HEAT_PLACES && !tick->place_bytes);
}

/* i from 0 (the oldest) to heat->n - 1 (the newest). */
static inline const struct disk_tick *disk_heat_tick(const struct disk_heat *heat, unsigned i)
{
	return &heat->ticks[(heat->next + HISTORY_TICKS - heat->n + i) % HISTORY_TICKS];
}

/* How near a task's requests come to some bands, by its average and its longest request. */
enum disk_nearness {
	NEAR_ONLY,	/* nobody else had such requests */
	NEAR_AVERAGE,
	NEAR_LONGEST,
	NEAR_BETWEEN,
	NEAR_FASTER,
	NEAR_NOT,
};

struct disk_guest {
	const struct disk_tick_task *task;
	enum disk_nearness near;
};

/*
 * Whose reads, whose writes may be in the bands first … last of an interval, the likeliest first.
 * Returns how many. An estimate: no distribution is known of a task.
 */
unsigned disk_guests(const struct disk_tick *tick, unsigned first, unsigned last, bool reads,
		     bool writes, struct disk_guest guests[DISK_TICK_TASKS]);

struct disk_row {
	struct row row;
	uint64_t major, minor;
	uint32_t dev, whole;
	uint32_t flags;				/* enum disk_flag */
	const char *disk;			/* the name people use */
	const char *name;			/* the kernel's */
	const char *file;			/* of a loop device; NULL: none */
	const char *type;
	const char *sched;			/* scheduler and nr_requests; NULL: none */
	bool tags_told;				/* the kernel tells who waits for a tag */
	enum disk_limits limits_told;
	struct disk_limit_counters limits;	/* of the time between the two newest answers,
						 * which is longer than an interval; told_ns is 0:
						 * not known, or long ago */
	const char *const *below, *const *above,
					  *const *mounts; /* names people use; mount points */
	size_t nbelow, nabove, nmounts;
	uint64_t size;				/* bytes */
	uint64_t in_flight;
	uint64_t usual_ns;			/* average device time of the interval's I/Os as
						 * it usually is; 0: not known */
	double slow;				/* so many times as long they took; NaN: not
						 * known */
	double amp[2][2];			/* [0 tick, 1 sum][0 read, 1 write]: bytes below
						 * for a byte here; NaN unknown */
	const char *amp_text[2];		/* both, as people read them; NULL unknown */
	const struct disk_hist *hist, *hist_sum;	/* NULL: no request with a known latency
							 * yet */
	const struct disk_heat *heat;		/* NULL: nothing to show */
};

/* Percent of the time in which a limit was exceeded; NaN: nothing was told. */
double disk_limit_share(const struct disk_limit_counters *c, enum disk_limit limit);
/* The one that was exceeded for longest. */
enum disk_limit disk_limit_worst(const struct disk_limit_counters *c);

/* A counter of struct disk_op_counters, of all operations. */
#define DISK_ALL(c, member) disk_counters_all(c, offsetof(struct disk_op_counters, member))
uint64_t disk_counters_all(const struct disk_counters *c, size_t offset);

extern const struct column disk_columns[];
extern const struct entity entity_disk;

/* Who did how much of what on which disk. */
struct disktask_counters {
	uint64_t ios, bytes;		/* submitted */
	uint64_t done, lat_ns;		/* completed, and the sum of their latency */
	uint64_t held_unseen;		/* as in sample_io */
	uint64_t max_ns;
};

#define DISKTASK_COUNTERS_MAX 1
#define DISKTASK_COUNTERS_SUM \
	(sizeof(struct disktask_counters) / sizeof(uint64_t) - DISKTASK_COUNTERS_MAX)

struct disktask_row {
	struct row row;
	uint64_t pid;
	uint64_t major, minor;
	uint32_t dev;			/* the whole disk */
	uint32_t op;			/* enum io_op */
	const char *comm, *disk;
	/* Of the whole process; row.now and row.sum are of its selected threads. */
	const struct disktask_counters *all_now, *all_sum;
};

extern const struct column disktask_columns[];
extern const struct entity entity_disktask;

/* The rows of processes on a whole disk. In a. */
struct rows disk_tasks(const struct model *m, uint32_t whole, struct arena *a);
/* Those of them with I/O in the interval, or since the start, most bytes first. In a. */
struct rows disk_tasks_busiest(const struct model *m, uint32_t whole, bool since_start,
			       struct arena *a);

#endif
