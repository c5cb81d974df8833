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

#include "base/err.h"

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
	char name[40];
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
/* Descriptors for SQLite; guard_free() by the caller. create: it must not be there. */
int store_file_open(const struct store_folder *f, const char *name, bool write, bool create,
		    struct guard **ret, struct err *err);
/* A descriptor that holds the lock of who writes; the process that has it is named. */
int store_folder_lock(const struct store_folder *f, struct err *err);

#endif
