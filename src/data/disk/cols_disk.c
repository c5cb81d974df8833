/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The columns of the disks screen. */
#include "data/disk/disk_cells.h"
#include "data/pattern.h"

#define FIELD(member) COL_FIELD(struct disk_row, member)
#define COUNT(member) COL_COUNT(struct disk_counters, member, VAL_U64)
#define ROW DISK_CELL_ROW
#define COUNTERS DISK_CELL_COUNTERS
#define ALL DISK_CELL_ALL
#define EITHER (SRC_BLOCK | SRC_DISKS)
/* The programs of the second take the time of issue where requests do not carry it. */
#define SPLIT (SRC_BLOCK | SRC_HIST)

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

COL_GETTER(major, value_u64(ROW(c)->major))
COL_GETTER(parents, value_list(ROW(c)->below, ROW(c)->nbelow))
COL_GETTER(children, value_list(ROW(c)->above, ROW(c)->nabove))
COL_GETTER(mounts, value_list(ROW(c)->mounts, ROW(c)->nmounts))
COL_GETTER(rlat, disk_cell_latency(c, OP_READ))
COL_GETTER(wlat, disk_cell_latency(c, OP_WRITE))
COL_GETTER(rp50, disk_cell_percentile(c, OP_READ, 50))
COL_GETTER(rp99, disk_cell_percentile(c, OP_READ, 99))
COL_GETTER(wp50, disk_cell_percentile(c, OP_WRITE, 50))
COL_GETTER(wp99, disk_cell_percentile(c, OP_WRITE, 99))
COL_GETTER(rmax, value_nonzero(COUNTERS(c)->max_ns[OP_READ]))
COL_GETTER(wmax, value_nonzero(COUNTERS(c)->max_ns[OP_WRITE]))
COL_GETTER(queue, disk_cell_part(c, true))
COL_GETTER(device, disk_cell_part(c, false))
COL_GETTER(throttled, value_mean(ALL(c, held_ns), ALL(c, held_unseen) ? 0 : ALL(c, done)))
COL_GETTER(tagwait, value_mean(ALL(c, tag_ns), ALL(c, timed)))
COL_GETTER(insched, disk_cell_insched(c))
COL_GETTER(tagwaits, ROW(c)->tags_told ? cell_rate(c, (double)COUNTERS(c)->rare.tag_waits)
				       : value_none())
COL_GETTER(timeouts, value_u64(COUNTERS(c)->rare.timeouts))
/* What is usual is known of intervals. */
COL_GETTER(usual, value_nonzero(cell_is_sum(c) ? 0 : ROW(c)->usual_ns))
COL_GETTER(slow, cell_is_sum(c) ? value_none() : value_f64(ROW(c)->slow))
COL_GETTER(ramp, value_f64(ROW(c)->amp[cell_is_sum(c)][0]))
COL_GETTER(wamp, value_f64(ROW(c)->amp[cell_is_sum(c)][1]))
COL_GETTER(amp, value_str(ROW(c)->amp_text[cell_is_sum(c)]))
COL_GETTER(rhist, cell_hist(c, disk_cell_counts(c, OP_READ)))
COL_GETTER(whist, cell_hist(c, disk_cell_counts(c, OP_WRITE)))
COL_GETTER(merges, cell_rate(c, (double)ALL(c, merges)))
COL_GETTER(errors, value_u64(ALL(c, errors)))
COL_GETTER(requeues, value_u64(ALL(c, requeues)))

COL_GETTER(rsize, value_mean(COUNTERS(c)->op[OP_READ].bytes, COUNTERS(c)->op[OP_READ].ios))
COL_GETTER(wsize, value_mean(COUNTERS(c)->op[OP_WRITE].bytes, COUNTERS(c)->op[OP_WRITE].ios))
COL_GETTER(seq, pattern_share(ALL(c, sequential), ALL(c, pattern_ios)))
COL_GETTER(rand, pattern_share(ALL(c, pattern_ios) - ALL(c, sequential), ALL(c, pattern_ios)))
COL_GETTER(ra, pattern_share(COUNTERS(c)->op[OP_READ].flagged,
			     COUNTERS(c)->op[OP_READ].pattern_ios))
COL_GETTER(sync, pattern_share(COUNTERS(c)->op[OP_WRITE].flagged,
			       COUNTERS(c)->op[OP_WRITE].pattern_ios))

const struct column disk_columns[] = {
	{
		COLUMN("disk", N_("DISK"), N_("the name people use: vg-root, md0, sda")),
		FIELD(disk), .flags = COL_TREE, .width = 16,
	},
	{
		COLUMN("name", N_("NAME"), N_("the kernel's name: dm-0, sda")),
		FIELD(name), .width = 10, .priority = 9,
	},
	{
		COLUMN("major", N_("MAJ"), N_("major number of the device")),
		.kind = VAL_U64, .width = 3, .priority = 9, .get = get_major,
	},
	{
		COLUMN("minor", N_("MIN"), N_("minor number of the device")),
		FIELD(minor), .width = 4, .priority = 9,
	},
	{
		COLUMN("type", N_("TYPE"), N_("disk, part, lvm, crypt, raid1, loop, …")),
		FIELD(type), .width = 6, .priority = 8,
	},
	{
		COLUMN("parents", N_("PARENTS"), N_("the devices it lies on")),
		.kind = VAL_LIST, .flags = COL_WORDS, .width = 12, .priority = 9,
		.needs = SRC_DISKS, .get = get_parents,
	},
	{
		COLUMN("children", N_("CHILDREN"), N_("the devices that lie on it")),
		.kind = VAL_LIST, .flags = COL_WORDS, .width = 12, .priority = 9,
		.needs = SRC_DISKS, .get = get_children,
	},
	{
		COLUMN("size", N_("SIZE"), N_("capacity")),
		FIELD(size), .unit = UNIT_BYTES, .width = 8, .priority = 9,
		.needs = SRC_DISKS,
	},
	{
		COLUMN("read", N_("READ"), N_("bytes read per second")),
		COUNT(op[OP_READ].bytes), .unit = UNIT_BYTES,
		.flags = COL_RATE | COL_READ | COL_ACTIVITY, .width = 8, .either = EITHER,
	},
	{
		COLUMN("write", N_("WRITE"), N_("bytes written per second")),
		COUNT(op[OP_WRITE].bytes), .unit = UNIT_BYTES,
		.flags = COL_RATE | COL_WRITE | COL_ACTIVITY, .width = 8, .either = EITHER,
	},
	{
		COLUMN("riops", N_("RIO"), N_("reads completed per second")),
		COUNT(op[OP_READ].ios), .unit = UNIT_COUNT, .flags = COL_RATE | COL_READ,
		.width = 5, .priority = 2, .either = EITHER,
	},
	{
		COLUMN("wiops", N_("WIO"), N_("writes completed per second")),
		COUNT(op[OP_WRITE].ios), .unit = UNIT_COUNT, .flags = COL_RATE | COL_WRITE,
		.width = 5, .priority = 2, .either = EITHER,
	},
	{
		COLUMN("discard", N_("DISCARD"), N_("bytes discarded (trimmed) per second")),
		COUNT(op[OP_DISCARD].bytes), .unit = UNIT_BYTES, .flags = COL_RATE | COL_ACTIVITY,
		.width = 9, .priority = 8, .either = EITHER,
	},
	{
		COLUMN("flush", N_("FLUSH"), N_("flushes of the disk's cache per second")),
		COUNT(op[OP_FLUSH].ios), .unit = UNIT_COUNT, .flags = COL_RATE | COL_ACTIVITY,
		.width = 7, .priority = 8, .either = EITHER,
	},
	{
		COLUMN("rlat", N_("RLAT"), N_("average time of a read, submission to completion")),
		.kind = VAL_U64, .unit = UNIT_NS, .flags = COL_READ, .width = 6, .priority = 1,
		.either = EITHER, .get = get_rlat,
	},
	{
		COLUMN("rp50", N_("RP50"), N_("half of the reads were faster")),
		.kind = VAL_U64, .unit = UNIT_NS, .flags = COL_READ, .width = 6, .priority = 7,
		.needs = SRC_HIST, .get = get_rp50,
	},
	{
		COLUMN("rp99", N_("RP99"), N_("99 of 100 reads were faster")),
		.kind = VAL_U64, .unit = UNIT_NS, .flags = COL_READ, .width = 6, .priority = 3,
		.needs = SRC_HIST, .get = get_rp99,
	},
	{
		COLUMN("rmax", N_("RMAX"), N_("longest read")),
		.kind = VAL_U64, .unit = UNIT_NS, .flags = COL_READ, .width = 6, .priority = 7,
		.needs = SRC_BLOCK, .get = get_rmax,
	},
	{
		COLUMN("wlat", N_("WLAT"), N_("average time of a write, submission to completion")),
		.kind = VAL_U64, .unit = UNIT_NS, .flags = COL_WRITE, .width = 6, .priority = 1,
		.either = EITHER, .get = get_wlat,
	},
	{
		COLUMN("wp50", N_("WP50"), N_("half of the writes were faster")),
		.kind = VAL_U64, .unit = UNIT_NS, .flags = COL_WRITE, .width = 6, .priority = 7,
		.needs = SRC_HIST, .get = get_wp50,
	},
	{
		COLUMN("wp99", N_("WP99"), N_("99 of 100 writes were faster")),
		.kind = VAL_U64, .unit = UNIT_NS, .flags = COL_WRITE, .width = 6, .priority = 3,
		.needs = SRC_HIST, .get = get_wp99,
	},
	{
		COLUMN("wmax", N_("WMAX"), N_("longest write")),
		.kind = VAL_U64, .unit = UNIT_NS, .flags = COL_WRITE, .width = 6, .priority = 7,
		.needs = SRC_BLOCK, .get = get_wmax,
	},
	{
		COLUMN("queue", N_("QUEUE"),
		       N_("average time of reads and writes from submission to the device")),
		.kind = VAL_U64, .unit = UNIT_NS, .width = 6, .priority = 5, .needs = SRC_BLOCK,
		.either = SPLIT, .get = get_queue,
	},
	{
		COLUMN("device", N_("DEVICE"),
		       N_("average time of reads and writes at the device")),
		.kind = VAL_U64, .unit = UNIT_NS, .width = 6, .priority = 5, .needs = SRC_BLOCK,
		.either = SPLIT, .get = get_device,
	},
	{
		COLUMN("util", N_("UTIL%"), N_("time with a request in flight")),
		.kind = VAL_F64, .unit = UNIT_PERCENT, .width = 5, .either = EITHER,
		.get = get_util,
	},
	{
		COLUMN("depth", N_("DEPTH"), N_("average number of requests in flight")),
		.kind = VAL_F64, .unit = UNIT_RATIO, .width = 5, .priority = 4, .either = EITHER,
		.get = get_depth,
	},
	{
		COLUMN("inflight", N_("NOW"), N_("requests in flight now")),
		FIELD(in_flight), .unit = UNIT_COUNT, .width = 5, .priority = 8,
		.either = EITHER,
	},
	{
		COLUMN("merges", N_("MERGE"), N_("requests merged with another per second")),
		.kind = VAL_F64, .unit = UNIT_COUNT, .flags = COL_PER_SECOND, .width = 7,
		.priority = 8, .either = EITHER,
		.get = get_merges,
	},
	{
		COLUMN("errors", N_("ERR"), N_("failed requests")),
		.kind = VAL_U64, .unit = UNIT_COUNT, .flags = COL_WARN, .width = 4, .priority = 6,
		.needs = SRC_BLOCK, .get = get_errors,
	},
	{
		COLUMN("requeues", N_("REQUE"), N_("requests the device sent back to the queue")),
		.kind = VAL_U64, .unit = UNIT_COUNT, .width = 5, .priority = 8, .needs = SRC_BLOCK,
		.get = get_requeues,
	},
	{
		COLUMN("ramp", N_("RAMP"),
		       N_("bytes read below for each byte read from a stacked device")),
		.kind = VAL_F64, .unit = UNIT_RATIO, .width = 5, .priority = 9, .needs = SRC_DISKS,
		.get = get_ramp,
	},
	{
		COLUMN("wamp", N_("WAMP"),
		       N_("bytes written below for each byte written to a stacked device")),
		.kind = VAL_F64, .unit = UNIT_RATIO, .width = 5, .priority = 9, .needs = SRC_DISKS,
		.get = get_wamp,
	},
	{
		COLUMN("rhist", N_("RHIST"), N_("reads by latency: upper bound in ns, count")),
		.kind = VAL_PAIRS, .width = 20, .priority = 9, .needs = SRC_HIST, .get = get_rhist,
	},
	{
		COLUMN("whist", N_("WHIST"), N_("writes by latency: upper bound in ns, count")),
		.kind = VAL_PAIRS, .width = 20, .priority = 9, .needs = SRC_HIST, .get = get_whist,
	},
	{
		COLUMN("history", N_("HISTORY"), N_("the last intervals, read and write together")),
		.kind = VAL_NONE, .flags = COL_GRAPH, .width = 8, .priority = 6,
	},
	{
		COLUMN("amp", N_("AMP"),
		       N_("amplification of a stacked device: bytes below for each byte read, "
		          "written")),
		.kind = VAL_STR, .width = 11, .priority = 7, .needs = SRC_DISKS, .get = get_amp,
	},
	{
		COLUMN("mounts", N_("MOUNTED ON"),
		       N_("mount points of the disk and its partitions")),
		.kind = VAL_LIST, .flags = COL_WORDS | COL_GROW, .width = 10, .priority = 6,
		.needs = SRC_DISKS, .get = get_mounts,
	},
	/* New columns go to the end: scripts count the fields of CSV (tests/unit/columns). */
	{
		COLUMN("throttled", N_("LIMIT"),
		       N_("average time in which limits of control groups (io.max, iocost, "
			  "iolatency) held an I/O back, before QUEUE")),
		.kind = VAL_U64, .unit = UNIT_NS, .width = 9, .priority = 7, .needs = SRC_BLOCK,
		.get = get_throttled,
		.reads = { COL_READS(DISKOP, diskop, held_ns),
			   COL_READS(DISKOP, diskop, held_unseen) },
	},
	{
		COLUMN("tagwait", N_("TAGWAIT"),
		       N_("part of QUEUE: average time until an I/O had a request, for want of a "
			  "tag or held back by wbt")),
		.kind = VAL_U64, .unit = UNIT_NS, .width = 7, .priority = 7, .needs = SRC_BLOCK,
		.get = get_tagwait,
		.reads = { COL_READS(DISKOP, diskop, tag_ns), COL_READS(DISKOP, diskop, timed) },
	},
	{
		COLUMN("sched", N_("SCHED"), N_("scheduler, and requests that it may have")),
		FIELD(sched), .width = 16, .priority = 9, .needs = SRC_DISKS,
	},
	{
		COLUMN("usual", N_("USUAL"),
		       N_("time at the device that its I/Os usually take, by what was seen of the "
			  "disk at this size and depth")),
		.kind = VAL_U64, .unit = UNIT_NS, .flags = COL_HIDDEN, .width = 6, .priority = 8,
		.needs = SRC_BLOCK, .either = SPLIT, .get = get_usual,
	},
	{
		COLUMN("slow", N_("SLOW"),
		       N_("time at the device in the interval: how many times as long as usual")),
		.kind = VAL_F64, .unit = UNIT_RATIO, .flags = COL_HIDDEN, .width = 5,
		.priority = 8, .needs = SRC_BLOCK, .either = SPLIT, .get = get_slow,
	},
	PATTERN_COLUMNS(DISKOP, diskop, .either = EITHER),
	{
		COLUMN("insched", N_("INSCHED"),
		       N_("part of QUEUE: average time of a request with the disk's scheduler, and "
			  "before it with other requests of its task (plug)")),
		.kind = VAL_U64, .unit = UNIT_NS, .flags = COL_HIDDEN, .width = 7, .priority = 8,
		.needs = SRC_BLOCK | SRC_DISKS, .either = SPLIT, .get = get_insched,
		.reads = { COL_READS(DISKOP, diskop, tag_ns), COL_READS(DISKOP, diskop, timed) },
	},
	{
		COLUMN("tagwaits", N_("TAGWAITS"),
		       N_("how often a task went to sleep because all tags of the disk were taken, "
			  "where the kernel tells (7.2)")),
		.kind = VAL_F64, .unit = UNIT_COUNT, .flags = COL_HIDDEN, .width = 8,
		.priority = 8, .needs = SRC_BLOCK, .get = get_tagwaits,
		.reads = { COL_READS(DISKLOAD, diskload, tag_waits),
			   COL_READS(DISKLOAD, diskload, tags_told) },
	},
	{
		COLUMN("timeouts", N_("TIMEOUTS"),
		       N_("commands that the device did not answer in time: of SCSI, where the "
			  "kernel tells")),
		.kind = VAL_U64, .unit = UNIT_COUNT, .flags = COL_HIDDEN | COL_WARN, .width = 8,
		.priority = 8, .needs = SRC_BLOCK, .get = get_timeouts,
		.reads = { COL_READS(DISKLOAD, diskload, timeouts) },
	},
	{
		COLUMN("exceeded", N_("EXCEEDED%"),
		       N_("share of the last 10 s in which more was asked than the volume's "
			  "provider allows, where the disk tells (Amazon EC2)")),
		.kind = VAL_F64, .unit = UNIT_PERCENT, .flags = COL_HIDDEN, .width = 9,
		.priority = 8, .needs = SRC_DISKS, .get = disk_cell_exceeded,
		.reads = { COL_READS(DISK, disk, limits_ns) },
	},
	{ 0 }
};
