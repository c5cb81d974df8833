// SPDX-License-Identifier: GPL-2.0-or-later
#include "data/task/task_group.h"

#include "data/task/task_disks.h"
#include "data/task/task_files.h"

const char *task_group_key(const struct row *row, enum group_by by, struct arena *a)
{
	const struct task_row *t = (const struct task_row *)row;

	if (row->flags & ROW_RESIDUAL)
		return NULL;
	switch (by) {
	case GROUP_PROCESS:
		return arena_printf(a, "%llu", (unsigned long long)t->process);
	case GROUP_COMM:
		return t->comm;
	case GROUP_USER:
		return t->user;
	case GROUP_CGROUP:
		return t->cgroup_path ? t->cgroup_path : "";
	case GROUP_NONE:
	case GROUP_FILE:
	case GROUP_FOLDER:
	case GROUP_MOUNT:
	case GROUP_FS:
	case GROUP_EXTENSION:
	case GROUP_COUNT:
		break;
	}
	return NULL;
}

static void group_of_process(struct task_row *g, uint64_t *sum)
{
	const struct task_row *leader = task_leader((const struct task_row *)g->row.parts[0]);
	uint32_t tgid = leader->id.tgid;

	if (&leader->row != g->row.parts[0]) {
		const struct row head = g->row;

		*g = *leader;
		g->row = head;
	}
	g->row.flags |= ROW_LED;
	g->row.name = leader->comm;
	g->id = (struct task_id){ tgid, tgid, leader->id.tid == tgid ? leader->id.start : 0 };
	g->tid = g->pid;
	if (leader->process_gone)
		task_counters_add((struct task_counters *)sum, leader->process_gone);
}

/* Of a group of several processes only what they were grouped by is known here. */
static void group_of_many(struct task_row *g, enum group_by by)
{
	const struct task_row first = *g;

	*g = (struct task_row){ .row = first.row, .cgroup_path = first.cgroup_path };
	g->row.name = first.comm;
	if (by == GROUP_COMM)
		g->comm = first.comm;
	else if (by == GROUP_USER)
		g->user = g->row.name = first.user;
	else if (first.cgroup)
		g->row.name = first.cgroup;
}

void task_group(struct row *group, enum group_by by, uint64_t *sum, struct arena *a)
{
	struct task_row *g = (struct task_row *)group;

	if (by == GROUP_PROCESS)
		group_of_process(g, sum);
	else
		group_of_many(g, by);
	g->caused = g->submitted = NULL;
	g->files = NULL;
	g->nfiles = 0;
	for (uint32_t i = 0; i < group->members; i++) {
		const struct task_row *t = (const struct task_row *)group->parts[i];

		g->how = MAX(g->how, t->how);
		task_files_join(g, t, a);
	}
	task_disks_join(g, a);
}

/* Numbers of processes are those of their engine: of two engines they must not be the same. */
#define OTHER_ENGINE (1ull << 63)

void tasks_only_before(struct model *m, size_t first)
{
	const struct row_list *list = &m->rows[ENTITY_TASK];
	struct hash by_pid;

	hash_init(&by_pid, offsetof(struct task_row, pid), sizeof(uint64_t));
	for (size_t i = 0; i < first; i++) {
		struct task_row *t = (struct task_row *)(uintptr_t)list->rows[i];

		if (t->pid && !hash_get(&by_pid, &t->pid))
			hash_put(&by_pid, t);
	}
	for (size_t i = first; i < list->n; i++) {
		struct task_row *t = (struct task_row *)(uintptr_t)list->rows[i];
		const struct task_row *other = hash_get(&by_pid, &t->pid);

		t->process = other ? other->process : t->process | OTHER_ENGINE;
		t->process_gone = NULL;
		t->caused = t->submitted = NULL;
		t->disks = NULL;
		t->ndisks = 0;
	}
	hash_release(&by_pid);
}
