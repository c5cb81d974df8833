/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What outlives a tick of files: counters by file and process. Private to src/data/file. */
#ifndef IOTOP_DATA_FILE_FILE_STATE_H
#define IOTOP_DATA_FILE_FILE_STATE_H

#include "data/counters.h"
#include "data/file/file.h"
#include "data/history.h"

struct file_entry {
	struct counters c;	/* struct file_counters */
	struct file_key {
		struct task_id process;	/* a residual: as in sample_io */
		uint64_t ino;
		uint32_t sdev;
		uint32_t stacked;	/* 1: not at a lowest disk */
	} key;
	char *path, *dir, *ext, *mount, *fs, *comm;	/* clean; NULL: not known */
	uint32_t uid, dev;
	uint64_t cgroup;
	uint64_t most;		/* bytes at dev, which had the most of one disk */
	uint64_t dirty;		/* bytes, not written yet; of the newest sample */
	bool deleted;
	struct history *history;
};

struct file_state {
	struct counter_table *links, *calls, *files;
	struct hash tasks;	/* rows of tasks of this tick by id, once somebody asked */
	bool indexed;
};


/* As those of an entity. */
void *file_state_new(void);
void file_state_free(void *state);
/* One more sample, m->cur. */
void file_state_update(struct file_state *st, const struct model *m);

#endif
