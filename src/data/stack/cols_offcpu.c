// SPDX-License-Identifier: GPL-2.0-or-later
/* The columns of the off-CPU screen. */
#include "base/i18n.h"
#include "data/model.h"
#include "data/stack/offcpu.h"

#define ROW(c) ((const struct offcpu_row *)(c)->row)

static struct value number(uint64_t v)
{
	return v ? value_u64(v) : value_none();
}

static struct value get_pid(const struct cell *c)
{
	return number(ROW(c)->pid);
}

static struct value get_tid(const struct cell *c)
{
	return number(ROW(c)->tid);
}

static struct value get_waker_pid(const struct cell *c)
{
	return number(ROW(c)->waker_pid);
}

static struct value get_kind(const struct cell *c)
{
	return value_str(waker_names[ROW(c)->waker_kind]);
}

static struct value get_woken(const struct cell *c)
{
	return ROW(c)->woken ? value_str(_(ROW(c)->woken)) : value_none();
}

static struct value get_cause(const struct cell *c)
{
	char text[192];

	offcpu_cause(text, sizeof(text), ROW(c), (const struct offcpu_counters *)c->counters);
	return *text ? value_str(arena_strdup(c->texts, text)) : value_none();
}

static struct value list(const struct cell *c, enum offcpu_stack i)
{
	const struct frames *f = ROW(c)->stacks[i];

	return f ? (struct value){ .kind = VAL_LIST, .list = { f->items, f->n } } : value_none();
}

static struct value get_kstack(const struct cell *c)
{
	return list(c, OFFCPU_KERNEL);
}

static struct value get_ustack(const struct cell *c)
{
	return list(c, OFFCPU_USER);
}

static struct value get_waker_kstack(const struct cell *c)
{
	return list(c, OFFCPU_WAKER_KERNEL);
}

static struct value get_waker_ustack(const struct cell *c)
{
	return list(c, OFFCPU_WAKER_USER);
}

#define STACK(k, h, text, fn)                                                                    \
	{                                                                                        \
		.key = (k), .head = (h), .help = (text), .kind = VAL_LIST, \
		.unit = UNIT_TEXT, .fold = FOLD_SAME, \
		.flags = COL_LEFT, .width = 20, .priority = 7, .needs = SRC_OFFCPU, .get = (fn), \
	}

const struct column offcpu_columns[OFFCPU_COLUMNS] = {
	{
		.key = "comm", .head = N_("COMM"), .help = N_("name of the task that was blocked"),
		COL_FIELD(struct offcpu_row, comm, VAL_STR), .unit = UNIT_TEXT, .fold = FOLD_SAME,
		.flags = COL_LEFT,
		.width = 15, .priority = 0,
	},
	{
		.key = "pid", .head = N_("PID"), .help = N_("its process"),
		.kind = VAL_U64, .unit = UNIT_NONE, .fold = FOLD_SAME, .width = 7, .priority = 2,
		.get = get_pid,
	},
	{
		.key = "tid", .head = N_("TID"), .help = N_("its thread"),
		.kind = VAL_U64, .unit = UNIT_NONE, .fold = FOLD_SAME, .width = 7, .priority = 5,
		.get = get_tid,
	},
	{
		.key = "state", .head = N_("ST"),
		.help = N_("how it slept: D uninterruptible, S interruptible, T stopped"),
		COL_FIELD(struct offcpu_row, state, VAL_STR), .unit = UNIT_TEXT, .fold = FOLD_SAME,
		.flags = COL_LEFT,
		.width = 2, .priority = 1,
	},
	{
		.key = "blocked", .head = N_("BLOCKED"),
		.help = N_("time it was blocked in the interval, until it was woken"),
		COL_COUNT(struct offcpu_counters, blocked_ns, VAL_U64), .unit = UNIT_NS,
		.fold = FOLD_SUM,
		.flags = COL_COUNTER | COL_ACTIVITY, .width = 8, .priority = 0, .needs = SRC_OFFCPU,
	},
	{
		.key = "count", .head = N_("COUNT"),
		.help = N_("how often; a block that goes on counts in each interval"),
		COL_COUNT(struct offcpu_counters, count, VAL_U64), .unit = UNIT_COUNT,
		.fold = FOLD_SUM,
		.flags = COL_COUNTER, .width = 6, .priority = 3, .needs = SRC_OFFCPU,
	},
	{
		.key = "max", .head = N_("MAX"),
		.help = N_("the longest block, counted from its begin"),
		COL_COUNT(struct offcpu_counters, max_ns, VAL_U64), .unit = UNIT_NS,
		.fold = FOLD_MAX, .flags = COL_COUNTER,
		.width = 7, .priority = 2, .needs = SRC_OFFCPU,
	},
	STACK("kstack", N_("KERNEL STACK"), N_("kernel functions it was in, innermost first"),
		get_kstack),
	STACK("ustack", N_("USER STACK"), N_("functions of its program, innermost first"),
		get_ustack),
	{
		.key = "waker", .head = N_("WAKER"), .help = N_("name of the task that woke it"),
		COL_FIELD(struct offcpu_row, waker_comm, VAL_STR), .unit = UNIT_TEXT,
		.fold = FOLD_SAME, .flags = COL_LEFT,
		.width = 15, .priority = 5, .needs = SRC_OFFCPU,
	},
	{
		.key = "waker_pid", .head = N_("WPID"), .help = N_("process of the waker"),
		.kind = VAL_U64, .unit = UNIT_NONE, .fold = FOLD_SAME, .width = 7, .priority = 5,
		.needs = SRC_OFFCPU,
		.get = get_waker_pid,
	},
	{
		.key = "waker_kind", .head = N_("BY"),
		.help = N_("what woke it: task, irq, softirq, idle, unknown"),
		.kind = VAL_STR, .unit = UNIT_TEXT, .fold = FOLD_SAME, .flags = COL_LEFT,
		.width = 7, .priority = 5,
		.needs = SRC_OFFCPU, .get = get_kind,
	},
	STACK("waker_kstack", N_("WAKER'S KERNEL STACK"),
		N_("kernel functions of the waker, innermost first"), get_waker_kstack),
	STACK("waker_ustack", N_("WAKER'S USER STACK"),
		N_("functions of the waker's program, innermost first"), get_waker_ustack),
	{
		.key = "cause", .head = N_("CAUSE"),
		.help = N_("what it waited for, and the request that ended it"),
		.kind = VAL_STR, .unit = UNIT_TEXT, .fold = FOLD_SAME, .flags = COL_LEFT | COL_GROW,
		.width = 40, .priority = 0,
		.needs = SRC_OFFCPU, .get = get_cause,
	},
	{
		.key = "path", .head = N_("WAITS IN"),
		.help = N_("the functions that tell where it waits from where others do; … "
			   "where outer ones are missing"),
		COL_FIELD(struct offcpu_row, path, VAL_STR), .unit = UNIT_TEXT, .fold = FOLD_SAME,
		.flags = COL_LEFT | COL_GROW | COL_HIDDEN,
		.width = 20, .priority = 4, .needs = SRC_OFFCPU,
	},
	{
		.key = "woken", .head = N_("WOKEN BY"),
		.help = N_("who woke it, or that it is still waiting"),
		.kind = VAL_STR, .unit = UNIT_TEXT, .fold = FOLD_SAME,
		.flags = COL_LEFT | COL_HIDDEN, .width = 20, .priority = 3,
		.needs = SRC_OFFCPU, .get = get_woken,
	},
};
