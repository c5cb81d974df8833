/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What outlives a tick of files: counters by file and process. Private to src/data/file. */
#ifndef IOTOP_DATA_FILE_FILE_STATE_H
#define IOTOP_DATA_FILE_FILE_STATE_H

#include "data/counters.h"
#include "data/file/file.h"
#include "data/history.h"

/* What was read and written at one disk, bytes. */
struct file_disk {
	uint32_t dev;
	uint64_t now_read, now_write;	/* of the interval `tick' */
	uint64_t read, write;
	unsigned tick;
	struct file_disk *next;
};

struct file_entry {
	struct counters c;	/* struct file_counters */
	struct file_key {
		struct task_id process;	/* a residual: as in sample_io */
		uint64_t ino;
		uint32_t sdev;
		uint32_t stacked;	/* 1: not at a lowest disk */
	} key;
	char *path, *dir, *ext, *comm, *seen;	/* clean; NULL: not known */
	uint32_t uid, dev;	/* dev: where no disk had I/O of it yet; 0: not known */
	uint64_t cgroup;
	struct file_disk *disks;	/* that with most I/O, in the long run, first */
	uint64_t dirty;		/* bytes, not written yet; of the newest sample */
	bool deleted;
	bool is_block;		/* the file is a disk: its I/O there is of no file */
	struct history *history;
};

/* Where a file system is mounted, as rows of its files told last. Clean. */
struct file_mount {
	uint32_t sdev;		/* hash key */
	char *point, *fs;
};

/* Rows of a sample that are charged to files. */
struct file_busy_list {
	struct file_busy {
		uint64_t weight;
		const void *row;
		void *of;
	} *items;
	size_t n, cap;
};

struct file_state {
	struct counter_table *links, *calls, *files;
	struct hash tasks;	/* rows of tasks of this tick by id, once somebody asked */
	bool indexed;
	struct hash mounts;	/* struct file_mount by sdev */
	struct file_busy_list busy;
};


/* As those of an entity. */
void *file_state_new(void);
void file_state_free(void *state);
/* The same file of the same process at lowest disks, or at stacked ones; NULL: there is none. */
struct file_entry *file_state_twin(const struct file_state *st, const struct file_entry *e);
/* What a file had at one more disk, or more at one of its disks; d->tick says when. */
void file_disk_charge(unsigned tick, struct file_entry *e, const struct file_disk *more);
/* One more sample, m->cur. */
void file_state_update(struct file_state *st, const struct model *m);

#endif
