// SPDX-License-Identifier: GPL-2.0-or-later
/* The columns of the stacks screen. */
#include "data/model.h"
#include "data/stack/stack.h"

#define ROW(c) ((const struct stack_row *)(c)->row)
#define COUNTERS(c) ((const struct stack_counters *)(c)->counters)

static struct value get_lat(const struct cell *c)
{
	const struct stack_counters *n = COUNTERS(c);

	return n->done ? value_u64(n->lat_ns / n->done) : value_none();
}

static struct value list(const struct frames *f)
{
	return f ? (struct value){ .kind = VAL_LIST, .list = { f->items, f->n } } : value_none();
}

static struct value get_kstack(const struct cell *c)
{
	return list(ROW(c)->kstack);
}

static struct value get_ustack(const struct cell *c)
{
	return list(ROW(c)->ustack);
}

const struct column stack_columns[] = {
	{
		.key = "disk", .head = N_("DISK"),
		.help = N_("the disk, or the device stacked on disks"),
		COL_FIELD(struct stack_row, disk, VAL_STR), .unit = UNIT_TEXT, .fold = FOLD_SAME,
		.flags = COL_LEFT,
		.width = 9, .priority = 1,
	},
	{
		.key = "comm", .head = N_("COMM"), .help = N_("name of the process"),
		COL_FIELD(struct stack_row, comm, VAL_STR), .unit = UNIT_TEXT, .fold = FOLD_SAME,
		.flags = COL_LEFT,
		.width = 15, .priority = 0,
	},
	{
		.key = "pid", .head = N_("PID"), .help = N_("process id"),
		COL_FIELD(struct stack_row, pid, VAL_U64), .unit = UNIT_NONE, .fold = FOLD_SAME,
		.flags = COL_NONZERO, .width = 7, .priority = 2,
	},
	{
		.key = "op", .head = N_("OP"),
		.help = N_("operation: read, write, discard, flush, other"),
		COL_FIELD(struct stack_row, op, VAL_STR), .unit = UNIT_TEXT, .fold = FOLD_SAME,
		.flags = COL_LEFT,
		.width = 7, .priority = 1,
	},
	{
		.key = "ios", .head = N_("IOS"), .help = N_("I/Os submitted in the interval"),
		COL_COUNT(struct stack_counters, ios, VAL_U64), .unit = UNIT_COUNT,
		.fold = FOLD_SUM,
		.flags = COL_COUNTER | COL_ACTIVITY, .width = 6, .priority = 2, .needs = SRC_STACKS,
	},
	{
		.key = "bytes", .head = N_("BYTES"), .help = N_("bytes submitted in the interval"),
		COL_COUNT(struct stack_counters, bytes, VAL_U64), .unit = UNIT_BYTES,
		.fold = FOLD_SUM,
		.flags = COL_COUNTER | COL_ACTIVITY, .width = 8, .priority = 0, .needs = SRC_STACKS,
	},
	{
		.key = "lat", .head = N_("LAT"),
		.help = N_("average latency of what completed in the interval"),
		.kind = VAL_U64, .unit = UNIT_NS, .fold = FOLD_MEAN, .width = 6, .priority = 3,
		.needs = SRC_STACKS,
		.get = get_lat,
	},
	{
		.key = "kstack", .head = N_("KERNEL STACK"),
		.help = N_("kernel functions, innermost first"),
		.kind = VAL_LIST, .unit = UNIT_TEXT, .fold = FOLD_SAME, .flags = COL_LEFT,
		.width = 20, .priority = 5,
		.needs = SRC_STACKS, .get = get_kstack,
	},
	{
		.key = "ustack", .head = N_("USER STACK"),
		.help = N_("functions of the program, innermost first"),
		.kind = VAL_LIST, .unit = UNIT_TEXT, .fold = FOLD_SAME, .flags = COL_LEFT,
		.width = 20, .priority = 6,
		.needs = SRC_STACKS, .get = get_ustack,
	},
	{
		.key = "path", .head = N_("PATH"),
		.help = N_("the functions that tell this path from the others; … where "
			   "outer ones are missing, ×3 where one is in it three times"),
		COL_FIELD(struct stack_row, path, VAL_STR), .unit = UNIT_TEXT, .fold = FOLD_SAME,
		.flags = COL_LEFT | COL_GROW | COL_HIDDEN, .width = 20, .priority = 0,
		.needs = SRC_STACKS,
	},
	{ 0 }
};
