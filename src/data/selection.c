// SPDX-License-Identifier: GPL-2.0-or-later
#include "data/selection.h"

#include <string.h>

#include "data/task/task.h"

bool selection_is_any(const struct selection *s)
{
	return s->pids || s->uids || s->users || s->tid || s->cgroup;
}

unsigned selection_needs(const struct selection *s)
{
	return s->uids || s->users || s->cgroup ? SRC_TASKS | SRC_NAMES : 0;
}

static bool has_id(const struct selection *s, const struct task_id *id)
{
	if (s->tid && id->tid != s->tid)
		return false;
	if (!s->pids || number_set_has(s->pids, id->tgid))
		return true;
	if (id->tid)
		return number_set_has(s->pids, id->tid);
	return s->tgids && number_set_has(s->tgids, id->tgid);
}

static bool has_cgroup(const struct selection *s, const char *path)
{
	size_t len = strlen(s->cgroup);

	return path && !strncmp(path, s->cgroup, len) && (!path[len] || path[len] == '/');
}

bool selection_has(const struct selection *s, struct names *names, const struct task_id *id,
		   const struct selection_owner *owner)
{
	if (!selection_is_any(s))
		return true;
	if (!id->start || !has_id(s, id))
		return false;
	if ((s->uids || s->users) &&
	    !(owner && ((s->uids && number_set_has(s->uids, owner->uid)) ||
			(s->users && text_set_has(s->users, names_user(names, owner->uid))))))
		return false;
	return !s->cgroup || (owner && has_cgroup(s, names_cgroup_path(names, owner->cgroup)));
}

static uint64_t process_of(const struct row *row)
{
	return ((const struct task_row *)row)->id.tgid;
}

struct row_index selection_tasks(struct model *m)
{
	return row_index_new(m, ENTITY_TASK, process_of, &m->arena);
}

bool selection_has_process(const struct selection *s, struct names *names,
			   const struct row_index *tasks, const struct task_id *id)
{
	const struct task_id process = { id->tgid, 0, id->start };
	struct rows threads = row_index_find(tasks, id->tgid);
	const struct task_facts *facts = NULL;
	struct selection_owner owner;
	const struct task_row *t;

	/* A process of before that had the same number has ended: one that lives goes first. */
	row_each(t, &threads) {
		if (t->facts && (!facts || !(t->row.flags & ROW_ENDED) || t->id.start == id->start))
			facts = t->facts;
		if (facts && t->id.start == id->start)
			break;
	}
	if (facts)
		owner = (struct selection_owner){ facts->uid, facts->cgroup };
	return selection_has(s, names, &process, facts ? &owner : NULL);
}
