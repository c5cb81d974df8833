// SPDX-License-Identifier: GPL-2.0-or-later
/* The columns of the off-CPU screen. */
#include <string.h>

#include "data/model.h"
#include "data/stack/offcpu.h"
#include "data/stack/stack.h"

#define FIELD(member) COL_FIELD(struct offcpu_row, member)
#define COUNT(member) COL_COUNT(struct offcpu_counters, member, VAL_U64)
#define ROW(c) ((const struct offcpu_row *)(c)->row)

/* The same for programs: one word. */
static struct value get_reason(const struct cell *c)
{
	const char *reason = ROW(c)->reason;
	size_t n = reason ? strcspn(reason, ",") : 0;
	char *word;

	if (!reason)
		return value_none();
	word = arena_alloc(c->texts, n + 1);
	for (size_t i = 0; i < n; i++)
		word[i] = reason[i] == ' ' ? '_' : reason[i];
	word[n] = '\0';
	return value_str(word);
}

static struct value list(const struct cell *c, enum offcpu_stack i)
{
	const struct frames *f = ROW(c)->stacks[i];

	return f ? value_list(f->items, f->n) : value_none();
}

static struct value get_request_avg(const struct cell *c)
{
	const struct offcpu_counters *n = c->counters;

	return ROW(c)->disk && n->io_ns ? value_mean(n->io_ns, n->count) : value_none();
}

static struct value get_command(const struct cell *c)
{
	char *const *command = ROW(c)->command;

	return value_str(command && *command ? *command : ROW(c)->comm);
}

COL_GETTER(kind, value_str(waker_names[ROW(c)->waker_kind]))
COL_GETTER(woken, ROW(c)->woken)
COL_GETTER(cause, value_phrase(ROW(c)->reason))
COL_GETTER(request_disk, value_str(ROW(c)->disk ? ROW(c)->disk : ROW(c)->server))
COL_GETTER(request_op, value_str(ROW(c)->disk ? io_op_name(ROW(c)->op_id) : NULL))
COL_GETTER(kstack, list(c, OFFCPU_KERNEL))
COL_GETTER(ustack, list(c, OFFCPU_USER))
COL_GETTER(waker_kstack, list(c, OFFCPU_WAKER_KERNEL))
COL_GETTER(waker_ustack, list(c, OFFCPU_WAKER_USER))

#define STACK(k, h, text, fn)                                                                    \
	{                                                                                        \
		.key = (k), .head = (h), .help = (text), .kind = VAL_LIST, .fold = FOLD_SAME,    \
		.width = 20, .priority = 7, .needs = SRC_OFFCPU, .get = (fn),                    \
	}

const struct column offcpu_columns[] = {
	{
		COLUMN("comm", N_("COMM"), N_("name of the task that was blocked")),
		FIELD(comm), .fold = FOLD_SAME, .width = 15,
	},
	{
		COLUMN("pid", N_("PID"), N_("its process")),
		FIELD(pid), .fold = FOLD_SAME, .flags = COL_NONZERO, .width = 7,
		.priority = 2,
	},
	{
		COLUMN("tid", N_("TID"), N_("its thread")),
		FIELD(tid), .fold = FOLD_SAME, .flags = COL_NONZERO, .width = 7,
		.priority = 5,
	},
	{
		COLUMN("state", N_("ST"),
		       N_("how it slept: D uninterruptible, S interruptible, T stopped")),
		FIELD(state), .fold = FOLD_SAME, .width = 2, .priority = 3,
	},
	{
		COLUMN("blocked", N_("BLOCKED"),
		       N_("time it was blocked in the interval, until it was woken")),
		COUNT(blocked_ns), .unit = UNIT_NS, .fold = FOLD_SUM,
		.flags = COL_COUNTER | COL_ACTIVITY, .width = 8, .needs = SRC_OFFCPU,
	},
	{
		COLUMN("count", N_("COUNT"),
		       N_("how often; a block that goes on counts in each interval")),
		COUNT(count), .unit = UNIT_COUNT, .fold = FOLD_SUM, .flags = COL_COUNTER,
		.width = 6, .priority = 1, .needs = SRC_OFFCPU,
	},
	{
		COLUMN("max", N_("MAX"), N_("the longest block, counted from its begin")),
		COUNT(max_ns), .unit = UNIT_NS, .fold = FOLD_MAX, .flags = COL_COUNTER, .width = 7,
		.priority = 2, .needs = SRC_OFFCPU,
	},
	STACK("kstack", N_("KERNEL STACK"), N_("kernel functions it was in, innermost first"),
		get_kstack),
	STACK("ustack", N_("USER STACK"), N_("functions of its program, innermost first"),
		get_ustack),
	{
		COLUMN("waker", N_("WAKER"), N_("name of the task that woke it")),
		FIELD(waker_comm), .fold = FOLD_SAME, .width = 15, .priority = 5,
		.needs = SRC_OFFCPU,
	},
	{
		COLUMN("waker_pid", N_("WPID"), N_("process of the waker")),
		FIELD(waker_pid), .fold = FOLD_SAME, .flags = COL_NONZERO, .width = 7,
		.priority = 5, .needs = SRC_OFFCPU,
	},
	{
		COLUMN("waker_kind", N_("BY"),
		       N_("what woke it: task, irq, softirq, idle, unknown")),
		.kind = VAL_STR, .fold = FOLD_SAME, .width = 7, .priority = 5, .needs = SRC_OFFCPU,
		.get = get_kind,
	},
	STACK("waker_kstack", N_("WAKER'S KERNEL STACK"),
		N_("kernel functions of the waker, innermost first"), get_waker_kstack),
	STACK("waker_ustack", N_("WAKER'S USER STACK"),
		N_("functions of the waker's program, innermost first"), get_waker_ustack),
	{
		COLUMN("cause", N_("CAUSE"),
		       N_("what it waited for, as its stack tells; limit: one of its control "
			  "group")),
		.kind = VAL_STR, .fold = FOLD_SAME, .flags = COL_GROW, .width = 20, .wide = 27,
		.least = 14, .needs = SRC_OFFCPU, .get = get_cause,
	},
	{
		COLUMN("request_op", N_("OP"),
		       N_("the request that ended it: read, write, discard, flush, other")),
		.kind = VAL_STR, .fold = FOLD_SAME, .width = 7, .priority = 3,
		.needs = SRC_OFFCPU, .get = get_request_op,
	},
	{
		COLUMN("request_disk", N_("DISK"),
		       N_("the disk of that request; of a FUSE server where it is mounted")),
		.kind = VAL_STR, .fold = FOLD_SAME, .width = 7, .priority = 2,
		.get = get_request_disk,
		.needs = SRC_OFFCPU,
	},
	{
		COLUMN("request_avg", N_("LAT"),
		       N_("average time of those requests, submission to completion")),
		.kind = VAL_U64, .unit = UNIT_NS, .fold = FOLD_MEAN, .width = 6, .priority = 2,
		.needs = SRC_OFFCPU, .get = get_request_avg,
	},
	{
		COLUMN("path", N_("WAITS IN"),
		       N_("the functions that tell where it waits from where others do; … where "
		          "outer ones are missing")),
		FIELD(path), .fold = FOLD_SAME, .flags = COL_GROW | COL_HIDDEN,
		.width = 20, .priority = 4, .needs = SRC_OFFCPU,
	},
	{
		COLUMN("woken", N_("WOKEN BY"),
		       N_("who woke it; that it is still waiting, or in brackets who holds what it "
		          "waits for")),
		.kind = VAL_STR, .fold = FOLD_SAME, .flags = COL_HIDDEN | COL_WHOLE, .width = 18,
		.wide = 28, .priority = 1, .needs = SRC_OFFCPU, .get = get_woken,
	},
	{
		COLUMN("reason", N_("REASON"),
		       N_("what it waited for, as CAUSE, in a word that is never translated")),
		.kind = VAL_STR, .fold = FOLD_SAME, .flags = COL_HIDDEN, .width = 20, .priority = 6,
		.needs = SRC_OFFCPU, .get = get_reason,
	},
	{
		COLUMN("holder", N_("HOLDER"),
		       N_("who holds the lock, or commits the journal, that it waits for; of a "
		          "wait that ended who gave it free")),
		FIELD(holder_comm), .fold = FOLD_SAME, .width = 15, .priority = 4,
		.needs = SRC_OFFCPU,
	},
	{
		COLUMN("holder_tid", N_("HTID"), N_("thread of the holder")),
		FIELD(holder_tid), .fold = FOLD_SAME, .flags = COL_NONZERO, .width = 7,
		.priority = 4, .needs = SRC_OFFCPU,
	},
	{
		COLUMN("command", N_("COMMAND"), N_("command line of its process")),
		.kind = VAL_STR, .fold = FOLD_SAME, .flags = COL_HIDDEN, .width = 20, .wide = 60,
		.priority = 9, .needs = SRC_OFFCPU | SRC_TASKS | SRC_CMDLINE, .get = get_command,
	},
	{ 0 }
};
