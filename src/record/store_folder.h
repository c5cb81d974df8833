/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The folder of a store: segments, whose names tell their order and when they begin, and a lock.
 * Nothing in it is used that others than its owner can change, and the owner is root or us.
 */
#ifndef IOTOP_RECORD_STORE_FOLDER_H
#define IOTOP_RECORD_STORE_FOLDER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#include "base/err.h"

#define STORE_NAME	 48	/* bytes of a name, with what may be behind it */
#define STORE_UNFINISHED "-new" /* behind the name of a segment: what is to replace it */

struct guard;

struct store_folder {
	const char *path; /* borrowed, for messages */
	int fd;
	uid_t owner;
};

struct store_file {
	uint64_t number; /* they go on by one */
	uint64_t begin;	 /* CLOCK_REALTIME ns, in whole seconds */
	uint64_t bytes;	 /* with what lies beside it */
	bool wal;	 /* it is being written, or its recorder was killed */
	/* Others than before: it was changed or replaced. A number alone may come again. */
	ino_t inode;
	struct timespec changed;
	char name[STORE_NAME];
};

struct store_list {
	struct store_file *files; /* oldest first */
	size_t n;
};

/* write: it is made where there is none. */
int store_folder_open(const char *path, bool write, struct store_folder *ret, struct err *err);
void store_folder_close(struct store_folder *f);

int store_folder_list(const struct store_folder *f, struct store_list *ret, struct err *err);
void store_list_release(struct store_list *l);

void store_file_name(char *name, size_t size, uint64_t number, uint64_t begin);
/* All files of a segment. */
void store_file_remove(const struct store_folder *f, const char *name);
/*
 * What was made under a name with STORE_UNFINISHED takes the place of the segment, at once: whoever
 * opens it finds one or the other, also after a loss of power. -ENOENT: the segment is gone.
 */
int store_file_replace(const struct store_folder *f, const char *unfinished, struct err *err);
/* Takes away what a writer that was killed did not finish. */
void store_folder_clean(const struct store_folder *f);
/* Descriptors for SQLite; guard_free() by the caller. create: it must not be there. */
int store_file_open(const struct store_folder *f, const char *name, bool write, bool create,
		    struct guard **ret, struct err *err);
/* Whether somebody writes just now. */
bool store_folder_is_written(const struct store_folder *f);
/* A descriptor that holds the lock of who writes; the process that has it is named. */
int store_folder_lock(const struct store_folder *f, struct err *err);

#endif
