/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where processes see files that see other mounts than we do: in containers, below another root.
 * Which these are is asked of a helper (view_key.h); their mounts are read from /proc, which does
 * not wait. No path is looked up.
 */
#ifndef IOTOP_COLLECT_BLOCK_VIEWS_H
#define IOTOP_COLLECT_BLOCK_VIEWS_H

#include "base/hash.h"
#include "bpf/abi.h"
#include "collect/helper/view_key.h"
#include "data/sample.h"

struct helper;

struct views {
	struct helper *helper;
	char proc[256];		/* "/proc" */
	char own[VIEW_KEY];	/* the key of our own view */
	struct hash known;	/* of processes, by task */
	struct hash views;	/* other views than ours, by key */
	unsigned round;		/* number of the sample */
	unsigned reads;		/* how often more something is asked in this round */
	uint64_t until;		/* CLOCK_MONOTONIC ns: answers of this round are waited for */
};

/* A zeroed one is one that was not begun. */
void views_release(struct views *v);
/* A sample begins. helper: outlives v; NULL: nothing is told. */
void views_round(struct views *v, const char *proc, struct helper *helper);
/*
 * Where this task sees a file, in the sample's arena; NULL: it sees what we see, or that is not
 * known. sdev, names: of the file; path: where we see it, NULL: not known. seen: its names in the
 * overlay through which it was reached, NULL: none are known.
 */
const char *views_seen(struct views *v, struct sample *s, const struct task_id *task,
		       uint32_t sdev, const struct abi_names *names, const char *path,
		       const struct abi_names *seen);

#endif
