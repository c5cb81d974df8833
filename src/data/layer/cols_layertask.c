// SPDX-License-Identifier: GPL-2.0-or-later
/* The columns of the layers by process. */
#include "data/layer/layertask.h"
#include "data/model.h"

#define FIELD(member) COL_FIELD(struct layertask_row, member)
#define COUNT(member) COL_COUNT(struct layer_counters, member, VAL_U64)
#define ROW(c) ((const struct layertask_row *)(c)->row)
#define COUNTERS(c) ((const struct layer_counters *)(c)->counters)

COL_GETTER(pid, value_nonzero(ROW(c)->pid))
COL_GETTER(avg, value_mean(COUNTERS(c)->lat_ns, COUNTERS(c)->count))
COL_GETTER(max, value_nonzero(COUNTERS(c)->max_ns))
COL_GETTER(share, value_f64(ROW(c)->share[cell_is_sum(c)]))

const struct column layertask_columns[] = {
	{
		COLUMN("pid", N_("PID"), N_("process id")),
		.kind = VAL_U64, .width = 7, .get = get_pid,
	},
	{
		COLUMN("comm", N_("COMM"), N_("name of the process")),
		FIELD(comm), .width = 15,
	},
	{
		COLUMN("layer", N_("LAYER"),
		       N_("syscall, vfs, fs or cache (waiting for its pages)")),
		FIELD(layer), .flags = COL_TREE, .width = 11,
	},
	{
		COLUMN("op", N_("OP"),
		       N_("operation, as on the screen of layers")),
		FIELD(op), .width = 7,
	},
	{
		COLUMN("fs", N_("FS"), N_("kind of file system")),
		FIELD(fs), .width = 6, .priority = 5,
	},
	{
		COLUMN("disk", N_("DISK"), N_("the disk, or what the file system lies on")),
		FIELD(disk), .width = 8, .priority = 3,
	},
	{
		COLUMN("count", N_("COUNT"), N_("operations that ended")),
		COUNT(count), .unit = UNIT_COUNT, .fold = FOLD_SUM,
		.flags = COL_COUNTER | COL_ACTIVITY, .width = 6, .priority = 1,
		.needs = SRC_CALLERS,
	},
	{
		COLUMN("total", N_("TOTAL"), N_("time spent, by operations that ended")),
		COUNT(time_ns), .unit = UNIT_NS, .fold = FOLD_SUM, .flags = COL_COUNTER, .width = 7,
		.needs = SRC_CALLERS,
	},
	{
		COLUMN("avg", N_("AVG"), N_("average time of an operation")),
		.kind = VAL_U64, .unit = UNIT_NS, .width = 6, .needs = SRC_CALLERS, .get = get_avg,
	},
	{
		COLUMN("max", N_("MAX"), N_("longest operation")),
		.kind = VAL_U64, .unit = UNIT_NS, .width = 6, .priority = 2, .needs = SRC_CALLERS,
		.get = get_max,
	},
	{
		COLUMN("share", N_("SHARE%"),
		       N_("of the time of the same process at the layer above")),
		.kind = VAL_F64, .unit = UNIT_PERCENT, .width = 6, .priority = 4,
		.needs = SRC_CALLERS, .get = get_share,
	},
	{
		COLUMN("bar", N_("OF PARENT"), N_("the share as a bar")),
		.kind = VAL_F64, .flags = COL_GRAPH, .width = 10, .priority = 7,
		.needs = SRC_CALLERS, .get = get_share,
	},
	{ 0 }
};
