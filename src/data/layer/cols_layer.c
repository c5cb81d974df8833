// SPDX-License-Identifier: GPL-2.0-or-later
/* The columns of the layers screen. */
#include "data/layer/layer.h"
#include "data/model.h"

#define FIELD(member) COL_FIELD(struct layer_row, member)
#define COUNT(member) COL_COUNT(struct layer_counters, member, VAL_U64)
#define ROW(c) ((const struct layer_row *)(c)->row)
#define COUNTERS(c) ((const struct layer_counters *)(c)->counters)

static struct value percentile(const struct cell *c, double p)
{
	const uint64_t *counts = ROW(c)->hist[cell_is_sum(c)];

	/* A bucket may end above the longest time in it. */
	return counts && hist_total(counts)
		       ? value_u64(MIN(hist_percentile(counts, p), COUNTERS(c)->max_ns))
		       : value_none();
}

#define NAMED 20	/* of the tasks and files of a row */

static struct value names_of(const struct layer_shares *shares)
{
	return value_list(shares->names, MIN(shares->n, NAMED));
}

COL_GETTER(avg, value_mean(COUNTERS(c)->lat_ns, COUNTERS(c)->count))
COL_GETTER(p50, percentile(c, 50))
COL_GETTER(p99, percentile(c, 99))
COL_GETTER(max, value_nonzero(COUNTERS(c)->max_ns))
COL_GETTER(share, value_f64(ROW(c)->share[cell_is_sum(c)]))
COL_GETTER(tasks, names_of(&ROW(c)->tasks[cell_is_sum(c)]))
COL_GETTER(files, names_of(&ROW(c)->files[cell_is_sum(c)]))
COL_GETTER(hist, cell_hist(c, ROW(c)->hist[cell_is_sum(c)]))

const struct column layer_columns[] = {
	{
		COLUMN("layer", N_("LAYER"),
		       N_("syscall, vfs, fs, cache (waiting for its pages), limit (held back by "
			  "one), queue (of the disk) or device")),
		FIELD(layer), .fold = FOLD_SAME, .flags = COL_TREE, .width = 11,
	},
	{
		COLUMN("op", N_("OP"),
		       N_("operation: read, write, open, fsync, sync, range (sync_file_range), "
			  "discard, flush; fault (of a page of a mapped file); commit (of a "
			  "journal); "
			  "parts of an fsync: data (before the journal), journal (waiting for a "
			  "commit), joined (for one that had begun earlier), flush")),
		FIELD(op), .fold = FOLD_SAME, .width = 7,
	},
	{
		COLUMN("fs", N_("FS"), N_("kind of file system")),
		FIELD(fs), .fold = FOLD_SAME, .width = 6, .priority = 5,
	},
	{
		COLUMN("disk", N_("DISK"), N_("the disk, or what the file system lies on")),
		FIELD(disk), .fold = FOLD_SAME, .width = 8, .priority = 3,
	},
	{
		COLUMN("count", N_("COUNT"), N_("operations that ended")),
		COUNT(count), .unit = UNIT_COUNT, .fold = FOLD_SUM,
		.flags = COL_COUNTER | COL_ACTIVITY, .width = 6, .priority = 1, .needs = SRC_LAYERS,
	},
	{
		COLUMN("running", N_("RUN"), N_("operations that still run")),
		FIELD(running), .unit = UNIT_COUNT, .fold = FOLD_SUM,
		.flags = COL_ACTIVITY, .width = 4, .priority = 8, .needs = SRC_LAYERS,
	},
	{
		COLUMN("total", N_("TOTAL"), N_("time spent, also by what still runs")),
		COUNT(time_ns), .unit = UNIT_NS, .fold = FOLD_SUM, .flags = COL_COUNTER, .width = 7,
		.needs = SRC_LAYERS,
	},
	{
		COLUMN("avg", N_("AVG"), N_("average time of an operation")),
		.kind = VAL_U64, .unit = UNIT_NS, .fold = FOLD_MEAN, .width = 6,
		.needs = SRC_LAYERS, .get = get_avg,
	},
	{
		COLUMN("p50", N_("P50"), N_("half of the operations were faster")),
		.kind = VAL_U64, .unit = UNIT_NS, .fold = FOLD_MEAN, .width = 6, .priority = 6,
		.needs = SRC_LAYERS, .get = get_p50,
	},
	{
		COLUMN("p99", N_("P99"), N_("99 of 100 operations were faster")),
		.kind = VAL_U64, .unit = UNIT_NS, .fold = FOLD_MEAN, .width = 6, .priority = 2,
		.needs = SRC_LAYERS, .get = get_p99,
	},
	{
		COLUMN("max", N_("MAX"), N_("longest operation, also one that still runs")),
		.kind = VAL_U64, .unit = UNIT_NS, .fold = FOLD_MAX, .width = 6, .priority = 4,
		.needs = SRC_LAYERS, .get = get_max,
	},
	{
		COLUMN("share", N_("SHARE%"),
		       N_("of the time at the layer above; at the disk, of the calls that lead "
		          "there: unknown when it does several at a time, or works for nobody who "
		          "waits, and so takes longer than they do")),
		.kind = VAL_F64, .unit = UNIT_PERCENT, .fold = FOLD_SUM, .width = 6, .priority = 1,
		.needs = SRC_LAYERS, .get = get_share,
	},
	{
		COLUMN("hist", N_("HIST"), N_("operations by time: upper bound in ns, count")),
		.kind = VAL_PAIRS, .width = 20, .priority = 9, .needs = SRC_LAYERS, .get = get_hist,
	},
	{
		COLUMN("tasks", N_("TASKS"),
		       N_("processes that spent time there, the longest first; of calls and file "
		          "systems")),
		.kind = VAL_LIST, .flags = COL_HIDDEN | COL_WORDS, .width = 20, .priority = 9,
		.needs = SRC_CALLERS | SRC_LAYERS, .get = get_tasks,
	},
	{
		COLUMN("files", N_("FILES"),
		       N_("files on which time was spent there, the longest first; likewise")),
		.kind = VAL_LIST, .flags = COL_HIDDEN | COL_WORDS, .width = 20, .priority = 9,
		.needs = SRC_CALLERS | SRC_LAYERS, .get = get_files,
	},
	{
		COLUMN("bar", N_("OF PARENT"), N_("the share as a bar")),
		.kind = VAL_F64, .flags = COL_GRAPH, .width = 10, .priority = 7,
		.needs = SRC_LAYERS, .get = get_share,
	},
	{
		COLUMN("dist", N_("TIMES"),
		       N_("operations by time, twice as long with each step")),
		.scale = N_("1µs               1s"), .kind = VAL_PAIRS, .flags = COL_GRAPH,
		.width = 22, .priority = 6, .needs = SRC_LAYERS, .get = get_hist,
	},
	{ 0 }
};
