/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whose rows there are: --pid, --tid, --user and --cgroup. A row must match each that was given.
 * Entities mark the rows of others (ROW_UNSELECTED), and views leave these out.
 */
#ifndef IOTOP_DATA_SELECTION_H
#define IOTOP_DATA_SELECTION_H

#include "base/set.h"
#include "data/join.h"
#include "data/names.h"

/* Everything is borrowed. All zero: everybody is selected. */
struct selection {
	const struct number_set *pids;	/* processes or threads; NULL: all */
	const struct number_set *tgids;	/* the processes of these; NULL: not known */
	const struct number_set *uids;	/* one of these … */
	const struct text_set *users;	/* … or one of these; both NULL: all */
	uint32_t tid;			/* 0: all */
	const char *cgroup;		/* it and what is below it: clean, as in task rows, "" the
					 * root; NULL: all */
};

/* Who a task runs for. */
struct selection_owner {
	uint32_t uid;
	uint64_t cgroup;	/* id */
};

bool selection_is_any(const struct selection *s);
/* What tells who tasks run for: enum source bits. */
unsigned selection_needs(const struct selection *s);
/*
 * id: without a start it is no task, which is never selected; tid 0: a process as a whole. owner:
 * NULL: not known.
 */
bool selection_has(const struct selection *s, struct names *names, const struct task_id *id,
		   const struct selection_owner *owner);

/* The task rows of a model by process, for selection_has_process(). In the model's arena. */
struct row_index selection_tasks(struct model *m);
/* A process whose user and control group only its task rows know. */
bool selection_has_process(const struct selection *s, struct names *names,
			   const struct row_index *tasks, const struct task_id *id);

#endif
