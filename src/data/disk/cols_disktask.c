/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The columns of the processes on disks. */
#include "data/disk/disk.h"
#include "data/model.h"

#define ROW(c) ((const struct disktask_row *)(c)->row)
#define COUNTERS(c) ((const struct disktask_counters *)(c)->counters)

static struct value get_pid(const struct cell *c)
{
	return ROW(c)->pid ? value_u64(ROW(c)->pid) : value_none();
}

static struct value get_op(const struct cell *c)
{
	return value_str(io_op_name(ROW(c)->op));
}

static struct value get_avg(const struct cell *c)
{
	return COUNTERS(c)->done ? value_u64(COUNTERS(c)->lat_ns / COUNTERS(c)->done)
				 : value_none();
}

static struct value get_max(const struct cell *c)
{
	return COUNTERS(c)->done ? value_u64(COUNTERS(c)->max_ns) : value_none();
}

const struct column disktask_columns[] = {
	{
		.key = "pid", .head = N_("PID"), .help = N_("process id"),
		.kind = VAL_U64, .unit = UNIT_NONE, .width = 7, .get = get_pid,
	},
	{
		.key = "comm", .head = N_("COMM"), .help = N_("name of the process"),
		COL_FIELD(struct disktask_row, comm, VAL_STR), .unit = UNIT_TEXT,
		.flags = COL_LEFT | COL_GROW, .width = 15,
	},
	{
		.key = "op", .head = N_("OP"),
		.help = N_("operation: read, write, discard, flush, other"),
		.kind = VAL_STR, .unit = UNIT_TEXT, .flags = COL_LEFT, .width = 7, .priority = 1,
		.get = get_op,
	},
	{
		.key = "major", .head = N_("MAJ"), .help = N_("major number of the disk"),
		COL_FIELD(struct disktask_row, major, VAL_U64), .unit = UNIT_NONE, .width = 3,
		.priority = 5,
	},
	{
		.key = "minor", .head = N_("MIN"), .help = N_("minor number of the disk"),
		COL_FIELD(struct disktask_row, minor, VAL_U64), .unit = UNIT_NONE, .width = 4,
		.priority = 5,
	},
	{
		.key = "disk", .head = N_("DISK"), .help = N_("the disk"),
		COL_FIELD(struct disktask_row, disk, VAL_STR), .unit = UNIT_TEXT, .flags = COL_LEFT,
		.width = 12, .priority = 1,
	},
	{
		.key = "ios", .head = N_("IO/S"), .help = N_("submitted per second"),
		COL_COUNT(struct disktask_counters, ios, VAL_U64), .unit = UNIT_COUNT,
		.flags = COL_RATE | COL_ACTIVITY,
		.width = 5, .needs = SRC_BLOCK,
	},
	{
		.key = "bytes", .head = N_("BYTES/S"), .help = N_("bytes per second"),
		COL_COUNT(struct disktask_counters, bytes, VAL_U64), .unit = UNIT_BYTES,
		.flags = COL_RATE | COL_ACTIVITY,
		.width = 8, .needs = SRC_BLOCK,
	},
	{
		.key = "avg", .head = N_("AVG"),
		.help = N_("average time of a request, submission to completion"),
		.kind = VAL_U64, .unit = UNIT_NS, .width = 6, .priority = 2, .needs = SRC_BLOCK,
		.get = get_avg,
	},
	{
		.key = "max", .head = N_("MAX"), .help = N_("longest request"),
		.kind = VAL_U64, .unit = UNIT_NS, .width = 6, .priority = 3, .needs = SRC_BLOCK,
		.get = get_max,
	},
	{ 0 }
};
