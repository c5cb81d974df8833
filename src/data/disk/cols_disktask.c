/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The columns of the processes on disks. */
#include "data/disk/disk.h"
#include "data/model.h"

#define FIELD(member) COL_FIELD(struct disktask_row, member)
#define COUNT(member) COL_COUNT(struct disktask_counters, member, VAL_U64)
#define ROW(c) ((const struct disktask_row *)(c)->row)
#define COUNTERS(c) ((const struct disktask_counters *)(c)->counters)

COL_GETTER(pid, value_nonzero(ROW(c)->pid))
COL_GETTER(op, value_str(io_op_name(ROW(c)->op)))
/* How many have a time, 0 where those that took longest may have none. */
static uint64_t timed(const struct cell *c)
{
	return COUNTERS(c)->held_unseen ? 0 : COUNTERS(c)->done;
}

COL_GETTER(avg, value_mean(COUNTERS(c)->lat_ns, timed(c)))
COL_GETTER(max, timed(c) ? value_u64(COUNTERS(c)->max_ns) : value_none())

const struct column disktask_columns[] = {
	{
		COLUMN("pid", N_("PID"), N_("process id")),
		.kind = VAL_U64, .width = 7, .get = get_pid,
	},
	{
		COLUMN("comm", N_("COMM"), N_("name of the process")),
		FIELD(comm), .flags = COL_GROW, .width = 15,
	},
	{
		COLUMN("op", N_("OP"), N_("operation: read, write, discard, flush, other")),
		.kind = VAL_STR, .width = 7, .priority = 1, .get = get_op,
	},
	{
		COLUMN("major", N_("MAJ"), N_("major number of the disk")),
		FIELD(major), .width = 3, .priority = 5,
	},
	{
		COLUMN("minor", N_("MIN"), N_("minor number of the disk")),
		FIELD(minor), .width = 4, .priority = 5,
	},
	{
		COLUMN("disk", N_("DISK"), N_("the disk")),
		FIELD(disk), .width = 12, .priority = 1,
	},
	{
		COLUMN("ios", N_("IO"), N_("submitted per second")),
		COUNT(ios), .unit = UNIT_COUNT, .flags = COL_RATE | COL_ACTIVITY, .width = 5,
		.needs = SRC_BLOCK,
	},
	{
		COLUMN("bytes", N_("BYTES"), N_("bytes per second")),
		COUNT(bytes), .unit = UNIT_BYTES, .flags = COL_RATE | COL_ACTIVITY, .width = 8,
		.needs = SRC_BLOCK,
	},
	{
		COLUMN("avg", N_("AVG"), N_("average time of a request, submission to completion")),
		.kind = VAL_U64, .unit = UNIT_NS, .width = 6, .priority = 2, .needs = SRC_BLOCK,
		.get = get_avg,
	},
	{
		COLUMN("max", N_("MAX"), N_("longest request")),
		.kind = VAL_U64, .unit = UNIT_NS, .width = 6, .priority = 3, .needs = SRC_BLOCK,
		.get = get_max,
	},
	{ 0 }
};
