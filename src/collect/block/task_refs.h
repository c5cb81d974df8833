/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whom a number of the block programs stands for, kept when the number is given to somebody else.
 */
#ifndef IOTOP_COLLECT_BLOCK_TASK_REFS_H
#define IOTOP_COLLECT_BLOCK_TASK_REFS_H

#include "base/hash.h"
#include "data/sample.h"

struct bpf_map;

struct cause {
	uint32_t owner;
	unsigned round;		/* used last */
	struct task_id id;	/* of the process; a named residual: start 0 */
	struct task_id task;	/* the thread itself */
	char comm[16];		/* NUL-terminated unless it is all of it */
};

struct causes {
	const struct bpf_map *owners;	/* borrowed, NULL: nobody is known */
	struct hash known;
	unsigned round;
};

void causes_init(struct causes *c, const struct bpf_map *owners);
void causes_release(struct causes *c);
/* A sample begins: what was not asked for in a long time is forgotten. */
void causes_round(struct causes *c);
/* NULL: nobody is known by this number (any more). Valid until causes_round(). */
const struct cause *causes_get(struct causes *c, uint32_t owner);

#endif
