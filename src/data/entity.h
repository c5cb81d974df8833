/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An entity is a kind of row: tasks, disks, stacks, … A new one is one file and one line in
 * entity.c.
 */
#ifndef IOTOP_DATA_ENTITY_H
#define IOTOP_DATA_ENTITY_H

#include "base/arena.h"
#include "data/column.h"
#include "data/history.h"
#include "data/sample.h"

enum row_flag {
	ROW_ENDED = 1u << 0,	/* dimmed; its numbers are final */
	ROW_GROUP = 1u << 1,	/* folded from several rows */
	ROW_NEW = 1u << 2,	/* first seen in this interval */
	ROW_KTHREAD = 1u << 3,
	ROW_RESIDUAL = 1u << 4,	/* not a task: [journal], [swap], … */
	ROW_QUIET = 1u << 5,	/* hidden while idle */
	ROW_FOLDED = 1u << 6,	/* begins folded in the tree */
	ROW_UNASKED = 1u << 7,	/* the same, unless a filter asks (an unused loop device) */
	ROW_LED = 1u << 8,	/* a group that one of its members speaks for: FOLD_FIRST */
	ROW_UNSELECTED = 1u << 9,	/* of tasks that are not selected: in no view */
	ROW_BEFORE = 1u << 10,	/* of a comparison: only in the range before; its counters are 0 */
	ROW_STILL = 1u << 11,	/* no column makes it active in the interval (COL_ACTIVITY), nor is
				 * it urgent */
};

/* The head of every row. Rows are const once the model is built and live in its arena. */
struct row {
	const struct entity *entity;
	/*
	 * The entity's counters struct: of the last interval, and since the start. They may be
	 * shared (idle rows point to the same zeroes) and live at least as long as the model.
	 */
	const void *now, *sum;
	uint64_t key;		/* stable over ticks and unique within the entity: the cursor
				 * stays on it */
	const char *name;	/* how a breadcrumb calls it: "postgres 2211", "nvme0n1" */
	uint32_t flags;		/* enum row_flag */
	uint32_t have;		/* enum source bits that gave something for this row */
	const struct row *parent;	/* in the tree view, NULL at the top */
	const struct row *turned_parent;	/* in the tree upside down (entity->turns) */
	const struct history *history;	/* NULL: none */
	uint32_t members;	/* rows folded into this one, 1 for a plain row */
	const struct row *const *parts;	/* these rows, owned by the view; NULL for a plain row */
	const struct row *before;	/* of a comparison: the same in the range before, a row of
					 * that model; NULL: it was not there */
};

static inline const void *row_counters(const struct row *row, enum span span)
{
	return span == SPAN_TICK ? row->now : row->sum;
}

/* Whether it did nothing in this span for sure, nor is it urgent. */
static inline bool row_is_still(const struct row *row, enum span span)
{
	return row->flags & ROW_STILL && span == SPAN_TICK;
}

enum group_by {
	GROUP_NONE,	/* the entity's own rows (threads) */
	GROUP_PROCESS,
	GROUP_CGROUP,
	GROUP_COMM,
	GROUP_USER,
	GROUP_FILE,
	GROUP_FOLDER,
	GROUP_MOUNT,
	GROUP_FS,
	GROUP_EXTENSION,
	GROUP_COUNT,
};

extern const char *const group_names[GROUP_COUNT];	/* "thread", "process", … */

/*
 * A row's way through the code, outermost first: what folded output, flame graphs and the icicle
 * are made of.
 */
enum step_kind {
	STEP_DISK,
	STEP_TASK,
	STEP_USER,	/* of a program */
	STEP_LIBRARY,
	STEP_SCRIPT,	/* of an interpreter, or what it runs */
	STEP_KERNEL,
	STEP_MARK,	/* no frame: "[incomplete]", a delimiter */
};

struct step {
	const char *text;	/* clean */
	enum step_kind kind;
};

enum steps_flag {
	STEPS_REVERSED = 1u << 0,	/* innermost first: seen from the disk */
	STEPS_TASK_FIRST = 1u << 1,	/* the task before the disk */
	STEPS_DELIMITED = 1u << 2,	/* a mark between user and kernel code */
	STEPS_PROCESSES = 1u << 3,	/* a process by name and number, not by its name only */
};

/* What the width of a step is; in the order of --by. */
enum weight {
	WEIGHT_BYTES,
	WEIGHT_IOS,
	WEIGHT_LATENCY,
	WEIGHT_COUNT,
};

#define ROW_STACKS 4	/* the most that a row has */

/*
 * The counters of a row (now, sum) are a struct of uint64_t only: its first nsum members are added
 * when rows fold, the nmax members behind them are maxima.
 */
struct entity {
	const char *name;
	size_t row_size;
	unsigned nsum, nmax;	/* members of the counters struct; 0, 0: none */
	const struct column *columns;	/* one without a key ends them */
	unsigned needs;		/* sources without which there are no rows at all */
	bool tree_adds;		/* in its tree rows do not hold what those below them did:
				 * subtrees are ordered by sums */
	bool hangs;		/* rows have parents: they can be shown as a tree */
	bool turns;		/* its tree can be turned upside down: rows have a turned_parent */
	unsigned groups;	/* 1 << enum group_by that make sense */
	/* State that outlives a tick: histories, sums, previous counters. NULL: there is none. */
	void *(*state_new)(void);
	void (*state_free)(void *state);
	/* Adds this tick's rows to m (model_add_row). */
	void (*build)(void *state, struct model *m, const struct sample *cur);
	/*
	 * Takes the rows of `late` (data/sample.h) into the state. Rows stay as they were built;
	 * one that would look different is replaced (model_replace_row). May be NULL.
	 */
	void (*late)(void *state, struct model *m, const struct sample *late);
	/* The task whose command line the row lacks; false: it lacks none. May be NULL. */
	bool (*wants_command)(const struct row *row, struct task_id *ret);
	/*
	 * Ids of the row's stacks that have no names yet, when it was active in the interval; at
	 * most ROW_STACKS. May be NULL.
	 */
	size_t (*wants_stacks)(const struct row *row, uint64_t *ids);
	/* The key a row folds under, text in the arena or constant; NULL: a row of its own. */
	const char *(*group_key)(const struct row *row, enum group_by by, struct arena *a);
	/*
	 * What only the entity knows of a group, once its members (group->parts) are complete and
	 * their counters are in it: whether one of them leads it (ROW_LED), what it is called, and
	 * into sum what no member carries any more (threads that were dropped). The row begins as a
	 * copy of the first member with a head of its own. May be NULL.
	 */
	void (*group)(struct row *group, enum group_by by, uint64_t *sum, struct arena *a);
	/*
	 * Rows that have a path only. flags: enum steps_flag; the steps are in a; returns how many.
	 */
	size_t (*steps)(const struct row *row, unsigned flags, struct arena *a,
			const struct step **ret);
	/* counters: row->now or row->sum. Bytes, a number, or µs. */
	uint64_t (*weight)(const void *counters, enum weight by);
	unsigned weights;	/* 1 << enum weight that weight() has */
	/*
	 * Of rows that have as much of what they are sorted by, the largest first: a number of the
	 * interval, or since the start, that says how much else there is to see in a row. One with
	 * any is not idle. A group is asked as well. May be NULL.
	 */
	uint64_t (*urgency)(const struct row *row, enum span span);
	bool derived;	/* its rows come from those of others: it counts nothing itself */
	bool always;		/* built whenever a sample has its sources: tasks read them as
				 * well, so that they are not skipped for want of its rows */
	bool load_average;	/* text reports begin with it, as those of the tools they replace */
};

enum entity_id {
	ENTITY_TASK,
	ENTITY_DISKTASK,	/* built from the task rows */
	ENTITY_DISK,		/* its heat map, from those */
	ENTITY_STACK,
	ENTITY_LAYER,
	ENTITY_LAYERTASK,	/* built from the callers of those */
	ENTITY_OFFCPU,
	ENTITY_MOUNT,
	ENTITY_FILE,		/* whose they are, from the task rows */
	ENTITY_EVENT,
	ENTITY_FINDING,	/* built from all of those */
	ENTITY_COUNT,
};

extern const struct entity *const entities[ENTITY_COUNT];
/* by, or where the entity's paths have no such weight the first they have. */
enum weight entity_weight(const struct entity *e, enum weight by);
/* Every column of an entity, in its order. */
#define entity_each_column(e, col) \
	for (const struct column *col = (e)->columns; col->key; col++)

unsigned entity_column_count(const struct entity *e);
/* NULL: there is none. */
const struct column *entity_column(const struct entity *e, const char *key);

#endif
