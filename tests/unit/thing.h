/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An entity of its own for tests of what works with any: six things, made to differ in what
 * matters.
 */
#ifndef IOTOP_TESTS_THING_H
#define IOTOP_TESTS_THING_H

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "data/model.h"

struct thing_counters {
	uint64_t bytes, wait_ns, max_ns;
};

struct thing {
	struct row row;
	uint64_t id, big;
	int64_t nice;
	const char *name;
	struct thing_counters now, sum;
};

static inline struct value thing_frames(const struct cell *c)
{
	static const char *const frames[] = { "main", "vfs_read" };

	return c->row->key == 1 ? (struct value){ .kind = VAL_LIST, .n = 2, .list = frames }
				: value_none();
}

static inline struct value thing_hist(const struct cell *c)
{
	static const uint64_t pairs[][2] = { { 1024, 3 }, { 2048, 4 } };

	return c->row->key == 1 ? (struct value){ .kind = VAL_PAIRS, .n = 2, .pairs = pairs }
				: value_none();
}

static inline struct value thing_max(const struct cell *c)
{
	return value_u64(((const struct thing_counters *)c->counters)->max_ns);
}

static inline struct value thing_members(const struct cell *c)
{
	return value_u64(c->row->members);
}

static const struct column thing_columns[] = {
	{ .key = "id", .head = "ID", .unit = UNIT_NONE, COL_FIELD(struct thing, id),
	  .width = 4 },
	{ .key = "nice", .head = "NI", .unit = UNIT_NONE, COL_FIELD(struct thing, nice),
	  .width = 3 },
	{ .key = "top", .head = "TOP", .unit = UNIT_NONE, COL_FIELD(struct thing, nice),
	  .fold = FOLD_MAX, .width = 3 },
	{ .key = "big", .head = "BIG", .unit = UNIT_NONE, COL_FIELD(struct thing, big),
	  .width = 20 },
	{
		.key = "bytes", .head = "BYTES", .unit = UNIT_BYTES,
			COL_COUNT(struct thing_counters, bytes, VAL_U64),
		.fold = FOLD_SUM, .flags = COL_RATE | COL_ACTIVITY, .needs = SRC_BLOCK, .width = 8,
	},
	{
		.key = "wait", .head = "WAIT%", .unit = UNIT_PERCENT,
			COL_COUNT(struct thing_counters, wait_ns, VAL_U64),
		.flags = COL_PERCENT, .either = SRC_DELAYS | SRC_WAITS, .width = 5,
	},
	{ .key = "max", .head = "MAX", .unit = UNIT_NS, .kind = VAL_U64, .fold = FOLD_MAX,
	  .get = thing_max, .width = 6 },
	{ .key = "members", .head = "N", .unit = UNIT_COUNT, .kind = VAL_U64, .get = thing_members,
	  .width = 4 },
	{ .key = "graph", .head = "GRAPH", .kind = VAL_NONE, .flags = COL_GRAPH, .width = 10 },
	{ .key = "frames", .head = "FRAMES", .kind = VAL_LIST,
	  .get = thing_frames, .flags = COL_HIDDEN, .width = 9 },
	{ .key = "hist", .head = "HIST", .unit = UNIT_NS, .kind = VAL_PAIRS, .get = thing_hist,
	  .flags = COL_HIDDEN, .width = 9 },
	{
		.key = "name", .head = "NAME",
			COL_FIELD(struct thing, name),
		.flags = COL_GROW, .width = 8,
	},
	{ 0 }
};

static inline const char *thing_group_key(const struct row *row, enum group_by by, struct arena *a)
{
	const struct thing *t = (const struct thing *)row;

	return t->name ? arena_strndup(a, t->name, 1) : NULL;
}

static inline void thing_group(struct row *group, enum group_by by, uint64_t *sum,
			       struct arena *a)
{
	struct thing *t = (struct thing *)group;

	group->flags |= ROW_LED;
	t->name = arena_strndup(a, t->name, 1);
}

static const struct entity thing_entity = {
	.name = "thing",
	.row_size = sizeof(struct thing),
	.nsum = 2,
	.nmax = 1,
	.columns = thing_columns,
	.needs = SRC_TASKS,
	.tree_adds = true,
	.groups = 1u << GROUP_NONE | 1u << GROUP_COMM,
	.group_key = thing_group_key,
	.group = thing_group,
};

/* 1 is above 2 and 4, 2 above 3. 3 has ended; 5 and 6 are new; nobody measured 4. */
static struct thing things[6];
static struct history thing_histories[2];
static struct model thing_model;

static inline void things_build(void)
{
	static const struct thing origin[6] = {
		{ .id = 1, .nice = 5, .big = 1ull << 63, .name = "ab",
		  .now = { 1000, 500000000, 10 }, .sum = { 10000, 1000000000, 10 } },
		{ .id = 2, .nice = 6, .big = UINT64_MAX, .name = "ac", .now = { 2000, 0, 30 },
		  .sum = { 2000, 0, 30 } },
		{ .id = 3, .nice = 7, .name = "aa", .now = { 5000000000, 0, 20 },
		  .sum = { 5000000000, 0, 20 } },
		{ .id = 4, .nice = 8 },
		{ .id = 5, .nice = 9, .name = "b\"x, y", .now = { 1000, 0, 0 },
		  .sum = { 1000, 0, 0 } },
		{ .id = 6, .nice = 10, .name = "b\344\270\255", .now = { 0, 0, 0 },
		  .sum = { 7, 0, 0 } },
	};
	static const unsigned parents[6] = { 0, 1, 2, 1, 0, 0 };

	memcpy(things, origin, sizeof(things));
	thing_histories[0] = (struct history){ .read = { 10, 20 }, .n = 2 };
	thing_histories[1] = (struct history){ .read = { 1, 2, 3 }, .n = 3 };
	thing_model = (struct model){
		.interval = 1, .elapsed = 10, .real_ns = 1769860801004000000, .host = "db1"
	};
	for (unsigned i = 0; i < SRC_COUNT; i++)
		thing_model.sources[i].watch = (struct watch){
			.watched_ns = 1 * NSEC_PER_SEC, .total_ns = 10 * NSEC_PER_SEC
		};
	thing_model.rows[0] =
		(struct row_list){ .rows = calloc(6, sizeof(struct row *)), .n = 6, .cap = 6 };
	for (unsigned i = 0; i < 6; i++) {
		struct thing *t = &things[i];

		t->row = (struct row){
			.entity = &thing_entity, .now = &t->now.bytes, .sum = &t->sum.bytes,
			.key = i + 1, .members = 1,
			.have = i == 3 ? SRC_TASKS : SRC_TASKS | SRC_BLOCK,
			.flags = i == 2 ? ROW_ENDED : i >= 4 ? ROW_NEW : 0,
			.parent = parents[i] ? &things[parents[i] - 1].row : NULL,
			.history = i < 2 ? &thing_histories[i] : NULL,
		};
		/* Not in the order of anything. */
		thing_model.rows[0].rows[(i * 5 + 2) % 6] = &t->row;
	}
	things[0].row.have |= SRC_WAITS;
}

static inline void things_release(void)
{
	free(thing_model.rows[0].rows);
	memset(&thing_model, 0, sizeof(thing_model));
}

#endif
