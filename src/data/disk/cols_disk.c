/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The columns of the disks screen. */
#include "data/disk/disk.h"

#include "base/clock.h"
#include "data/counters.h"

#define ROW(c) ((const struct disk_row *)(c)->row)
#define COUNTERS(c) ((const struct disk_counters *)(c)->counters)
#define EITHER (SRC_BLOCK | SRC_DISKS)
/* The programs of the second take the time of issue where requests do not carry it. */
#define SPLIT (SRC_BLOCK | SRC_HIST)

static bool is_sum(const struct cell *c)
{
	return c->span != SPAN_TICK;
}

/* A counter that is no single member, as COL_RATE would show it. */
static struct value rate(const struct cell *c, uint64_t n)
{
	if (c->span == SPAN_SUM)
		return value_u64(n);
	return c->seconds > 0 ? value_f64((double)n / c->seconds) : value_none();
}

static struct value average(uint64_t ns, uint64_t n)
{
	return n ? value_u64(ns / n) : value_none();
}

static struct value list(const char *const *items, size_t n)
{
	return (struct value){ .kind = VAL_LIST, .list = { items, n } };
}

/* The kernel's statistics count milliseconds: none of them is no measure. */
static struct value latency(const struct cell *c, enum io_op op)
{
	const struct disk_op_counters *o = &COUNTERS(c)->op[op];

	return o->lat_ns ? average(o->lat_ns, o->done) : value_none();
}

/* The buckets of data/histogram.h; NULL: none. */
static const uint64_t *counts_of(const struct cell *c, enum io_op op)
{
	const struct disk_hist *hist = is_sum(c) ? ROW(c)->hist_sum : ROW(c)->hist;

	return hist ? hist->op[op] : NULL;
}

static struct value percentile(const struct cell *c, enum io_op op, double p)
{
	uint64_t longest = COUNTERS(c)->max_ns[op], ns;
	const uint64_t *counts = counts_of(c, op);

	if (!counts || !hist_total(counts))
		return value_none();
	ns = hist_percentile(counts, p);
	/* Inside a bucket the percentile is a guess: never beyond the longest. */
	return value_u64(longest ? MIN(ns, longest) : ns);
}

static struct value longest(const struct cell *c, enum io_op op)
{
	uint64_t ns = COUNTERS(c)->max_ns[op];

	return ns ? value_u64(ns) : value_none();
}

/* A counter of struct disk_op_counters, of all operations. */
static uint64_t all(const struct cell *c, size_t offset)
{
	uint64_t n = 0;

	for (size_t op = 0; op < OP_COUNT; op++)
		n += *(const uint64_t *)((const char *)&COUNTERS(c)->op[op] + offset);
	return n;
}

#define ALL(c, member) all(c, offsetof(struct disk_op_counters, member))

/* A part of the time of requests; a disk without requests has no such parts. */
static struct value part(const struct cell *c, bool queue)
{
	const struct disk_op_counters *r = &COUNTERS(c)->op[OP_READ],
				      *w = &COUNTERS(c)->op[OP_WRITE];
	uint64_t queue_ns = r->queue_ns + w->queue_ns, device_ns = r->device_ns + w->device_ns;

	if (!queue_ns && !device_ns)
		return value_none();
	return average(queue ? queue_ns : device_ns,
		       counter_delta(r->done + w->done, r->unsplit + w->unsplit));
}

static struct value get_util(const struct cell *c)
{
	const struct disk_load *l = &COUNTERS(c)->load;

	return l->time_ns ? value_f64(MIN(100.0 * (double)l->busy_ns / (double)l->time_ns, 100.0))
			  : value_none();
}

static struct value get_depth(const struct cell *c)
{
	const struct disk_load *l = &COUNTERS(c)->load;

	return l->time_ns ? value_f64((double)l->depth_ns / (double)l->time_ns) : value_none();
}

#define GETTER(column, expression)                             \
	static struct value get_##column(const struct cell *c) \
	{                                                      \
		return expression;                             \
	}

GETTER(major, value_u64(ROW(c)->major))
GETTER(parents, list(ROW(c)->below, ROW(c)->nbelow))
GETTER(children, list(ROW(c)->above, ROW(c)->nabove))
GETTER(mounts, list(ROW(c)->mounts, ROW(c)->nmounts))
GETTER(rlat, latency(c, OP_READ))
GETTER(wlat, latency(c, OP_WRITE))
GETTER(rp50, percentile(c, OP_READ, 50))
GETTER(rp99, percentile(c, OP_READ, 99))
GETTER(wp50, percentile(c, OP_WRITE, 50))
GETTER(wp99, percentile(c, OP_WRITE, 99))
GETTER(rmax, longest(c, OP_READ))
GETTER(wmax, longest(c, OP_WRITE))
GETTER(queue, part(c, true))
GETTER(device, part(c, false))
GETTER(ramp, value_f64(ROW(c)->amp[is_sum(c)][0]))
GETTER(wamp, value_f64(ROW(c)->amp[is_sum(c)][1]))
GETTER(amp, value_str(ROW(c)->amp_text[is_sum(c)]))
GETTER(rhist, cell_hist(c, counts_of(c, OP_READ)))
GETTER(whist, cell_hist(c, counts_of(c, OP_WRITE)))
GETTER(merges, rate(c, ALL(c, merges)))
GETTER(errors, value_u64(ALL(c, errors)))
GETTER(requeues, value_u64(ALL(c, requeues)))

const struct column disk_columns[] = {
	{
		.key = "disk", .head = N_("DISK"),
		.help = N_("the name people use: vg-root, md0, sda"),
		COL_FIELD(struct disk_row, disk, VAL_STR), .unit = UNIT_TEXT,
		.flags = COL_LEFT | COL_TREE, .width = 16,
	},
	{
		.key = "name", .head = N_("NAME"), .help = N_("the kernel's name: dm-0, sda"),
		COL_FIELD(struct disk_row, name, VAL_STR), .unit = UNIT_TEXT, .flags = COL_LEFT,
		.width = 10, .priority = 9,
	},
	{
		.key = "major", .head = N_("MAJ"), .help = N_("major number of the device"),
		.kind = VAL_U64, .unit = UNIT_NONE, .width = 3, .priority = 9, .get = get_major,
	},
	{
		.key = "minor", .head = N_("MIN"), .help = N_("minor number of the device"),
		COL_FIELD(struct disk_row, minor, VAL_U64), .unit = UNIT_NONE, .width = 4,
		.priority = 9,
	},
	{
		.key = "type", .head = N_("TYPE"),
		.help = N_("disk, part, lvm, crypt, raid1, loop, …"),
		COL_FIELD(struct disk_row, type, VAL_STR), .unit = UNIT_TEXT, .flags = COL_LEFT,
		.width = 6, .priority = 8,
	},
	{
		.key = "parents", .head = N_("PARENTS"), .help = N_("the devices it lies on"),
		.kind = VAL_LIST, .unit = UNIT_TEXT, .flags = COL_LEFT | COL_WORDS, .width = 12,
		.priority = 9, .needs = SRC_DISKS, .get = get_parents,
	},
	{
		.key = "children", .head = N_("CHILDREN"), .help = N_("the devices that lie on it"),
		.kind = VAL_LIST, .unit = UNIT_TEXT, .flags = COL_LEFT | COL_WORDS, .width = 12,
		.priority = 9, .needs = SRC_DISKS, .get = get_children,
	},
	{
		.key = "size", .head = N_("SIZE"), .help = N_("capacity"),
		COL_FIELD(struct disk_row, size, VAL_U64), .unit = UNIT_BYTES, .width = 8,
		.priority = 9, .needs = SRC_DISKS,
	},
	{
		.key = "read", .head = N_("READ"), .help = N_("bytes read per second"),
		COL_COUNT(struct disk_counters, op[OP_READ].bytes, VAL_U64), .unit = UNIT_BYTES,
		.flags = COL_RATE | COL_READ | COL_ACTIVITY, .width = 8, .either = EITHER,
	},
	{
		.key = "write", .head = N_("WRITE"), .help = N_("bytes written per second"),
		COL_COUNT(struct disk_counters, op[OP_WRITE].bytes, VAL_U64), .unit = UNIT_BYTES,
		.flags = COL_RATE | COL_WRITE | COL_ACTIVITY, .width = 8, .either = EITHER,
	},
	{
		.key = "riops", .head = N_("R/S"), .sum_head = N_("RIOS"),
		.help = N_("reads completed per second"),
		COL_COUNT(struct disk_counters, op[OP_READ].ios, VAL_U64), .unit = UNIT_COUNT,
		.flags = COL_RATE | COL_READ,
		.width = 5, .priority = 2, .either = EITHER,
	},
	{
		.key = "wiops", .head = N_("W/S"), .sum_head = N_("WIOS"),
		.help = N_("writes completed per second"),
		COL_COUNT(struct disk_counters, op[OP_WRITE].ios, VAL_U64), .unit = UNIT_COUNT,
		.flags = COL_RATE | COL_WRITE,
		.width = 5, .priority = 2, .either = EITHER,
	},
	{
		.key = "discard", .head = N_("DISCARD"),
		.help = N_("bytes discarded (trimmed) per second"),
		COL_COUNT(struct disk_counters, op[OP_DISCARD].bytes, VAL_U64), .unit = UNIT_BYTES,
		.flags = COL_RATE | COL_ACTIVITY, .width = 8, .priority = 8, .either = EITHER,
	},
	{
		.key = "flush", .head = N_("FL/S"), .sum_head = N_("FLUSH"),
		.help = N_("flushes of the disk's cache per second"),
		COL_COUNT(struct disk_counters, op[OP_FLUSH].ios, VAL_U64), .unit = UNIT_COUNT,
		.flags = COL_RATE | COL_ACTIVITY, .width = 5, .priority = 8, .either = EITHER,
	},
	{
		.key = "rlat", .head = N_("RLAT"),
		.help = N_("average time of a read, submission to completion"),
		.kind = VAL_U64, .unit = UNIT_NS, .flags = COL_READ, .width = 6, .priority = 1,
		.either = EITHER, .get = get_rlat,
	},
	{
		.key = "rp50", .head = N_("RP50"), .help = N_("half of the reads were faster"),
		.kind = VAL_U64, .unit = UNIT_NS, .flags = COL_READ, .width = 6, .priority = 7,
		.needs = SRC_HIST, .get = get_rp50,
	},
	{
		.key = "rp99", .head = N_("RP99"), .help = N_("99 of 100 reads were faster"),
		.kind = VAL_U64, .unit = UNIT_NS, .flags = COL_READ, .width = 6, .priority = 3,
		.needs = SRC_HIST, .get = get_rp99,
	},
	{
		.key = "rmax", .head = N_("RMAX"), .help = N_("longest read"),
		.kind = VAL_U64, .unit = UNIT_NS, .flags = COL_READ, .width = 6, .priority = 7,
		.needs = SRC_BLOCK, .get = get_rmax,
	},
	{
		.key = "wlat", .head = N_("WLAT"),
		.help = N_("average time of a write, submission to completion"),
		.kind = VAL_U64, .unit = UNIT_NS, .flags = COL_WRITE, .width = 6, .priority = 1,
		.either = EITHER, .get = get_wlat,
	},
	{
		.key = "wp50", .head = N_("WP50"), .help = N_("half of the writes were faster"),
		.kind = VAL_U64, .unit = UNIT_NS, .flags = COL_WRITE, .width = 6, .priority = 7,
		.needs = SRC_HIST, .get = get_wp50,
	},
	{
		.key = "wp99", .head = N_("WP99"), .help = N_("99 of 100 writes were faster"),
		.kind = VAL_U64, .unit = UNIT_NS, .flags = COL_WRITE, .width = 6, .priority = 3,
		.needs = SRC_HIST, .get = get_wp99,
	},
	{
		.key = "wmax", .head = N_("WMAX"), .help = N_("longest write"),
		.kind = VAL_U64, .unit = UNIT_NS, .flags = COL_WRITE, .width = 6, .priority = 7,
		.needs = SRC_BLOCK, .get = get_wmax,
	},
	{
		.key = "queue", .head = N_("QUEUE"),
		.help = N_("average time of reads and writes from submission to the "
			   "device"),
		.kind = VAL_U64, .unit = UNIT_NS, .width = 6, .priority = 5, .needs = SRC_BLOCK,
		.either = SPLIT, .get = get_queue,
	},
	{
		.key = "device", .head = N_("DEVICE"),
		.help = N_("average time of reads and writes at the device"),
		.kind = VAL_U64, .unit = UNIT_NS, .width = 6, .priority = 5, .needs = SRC_BLOCK,
		.either = SPLIT, .get = get_device,
	},
	{
		.key = "util", .head = N_("UTIL%"), .help = N_("time with a request in flight"),
		.kind = VAL_F64, .unit = UNIT_PERCENT, .width = 5, .either = EITHER,
		.get = get_util,
	},
	{
		.key = "depth", .head = N_("DEPTH"),
		.help = N_("average number of requests in flight"),
		.kind = VAL_F64, .unit = UNIT_RATIO, .width = 5, .priority = 4, .either = EITHER,
		.get = get_depth,
	},
	{
		.key = "inflight", .head = N_("NOW"), .help = N_("requests in flight now"),
		COL_FIELD(struct disk_row, in_flight, VAL_U64), .unit = UNIT_COUNT, .width = 5,
		.priority = 8, .either = EITHER,
	},
	{
		.key = "merges", .head = N_("MERGE"),
		.help = N_("requests merged with another per second"),
		.kind = VAL_F64, .unit = UNIT_COUNT, .width = 5, .priority = 8, .either = EITHER,
		.get = get_merges,
	},
	{
		.key = "errors", .head = N_("ERR"), .help = N_("failed requests"),
		.kind = VAL_U64, .unit = UNIT_COUNT, .flags = COL_WARN, .width = 4, .priority = 6,
		.needs = SRC_BLOCK, .get = get_errors,
	},
	{
		.key = "requeues", .head = N_("REQUE"),
		.help = N_("requests the device sent back to the queue"),
		.kind = VAL_U64, .unit = UNIT_COUNT, .width = 5, .priority = 8, .needs = SRC_HIST,
		.get = get_requeues,
	},
	{
		.key = "ramp", .head = N_("RAMP"),
		.help = N_("bytes read below for each byte read from a stacked device"),
		.kind = VAL_F64, .unit = UNIT_RATIO, .width = 5, .priority = 9, .needs = SRC_DISKS,
		.get = get_ramp,
	},
	{
		.key = "wamp", .head = N_("WAMP"),
		.help = N_("bytes written below for each byte written to a stacked device"),
		.kind = VAL_F64, .unit = UNIT_RATIO, .width = 5, .priority = 9, .needs = SRC_DISKS,
		.get = get_wamp,
	},
	{
		.key = "rhist", .head = N_("RHIST"),
		.help = N_("reads by latency: upper bound in ns, count"),
		.kind = VAL_PAIRS, .unit = UNIT_NONE, .flags = COL_LEFT, .width = 20, .priority = 9,
		.needs = SRC_HIST, .get = get_rhist,
	},
	{
		.key = "whist", .head = N_("WHIST"),
		.help = N_("writes by latency: upper bound in ns, count"),
		.kind = VAL_PAIRS, .unit = UNIT_NONE, .flags = COL_LEFT, .width = 20, .priority = 9,
		.needs = SRC_HIST, .get = get_whist,
	},
	{
		.key = "history", .head = N_("HISTORY"),
		.help = N_("the last intervals, read and write together"),
		.kind = VAL_NONE, .unit = UNIT_NONE, .flags = COL_GRAPH | COL_LEFT, .width = 8,
		.priority = 6,
	},
	{
		.key = "amp", .head = N_("AMP"),
		.help = N_("amplification of a stacked device: bytes below for each byte "
			   "read, written"),
		.kind = VAL_STR, .unit = UNIT_TEXT, .flags = COL_LEFT, .width = 11, .priority = 7,
		.needs = SRC_DISKS, .get = get_amp,
	},
	{
		.key = "mounts", .head = N_("MOUNTED ON"),
		.help = N_("mount points of the disk and its partitions"),
		.kind = VAL_LIST, .unit = UNIT_TEXT, .flags = COL_LEFT | COL_WORDS | COL_GROW,
		.width = 10, .priority = 6,
		.needs = SRC_DISKS, .get = get_mounts,
	},
	{ 0 }
};
