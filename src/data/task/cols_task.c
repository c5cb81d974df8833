/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The columns of the process screen. */
#include "data/model.h"
#include "data/task/task.h"

#define ROW(c) ((const struct task_row *)(c)->row)
#define COUNTERS(c) ((const struct task_counters *)(c)->counters)

static struct value get_uid(const struct cell *c)
{
	return ROW(c)->facts ? value_u64(ROW(c)->facts->uid) : value_none();
}

static struct value get_nice(const struct cell *c)
{
	const struct task_facts *facts = ROW(c)->facts;

	return facts && facts->sampled ? value_i64(facts->nice) : value_none();
}

static struct value get_how(const struct cell *c)
{
	static const char *const names[] = {
		[HOW_EXACT + 1] = "exact",
		[HOW_INODE + 1] = "inode",
		[HOW_DEVICE + 1] = "device",
		[HOW_CGROUP + 1] = "cgroup",
		[HOW_KERNEL + 1] = "kernel",
		[HOW_LOST + 1] = "lost",
	};

	return value_str(names[ROW(c)->how]);
}

static struct value get_command(const struct cell *c)
{
	const struct task_row *r = ROW(c);

	/* Of a group that nobody leads the name, if its members have one in common. */
	if (r->row.parts && !r->comm)
		return column_value(entity_column(&entity_task, "comm"), &r->row, c->model,
				    c->span, c->texts);
	return value_str(task_command(r));
}

static struct value get_total(const struct cell *c)
{
	double bytes = (double)COUNTERS(c)->read + COUNTERS(c)->write;

	if (c->span == SPAN_SUM)
		return value_f64(bytes);
	return c->seconds > 0 ? value_f64(bytes / c->seconds) : value_none();
}

static struct value get_lat(const struct cell *c)
{
	const struct task_counters *n = COUNTERS(c);

	return n->done ? value_u64(n->lat_ns / n->done) : value_none();
}

static struct value get_max(const struct cell *c)
{
	return COUNTERS(c)->done ? value_u64(COUNTERS(c)->max_ns) : value_none();
}

static struct value get_members(const struct cell *c)
{
	return value_u64(ROW(c)->row.members);
}

static struct value get_files(const struct cell *c)
{
	const struct task_row *r = ROW(c);

	return (struct value){ .kind = VAL_LIST,
			       .list = { .items = r->file_texts,
					 .n = r->file_texts ? r->nfiles : 0 } };
}

const struct column task_columns[] = {
	{
		.key = "pid", .head = N_("PID"), .help = N_("process id"),
		COL_FIELD(struct task_row, pid, VAL_U64), .unit = UNIT_NONE, .fold = FOLD_FIRST,
		.flags = COL_NONZERO | COL_WHOLE, .width = 7, .priority = 1,
	},
	{
		.key = "tid", .head = N_("TID"), .help = N_("thread id"),
		COL_FIELD(struct task_row, tid, VAL_U64), .unit = UNIT_NONE, .fold = FOLD_FIRST,
		.flags = COL_NONZERO | COL_WHOLE, .width = 7, .priority = 0,
	},
	{
		.key = "prio", .head = N_("PRIO"), .help = N_("I/O priority: class and level"),
		COL_FIELD(struct task_row, prio, VAL_STR), .unit = UNIT_TEXT, .fold = FOLD_FIRST,
		.flags = COL_LEFT,
		.width = 4, .priority = 7,
	},
	{
		.key = "user", .head = N_("USER"), .help = N_("effective user"),
		COL_FIELD(struct task_row, user, VAL_STR), .unit = UNIT_TEXT, .fold = FOLD_SAME,
		.flags = COL_LEFT,
		.width = 9, .priority = 5, .needs = SRC_NAMES,
	},
	{
		.key = "uid", .head = N_("UID"), .help = N_("effective user, as a number"),
		.kind = VAL_U64, .unit = UNIT_NONE, .fold = FOLD_SAME, .flags = COL_HIDDEN,
		.width = 6, .priority = 9, .get = get_uid,
	},
	{
		.key = "cgroup", .head = N_("CGROUP"),
		.help = N_("control group, as people say it: unit, container, pod"),
		COL_FIELD(struct task_row, cgroup, VAL_STR), .unit = UNIT_TEXT, .fold = FOLD_SAME,
		.flags = COL_LEFT | COL_HIDDEN, .width = 19, .wide = 52, .priority = 3,
		.needs = SRC_NAMES,
	},
	{
		.key = "read", .head = N_("READ"), .help = N_("bytes read at the disk, per second"),
		COL_COUNT(struct task_counters, read, VAL_U64), .unit = UNIT_BYTES,
		.fold = FOLD_SUM,
		.flags = COL_RATE | COL_READ | COL_ACTIVITY, .width = 8, .priority = 0,
		.either = SRC_BLOCK | SRC_TASKIO,
	},
	{
		.key = "write", .head = N_("WRITE"),
		.help = N_("bytes written at the disk, per second, charged to who caused "
			   "them"),
		COL_COUNT(struct task_counters, write, VAL_U64), .unit = UNIT_BYTES,
		.fold = FOLD_SUM,
		.flags = COL_RATE | COL_WRITE | COL_ACTIVITY, .width = 8, .priority = 0,
		.either = SRC_BLOCK | SRC_TASKIO,
	},
	{
		.key = "total", .head = N_("R+W"),
		.help = N_("bytes read and written at the disk, per second"),
		.kind = VAL_F64, .unit = UNIT_BYTES, .fold = FOLD_SUM,
		.flags = COL_HIDDEN | COL_WHOLE, .width = 8, .priority = 8,
		.either = SRC_BLOCK | SRC_TASKIO, .get = get_total,
	},
	{
		.key = "riops", .head = N_("R/S"),
		.help = N_("reads submitted per second"),
		COL_COUNT(struct task_counters, rios, VAL_U64), .unit = UNIT_COUNT,
		.fold = FOLD_SUM,
		.flags = COL_RATE | COL_READ, .width = 5, .priority = 6, .needs = SRC_BLOCK,
	},
	{
		.key = "wiops", .head = N_("W/S"),
		.help = N_("writes submitted per second"),
		COL_COUNT(struct task_counters, wios, VAL_U64), .unit = UNIT_COUNT,
		.fold = FOLD_SUM,
		.flags = COL_RATE | COL_WRITE, .width = 5, .priority = 6, .needs = SRC_BLOCK,
	},
	{
		.key = "lat", .head = N_("LAT"),
		.help = N_("average time of its requests, submission to completion"),
		.kind = VAL_U64, .unit = UNIT_NS, .fold = FOLD_MEAN, .width = 6, .priority = 3,
		.needs = SRC_BLOCK, .get = get_lat,
	},
	{
		.key = "max", .head = N_("MAX"), .help = N_("longest request"),
		.kind = VAL_U64, .unit = UNIT_NS, .fold = FOLD_MAX, .flags = COL_WHOLE,
		.width = 6, .priority = 6, .needs = SRC_BLOCK, .get = get_max,
	},
	{
		.key = "swapin", .head = N_("SWAP%"),
		.help = N_("time spent waiting for pages to be swapped in"),
		COL_COUNT(struct task_counters, swap_ns, VAL_U64), .unit = UNIT_PERCENT,
		.fold = FOLD_SUM,
		.flags = COL_PERCENT | COL_ACTIVITY, .width = 5, .priority = 8, .needs = SRC_DELAYS,
	},
	{
		.key = "io", .head = N_("IO%"),
		.help = N_("time in which it could not go on for block I/O"),
		COL_COUNT(struct task_counters, wait_ns, VAL_U64), .unit = UNIT_PERCENT,
		.fold = FOLD_SUM,
		.flags = COL_PERCENT | COL_ACTIVITY, .width = 5, .priority = 2,
		.either = SRC_DELAYS | SRC_WAITS,
	},
	{
		.key = "throttle", .head = N_("THROT%"),
		.help = N_("time throttled while dirtying pages (balance_dirty_pages)"),
		COL_COUNT(struct task_counters, throttle_ns, VAL_U64), .unit = UNIT_PERCENT,
		.fold = FOLD_SUM,
		.flags = COL_PERCENT | COL_HIDDEN, .width = 6, .priority = 8, .needs = SRC_THROTTLE,
	},
	{
		.key = "dirty", .head = N_("DIRTY"),
		.help = N_("bytes of pages dirtied per second, less those cancelled before "
			   "they were written"),
		COL_COUNT(struct task_counters, dirty, VAL_U64), .unit = UNIT_BYTES,
		.fold = FOLD_SUM,
		.flags = COL_RATE | COL_WRITE | COL_HIDDEN, .width = 8, .priority = 8,
		.needs = SRC_TASKIO,
	},
	{
		.key = "disk", .head = N_("DISK"), .help = N_("the disk with most of its I/O"),
		COL_FIELD(struct task_row, disk, VAL_STR), .unit = UNIT_TEXT, .fold = FOLD_FIRST,
		.flags = COL_LEFT | COL_WHOLE, .width = 7, .priority = 4, .needs = SRC_BLOCK,
	},
	{
		.key = "state", .head = N_("S"),
		.help = N_("state: R running, S sleeping, D uninterruptible, T stopped, Z "
			   "zombie, I idle"),
		COL_FIELD(struct task_row, state, VAL_STR), .unit = UNIT_TEXT, .fold = FOLD_FIRST,
		.flags = COL_LEFT | COL_HIDDEN,
		.width = 1, .priority = 8,
	},
	{
		.key = "age", .head = N_("AGE"), .help = N_("time since it started"),
		COL_FIELD(struct task_row, age_ns, VAL_U64), .unit = UNIT_NS, .fold = FOLD_MAX,
		.flags = COL_HIDDEN | COL_NONZERO, .width = 6, .priority = 8,
	},
	{
		.key = "ios", .head = N_("IOS"),
		.help = N_("I/O of any kind submitted per second, flushes and discards as "
			   "well"),
		COL_COUNT(struct task_counters, ios, VAL_U64), .unit = UNIT_COUNT, .fold = FOLD_SUM,
		.flags = COL_RATE | COL_HIDDEN, .width = 5, .priority = 8, .needs = SRC_BLOCK,
	},
	{
		.key = "members", .head = N_("N"), .help = N_("threads in this row"),
		.kind = VAL_U64, .unit = UNIT_NONE, .fold = FOLD_SUM, .flags = COL_HIDDEN,
		.width = 5, .priority = 1,
		.get = get_members,
	},
	{
		.key = "how", .head = N_("HOW"),
		.help = N_("how sure its cause is: exact, inode, device, cgroup, kernel, lost"),
		.kind = VAL_STR, .unit = UNIT_TEXT, .fold = FOLD_FIRST,
		.flags = COL_LEFT | COL_HIDDEN | COL_WHOLE, .width = 6, .priority = 9,
		.needs = SRC_BLOCK, .get = get_how,
	},
	{
		.key = "files", .head = N_("FILES"),
		.help = N_("files behind its I/O, hottest first"),
		.kind = VAL_LIST, .unit = UNIT_TEXT, .fold = FOLD_FIRST,
		.flags = COL_LEFT | COL_HIDDEN | COL_WHOLE, .width = 20,
		.priority = 9, .needs = SRC_FILES | SRC_BLOCK, .get = get_files,
	},
	{
		.key = "history", .head = N_("HISTORY"),
		.help = N_("the last intervals, read and write together"),
		.kind = VAL_NONE, .unit = UNIT_NONE, .fold = FOLD_FIRST,
		.flags = COL_GRAPH | COL_LEFT, .width = 10, .priority = 5,
	},
	{
		.key = "comm", .head = N_("COMM"), .help = N_("name of the task"),
		COL_FIELD(struct task_row, comm, VAL_STR), .unit = UNIT_TEXT, .fold = FOLD_FIRST,
		.flags = COL_LEFT | COL_HIDDEN,
		.width = 15, .priority = 0,
	},
	{
		.key = "command", .head = N_("COMMAND"), .help = N_("command line"),
		.kind = VAL_STR, .unit = UNIT_TEXT, .fold = FOLD_FIRST,
		.flags = COL_LEFT | COL_GROW | COL_WHOLE, .width = 12,
		.priority = 0, .either = SRC_TASKS | SRC_CMDLINE, .get = get_command,
	},
	/* New columns go to the end: scripts count the fields of CSV (tests/unit/columns). */
	{
		.key = "nice", .head = N_("NI"),
		.help = N_("nice value: from -20, most of the processor, to 19, least"),
		.kind = VAL_I64, .unit = UNIT_NONE, .fold = FOLD_SAME, .flags = COL_HIDDEN,
		.width = 3, .priority = 8, .get = get_nice,
	},
	{
		.key = "iowait", .head = N_("IOWAIT%"),
		.help = N_("time that the kernel calls iowait: in a ring of io_uring also "
			   "without I/O"),
		COL_COUNT(struct task_counters, iowait_ns, VAL_U64), .unit = UNIT_PERCENT,
		.fold = FOLD_SUM,
		.flags = COL_PERCENT | COL_HIDDEN, .width = 7, .priority = 8,
		.either = SRC_DELAYS | SRC_WAITS,
	},
	{ 0 }
};
