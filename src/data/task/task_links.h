/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The block maps' part of the task state: who caused and who submitted how much at which disk. */
#ifndef IOTOP_DATA_TASK_TASK_LINKS_H
#define IOTOP_DATA_TASK_TASK_LINKS_H

#include "data/task/task_entry.h"

/* A cumulative counter set of the block maps. */
struct link_entry {
	struct counters c;		/* struct io_counters */
	struct link_key {
		struct task_id cause, submitter;
		uint32_t dev, op, how, pad;
	} key;
	struct task_link link;		/* what the rows show */
	struct task_entry *cause, *submitter;
	struct link_entry *next_caused, *next_submitted, *before_caused, *before_submitted;
	bool lowest;			/* at a lowest device: its bytes count for the task */
	bool above;			/* at a device that lies on others, which are shown, too */
};

void task_links_init(struct task_state *st);
/* Before anything is counted in a tick: sums follow a change of whom they are charged to. */
void task_links_charge(struct task_state *st);
/* One more sample, m->cur. */
void task_links_update(struct task_state *st, const struct model *m);
/* The entry goes. */
void task_links_release(struct task_entry *e);

#endif
