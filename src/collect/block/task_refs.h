/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tasks that task refs of the block programs stand for, kept when the ref is given to another
 * task.
 */
#ifndef IOTOP_COLLECT_BLOCK_TASK_REFS_H
#define IOTOP_COLLECT_BLOCK_TASK_REFS_H

#include "base/hash.h"
#include "data/sample.h"

struct bpf_map;

struct task_ref {
	uint32_t ref;
	unsigned round;		/* used last */
	struct task_id process;	/* a named residual: start 0 */
	struct task_id task;	/* the thread itself */
	char comm[16];		/* NUL-terminated unless it is all of it */
};

struct task_refs {
	const struct bpf_map *map;	/* struct abi_task_ref; borrowed, NULL: nobody is known */
	struct hash known;
	unsigned round;
};

void task_refs_init(struct task_refs *refs, const struct bpf_map *map);
void task_refs_release(struct task_refs *refs);
/* A sample begins: what was not asked for in a long time is dropped. */
void task_refs_round(struct task_refs *refs);
/* NULL: nobody is known by this ref (any more). Valid until task_refs_round(). */
const struct task_ref *task_refs_get(struct task_refs *refs, uint32_t ref);

#endif
