/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "data/entity.h"

#include <stdio.h>
#include <string.h>

#include "base/i18n.h"
#include "data/compare.h"
#include "data/disk/disk.h"
#include "data/file/file.h"
#include "data/event/event.h"
#include "data/finding/finding.h"
#include "data/layer/layer.h"
#include "data/layer/layertask.h"
#include "data/mount/mount.h"
#include "data/stack/offcpu.h"
#include "data/stack/stack.h"
#include "data/task/task.h"

const struct entity *const entities[ENTITY_COUNT] = {
	[ENTITY_TASK] = &entity_task,
	[ENTITY_DISKTASK] = &entity_disktask,
	[ENTITY_DISK] = &entity_disk,
	[ENTITY_STACK] = &entity_stack,
	[ENTITY_LAYER] = &entity_layer,
	[ENTITY_LAYERTASK] = &entity_layertask,
	[ENTITY_OFFCPU] = &entity_offcpu,
	[ENTITY_FINDING] = &entity_finding,
	[ENTITY_MOUNT] = &entity_mount,
	[ENTITY_FILE] = &entity_file,
	[ENTITY_EVENT] = &entity_event,
};

const char *const group_names[GROUP_COUNT] = {
	[GROUP_NONE] = "thread",
	[GROUP_PROCESS] = "process",
	[GROUP_COMM] = "comm",
	[GROUP_USER] = "user",
	[GROUP_CGROUP] = "cgroup",
	[GROUP_FILE] = "file",
	[GROUP_FOLDER] = "folder",
	[GROUP_MOUNT] = "mount",
	[GROUP_FS] = "fs",
	[GROUP_EXTENSION] = "extension",
};

unsigned entity_column_count(const struct entity *e)
{
	unsigned n = 0;

	entity_each_column(e, col)
		n++;
	return n;
}

enum weight entity_weight(const struct entity *e, enum weight by)
{
	enum weight first = WEIGHT_BYTES;

	if (e->weights & 1u << by)
		return by;
	while (first + 1 < WEIGHT_COUNT && !(e->weights & 1u << first))
		first++;
	return first;
}

#define RATIO_WIDTH 6

/* Ids have no unit. */
static bool is_comparable(const struct column *col)
{
	return column_is_number(col) && col->unit != UNIT_NONE && col->unit != UNIT_CLOCK &&
	       !col->compared;
}

static struct column derive(const struct column *of, enum compared what)
{
	const char *suffix = what == COMPARED_RATIO ? "_ratio" : "_diff";
	struct column col = *of;
	size_t len = strlen(of->key) + strlen(suffix) + 1;
	char *key = mem_alloc(len);

	snprintf(key, len, "%s%s", of->key, suffix);
	col.key = key;
	col.kind = VAL_F64;
	col.fold = FOLD_MEAN;
	col.flags = of->flags & (COL_READ | COL_WRITE);
	col.width = what == COMPARED_RATIO ? RATIO_WIDTH : of->width + 1;
	col.wide = 0;
	col.priority += what == COMPARED_RATIO ? 2 : 0;
	col.unit = what == COMPARED_RATIO ? UNIT_RATIO : of->unit;
	col.get = NULL;
	col.compared = what;
	col.of = of;
	return col;
}

/* Made once for each entity: "compared", then two for each number; one without a key ends them. */
static const struct column *columns_of(const struct entity *e)
{
	static struct column *made[ENTITY_COUNT];
	size_t id = 0, n = 0;

	while (id < ENTITY_COUNT && entities[id] != e)
		id++;
	if (id == ENTITY_COUNT || made[id])
		return id == ENTITY_COUNT ? NULL : made[id];
	made[id] = mem_zalloc((2 * entity_column_count(e) + 2) * sizeof(struct column));
	made[id][n++] = (struct column){
		COLUMN("compared", N_("RANGE"),
		       N_("in which of two ranges that are compared it was there")),
		.kind = VAL_STR, .width = 11,
		.compared = COMPARED_WHEN,
	};
	entity_each_column(e, col) {
		if (!is_comparable(col))
			continue;
		made[id][n++] = derive(col, COMPARED_DIFFERENCE);
		made[id][n++] = derive(col, COMPARED_RATIO);
	}
	return made[id];
}

const struct column *compare_column(const struct entity *e, const struct column *of,
				    enum compared what)
{
	const struct column *col = columns_of(e);

	while (col && col->key && !(col->of == of && col->compared == what))
		col++;
	return col && col->key ? col : NULL;
}

static const struct column *compare_find(const struct entity *e, const char *key)
{
	const struct column *col = columns_of(e);

	while (col && col->key && strcmp(col->key, key) != 0)
		col++;
	return col && col->key ? col : NULL;
}

const struct column *entity_column(const struct entity *e, const char *key)
{
	entity_each_column(e, col)
		if (!strcmp(col->key, key))
			return col;
	return compare_find(e, key);
}
