/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "data/entity.h"

#include <string.h>

#include "data/disk/disk.h"
#include "data/finding/finding.h"
#include "data/layer/layer.h"
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
	[ENTITY_OFFCPU] = &entity_offcpu,
	[ENTITY_FINDING] = &entity_finding,
	[ENTITY_MOUNT] = &entity_mount,
};

const char *const group_names[GROUP_COUNT] = {
	[GROUP_NONE] = "thread",
	[GROUP_PROCESS] = "process",
	[GROUP_COMM] = "comm",
	[GROUP_USER] = "user",
	[GROUP_CGROUP] = "cgroup",
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

const struct column *entity_column(const struct entity *e, const char *key)
{
	entity_each_column(e, col)
		if (!strcmp(col->key, key))
			return col;
	return NULL;
}
