// SPDX-License-Identifier: GPL-2.0-or-later
/* The columns of the stacks screen. */
#include "data/model.h"
#include "data/stack/stack.h"

#define FIELD(member) COL_FIELD(struct stack_row, member)
#define COUNT(member) COL_COUNT(struct stack_counters, member, VAL_U64)
#define ROW(c) ((const struct stack_row *)(c)->row)
#define COUNTERS(c) ((const struct stack_counters *)(c)->counters)

static struct value list(const struct frames *f)
{
	return f ? value_list(f->items, f->n) : value_none();
}

COL_GETTER(lat, value_mean(COUNTERS(c)->lat_ns,
			   COUNTERS(c)->untimed ? 0 : COUNTERS(c)->done))
COL_GETTER(kstack, list(ROW(c)->kstack))
COL_GETTER(ustack, list(ROW(c)->ustack))

static struct value get_command(const struct cell *c)
{
	char *const *command = ROW(c)->command;

	return value_str(command && *command ? *command : ROW(c)->comm);
}

const struct column stack_columns[] = {
	{
		COLUMN("disk", N_("DISK"), N_("the disk, or the device stacked on disks")),
		FIELD(disk), .fold = FOLD_SAME, .width = 9, .priority = 1,
	},
	{
		COLUMN("comm", N_("COMM"), N_("name of the process")),
		FIELD(comm), .fold = FOLD_SAME, .width = 15,
	},
	{
		COLUMN("pid", N_("PID"), N_("process id")),
		FIELD(pid), .fold = FOLD_SAME, .flags = COL_NONZERO, .width = 7,
		.priority = 2,
	},
	{
		COLUMN("op", N_("OP"), N_("operation: read, write, discard, flush, other")),
		FIELD(op), .fold = FOLD_SAME, .width = 7, .priority = 1,
	},
	{
		COLUMN("ios", N_("IOS"), N_("I/Os submitted in the interval")),
		COUNT(ios), .unit = UNIT_COUNT, .fold = FOLD_SUM,
		.flags = COL_COUNTER | COL_ACTIVITY, .width = 6, .priority = 2, .needs = SRC_STACKS,
	},
	{
		COLUMN("bytes", N_("BYTES"), N_("bytes submitted in the interval")),
		COUNT(bytes), .unit = UNIT_BYTES, .fold = FOLD_SUM,
		.flags = COL_COUNTER | COL_ACTIVITY, .width = 8, .needs = SRC_STACKS,
	},
	{
		COLUMN("lat", N_("LAT"), N_("average latency of what completed in the interval")),
		.kind = VAL_U64, .unit = UNIT_NS, .fold = FOLD_MEAN, .width = 6, .priority = 3,
		.needs = SRC_STACKS, .get = get_lat,
	},
	{
		COLUMN("kstack", N_("KERNEL STACK"), N_("kernel functions, innermost first")),
		.kind = VAL_LIST, .fold = FOLD_SAME, .width = 20, .priority = 5,
		.needs = SRC_STACKS, .get = get_kstack,
	},
	{
		COLUMN("ustack", N_("USER STACK"), N_("functions of the program, innermost first")),
		.kind = VAL_LIST, .fold = FOLD_SAME, .width = 20, .priority = 6,
		.needs = SRC_STACKS, .get = get_ustack,
	},
	{
		COLUMN("path", N_("PATH"),
		       N_("the functions that tell this path from the others; … where outer ones "
		          "are missing, ×3 where one is in it three times")),
		FIELD(path), .fold = FOLD_SAME, .flags = COL_GROW | COL_HIDDEN,
		.width = 20, .needs = SRC_STACKS,
	},
	{
		COLUMN("command", N_("COMMAND"), N_("command line of its process")),
		.kind = VAL_STR, .fold = FOLD_SAME, .flags = COL_HIDDEN, .width = 20, .wide = 60,
		.priority = 9, .needs = SRC_STACKS | SRC_TASKS | SRC_CMDLINE, .get = get_command,
	},
	{ 0 }
};
